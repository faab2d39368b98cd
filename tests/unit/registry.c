/* Unit tests of the registry: adding, finding, choosing and listing providers. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/registry.h"
#include "tests/unit/test.h"

/* --- A provider that the host builds ------------------------------------------------------- */

/* What an instance is and does; its address is passed as the configuration. */
struct made {
    uint32_t level;
    const char *languages[4];
    uint64_t most_memory; /* that it supports; 0: none */
    uint32_t missing;     /* what it says that it does not support, whatever is asked */
    int32_t status;       /* of `supports`, instead */
    uint32_t egress;
    int32_t files; /* what it answers about file modes */
    const char *words;
    atomic_int destroyed;
};

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    (void)host;
    (void)why;
    return sscanf(config, "%p", instance) == 1 ? PAWL_OK : PAWL_E_CONFIG;
}

static void destroy(void *instance)
{
    struct made *made = instance;
    atomic_fetch_add(&made->destroyed, 1);
}

static uint32_t level(void *instance)
{
    const struct made *made = instance;
    return made->level;
}

static const char *const *languages(void *instance)
{
    const struct made *made = instance;
    return made->languages;
}

static void say(const struct made *made, const struct pawl_sink *why)
{
    if (made->words != NULL)
        why->write(why->context, made->words, strlen(made->words));
}

static int32_t supports(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing)
{
    const struct made *made = instance;
    *missing = made->missing;
    if (budget->max_memory > made->most_memory)
        *missing |= PAWL_BUDGET_MAX_MEMORY;
    if (made->status == PAWL_OK && *missing == 0)
        return PAWL_OK;
    say(made, why);
    return made->status != PAWL_OK ? made->status : PAWL_E_UNSUPPORTED;
}

static uint32_t egress(void *instance)
{
    const struct made *made = instance;
    return made->egress;
}

static int32_t files(void *instance, const struct pawl_policy *policy, const struct pawl_sink *why)
{
    const struct made *made = instance;
    (void)policy;
    say(made, why);
    return made->files;
}

static atomic_int running, most_running;

static int32_t run(void *instance, const struct pawl_run *view, const struct pawl_sink *why)
{
    (void)instance;
    (void)view;
    (void)why;
    return PAWL_OK;
}

static const struct pawl_provider descriptor = {
    .header = PAWL_HEADER(PROVIDER, descriptor),
    .name = "made",
    .version = "3",
    .description = "made by the test",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = destroy,
    .level = level,
    .supports = supports,
    .egress = egress,
    .files = files,
    .languages = languages,
    .run = run,
};

static int add_as(pawl_registry *registry, const struct pawl_provider *provider, const char *id,
                  struct made *made, pawl_error **error)
{
    char config[32];
    snprintf(config, sizeof(config), "%p", (void *)made);
    return pawl_registry_add(registry, provider, id, config, error);
}

static void add(pawl_registry *registry, const char *id, struct made *made)
{
    CU_ASSERT_EQUAL_FATAL(add_as(registry, &descriptor, id, made, NULL), PAWL_OK);
}

static pawl_registry *new_registry(void)
{
    pawl_registry *registry;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    return registry;
}

static pawl_request *new_request(uint32_t asked, const char *language)
{
    pawl_request *request;
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&request, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_request_set_level(request, asked, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_request_set_language(request, language, NULL), PAWL_OK);
    return request;
}

static void ask_memory(pawl_request *request, uint64_t bytes)
{
    struct pawl_budget budget = pawl_budget_empty();
    budget.max_memory = bytes;
    pawl_request_add_budget(request, &budget);
}

static void ask_policy(pawl_request *request, uint32_t asked_egress, uint32_t mode)
{
    struct pawl_policy policy = {.header = PAWL_HEADER(POLICY, policy),
                                 .egress = asked_egress,
                                 .files = mode,
                                 .working_directory = "/tmp"};
    CU_ASSERT_EQUAL_FATAL(pawl_request_set_policy(request, &policy, NULL), PAWL_OK);
}

/* Which provider is chosen; frees the request. */
static const char *chosen(pawl_registry *registry, pawl_request *request)
{
    static char id[64];
    pawl_spec *spec;
    snprintf(id, sizeof(id), "none");
    if (pawl_registry_resolve(registry, request, &spec, NULL) == PAWL_OK) {
        snprintf(id, sizeof(id), "%s", pawl_spec_provider(spec));
        pawl_spec_free(spec);
    }
    pawl_request_free(request);
    return id;
}

