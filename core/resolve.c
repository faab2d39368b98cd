/* Which provider runs a request: the weakest that delivers all that was asked for, or none. */
#include <config.h> /* the one that configure made */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const egress_names[] = {
    [PAWL_EGRESS_ANY] = "any",
    [PAWL_EGRESS_PROXY] = "proxy",
    [PAWL_EGRESS_NONE] = "none",
};

static const char *const file_modes[] = {
    [PAWL_FILES_UNSPECIFIED] = "unspecified", [PAWL_FILES_NONE] = "none",
    [PAWL_FILES_READ_ONLY] = "read-only",     [PAWL_FILES_WORKSPACE_WRITE] = "workspace-write",
    [PAWL_FILES_FULL_ACCESS] = "full-access",
};

/* --- The budget ---------------------------------------------------------------------------- */

enum unit { UNIT_TIME, UNIT_COUNT, UNIT_SIZE };

static const struct budget_item {
    uint32_t bit;
    const char *name;
    enum unit unit;
    size_t offset;
} items[] = {
    {PAWL_BUDGET_WALL_CLOCK, "wall_clock", UNIT_TIME, offsetof(struct pawl_budget, wall_clock)},
    {PAWL_BUDGET_MAX_CALLS, "max_calls", UNIT_COUNT, offsetof(struct pawl_budget, max_calls)},
    {PAWL_BUDGET_MAX_BYTES, "max_bytes", UNIT_SIZE, offsetof(struct pawl_budget, max_bytes)},
    {PAWL_BUDGET_MAX_MEMORY, "max_memory", UNIT_SIZE, offsetof(struct pawl_budget, max_memory)},
};

static uint64_t *item_of(struct pawl_budget *budget, const struct budget_item *item)
{
    return (uint64_t *)((char *)budget + item->offset);
}

static uint64_t value_of(const struct pawl_budget *budget, const struct budget_item *item)
{
    return *(const uint64_t *)((const char *)budget + item->offset);
}

static bool is_zero(const struct pawl_budget *budget)
{
    for (size_t i = 0; i < COUNT(items); i++)
        if (value_of(budget, &items[i]) != 0)
            return false;
    return true;
}

/* " max_memory 64MiB" */
static void print_item(struct buffer *text, const struct budget_item *item, uint64_t value)
{
    char number[PAWL_UNIT_SIZE];
    if (item->unit == UNIT_TIME)
        pawl_duration_print(number, sizeof(number), value);
    else if (item->unit == UNIT_SIZE)
        pawl_size_print(number, sizeof(number), value);
    else
        snprintf(number, sizeof(number), "%llu", (unsigned long long)value);
    buffer_format(text, " %s %s", item->name, number);
}

static void print_budget(struct buffer *text, const struct pawl_budget *budget, uint32_t bits,
                         const char *separator)
{
    const char *before = "";
    for (size_t i = 0; i < COUNT(items); i++) {
        uint64_t value = value_of(budget, &items[i]);
        if (value == 0 || (bits & items[i].bit) == 0)
            continue;
        buffer_string(text, before);
        print_item(text, &items[i], value);
        before = separator;
    }
}

/* What was asked for, then the operator's defaults for what was not, then the operator's caps. An
 * item that is capped and was not asked for gets the cap: without one it would be unlimited. */
static struct pawl_budget whole_budget(const pawl_registry *registry, const pawl_request *request,
                                       uint32_t *capped)
{
    struct pawl_budget budget = request->budget;
    *capped = 0;
    for (size_t i = 0; i < COUNT(items); i++) {
        uint64_t *value = item_of(&budget, &items[i]);
        uint64_t cap = value_of(&registry->caps, &items[i]);
        if (*value == 0)
            *value = value_of(&registry->defaults, &items[i]);
        if (cap != 0 && *value > cap)
            *capped |= items[i].bit;
        if (cap != 0 && (*value == 0 || *value > cap))
            *value = cap;
    }
    return budget;
}

