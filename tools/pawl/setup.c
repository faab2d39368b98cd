#include "tools/pawl/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pawl/report.h"

/* What is wrong with a configuration is for the operator to correct, a missing directory, too; but
 * a sound one can ask for what this machine does not allow. */
static int report_configuration(bool json, pawl_error *error)
{
    int code = pawl_error_code(error);
    if (code == PAWL_E_UNAVAILABLE || code == PAWL_E_ALREADY_TAKEN || code == PAWL_E_MEMORY)
        return report_error(json, error);
    int status = report_usage(json, "%s", pawl_error_message(error));
    pawl_error_free(error);
    return status;
}

int setup_open(struct setup *setup, const struct common_settings *settings)
{
    *setup = (struct setup){0};
    pawl_error *error = NULL;
    if (pawl_config_load(settings->config, &setup->config, &error) == PAWL_OK &&
        pawl_registry_new(&setup->registry, &error) == PAWL_OK &&
        pawl_ring_new(&setup->ring, &error) == PAWL_OK &&
        pawl_config_apply(setup->config, setup->registry, setup->ring, &error) == PAWL_OK)
        return EXIT_OK;
    return report_configuration(settings->json, error);
}

void setup_close(struct setup *setup)
{
    /* The registry first: it waits for calls that may still be judged. */
    if (setup->registry != NULL)
        pawl_registry_free(setup->registry);
    if (setup->ring != NULL)
        pawl_ring_free(setup->ring);
    pawl_config_free(setup->config);
    *setup = (struct setup){0};
}

/* --- Options ------------------------------------------------------------------------------ */

const struct option common_options[] = {
    {"config", "FILE", "read this configuration instead of the usual one", take_string,
     offsetof(struct common_settings, config)},
    {"json", NULL, "print one JSON object on stdout", take_flag_bool,
     offsetof(struct common_settings, json)},
    {0},
};

static char *take_egress(const char *argument, void *target)
{
    struct demand *demand = target;
    demand->proxy = NULL;
    if (strcmp(argument, "any") == 0) {
        demand->egress = PAWL_EGRESS_ANY;
    } else if (strcmp(argument, "none") == 0) {
        demand->egress = PAWL_EGRESS_NONE;
    } else if (strncmp(argument, "proxy=", 6) == 0 && argument[6] != '\0') {
        demand->egress = PAWL_EGRESS_PROXY;
        demand->proxy = argument + 6;
    } else {
        return strdup("expected any, none or proxy=URL");
    }
    return NULL;
}

#define AT(member) offsetof(struct demand_settings, demand.member)

const struct option demand_options[] = {
    {"level", "LEVEL", "none, process, os or machine (the configuration's, otherwise os)",
     take_level, AT(level)},
    {"language", "NAME", "what the program is written in (javascript)", take_string, AT(language)},
    {"provider", "ID", "only this provider will do", take_string, AT(provider)},
    {"timeout", "TIME", "wall clock: 1500ms, 30s, 10m", take_time_uint64, AT(budget.wall_clock)},
    {"max-calls", "N", "calls of functions", take_count_uint64, AT(budget.max_calls)},
    {"max-bytes", "SIZE", "JSON bytes that functions return: 262144, 256K", take_size_uint64,
     AT(budget.max_bytes)},
    {"memory", "SIZE", "memory that the program may hold: 64M", take_size_uint64,
     AT(budget.max_memory)},
    {"max-output", "SIZE", "JSON bytes of logs and value (1M)", take_size_uint64, AT(max_output)},
    {"egress", "WHAT", "network: any, none or proxy=URL (any)", take_egress,
     offsetof(struct demand_settings, demand)},
    {0},
};

/* --- Requests ----------------------------------------------------------------------------- */

/* Adds a word to a list that is shown to a person, once. */
static void list_word(char *list, size_t size, const char *word)
{
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++) {
        char after = at[strlen(word)];
        if ((at == list || at[-1] == ' ') && (after == '\0' || after == ','))
            return;
    }
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

/* Whether a provider has that id (`language` NULL) or runs that language. The languages of pawl's
 * own engines are known, installed or not. */
static bool is_known(const pawl_listing *listing, const char *id, const char *language, char *known,
                     size_t size)
{
    static const char *const own[] = {"javascript", "javascript-es5"};
    for (size_t i = 0; language != NULL && i < 2; i++) {
        if (strcmp(own[i], language) == 0)
            return true;
        list_word(known, size, own[i]);
    }
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        if (listed->what != PAWL_LISTED_PROVIDER)
            continue;
        if (language == NULL) {
            if (strcmp(listed->id, id) == 0)
                return true;
            list_word(known, size, listed->id);
            continue;
        }
        for (size_t j = 0; listed->languages != NULL && listed->languages[j] != NULL; j++) {
            if (strcmp(listed->languages[j], language) == 0)
                return true;
            list_word(known, size, listed->languages[j]);
        }
    }
    return false;
}

