/* R01 to R10: the plugin as a file and as an interface. */
#include <stdlib.h>
#include <string.h>

#include "core/registry.h"
#include "tools/harness/entry.h"
#include "tools/harness/trial.h"

static void is_loaded(struct check *check)
{
    subject_load(check);
}

/* --- The descriptor ------------------------------------------------------------------------ */

static void describes_itself(struct check *check)
{
    const struct plugin *plugin = subject_load(check);
    if (plugin == NULL)
        return;
    const struct pawl_provider *own = plugin->descriptor;
    expect(check, entry_is_line(own->version), "its version is no UTF-8 text of one line");
    expect(check, entry_is_line(own->description), "its description is no UTF-8 text of one line");
    expect(check, own->reserved == 0, "its descriptor's reserved member is not 0");
    expect(check, own->header.minor != PAWL_ABI_MINOR || own->header.size == sizeof(*own),
           "its descriptor has %u bytes, that of version %u.%u has %zu", own->header.size,
           PAWL_ABI_MAJOR, PAWL_ABI_MINOR, sizeof(*own));
    expect(check, entry_call(plugin, PAWL_PROVIDER_ENTRY) == (const void *)own,
           "its entry function gives another descriptor when it is called again");
}

static void descriptor_is_constant(struct check *check)
{
    struct trial trial;
    struct pawl_provider before;
    struct subject *subject = subject_open(check);
    if (subject == NULL)
        return;
    const struct pawl_provider *own = subject->plugin->descriptor;
    size_t size = own->header.size < sizeof(before) ? own->header.size : sizeof(before);
    memcpy(&before, own, size);
    if (trial_new_text(check, &trial, "an empty program", "", 0))
        trial_run(&trial);
    expect(check, memcmp(&before, own, size) == 0, "its descriptor changes while it is used");
}

/* --- Instances ----------------------------------------------------------------------------- */

static void makes_instances(struct check *check)
{
    for (int round = 0; round < 3; round++) {
        if (!subject_open_another(check, "second") || !subject_open_another(check, "third"))
            return;
        subject_close(check);
    }
}

/* Has the plugin create an instance on its own, without what the library checks first. */
static void refuses(struct check *check, const char *config)
{
    struct subject *subject = subject_open(check);
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    void *instance = NULL;
    if (subject == NULL)
        return;
    const struct pawl_provider *provider = &subject->plugin->provider;
    int32_t status = provider->create(&subject->registry->host, config, &why, &instance);
    entry_judge_refusal(check, config, status, &words);
    if (status == PAWL_OK)
        provider->destroy(instance);
}

static void refuses_configurations(struct check *check)
{
    refuses(check, "{\"no key of any plugin\":1}");
    refuses(check, "[]");
    refuses(check, "{");
    refuses(check, "");
}

static bool same_languages(const char *const *a, const char *const *b)
{
    size_t i = 0;
    for (; a[i] != NULL && b[i] != NULL; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return a[i] == NULL && b[i] == NULL;
}

static void keeps_its_identity(struct check *check)
{
    struct trial trial;
    struct subject *subject = subject_open(check);
    if (subject == NULL || !trial_new_text(check, &trial, "an empty program", "", 0))
        return;
    const struct pawl_provider *provider = &subject->plugin->provider;
    for (int i = 0; i < 3; i++) {
        void *instance = spy_instance();
        expect(check, provider->level(instance) == subject->level, "its level changes");
        expect(check, provider->egress == NULL || provider->egress(instance) == subject->egress,
               "the egress that it enforces changes");
        expect(check, same_languages(provider->languages(instance), subject->languages),
               "its languages change");
        trial_run(&trial);
    }
}

/* --- Questions ----------------------------------------------------------------------------- */

static void ask_budget(struct check *check, const struct pawl_budget *budget, uint32_t asked)
{
    const struct pawl_provider *provider = &check->subject->plugin->provider;
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    uint32_t missing = 0;
    int32_t status = provider->supports(spy_instance(), budget, &why, &missing);
    expect(check, status == PAWL_OK || status == PAWL_E_UNSUPPORTED,
           "supports answers %d, which is neither PAWL_OK nor PAWL_E_UNSUPPORTED", status);
    if (status != PAWL_E_UNSUPPORTED)
        return;
    expect(check, missing != 0 && (missing & ~asked) == 0,
           "supports names 0x%x as missing when 0x%x was asked for", missing, asked);
    expect(check, words.size > 0, "supports refuses without a reason");
}

static void answers_about_budgets(struct check *check)
{
    static const uint64_t amounts[] = {1, 1000, UINT64_C(64) << 20, UINT64_MAX};
    struct subject *subject = subject_open(check);
    if (subject == NULL)
        return;
    if (subject->plugin->provider.supports == NULL)
        return; /* then it keeps everything but memory, and the library knows */
    for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++)
        for (uint32_t asked = 1; asked < 16; asked++) {
            struct pawl_budget budget = pawl_budget_empty();
            budget.wall_clock = (asked & PAWL_BUDGET_WALL_CLOCK) != 0 ? amounts[i] : 0;
            budget.max_calls = (asked & PAWL_BUDGET_MAX_CALLS) != 0 ? amounts[i] : 0;
            budget.max_bytes = (asked & PAWL_BUDGET_MAX_BYTES) != 0 ? amounts[i] : 0;
            budget.max_memory = (asked & PAWL_BUDGET_MAX_MEMORY) != 0 ? amounts[i] : 0;
            ask_budget(check, &budget, asked);
        }
}