/* --- Why a provider will not do ------------------------------------------------------------ */

/* Appends what a provider said, if it said anything. */
static void append_words(struct buffer *why, struct buffer *words)
{
    plugin_clean_words(words);
    if (words->size > 0)
        buffer_format(why, ": %s", words->data);
}

static void list_languages(struct buffer *text, const struct provider_instance *provider)
{
    for (size_t i = 0; provider->languages[i] != NULL; i++)
        buffer_format(text, "%s%s", i > 0 ? ", " : "", provider->languages[i]);
}

static bool check_level(const struct provider_instance *provider, uint32_t level,
                        struct buffer *why)
{
    if (provider->level >= level)
        return true;
    buffer_format(why, "level too low: it is %s, %s was asked for",
                  pawl_level_name(provider->level), pawl_level_name(level));
    return false;
}

static bool check_language(const struct provider_instance *provider, const char *language,
                           struct buffer *why)
{
    if (provider_runs(provider, language))
        return true;
    buffer_format(why, "does not run the language %s (it runs ", language);
    list_languages(why, provider);
    buffer_string(why, ")");
    return false;
}

/* What a provider that answers no questions about budgets supports. */
static int32_t supports_all_but_memory(const struct pawl_budget *budget, uint32_t *missing)
{
    *missing = budget->max_memory != 0 ? PAWL_BUDGET_MAX_MEMORY : 0;
    return *missing != 0 ? PAWL_E_UNSUPPORTED : PAWL_OK;
}

static bool check_budget(struct provider_instance *provider, const struct pawl_budget *budget,
                         struct buffer *why)
{
    const struct pawl_provider *descriptor = &provider->descriptor;
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink sink = plugin_words_sink(&words);
    uint32_t missing = 0;
    int32_t status;
    if (is_zero(budget))
        return true;
    if (descriptor->supports == NULL) {
        status = supports_all_but_memory(budget, &missing);
    } else {
        provider_ask(provider);
        status = descriptor->supports(provider->instance, budget, &sink, &missing);
        provider_asked(provider);
    }
    if (status == PAWL_OK)
        return true;
    if (status == PAWL_E_UNSUPPORTED) {
        struct buffer named BUFFER_CLEANUP = {0};
        print_budget(&named, budget, missing, ",");
        buffer_format(why, "does not support%s", named.size > 0 ? named.data : " this budget");
        append_words(why, &words);
    } else {
        pawl_error *error = NULL;
        plugin_error(&error, status, &words, "cannot say whether it supports the budget");
        buffer_string(why, pawl_error_message(error));
        pawl_error_free(error);
    }
    return false;
}

static bool check_egress(const struct provider_instance *provider, const pawl_request *request,
                         struct buffer *why)
{
    uint32_t egress = request->policy.view.egress;
    if (provider->egress >= egress || request->enforcer != NULL)
        return true;
    buffer_format(why, "does not enforce the egress %s", egress_names[egress]);
    return false;
}

static bool check_files(struct provider_instance *provider, const struct pawl_policy *policy,
                        struct buffer *why)
{
    const struct pawl_provider *descriptor = &provider->descriptor;
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink sink = plugin_words_sink(&words);
    int32_t status;
    if (policy->files == PAWL_FILES_UNSPECIFIED)
        return true;
    if (descriptor->files == NULL) {
        bool enforced = policy->files == PAWL_FILES_NONE && provider->level >= PAWL_LEVEL_PROCESS;
        status = enforced ? PAWL_OK : PAWL_E_UNSUPPORTED;
    } else {
        provider_ask(provider);
        status = descriptor->files(provider->instance, policy, &sink);
        provider_asked(provider);
    }
    if (status == PAWL_OK)
        return true;
    buffer_format(why, "does not enforce the file mode %s", file_modes[policy->files]);
    append_words(why, &words);
    return false;
}