/* The message with which a request is refused; frees the request. */
static const char *refusal(pawl_registry *registry, pawl_request *request, int code)
{
    static char message[4096];
    pawl_spec *spec;
    pawl_error *error = NULL;
    message[0] = '\0';
    CU_ASSERT_EQUAL(pawl_registry_resolve(registry, request, &spec, &error), code);
    if (error != NULL)
        snprintf(message, sizeof(message), "%s", pawl_error_message(error));
    pawl_error_free(error);
    pawl_request_free(request);
    return message;
}

/* --- Adding -------------------------------------------------------------------------------- */

static void test_duplicate(void)
{
    struct made made = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    pawl_registry *registry = new_registry();
    pawl_error *error = NULL;
    add(registry, "one", &made);
    CU_ASSERT_EQUAL(add_as(registry, &descriptor, "one", &made, &error), PAWL_E_DUPLICATE);
    TEST_TEXT(pawl_error_message(error), "there is a provider with the id 'one' already");
    pawl_error_free(error);
    CU_ASSERT_EQUAL(add_as(registry, &descriptor, "one", &made, NULL), PAWL_E_DUPLICATE);
    add(registry, "two", &made);
    CU_ASSERT_EQUAL(atomic_load(&made.destroyed), 0);
    pawl_registry_free(registry);
    CU_ASSERT_EQUAL(atomic_load(&made.destroyed), 2);
}

static void test_ids(void)
{
    struct made made = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    static const char *const wrong[] = {"", "a b", "a\nb", "\"", "\\", "\xc3\xa4"};
    pawl_registry *registry = new_registry();
    char id[130];
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        CU_ASSERT_EQUAL(add_as(registry, &descriptor, wrong[i], &made, NULL), PAWL_E_NAME);
    memset(id, 'x', sizeof(id));
    id[129] = '\0';
    CU_ASSERT_EQUAL(add_as(registry, &descriptor, id, &made, NULL), PAWL_E_NAME);
    id[128] = '\0';
    CU_ASSERT_EQUAL(add_as(registry, &descriptor, id, &made, NULL), PAWL_OK);
    pawl_registry_free(registry);
}

static void test_bad_descriptor(void)
{
    struct made made = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    pawl_registry *registry = new_registry();
    pawl_error *error = NULL;
    struct pawl_provider bad = descriptor;
    bad.run = NULL;
    CU_ASSERT_EQUAL(add_as(registry, &bad, "one", &made, &error), PAWL_E_PLUGIN);
    TEST_TEXT(pawl_error_message(error), "the provider 'one': its descriptor has no function 'run' "
                                         "(NULL), which is required");
    pawl_error_free(error);
    bad = descriptor;
    bad.header.size = offsetof(struct pawl_provider, run);
    CU_ASSERT_EQUAL(add_as(registry, &bad, "one", &made, NULL), PAWL_E_PLUGIN);
    bad = descriptor;
    bad.name = "a name";
    CU_ASSERT_EQUAL(add_as(registry, &bad, "one", &made, &error), PAWL_E_PLUGIN);
    TEST_TEXT(pawl_error_message(error), "the provider 'one': its descriptor's name 'a name' is "
                                         "not letters, digits, '-' and '_'");
    pawl_error_free(error);
    made.level = 17; /* an instance that is refused is destroyed */
    CU_ASSERT_EQUAL(add_as(registry, &descriptor, "one", &made, NULL), PAWL_E_PLUGIN);
    CU_ASSERT_EQUAL(atomic_load(&made.destroyed), 1);
    pawl_registry_free(registry);
    CU_ASSERT_EQUAL(atomic_load(&made.destroyed), 1);
}

/* --- Choosing ------------------------------------------------------------------------------ */

static void test_weakest(void)
{
    struct made none = {.level = PAWL_LEVEL_NONE, .languages = {"lua"}};
    struct made process = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}, .most_memory = 1000};
    struct made os = {.level = PAWL_LEVEL_OS, .languages = {"lua", "python"}, .most_memory = 2000};
    struct made machine = {
        .level = PAWL_LEVEL_MACHINE, .languages = {"lua"}, .most_memory = UINT64_MAX};
    pawl_registry *registry = new_registry();
    add(registry, "m", &machine);
    add(registry, "o2", &os);
    add(registry, "o1", &os);
    add(registry, "p", &process);
    add(registry, "n", &none);
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_NONE, "lua")), "n");
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_PROCESS, "lua")), "p");
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_OS, "lua")), "o1");
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_MACHINE, "lua")), "m");
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_NONE, "python")), "o1");

    /* What a weaker one cannot keep is a reason to go higher, and never to ask for less. */
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_memory(request, 1001);
    TEST_TEXT(chosen(registry, request), "o1");
    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_memory(request, 2001);
    TEST_TEXT(chosen(registry, request), "m");
    request = new_request(PAWL_LEVEL_PROCESS, "python");
    ask_memory(request, 2001);
    TEST_TEXT(chosen(registry, request), "none");

    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    CU_ASSERT_EQUAL(pawl_request_set_provider(request, "o2", NULL), PAWL_OK);
    TEST_TEXT(chosen(registry, request), "o2");
    request = new_request(PAWL_LEVEL_OS, "lua");
    CU_ASSERT_EQUAL(pawl_request_set_provider(request, "p", NULL), PAWL_OK);
    TEST_TEXT(chosen(registry, request), "none");
    pawl_registry_free(registry);
}

