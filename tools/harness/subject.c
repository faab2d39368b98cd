#include "tools/harness/subject.h"

#include <stdlib.h>
#include <string.h>

#include "core/descriptor.h"
#include "core/trust.h"
#include "tools/harness/programs.h"
#include "tools/harness/spy.h"

#define ID "subject"

/* Fails the requirement with a library's error, which is freed. */
static void fail_with(struct check *check, const char *what, pawl_error *error)
{
    expect(check, false, "%s: %s", what, pawl_error_message(error));
    pawl_error_free(error);
}

struct plugin *subject_load(struct check *check)
{
    return subject_load_kind(check, PLUGIN_PROVIDER);
}

struct plugin *subject_load_kind(struct check *check, enum plugin_kind wanted)
{
    const struct settings *settings = check->settings;
    char name[PLUGIN_FILE_NAME_MAX];
    enum plugin_kind kind;
    struct plugin *plugin = NULL;
    pawl_error *error = NULL;
    if (!expect(check,
                plugin_file_name(settings->file, &kind, name) && kind == wanted &&
                    plugin_name_valid(name),
                "a %s's file is called pawl-NAME-%s.so, not %s", plugin_kind_name(wanted),
                plugin_kind_name(wanted), settings->file))
        return NULL;
    DESCRIPTOR_CLEANUP int directory = trust_open_directory(settings->directory, &error);
    if (directory < 0 || plugin_load(directory, settings->directory, settings->file, kind, name,
                                     NULL, &plugin, &error) != PAWL_OK) {
        fail_with(check, settings->file, error);
        return NULL;
    }
    return plugin;
}

/* An isolating provider asks for its engine: every plugin beside it and every one that is installed
 * can be found. What is wrong with those is no fault of this one. */
static void scan_for_engines(struct check *check, struct subject *subject)
{
    if ((subject->plugin->provider.offers_bits & PAWL_OFFERS_ISOLATION) == 0)
        return;
    pawl_registry_scan(subject->registry, check->settings->directory, NULL);
    pawl_registry_scan(subject->registry, pawl_plugin_directory(), NULL);
}

static bool runs(const struct subject *subject, const char *language)
{
    for (const char *const *own = subject->languages; *own != NULL; own++)
        if (strcmp(*own, language) == 0)
            return true;
    return false;
}

static const char *choose_language(const struct check *check, const struct subject *subject)
{
    const struct settings *settings = check->settings;
    if (settings->language != NULL)
        return settings->language;
    if (!programs_are_javascript(settings->programs))
        return subject->languages[0];
    if (runs(subject, "javascript"))
        return "javascript";
    return runs(subject, "javascript-es5") ? "javascript-es5" : NULL;
}

/* What the library's own listing says of the instance. */
static bool read_identity(struct check *check, struct subject *subject)
{
    const struct pawl_provider *provider = &subject->plugin->provider;
    void *instance = spy_instance();
    subject->level = provider->level(instance);
    subject->egress = provider->egress != NULL ? provider->egress(instance) : PAWL_EGRESS_ANY;
    subject->languages = provider->languages(instance);
    subject->language = choose_language(check, subject);
    return expect(check, subject->language == NULL || runs(subject, subject->language),
                  "it does not run the language %s", subject->language);
}

struct subject *subject_open(struct check *check)
{
    if (check->subject != NULL)
        return check->subject;
    struct plugin *plugin = subject_load(check);
    struct subject *subject = calloc(1, sizeof(*subject));
    pawl_error *error = NULL;
    if (plugin == NULL || subject == NULL) {
        expect(check, plugin == NULL, "out of memory");
        return NULL;
    }
    subject->plugin = plugin;
    if (pawl_registry_new(&subject->registry, &error) != PAWL_OK) {
        fail_with(check, "the registry", error);
        return NULL;
    }
    scan_for_engines(check, subject);
    if (pawl_registry_add(subject->registry, spy_on(plugin), ID, check->settings->config, &error) !=
        PAWL_OK) {
        fail_with(check, "no instance", error);
        return NULL;
    }
    if (!read_identity(check, subject))
        return NULL;
    check->subject = subject;
    return subject;
}

bool subject_open_another(struct check *check, const char *id)
{
    struct subject *subject = subject_open(check);
    pawl_error *error = NULL;
    if (subject == NULL)
        return false;
    if (pawl_registry_add(subject->registry, spy_on(subject->plugin), id, check->settings->config,
                          &error) == PAWL_OK)
        return true;
    fail_with(check, "no further instance", error);
    return false;
}

void subject_close(struct check *check)
{
    struct subject *subject = check->subject;
    if (subject == NULL)
        return;
    pawl_registry_free(subject->registry);
    plugin_free(subject->plugin);
    free(subject);
    check->subject = NULL;
}

bool subject_supports(const struct check *check, const struct pawl_budget *budget)
{
    const struct pawl_provider *provider = &check->subject->plugin->provider;
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    uint32_t missing = 0;
    if (provider->supports == NULL)
        return budget->max_memory == 0;
    return provider->supports(spy_instance(), budget, &why, &missing) == PAWL_OK;
}