/* --- Choosing ------------------------------------------------------------------------------ */

struct choice {
    const pawl_request *request;
    const struct pawl_budget *budget;
    struct provider_instance **providers;
    size_t count;
    struct provider_instance *chosen;
    bool only_policy; /* some provider will do but for the egress or the file mode */
    struct refusals refusals;
};

/* Whether a provider satisfies the request; otherwise `why` says what it lacks first. */
static bool satisfies(struct choice *choice, struct provider_instance *provider, struct buffer *why)
{
    const pawl_request *request = choice->request;
    if (request->provider != NULL && strcmp(request->provider, provider->id) != 0) {
        buffer_format(why, "the provider '%s' was asked for", request->provider);
        return false;
    }
    if (!check_level(provider, request->level, why) ||
        !check_language(provider, request->language, why) ||
        !check_budget(provider, choice->budget, why))
        return false;
    if (check_egress(provider, request, why) && check_files(provider, &request->policy.view, why))
        return true;
    choice->only_policy = true;
    return false;
}

/* Why a provider that comes after the chosen one was not taken. It is not asked anything. */
static void explain_later(const struct choice *choice, const struct provider_instance *provider,
                          struct buffer *why)
{
    const pawl_request *request = choice->request;
    if (request->provider != NULL)
        buffer_format(why, "the provider '%s' was asked for", request->provider);
    else if (!check_language(provider, request->language, why))
        return;
    else if (provider->level > choice->chosen->level)
        buffer_format(why, "stronger than needed: it is %s, %s is enough",
                      pawl_level_name(provider->level), pawl_level_name(choice->chosen->level));
    else
        buffer_format(why, "'%s' has the same level and comes first", choice->chosen->id);
}

/* The providers come weakest first, so the first that satisfies is the one. */
static int choose(struct choice *choice, pawl_error **error)
{
    for (size_t i = 0; i < choice->count; i++) {
        struct provider_instance *provider = choice->providers[i];
        struct buffer why BUFFER_CLEANUP = {0};
        if (choice->chosen != NULL) {
            explain_later(choice, provider, &why);
        } else if (satisfies(choice, provider, &why)) {
            choice->chosen = provider;
            continue;
        }
        if (why.failed != PAWL_OK ||
            refusals_add(&choice->refusals, provider->id, provider->level, why.data) != PAWL_OK)
            return error_memory(error);
    }
    return PAWL_OK;
}

/* --- Saying no ----------------------------------------------------------------------------- */

static int no_such_provider(pawl_registry *registry, const struct choice *choice,
                            pawl_error **error)
{
    const char *id = choice->request->provider;
    const struct refused *refused = registry_refused(registry, id);
    if (refused != NULL)
        return error_set(error, PAWL_E_NO_PROVIDER, "the provider '%s' (%s) cannot be used: %s", id,
                         refused->path, refused->reason);
    struct buffer there BUFFER_CLEANUP = {0};
    for (size_t i = 0; i < choice->count; i++)
        buffer_format(&there, "%s%s", i > 0 ? ", " : "", choice->providers[i]->id);
    if (there.failed != PAWL_OK)
        return error_memory(error);
    return error_set(error, PAWL_E_UNKNOWN, "there is no provider '%.128s': there %s %s", id,
                     choice->count == 1 ? "is" : "are", choice->count > 0 ? there.data : "none");
}

static bool is_listed(const struct choice *choice, const char *language)
{
    for (size_t i = 0; i < choice->count; i++)
        if (provider_runs(choice->providers[i], language))
            return true;
    return false;
}

static bool add_language(const char **languages, size_t *count, const char *language)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(languages[i], language) == 0)
            return true;
    languages[*count] = language;
    return ++*count < 64;
}