static void test_reasons(void)
{
    struct made weak = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    struct made other = {.level = PAWL_LEVEL_OS, .languages = {"python", "ruby"}};
    struct made small = {.level = PAWL_LEVEL_OS,
                         .languages = {"lua"},
                         .most_memory = 1024,
                         .words = "1 KiB is\nall there is"};
    struct made silent = {.level = PAWL_LEVEL_OS,
                          .languages = {"lua"},
                          .missing = PAWL_BUDGET_WALL_CLOCK | PAWL_BUDGET_MAX_CALLS};
    struct made broken = {
        .level = PAWL_LEVEL_MACHINE, .languages = {"lua"}, .status = PAWL_E_SYSTEM};
    pawl_registry *registry = new_registry();
    add(registry, "weak", &weak);
    add(registry, "other", &other);
    add(registry, "small", &small);
    add(registry, "silent", &silent);
    add(registry, "broken", &broken);
    pawl_request *request = new_request(PAWL_LEVEL_OS, "lua");
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 5000;
    budget.max_calls = 7;
    budget.max_memory = 64 << 20;
    pawl_request_add_budget(request, &budget);
    pawl_spec *spec;
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(pawl_registry_resolve(registry, request, &spec, &error), PAWL_E_NO_PROVIDER);
    pawl_request_free(request);
    static const struct {
        const char *id;
        uint32_t level;
        const char *why;
    } expected[] = {
        {"weak", PAWL_LEVEL_PROCESS, "level too low: it is process, os was asked for"},
        {"other", PAWL_LEVEL_OS, "does not run the language lua (it runs python, ruby)"},
        {"silent", PAWL_LEVEL_OS, "does not support wall_clock 5s, max_calls 7, max_memory 64MiB"},
        {"small", PAWL_LEVEL_OS, "does not support max_memory 64MiB: 1 KiB is all there is"},
        {"broken", PAWL_LEVEL_MACHINE,
         "cannot say whether it supports the budget: it returned PAWL_E_SYSTEM and gave no reason"},
    };
    CU_ASSERT_EQUAL_FATAL(pawl_error_refusals(error), 5);
    for (size_t i = 0; i < 5; i++) {
        const char *id, *why;
        uint32_t its_level;
        pawl_error_refusal(error, i, &id, &its_level, &why);
        TEST_TEXT(id, expected[i].id);
        CU_ASSERT_EQUAL(its_level, expected[i].level);
        TEST_TEXT(why, expected[i].why);
    }
    TEST_TEXT(pawl_error_message(error),
              "no provider satisfies the request (level os, language lua, wall_clock 5s, max_calls "
              "7, max_memory 64MiB): weak: level too low: it is process, os was asked for; other: "
              "does not run the language lua (it runs python, ruby); silent: does not support "
              "wall_clock 5s, max_calls 7, max_memory 64MiB; small: does not support max_memory "
              "64MiB: 1 KiB is all there is; broken: cannot say whether it supports the budget: it "
              "returned PAWL_E_SYSTEM and gave no reason");
    pawl_error_free(error);
    pawl_registry_free(registry);
}

static void test_spec(void)
{
    struct made weak = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    struct made os = {.level = PAWL_LEVEL_OS, .languages = {"lua"}};
    struct made python = {.level = PAWL_LEVEL_OS, .languages = {"python"}};
    struct made machine = {.level = PAWL_LEVEL_MACHINE, .languages = {"lua"}};
    pawl_registry *registry = new_registry();
    add(registry, "weak", &weak);
    add(registry, "a", &os);
    add(registry, "b", &os);
    add(registry, "c", &python);
    add(registry, "strong", &machine);
    pawl_request *request = new_request(PAWL_LEVEL_OS, "lua");
    pawl_spec *spec = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_resolve(registry, request, &spec, NULL), PAWL_OK);
    pawl_request_free(request);
    TEST_TEXT(pawl_spec_provider(spec), "a");
    TEST_TEXT(pawl_spec_language(spec), "lua");
    CU_ASSERT_EQUAL(pawl_spec_level(spec), PAWL_LEVEL_OS);
    static const char *const why[][2] = {
        {"weak", "level too low: it is process, os was asked for"},
        {"b", "'a' has the same level and comes first"},
        {"c", "does not run the language lua (it runs python)"},
        {"strong", "stronger than needed: it is machine, os is enough"},
    };
    CU_ASSERT_EQUAL_FATAL(pawl_spec_refusals(spec), 4);
    for (size_t i = 0; i < 4; i++) {
        const char *id, *reason;
        pawl_spec_refusal(spec, i, &id, NULL, &reason);
        TEST_TEXT(id, why[i][0]);
        TEST_TEXT(reason, why[i][1]);
    }
    pawl_spec_free(spec);
    pawl_registry_free(registry);
}

