/* pawl doctor: what this machine can enforce, each thing tried, and what follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/report.h"
#include "tools/pawl/setup.h"
#include "tools/pawl/terminal.h"
#include "tools/pawl/trial.h"

static const struct synopsis synopsis = {
    .command = "doctor",
    .positionals = "",
    .summary = "Says what this machine can enforce, by trying each thing in a process that is "
               "thrown away; what that means for each provider; and what to change to get more.",
    .options = (const struct option *const[]){common_options, NULL},
};

/* The most trials that there can be. */
#define MOST 32

/* A memory limit that every engine can live with. */
#define TRIAL_MEMORY (UINT64_C(64) << 20)

struct examination {
    struct finding findings[MOST];
    pawl_registry *registry;
    pawl_listing *listing;
    pawl_error *error; /* the configuration cannot be applied: why */
};

static const char *advice(const struct trial *trial, const struct finding *finding)
{
    return finding->works || trial->advice == NULL ? NULL : trial->advice();
}

/* The providers as they would be, with as many of them as the configuration lets open. Its errors
 * are findings, too. */
static int examine_providers(struct examination *examination, const char *path)
{
    pawl_config *config = NULL;
    pawl_ring *ring = NULL;
    int code = pawl_registry_new(&examination->registry, &examination->error);
    if (code == PAWL_OK)
        code = pawl_ring_new(&ring, &examination->error);
    if (code == PAWL_OK)
        code = pawl_config_load(path, &config, &examination->error);
    if (code == PAWL_OK)
        pawl_config_apply(config, examination->registry, ring, &examination->error);
    if (code == PAWL_OK) {
        pawl_error *error = NULL;
        code = pawl_registry_list(examination->registry, &examination->listing, &error);
        if (code != PAWL_OK) {
            pawl_error_free(examination->error);
            examination->error = error;
        }
    }
    pawl_config_free(config);
    pawl_ring_free(ring);
    return code;
}

/* The strongest level at which something would run. */
static const char *strongest(const pawl_listing *listing)
{
    const char *name = NULL;
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        if (listed->what == PAWL_LISTED_PROVIDER)
            name = pawl_level_name(listed->level); /* in the order of levels */
    }
    return name;
}

static bool is_refused_provider(const struct pawl_listed *listed)
{
    return listed->what == PAWL_LISTED_REFUSED && listed->id != NULL;
}

/* --- What a provider really enforces ------------------------------------------------------- */

static const char *const axes[] = {"files", "network", "syscalls", "memory"};
#define AXES (sizeof(axes) / sizeof(axes[0]))

/* What one run on it had, and how it went. */
struct consultation {
    pawl_request *request;
    pawl_result *result;
    pawl_error *error;
};

static void end_consultation(struct consultation *consultation)
{
    pawl_result_free(consultation->result);
    pawl_request_free(consultation->request);
    pawl_error_free(consultation->error);
}

#define CONSULTATION_CLEANUP __attribute__((cleanup(end_consultation)))

/* Runs a program that does nothing, with a memory limit if the provider keeps one. What language it
 * is in does not matter: a program that fails was confined, too. */
static int consult(pawl_registry *registry, const struct pawl_listed *listed, uint64_t memory,
                   struct consultation *consultation)
{
    const struct pawl_budget budget = {
        .header = PAWL_HEADER(BUDGET, budget), .wall_clock = 5000, .max_memory = memory};
    pawl_error **error = &consultation->error;
    int code = pawl_request_new(&consultation->request, error);
    if (code != PAWL_OK)
        return code;
    pawl_request_add_budget(consultation->request, &budget);
    code = pawl_request_set_level(consultation->request, PAWL_LEVEL_NONE, error);
    if (code == PAWL_OK)
        code = pawl_request_set_provider(consultation->request, listed->id, error);
    if (code == PAWL_OK)
        code = pawl_request_set_language(consultation->request, listed->languages[0], error);
    if (code == PAWL_OK)
        code = pawl_request_set_program(consultation->request, "", 0, error);
    if (code == PAWL_OK)
        code = pawl_execute(registry, consultation->request, &consultation->result, error);
    return code;
}

/* The facts of an axis: grade and what keeps it; grade `none` when nothing was stated. */
struct axis {
    struct json_object *fact;
    const char *grade, *by;
};

static struct axis read_axis(const struct consultation *consultation, const char *name)
{
    struct axis axis = {.grade = "none", .by = NULL};
    struct json_object *member;
    const char *text =
        consultation->result == NULL ? NULL : pawl_result_fact(consultation->result, name);
    axis.fact = text == NULL ? NULL : json_tokener_parse(text);
    if (json_object_object_get_ex(axis.fact, "grade", &member))
        axis.grade = json_object_get_string(member);
    if (json_object_object_get_ex(axis.fact, "by", &member))
        axis.by = json_object_get_string(member);
    return axis;
}

/* --- As JSON ------------------------------------------------------------------------------ */

static struct json_object *finding_object(const struct trial *trial, const struct finding *finding)
{
    struct json_object *object = report_new_object();
    report_put_string(object, "name", trial->name);
    report_put(object, "works", json_object_new_boolean(finding->works));
    report_put_string(object, "how", finding->how);
    report_put_string(object, "use", trial->use);
    report_put_string(object, "change", advice(trial, finding));
    return object;
}