/* Nobody here has ever heard of the language: most likely its name is wrong. */
static int unknown_language(const struct choice *choice, pawl_error **error)
{
    const char *languages[64];
    size_t count = 0;
    struct buffer text BUFFER_CLEANUP = {0};
    for (size_t i = 0; i < choice->count; i++)
        for (const char *const *own = choice->providers[i]->languages; *own != NULL; own++)
            if (!add_language(languages, &count, *own))
                break;
    for (size_t i = 0; i < count; i++)
        buffer_format(&text, "%s%s", i > 0 ? ", " : "", languages[i]);
    if (text.failed != PAWL_OK)
        return error_memory(error);
    return error_set(error, PAWL_E_UNKNOWN, "no provider runs the language '%.64s': there %s %s",
                     choice->request->language, count == 1 ? "is" : "are", text.data);
}

/* The languages that pawl itself speaks of are known even where nothing runs them. */
static bool is_standard(const char *language)
{
    return strcmp(language, "javascript") == 0 || strcmp(language, "javascript-es5") == 0;
}

/* What to do about a standard language that nothing runs. */
static void advise_language(struct buffer *text, const char *language)
{
    if (strcmp(language, "javascript") == 0) {
#ifdef QUICKJS_MISSING
        buffer_string(
            text, "; the quickjs provider runs javascript, but it was not built: " QUICKJS_MISSING);
#else
        buffer_string(text, "; the quickjs provider runs javascript, but its plugin was not found");
#endif
    } else {
        buffer_string(text,
                      "; the mujs provider runs javascript-es5, but its plugin was not found");
    }
}

/* "(level os, language javascript, max_memory 64MiB, egress none)" */
static void print_demand(struct buffer *text, const struct choice *choice)
{
    const pawl_request *request = choice->request;
    const struct pawl_policy *policy = &request->policy.view;
    buffer_format(text, "level %s, language %s", pawl_level_name(request->level),
                  request->language);
    if (!is_zero(choice->budget)) {
        buffer_string(text, ",");
        print_budget(text, choice->budget, UINT32_MAX, ",");
    }
    if (policy->egress != PAWL_EGRESS_ANY)
        buffer_format(text, ", egress %s", egress_names[policy->egress]);
    if (policy->files != PAWL_FILES_UNSPECIFIED)
        buffer_format(text, ", file mode %s", file_modes[policy->files]);
}

static int refuse(struct choice *choice, pawl_error **error)
{
    struct buffer text BUFFER_CLEANUP = {0};
    const char *language = choice->request->language;
    buffer_string(&text, "no provider satisfies the request (");
    print_demand(&text, choice);
    buffer_string(&text, ")");
    if (choice->count == 0)
        buffer_string(&text, ": there are no providers");
    for (size_t i = 0; i < choice->refusals.count; i++)
        buffer_format(&text, "%s%s: %s", i == 0 && choice->count > 0 ? ": " : "; ",
                      choice->refusals.items[i].id, choice->refusals.items[i].why);
    if (!is_listed(choice, language) && is_standard(language))
        advise_language(&text, language);
    if (text.failed != PAWL_OK)
        return error_memory(error);
    return error_set_refused(error, choice->only_policy ? PAWL_E_NOT_ENFORCED : PAWL_E_NO_PROVIDER,
                             &choice->refusals, "%s", text.data);
}

static int check_request(pawl_registry *registry, const struct choice *choice, pawl_error **error)
{
    const pawl_request *request = choice->request;
    if (!request->has_level)
        return error_set(error, PAWL_E_ARGUMENT,
                         "the request has no level: there is no default (pawl_request_set_level)");
    if (request->policy.view.egress >= COUNT(egress_names))
        return error_set(error, PAWL_E_ARGUMENT, "the egress %u does not exist",
                         request->policy.view.egress);
    if (request->policy.view.files >= COUNT(file_modes))
        return error_set(error, PAWL_E_ARGUMENT, "the file mode %u does not exist",
                         request->policy.view.files);
    bool found = request->provider == NULL;
    for (size_t i = 0; !found && i < choice->count; i++)
        found = strcmp(choice->providers[i]->id, request->provider) == 0;
    if (!found)
        return no_such_provider(registry, choice, error);
    if (choice->count > 0 && !is_standard(request->language) &&
        !is_listed(choice, request->language))
        return unknown_language(choice, error);
    return PAWL_OK;
}

