#include "tools/pawl/listing.h"

#include <stdio.h>
#include <string.h>

#include "tools/pawl/report.h"
#include "tools/pawl/terminal.h"

static const char *thread_model(uint32_t threads)
{
    static const char *const names[] = {"serial", "instance", "parallel"};
    return threads < 3 ? names[threads] : NULL;
}

static const char *egress_name(uint32_t egress)
{
    static const char *const names[] = {"any", "proxy", "none"};
    return egress < 3 ? names[egress] : NULL;
}

/* Whether a refused candidate would have been of that kind: it is told by its file's name, an
 * instance by not having been a file. */
static bool is_refused(const struct pawl_listed *listed, uint32_t what)
{
    static const char stage[] = "-stage.so";
    if (listed->what != PAWL_LISTED_REFUSED)
        return false;
    size_t length = listed->path != NULL ? strlen(listed->path) : 0;
    bool is_stage = length >= sizeof(stage) - 1 &&
                    strcmp(listed->path + length - (sizeof(stage) - 1), stage) == 0;
    return is_stage == (what == PAWL_LISTED_STAGE);
}

/* --- As JSON ------------------------------------------------------------------------------ */

static struct json_object *provider_object(const struct pawl_listed *listed)
{
    struct json_object *object = report_new_object(), *languages = report_new_array();
    report_put_string(object, "id", listed->id);
    report_put_string(object, "level", pawl_level_name(listed->level));
    for (size_t i = 0; listed->languages != NULL && listed->languages[i] != NULL; i++)
        report_push_string(languages, listed->languages[i]);
    report_put(object, "languages", languages);
    report_put_string(object, "egress", egress_name(listed->egress));
    report_put_string(object, "threads", thread_model(listed->threads));
    report_put_string(object, "plugin", listed->plugin);
    report_put_string(object, "version", listed->version);
    report_put_string(object, "description", listed->description);
    report_put_string(object, "path", listed->path);
    return object;
}

static struct json_object *stage_object(const struct pawl_listed *listed)
{
    struct json_object *object = report_new_object();
    report_put_string(object, "name", listed->plugin != NULL ? listed->plugin : listed->id);
    report_put_string(object, "version", listed->version);
    report_put_string(object, "description", listed->description);
    report_put_string(object, "threads", thread_model(listed->threads));
    report_put_string(object, "path", listed->path);
    return object;
}

static struct json_object *refused_object(const struct pawl_listed *listed)
{
    struct json_object *object = report_new_object();
    report_put_string(object, "id", listed->id);
    report_put_string(object, "plugin", listed->plugin);
    report_put_string(object, "path", listed->path);
    report_put_string(object, "reason", listed->reason);
    return object;
}

static int print_json(const pawl_listing *listing, uint32_t what)
{
    struct json_object *object = report_new_object();
    struct json_object *good = report_new_array(), *refused = report_new_array();
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        if (listed->what == what)
            report_push(good, what == PAWL_LISTED_PROVIDER ? provider_object(listed)
                                                           : stage_object(listed));
        else if (is_refused(listed, what))
            report_push(refused, refused_object(listed));
    }
    report_put(object, what == PAWL_LISTED_PROVIDER ? "providers" : "stages", good);
    report_put(object, "refused", refused);
    return report_object(object, EXIT_OK);
}

/* --- For people --------------------------------------------------------------------------- */

static void print_languages(const struct pawl_listed *listed)
{
    for (size_t i = 0; listed->languages != NULL && listed->languages[i] != NULL; i++)
        terminal_format(stdout, STYLE_PLAIN, "%s%s", i > 0 ? ", " : "", listed->languages[i]);
}

static int print_text(const pawl_listing *listing, uint32_t what)
{
    size_t count = 0, refused = 0;
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        refused += is_refused(listed, what);
        if (listed->what != what)
            continue;
        count++;
        if (what == PAWL_LISTED_PROVIDER) {
            const char *level = pawl_level_name(listed->level);
            terminal_format(stdout, STYLE_BOLD, "%-22s", listed->id);
            terminal_format(stdout, STYLE_PLAIN, " %-8s ", level != NULL ? level : "?");
            print_languages(listed);
            fputc('\n', stdout);
        } else {
            terminal_format(stdout, STYLE_BOLD, "%-22s",
                            listed->plugin != NULL ? listed->plugin : listed->id);
            terminal_format(stdout, STYLE_PLAIN, " %s\n",
                            listed->description != NULL ? listed->description : "");
        }
    }
    if (count == 0)
        terminal_format(stdout, STYLE_PLAIN, "No %s was found in %s.\n",
                        what == PAWL_LISTED_PROVIDER ? "provider" : "stage",
                        pawl_plugin_directory());
    if (refused > 0)
        terminal_format(stdout, STYLE_PLAIN, "\nCannot be used:\n");
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        if (!is_refused(listed, what))
            continue;
        const char *name = listed->id != NULL     ? listed->id
                           : listed->path != NULL ? listed->path
                                                  : listed->plugin;
        terminal_format(stdout, STYLE_BOLD, "%s", name != NULL ? name : "?");
        terminal_format(stdout, STYLE_PLAIN, ": %s\n", listed->reason);
    }
    return report_flush(EXIT_OK);
}

int listing_print(const struct setup *setup, const struct common_settings *settings, uint32_t what)
{
    pawl_listing *listing;
    pawl_error *error = NULL;
    if (pawl_registry_list(setup->registry, &listing, &error) != PAWL_OK)
        return report_error(settings->json, error);
    int status = settings->json ? print_json(listing, what) : print_text(listing, what);
    pawl_listing_free(listing);
    return status;
}