static void test_unknown(void)
{
    struct made lua = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua", "python"}};
    pawl_registry *registry = new_registry();
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "lua");
    TEST_TEXT(refusal(registry, request, PAWL_E_NO_PROVIDER),
              "no provider satisfies the request (level process, language lua): there are no "
              "providers");
    add(registry, "p", &lua);
    add(registry, "q", &lua);
    TEST_TEXT(refusal(registry, new_request(PAWL_LEVEL_PROCESS, "klingon"), PAWL_E_UNKNOWN),
              "no provider runs the language 'klingon': there are lua, python");
    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    CU_ASSERT_EQUAL(pawl_request_set_provider(request, "x", NULL), PAWL_OK);
    TEST_TEXT(refusal(registry, request, PAWL_E_UNKNOWN),
              "there is no provider 'x': there are p, q");
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&request, NULL), PAWL_OK);
    TEST_TEXT(refusal(registry, request, PAWL_E_ARGUMENT),
              "the request has no level: there is no default (pawl_request_set_level)");

    /* A language of pawl's own that nothing runs here is no mistake in its name. */
    const char *message =
        refusal(registry, new_request(PAWL_LEVEL_PROCESS, "javascript"), PAWL_E_NO_PROVIDER);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "p: does not run the language javascript (it runs lua, "
                                           "python)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "; the quickjs provider runs javascript, but "));
    pawl_registry_free(registry);
}

/* --- Budgets ------------------------------------------------------------------------------- */

static void test_supports_absent(void)
{
    struct made made = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    struct pawl_provider quiet = descriptor;
    pawl_registry *registry = new_registry();
    quiet.supports = NULL;
    CU_ASSERT_EQUAL(add_as(registry, &quiet, "quiet", &made, NULL), PAWL_OK);
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = budget.max_calls = budget.max_bytes = 1;
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "lua");
    pawl_request_add_budget(request, &budget);
    TEST_TEXT(chosen(registry, request), "quiet");
    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_memory(request, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal(registry, request, PAWL_E_NO_PROVIDER),
                                  "quiet: does not support max_memory 1"));
    pawl_registry_free(registry);
}

static void test_merging(void)
{
    struct made made = {
        .level = PAWL_LEVEL_PROCESS, .languages = {"lua"}, .most_memory = UINT64_MAX};
    pawl_registry *registry = new_registry();
    add(registry, "p", &made);
    struct pawl_budget first = pawl_budget_empty(), second = pawl_budget_empty();
    struct pawl_budget defaults = pawl_budget_empty(), caps = pawl_budget_empty();
    first.wall_clock = 1000;
    first.max_memory = 10;
    second.wall_clock = 2000;
    second.max_memory = 5;
    defaults.max_calls = 50;
    defaults.wall_clock = 1;
    caps.max_memory = 7;
    caps.max_calls = 100;
    caps.max_bytes = 300;
    pawl_registry_set_defaults(registry, &defaults);
    pawl_registry_set_caps(registry, &caps);
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "lua");
    pawl_request_add_budget(request, &first);
    pawl_request_add_budget(request, &second);
    pawl_spec *spec = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_resolve(registry, request, &spec, NULL), PAWL_OK);
    pawl_request_free(request);
    const struct pawl_budget *budget = pawl_spec_budget(spec);
    CU_ASSERT_EQUAL(budget->wall_clock, 2000); /* the higher demand, not the sum or the default */
    CU_ASSERT_EQUAL(budget->max_memory, 7);    /* lowered to the cap */
    CU_ASSERT_EQUAL(budget->max_calls, 50);    /* the default */
    CU_ASSERT_EQUAL(budget->max_bytes, 300);   /* not asked for, and capped */
    CU_ASSERT_EQUAL(pawl_spec_capped(spec), PAWL_BUDGET_MAX_MEMORY);
    pawl_spec_free(spec);
    pawl_registry_free(registry);
}