/* --- The spec ------------------------------------------------------------------------------ */

static int make_spec(struct choice *choice, uint32_t capped, pawl_spec **spec, pawl_error **error)
{
    const pawl_request *request = choice->request;
    uint32_t egress = request->policy.view.egress;
    pawl_spec *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->provider = choice->chosen;
    made->budget = *choice->budget;
    made->capped = capped;
    made->language = strdup(request->language);
    bool complete = made->language != NULL;
    if (complete && egress != PAWL_EGRESS_ANY) {
        bool itself = choice->chosen->egress >= egress;
        made->egress_by = strdup(itself ? choice->chosen->id : request->enforcer_name);
        complete = made->egress_by != NULL;
    }
    int code =
        complete ? policy_copy(&made->policy, &request->policy.view, error) : error_memory(error);
    if (code != PAWL_OK) {
        pawl_spec_free(made);
        return code;
    }
    made->refusals = choice->refusals;
    choice->refusals = (struct refusals){0};
    *spec = made;
    return PAWL_OK;
}

int pawl_registry_resolve(pawl_registry *registry, const pawl_request *request, pawl_spec **spec,
                          pawl_error **error)
{
    uint32_t capped;
    struct pawl_budget budget = whole_budget(registry, request, &capped);
    struct choice choice = {.request = request, .budget = &budget};
    choice.providers = registry_providers(registry, &choice.count);
    if (choice.providers == NULL)
        return error_memory(error);
    int code = check_request(registry, &choice, error);
    if (code == PAWL_OK)
        code = choose(&choice, error);
    /* What would have been strong enough may have failed to start on this machine. */
    if (code == PAWL_OK && registry_explain_refused(registry, &choice.refusals) != PAWL_OK)
        code = error_memory(error);
    if (code == PAWL_OK)
        code = choice.chosen != NULL ? make_spec(&choice, capped, spec, error)
                                     : refuse(&choice, error);
    refusals_clear(&choice.refusals);
    free(choice.providers);
    return code;
}

const char *pawl_spec_provider(const pawl_spec *spec)
{
    return spec->provider->id;
}

uint32_t pawl_spec_level(const pawl_spec *spec)
{
    return spec->provider->level;
}

const char *pawl_spec_language(const pawl_spec *spec)
{
    return spec->language;
}

const struct pawl_budget *pawl_spec_budget(const pawl_spec *spec)
{
    return &spec->budget;
}

uint32_t pawl_spec_capped(const pawl_spec *spec)
{
    return spec->capped;
}

const struct pawl_policy *pawl_spec_policy(const pawl_spec *spec)
{
    return &spec->policy.view;
}

size_t pawl_spec_refusals(const pawl_spec *spec)
{
    return spec->refusals.count;
}

void pawl_spec_refusal(const pawl_spec *spec, size_t index, const char **id, uint32_t *level,
                       const char **why)
{
    const struct refusal *refusal =
        index < spec->refusals.count ? &spec->refusals.items[index] : NULL;
    if (id != NULL)
        *id = refusal != NULL ? refusal->id : NULL;
    if (level != NULL)
        *level = refusal != NULL ? refusal->level : 0;
    if (why != NULL)
        *why = refusal != NULL ? refusal->why : NULL;
}

void pawl_spec_free(pawl_spec *spec)
{
    if (spec == NULL)
        return;
    free(spec->language);
    free(spec->egress_by);
    policy_clear(&spec->policy);
    refusals_clear(&spec->refusals);
    free(spec);
}