/* The refused instance or candidate of that name, or NULL. */
static const struct pawl_listed *find_refused(const pawl_listing *listing, const char *id)
{
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        const char *name = listed->id != NULL ? listed->id : listed->plugin;
        if (listed->what == PAWL_LISTED_REFUSED && name != NULL && strcmp(name, id) == 0)
            return listed;
    }
    return NULL;
}

/* A misspelt name is a mistake in the command; one that is known but of no use here is not. */
static int check_provider(const pawl_listing *listing, const char *id, bool json)
{
    char known[512] = "";
    if (is_known(listing, id, NULL, known, sizeof(known)))
        return EXIT_OK;
    const struct pawl_listed *refused = find_refused(listing, id);
    if (refused != NULL)
        return report_refused(json, id, refused->level, refused->reason);
    return report_usage(json, "no provider is called '%.64s'; there are: %s", id,
                        *known != '\0' ? known : "none");
}

static int check_language(const pawl_listing *listing, const char *language, bool json)
{
    char known[512] = "";
    if (is_known(listing, NULL, language, known, sizeof(known)))
        return EXIT_OK;
    return report_usage(json, "nothing here runs the language '%.64s'; known are: %s", language,
                        known);
}

static int check_names(const struct setup *setup, const struct demand_settings *settings)
{
    const struct demand *demand = &settings->demand;
    bool json = settings->common.json;
    pawl_listing *listing;
    pawl_error *error = NULL;
    if (pawl_registry_list(setup->registry, &listing, &error) != PAWL_OK)
        return report_error(json, error);
    int status = EXIT_OK;
    if (demand->provider != NULL)
        status = check_provider(listing, demand->provider, json);
    if (status == EXIT_OK && demand->language != NULL)
        status = check_language(listing, demand->language, json);
    pawl_listing_free(listing);
    return status;
}

/* Puts into a request what is asked for, and leaves the rest of it as it is. */
static int ask(const struct setup *setup, const struct demand *demand, pawl_request *request,
               pawl_error **error)
{
    struct pawl_policy policy = {
        .header = PAWL_HEADER(POLICY, policy),
        .egress = demand->egress,
        .proxy = demand->proxy,
    };
    struct pawl_budget budget = demand->budget;
    budget.header = pawl_budget_empty().header;
    pawl_request_add_budget(request, &budget);
    if (demand->max_output != 0)
        pawl_request_set_output_limit(request, demand->max_output);
    pawl_request_set_ring(request, setup->ring);
    int status = PAWL_OK;
    if (demand->language != NULL)
        status = pawl_request_set_language(request, demand->language, error);
    if (status == PAWL_OK && demand->provider != NULL)
        status = pawl_request_set_provider(request, demand->provider, error);
    if (status == PAWL_OK && demand->level.given)
        status = pawl_request_set_level(request, demand->level.level, error);
    if (status == PAWL_OK && demand->egress != PAWL_EGRESS_ANY)
        status = pawl_request_set_policy(request, &policy, error);
    return status;
}

static int fill_request(const struct setup *setup, const struct demand *demand, const char *program,
                        size_t size, pawl_request *request, pawl_error **error)
{
    pawl_request_set_output_limit(request, pawl_config_max_output(setup->config));
    int status = pawl_request_set_program(request, program, size, error);
    if (status == PAWL_OK)
        status =
            pawl_request_set_level(request, pawl_config_level(setup->config, PAWL_LEVEL_OS), error);
    return status == PAWL_OK ? ask(setup, demand, request, error) : status;
}

int setup_request(const struct setup *setup, const struct demand_settings *settings,
                  const char *program, size_t size, pawl_request **request)
{
    pawl_error *error = NULL;
    *request = NULL;
    int status = check_names(setup, settings);
    if (status != EXIT_OK)
        return status;
    if (pawl_request_new(request, &error) == PAWL_OK &&
        fill_request(setup, &settings->demand, program, size, *request, &error) == PAWL_OK)
        return EXIT_OK;
    pawl_request_free(*request);
    *request = NULL;
    return report_error(settings->common.json, error);
}

int setup_recorded_request(const struct setup *setup, const struct demand_settings *settings,
                           const pawl_record *record, bool functions, pawl_request **request)
{
    pawl_error *error = NULL;
    *request = NULL;
    int status = check_names(setup, settings);
    if (status != EXIT_OK)
        return status;
    if (pawl_record_request(record, functions, request, &error) == PAWL_OK &&
        ask(setup, &settings->demand, *request, &error) == PAWL_OK)
        return EXIT_OK;
    pawl_request_free(*request);
    *request = NULL;
    return report_error(settings->common.json, error);
}