/* --- Policy -------------------------------------------------------------------------------- */

static int enforce(const struct pawl_policy *policy, const char *provider, void *data)
{
    (void)policy;
    (void)provider;
    (void)data;
    return PAWL_OK;
}

static void test_egress(void)
{
    struct made open = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    struct made proxy = {.level = PAWL_LEVEL_OS, .languages = {"lua"}, .egress = PAWL_EGRESS_PROXY};
    pawl_registry *registry = new_registry();
    add(registry, "open", &open);
    add(registry, "proxy", &proxy);
    TEST_TEXT(chosen(registry, new_request(PAWL_LEVEL_PROCESS, "lua")), "open");
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_policy(request, PAWL_EGRESS_NONE, PAWL_FILES_UNSPECIFIED);
    TEST_TEXT(refusal(registry, request, PAWL_E_NOT_ENFORCED),
              "no provider satisfies the request (level process, language lua, egress none): open: "
              "does not enforce the egress none; proxy: does not enforce the egress none");

    /* The host's own word counts for whoever does not enforce it itself. */
    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_policy(request, PAWL_EGRESS_NONE, PAWL_FILES_UNSPECIFIED);
    CU_ASSERT_EQUAL(pawl_request_set_egress_enforcer(request, "firewall", enforce, NULL, NULL),
                    PAWL_OK);
    pawl_spec *spec = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_resolve(registry, request, &spec, NULL), PAWL_OK);
    pawl_request_free(request);
    TEST_TEXT(pawl_spec_provider(spec), "open");
    TEST_TEXT(spec->egress_by, "firewall");
    CU_ASSERT_EQUAL(pawl_spec_policy(spec)->egress, PAWL_EGRESS_NONE);
    pawl_spec_free(spec);

    struct made closed = {.level = PAWL_LEVEL_OS, .languages = {"lua"}, .egress = PAWL_EGRESS_NONE};
    add(registry, "closed", &closed);
    request = new_request(PAWL_LEVEL_PROCESS, "lua");
    ask_policy(request, PAWL_EGRESS_NONE, PAWL_FILES_UNSPECIFIED);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_resolve(registry, request, &spec, NULL), PAWL_OK);
    pawl_request_free(request);
    TEST_TEXT(spec->egress_by, "closed");
    pawl_spec_free(spec);
    pawl_registry_free(registry);
}

static void test_files(void)
{
    struct made process = {.level = PAWL_LEVEL_PROCESS,
                           .languages = {"lua"},
                           .files = PAWL_E_UNSUPPORTED,
                           .words = "it has no files"};
    struct made none = {.level = PAWL_LEVEL_NONE, .languages = {"lua"}};
    struct pawl_provider quiet = descriptor;
    pawl_registry *registry = new_registry();
    quiet.files = NULL;
    CU_ASSERT_EQUAL(add_as(registry, &quiet, "bare", &none, NULL), PAWL_OK);
    add(registry, "asked", &process);
    CU_ASSERT_EQUAL(add_as(registry, &quiet, "engine", &process, NULL), PAWL_OK);
    pawl_request *request = new_request(PAWL_LEVEL_NONE, "lua");
    ask_policy(request, PAWL_EGRESS_ANY, PAWL_FILES_NONE);
    TEST_TEXT(chosen(registry, request), "engine");
    request = new_request(PAWL_LEVEL_NONE, "lua");
    ask_policy(request, PAWL_EGRESS_ANY, PAWL_FILES_READ_ONLY);
    TEST_TEXT(refusal(registry, request, PAWL_E_NOT_ENFORCED),
              "no provider satisfies the request (level none, language lua, file mode read-only): "
              "bare: does not enforce the file mode read-only; asked: does not enforce the file "
              "mode read-only: it has no files; engine: does not enforce the file mode read-only");
    pawl_registry_free(registry);
}

/* --- Plugins ------------------------------------------------------------------------------- */