static void answers_about_files(struct check *check)
{
    struct subject *subject = subject_open(check);
    if (subject == NULL || subject->plugin->provider.files == NULL)
        return;
    for (uint32_t mode = PAWL_FILES_NONE; mode <= PAWL_FILES_FULL_ACCESS; mode++) {
        struct buffer words BUFFER_CLEANUP = {0};
        struct pawl_sink why = plugin_words_sink(&words);
        struct pawl_policy policy = {
            .header = PAWL_HEADER(POLICY, policy), .files = mode, .working_directory = "/tmp"};
        int32_t status = subject->plugin->provider.files(spy_instance(), &policy, &why);
        expect(check, status == PAWL_OK || status == PAWL_E_UNSUPPORTED,
               "files answers %d, which is neither PAWL_OK nor PAWL_E_UNSUPPORTED", status);
        expect(check, status != PAWL_E_UNSUPPORTED || words.size > 0,
               "files refuses the mode %u without a reason", mode);
    }
}

/* --- Growth -------------------------------------------------------------------------------- */

static void works_in_a_newer_host(struct check *check)
{
    struct trial trial;
    spy_guise()->newer = 1;
    if (subject_open(check) == NULL)
        return;
    if (check->subject->language == NULL) {
        if (trial_new_text(check, &trial, "an empty program", "", 0))
            expect_survived(check, "an empty program", trial_run(&trial));
        return;
    }
    pawl_result *result = run_scenario(check, "echo");
    if (result != NULL)
        expect(check, pawl_result_ok(result),
               "when the structs that it gets are larger than its own, a program comes to %s",
               outcome_of(result));
}

static void knows_its_extensions(struct check *check)
{
    struct subject *subject = subject_open(check);
    if (subject == NULL || subject->plugin->provider.get_extension == NULL)
        return;
    expect(check,
           subject->plugin->provider.get_extension("pawl.no-extension-has-this-name/1") == NULL,
           "it has an extension that does not exist");
}

const struct requirement abi_requirements[] = {
    {.id = "R01",
     .title = "is loaded: name, permissions, entry function, descriptor",
     .test = is_loaded},
    {.id = "R02", .title = "describes itself, always alike", .test = describes_itself},
    {.id = "R03", .title = "has a constant descriptor", .test = descriptor_is_constant},
    {.id = "R04", .title = "makes several instances and destroys them", .test = makes_instances},
    {.id = "R05",
     .title = "refuses a configuration that it does not understand, with a reason",
     .test = refuses_configurations},
    {.id = "R06",
     .title = "keeps the level, egress and languages of an instance",
     .test = keeps_its_identity},
    {.id = "R07",
     .title = "answers which budgets it supports, and names what is missing",
     .test = answers_about_budgets},
    {.id = "R08", .title = "answers which file modes it enforces", .test = answers_about_files},
    {.id = "R09",
     .title = "works in a host with a newer minor version of the interface",
     .programs = "echo",
     .test = works_in_a_newer_host},
    {.id = "R10", .title = "has no extension of an unknown name", .test = knows_its_extensions},
    {0},
};