static struct json_object *provider_object(pawl_registry *registry,
                                           const struct pawl_listed *listed)
{
    struct consultation consultation CONSULTATION_CLEANUP = {0};
    struct json_object *object = report_new_object(), *enforcement = report_new_object();
    report_put_string(object, "id", listed->id);
    report_put_string(object, "level", pawl_level_name(listed->level));
    if (consult(registry, listed, TRIAL_MEMORY, &consultation) != PAWL_OK)
        report_put_string(object, "why", pawl_error_message(consultation.error));
    for (size_t i = 0; i < AXES; i++) {
        struct axis axis = read_axis(&consultation, axes[i]);
        struct json_object *one = report_new_object();
        report_put_string(one, "grade", axis.grade);
        report_put_string(one, "by", axis.by);
        report_put(enforcement, axes[i], one);
        json_object_put(axis.fact);
    }
    report_put(object, "enforcement", enforcement);
    return object;
}

static struct json_object *refused_object(const struct pawl_listed *listed)
{
    struct json_object *object = report_new_object();
    report_put_string(object, "id", listed->id);
    report_put_string(object, "reason", listed->reason);
    return object;
}

static int print_json(const struct examination *examination)
{
    struct utsname system;
    struct json_object *object = report_new_object();
    struct json_object *mechanisms = report_new_array(), *providers = report_new_array(),
                       *refused = report_new_array();
    if (uname(&system) == 0)
        report_put_string(object, "kernel", system.release);
    report_put_number(object, "user", geteuid());
    for (size_t i = 0; i < trial_count; i++)
        report_push(mechanisms, finding_object(&trials[i], &examination->findings[i]));
    for (size_t i = 0; i < pawl_listing_size(examination->listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(examination->listing, i);
        if (listed->what == PAWL_LISTED_PROVIDER)
            report_push(providers, provider_object(examination->registry, listed));
        else if (is_refused_provider(listed))
            report_push(refused, refused_object(listed));
    }
    report_put(object, "mechanisms", mechanisms);
    report_put_string(object, "strongest_level", strongest(examination->listing));
    report_put(object, "providers", providers);
    report_put(object, "refused", refused);
    if (examination->error != NULL)
        report_put_string(object, "configuration_error", pawl_error_message(examination->error));
    return report_object(object, EXIT_OK);
}

/* --- For people --------------------------------------------------------------------------- */

static void print_findings(const struct examination *examination)
{
    const char *said = NULL;
    for (size_t i = 0; i < trial_count; i++) {
        const struct finding *finding = &examination->findings[i];
        const char *change = advice(&trials[i], finding);
        terminal_format(stdout, STYLE_PLAIN, "%-22s ", trials[i].title);
        terminal_format(stdout, finding->works ? STYLE_BOLD : STYLE_ERROR, "%-4s",
                        finding->works ? "yes" : "no");
        terminal_format(stdout, STYLE_PLAIN, "%s\n", finding->how);
        /* The same advice for several is said once. */
        if (change != NULL && (said == NULL || strcmp(change, said) != 0))
            terminal_format(stdout, STYLE_HINT, "%-26s-> %s\n", "", change);
        if (change != NULL)
            said = change;
    }
}

static void print_enforcement(pawl_registry *registry, const struct pawl_listed *listed)
{
    struct consultation consultation CONSULTATION_CLEANUP = {0};
    if (consult(registry, listed, TRIAL_MEMORY, &consultation) != PAWL_OK) {
        terminal_format(stdout, STYLE_ERROR, "%24s%s\n", "",
                        pawl_error_message(consultation.error));
        return;
    }
    for (size_t i = 0; i < AXES; i++) {
        struct axis axis = read_axis(&consultation, axes[i]);
        terminal_format(stdout, STYLE_PLAIN, "%24s%-9s %-8s %s\n", "", axes[i], axis.grade,
                        axis.by == NULL ? "" : axis.by);
        json_object_put(axis.fact);
    }
}

static void print_providers(const struct examination *examination)
{
    const char *level = strongest(examination->listing);
    terminal_format(stdout, STYLE_PLAIN, "\nProviders, strongest level: %s\n",
                    level == NULL ? "there is no provider" : level);
    for (size_t i = 0; i < pawl_listing_size(examination->listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(examination->listing, i);
        if (listed->what == PAWL_LISTED_PROVIDER) {
            terminal_format(stdout, STYLE_PLAIN, "%-22s ", listed->id);
            terminal_format(stdout, STYLE_BOLD, "%s\n", pawl_level_name(listed->level));
            print_enforcement(examination->registry, listed);
        } else if (is_refused_provider(listed)) {
            terminal_format(stdout, STYLE_PLAIN, "%-22s ", listed->id);
            terminal_format(stdout, STYLE_ERROR, "no  ");
            terminal_format(stdout, STYLE_PLAIN, "%s\n", listed->reason);
        }
    }
    if (examination->error != NULL)
        terminal_format(stdout, STYLE_ERROR, "\nThe configuration cannot be used: %s\n",
                        pawl_error_message(examination->error));
}

static int print_text(const struct examination *examination)
{
    struct utsname system;
    if (uname(&system) == 0)
        terminal_format(stdout, STYLE_PLAIN, "%s %s, as %s\n\n", system.sysname, system.release,
                        geteuid() == 0 ? "root" : "an ordinary user");
    print_findings(examination);
    print_providers(examination);
    return report_flush(EXIT_OK);
}

int command_doctor(int argc, char **argv)
{
    struct common_settings settings = {0};
    struct examination examination = {0};
    int status = options_read(&synopsis, argc, argv, &settings, NULL, 0, 0);
    if (status != OPTIONS_GOOD)
        return status;
    /* Before anything starts a thread: the trials fork. */
    for (size_t i = 0; i < trial_count && i < MOST; i++)
        trial_run(&trials[i], &examination.findings[i]);
    if (examine_providers(&examination, settings.config) == PAWL_OK)
        status = settings.json ? print_json(&examination) : print_text(&examination);
    else {
        status = report_error(settings.json, examination.error);
        examination.error = NULL;
    }
    pawl_error_free(examination.error);
    pawl_listing_free(examination.listing);
    pawl_registry_free(examination.registry);
    return status;
}