static void install(const char *directory, const char *built, const char *name)
{
    char command[2 * PATH_MAX];
    snprintf(command, sizeof(command),
             "cp '%s/tests/plugins/bad/%s.so' '%s/%s' && chmod 644 '%s/%s'", test_build_directory(),
             built, directory, name, directory, name);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void expect_listed(const pawl_listing *listing, size_t index, uint32_t what, const char *id,
                          const char *plugin, const char *reason)
{
    const struct pawl_listed *entry = pawl_listing_at(listing, index);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
    CU_ASSERT_EQUAL(entry->what, what);
    TEST_TEXT(entry->id != NULL ? entry->id : "", id);
    TEST_TEXT(entry->plugin, plugin);
    TEST_TEXT(entry->reason != NULL ? entry->reason : "", reason);
}

static void test_defaults(void)
{
    char *directory = test_make_directory();
    char expected[PATH_MAX];
    pawl_registry *registry = new_registry();
    pawl_listing *listing;
    install(directory, "good", "pawl-good-provider.so");
    install(directory, "stage-good", "pawl-good-stage.so");
    install(directory, "isolator", "pawl-isolator-provider.so");
    install(directory, "create-silent", "pawl-create-silent-provider.so");
    install(directory, "no-entry", "pawl-no-entry-provider.so");
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, directory, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_open_defaults(registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_open_defaults(registry, NULL), PAWL_OK); /* changes nothing */
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, directory, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_list(registry, &listing, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_listing_size(listing), 6);
    expect_listed(listing, 0, PAWL_LISTED_PROVIDER, "good", "good", "");
    expect_listed(listing, 1, PAWL_LISTED_PROVIDER, "isolator-good", "isolator", "");
    expect_listed(listing, 2, PAWL_LISTED_STAGE, "", "good", "");
    expect_listed(listing, 3, PAWL_LISTED_REFUSED, "create-silent", "create-silent",
                  "it could not be created: it returned PAWL_E_UNAVAILABLE and gave no reason");
    expect_listed(listing, 4, PAWL_LISTED_REFUSED, "isolator-create-silent", "isolator",
                  "it could not be created: {\"engine\":\"create-silent\"}there is no provider "
                  "plugin 'nowhere': no file pawl-nowhere-provider.so in the plugin directories");
    expect_listed(listing, 5, PAWL_LISTED_REFUSED, "", "no-entry",
                  "it does not export pawl_provider_entry_v1: it is no provider plugin");
    snprintf(expected, sizeof(expected), "%s/pawl-good-provider.so", directory);
    TEST_TEXT(pawl_listing_at(listing, 0)->path, expected);
    TEST_TEXT(pawl_listing_at(listing, 0)->version, "1.0");
    TEST_TEXT(pawl_listing_at(listing, 0)->languages[0], "javascript-es5");
    CU_ASSERT_EQUAL(pawl_listing_at(listing, 1)->level, PAWL_LEVEL_OS);
    CU_ASSERT_PTR_NULL(pawl_listing_at(listing, 6));

    /* Who asks for one that could not be opened hears why. */
    pawl_request *request = new_request(PAWL_LEVEL_PROCESS, "javascript-es5");
    CU_ASSERT_EQUAL(pawl_request_set_provider(request, "create-silent", NULL), PAWL_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal(registry, request, PAWL_E_NO_PROVIDER),
                                  "cannot be used: it could not be created: it returned "
                                  "PAWL_E_UNAVAILABLE"));
    pawl_registry_free(registry);
    TEST_TEXT(pawl_listing_at(listing, 0)->id, "good"); /* a listing outlives its registry */
    pawl_listing_free(listing);
    test_remove_directory(directory);
}

static void test_shadowed(void)
{
    char *first = test_make_directory(), *second = test_make_directory();
    char expected[PATH_MAX];
    pawl_registry *registry = new_registry();
    pawl_listing *listing;
    pawl_error *error = NULL;
    install(first, "no-run", "pawl-good-provider.so"); /* broken, and first */
    install(second, "good", "pawl-good-provider.so");
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, first, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, second, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_list(registry, &listing, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_listing_size(listing), 2);
    snprintf(expected, sizeof(expected),
             "the provider plugin 'good' was found before: %s/pawl-good-provider.so", first);
    const struct pawl_listed *later = pawl_listing_at(listing, strcmp(first, second) < 0);
    TEST_TEXT(later->reason, expected);
    pawl_listing_free(listing);
    CU_ASSERT_EQUAL(pawl_registry_open(registry, "good", "good", NULL, &error), PAWL_E_PLUGIN);
    snprintf(expected, sizeof(expected),
             "the provider plugin 'good' (%s/pawl-good-provider.so) was refused: its descriptor "
             "says that its name is 'no-run', its file says 'good'",
             first);
    TEST_TEXT(pawl_error_message(error), expected);
    pawl_error_free(error);
    CU_ASSERT_EQUAL(pawl_registry_open(registry, "absent", "x", NULL, &error), PAWL_E_UNKNOWN);
    TEST_TEXT(pawl_error_message(error), "there is no provider plugin 'absent': no file "
                                         "pawl-absent-provider.so in the plugin directories");
    pawl_error_free(error);
    pawl_registry_free(registry);
    test_remove_directory(first);
    test_remove_directory(second);
}

static void test_find_stage(void)
{
    char *directory = test_make_directory();
    pawl_registry *registry = new_registry();
    const struct pawl_stage *stage = NULL;
    const void *identity = NULL;
    install(directory, "stage-good", "pawl-good-stage.so");
    install(directory, "stage-small", "pawl-small-stage.so");
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, directory, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(registry_find_stage(registry, "good", &stage, &identity, NULL), PAWL_OK);
    TEST_TEXT(stage->name, "good");
    CU_ASSERT_PTR_NOT_NULL(identity);
    CU_ASSERT_EQUAL(registry_find_stage(registry, "small", &stage, &identity, NULL), PAWL_E_PLUGIN);
    CU_ASSERT_EQUAL(registry_find_stage(registry, "absent", &stage, &identity, NULL),
                    PAWL_E_UNKNOWN);
    pawl_registry_free(registry);
    test_remove_directory(directory);
}

static void test_plugin_directory(void)
{
    setenv("PAWL_PLUGIN_DIR", "/some/where", 1);
    TEST_TEXT(pawl_plugin_directory(), "/some/where");
    setenv("PAWL_PLUGIN_DIR", "", 1);
    CU_ASSERT_EQUAL(pawl_plugin_directory()[0], '/');
    unsetenv("PAWL_PLUGIN_DIR");
    CU_ASSERT_EQUAL(pawl_plugin_directory()[0], '/');
}

/* --- Threads ------------------------------------------------------------------------------- */

#define THREADS 16

static pawl_registry *shared[2];
static pthread_barrier_t barrier;

/* Runs a function on all threads at once. */
static void on_threads(void *(*function)(void *))
{
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, function, (void *)i), 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&barrier);
}

static struct made shared_made[4] = {
    {.level = PAWL_LEVEL_NONE, .languages = {"lua"}},
    {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}},
    {.level = PAWL_LEVEL_OS, .languages = {"lua"}},
    {.level = PAWL_LEVEL_MACHINE, .languages = {"lua"}},
};
static pawl_request *asked[4]; /* one for each level */
static atomic_int added, duplicates, faults;

static void *add_resolve_list(void *number)
{
    intptr_t thread = (intptr_t)number;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 50; i++) {
        char id[32];
        snprintf(id, sizeof(id), "p%d", i); /* every thread tries to add the same ones */
        int code = add_as(shared[0], &descriptor, id, &shared_made[(i + thread) % 4], NULL);
        if (code == PAWL_OK)
            atomic_fetch_add(&added, 1);
        else if (code == PAWL_E_DUPLICATE)
            atomic_fetch_add(&duplicates, 1);

        pawl_spec *spec;
        code = pawl_registry_resolve(shared[0], asked[i % 4], &spec, NULL);
        if (code == PAWL_OK) {
            if (pawl_spec_level(spec) < (uint32_t)i % 4)
                atomic_fetch_add(&faults, 1);
            pawl_spec_free(spec);
        } else if (code != PAWL_E_NO_PROVIDER) {
            atomic_fetch_add(&faults, 1);
        }

        pawl_listing *listing;
        if (pawl_registry_list(shared[0], &listing, NULL) != PAWL_OK) {
            atomic_fetch_add(&faults, 1);
            continue;
        }
        for (size_t k = 1; k < pawl_listing_size(listing); k++) {
            const struct pawl_listed *a = pawl_listing_at(listing, k - 1);
            const struct pawl_listed *b = pawl_listing_at(listing, k);
            if (a->level > b->level || (a->level == b->level && strcmp(a->id, b->id) >= 0))
                atomic_fetch_add(&faults, 1);
        }
        pawl_listing_free(listing);
        if (registry_workers(shared[0]) == NULL)
            atomic_fetch_add(&faults, 1);
    }
    return NULL;
}

static void test_threads(void)
{
    shared[0] = new_registry();
    for (uint32_t i = 0; i < 4; i++)
        asked[i] = new_request(i, "lua");
    on_threads(add_resolve_list);
    CU_ASSERT_EQUAL(atomic_load(&added), 50);
    CU_ASSERT_EQUAL(atomic_load(&duplicates), THREADS * 50 - 50);
    CU_ASSERT_EQUAL(atomic_load(&faults), 0);
    pawl_registry_free(shared[0]);
    for (size_t i = 0; i < 4; i++)
        pawl_request_free(asked[i]);
    int destroyed = 0;
    for (size_t i = 0; i < 4; i++)
        destroyed += atomic_load(&shared_made[i].destroyed);
    CU_ASSERT(destroyed >= 50); /* those that lost a race for their id, too */
}

static char *shared_directory;

static void *scan_and_open(void *number)
{
    (void)number;
    pthread_barrier_wait(&barrier);
    if (pawl_registry_scan(shared[0], shared_directory, NULL) != PAWL_OK ||
        pawl_registry_open_defaults(shared[0], NULL) != PAWL_OK)
        atomic_fetch_add(&faults, 1);
    return NULL;
}

static void test_scanning_threads(void)
{
    pawl_listing *listing;
    shared_directory = test_make_directory();
    install(shared_directory, "good", "pawl-good-provider.so");
    install(shared_directory, "stage-good", "pawl-good-stage.so");
    install(shared_directory, "isolator", "pawl-isolator-provider.so");
    install(shared_directory, "create-silent", "pawl-create-silent-provider.so");
    install(shared_directory, "no-run", "pawl-no-run-provider.so");
    shared[0] = new_registry();
    on_threads(scan_and_open);
    CU_ASSERT_EQUAL(atomic_load(&faults), 0);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_list(shared[0], &listing, NULL), PAWL_OK);
    /* good, isolator-good, the stage; create-silent alone and isolated, no-run */
    CU_ASSERT_EQUAL(pawl_listing_size(listing), 6);
    pawl_listing_free(listing);
    pawl_registry_free(shared[0]);
    test_remove_directory(shared_directory);
}

static bool never_over(void *context)
{
    (void)context;
    return false;
}

/* Enters an instance again and again: one of two in each of two registries. */
static void *enter_often(void *number)
{
    intptr_t thread = (intptr_t)number;
    struct provider_instance *provider = shared[thread % 2]->providers[thread / 2 % 2];
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 500; i++) {
        provider_enter(provider, never_over, NULL);
        int now = atomic_fetch_add(&running, 1) + 1;
        int most = atomic_load(&most_running);
        while (now > most && !atomic_compare_exchange_weak(&most_running, &most, now)) {
        }
        sched_yield();
        atomic_fetch_sub(&running, 1);
        provider_leave(provider);
    }
    return NULL;
}

static int most_at_once(uint32_t threads)
{
    struct made made = {.level = PAWL_LEVEL_PROCESS, .languages = {"lua"}};
    struct pawl_provider model = descriptor;
    model.threads = threads;
    for (size_t i = 0; i < 2; i++) {
        shared[i] = new_registry();
        CU_ASSERT_EQUAL(add_as(shared[i], &model, "a", &made, NULL), PAWL_OK);
        CU_ASSERT_EQUAL(add_as(shared[i], &model, "b", &made, NULL), PAWL_OK);
    }
    atomic_store(&most_running, 0);
    on_threads(enter_often);
    for (size_t i = 0; i < 2; i++)
        pawl_registry_free(shared[i]);
    return atomic_load(&most_running);
}

static void test_thread_models(void)
{
    CU_ASSERT_EQUAL(most_at_once(PAWL_THREADS_SERIAL), 1); /* in both registries together */
    CU_ASSERT(most_at_once(PAWL_THREADS_INSTANCE) <= 4);
    CU_ASSERT(most_at_once(PAWL_THREADS_PARALLEL) <= THREADS);
}

int main(void)
{
    static CU_TestInfo adding[] = {{"duplicate ids", test_duplicate},
                                   {"ids", test_ids},
                                   {"malformed descriptors", test_bad_descriptor},
                                   CU_TEST_INFO_NULL};
    static CU_TestInfo choosing[] = {{"the weakest that satisfies", test_weakest},
                                     {"reasons of a refusal", test_reasons},
                                     {"the spec and its reasons", test_spec},
                                     {"unknown names", test_unknown},
                                     {"a provider without `supports`", test_supports_absent},
                                     {"merging, defaults and caps", test_merging},
                                     {"egress", test_egress},
                                     {"file modes", test_files},
                                     CU_TEST_INFO_NULL};
    static CU_TestInfo plugins[] = {{"defaults and listing", test_defaults},
                                    {"the first directory wins", test_shadowed},
                                    {"stages", test_find_stage},
                                    {"the standard directory", test_plugin_directory},
                                    CU_TEST_INFO_NULL};
    static CU_TestInfo threads[] = {{"add, resolve and list at once", test_threads},
                                    {"scan and open at once", test_scanning_threads},
                                    {"thread models", test_thread_models},
                                    CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"adding", NULL, NULL, NULL, NULL, adding},
                                    {"choosing", NULL, NULL, NULL, NULL, choosing},
                                    {"plugins", NULL, NULL, NULL, NULL, plugins},
                                    {"threads", NULL, NULL, NULL, NULL, threads},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
