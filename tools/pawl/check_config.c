/* pawl check-config: reads a configuration and does what it says, short of running a program. */
#include <stdio.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/report.h"
#include "tools/pawl/setup.h"
#include "tools/pawl/terminal.h"

static const struct synopsis synopsis = {
    .command = "check-config",
    .positionals = "[FILE]",
    .summary =
        "Reads FILE (or the configuration that would be used), opens every provider and stage\n"
        "that it names, and says what is wrong with the first that is.",
    .options = (const struct option *const[]){common_options, NULL},
};

static size_t count_providers(const struct setup *setup)
{
    pawl_listing *listing;
    size_t count = 0;
    if (pawl_registry_list(setup->registry, &listing, NULL) != PAWL_OK)
        return 0;
    for (size_t i = 0; i < pawl_listing_size(listing); i++)
        count += pawl_listing_at(listing, i)->what == PAWL_LISTED_PROVIDER;
    pawl_listing_free(listing);
    return count;
}

static int print(const struct setup *setup, bool json)
{
    const char *path = pawl_config_path(setup->config);
    const char *level = pawl_level_name(pawl_config_level(setup->config, PAWL_LEVEL_OS));
    size_t providers = count_providers(setup), stages = pawl_ring_size(setup->ring);
    if (json) {
        struct json_object *object = report_new_object();
        report_put(object, "ok", json_object_new_boolean(true));
        report_put_string(object, "path", path);
        report_put_string(object, "level", level);
        report_put_number(object, "providers", providers);
        report_put_number(object, "stages", stages);
        return report_object(object, EXIT_OK);
    }
    terminal_format(stdout, STYLE_PLAIN, "%s: level %s, %zu provider%s, %zu stage%s\n",
                    path != NULL ? path : "no configuration file", level, providers,
                    providers == 1 ? "" : "s", stages, stages == 1 ? "" : "s");
    return report_flush(EXIT_OK);
}

int command_check_config(int argc, char **argv)
{
    struct common_settings settings = {0};
    const char *file = NULL;
    int status = options_read(&synopsis, argc, argv, &settings, &file, 0, 1);
    if (status != OPTIONS_GOOD)
        return status;
    if (file != NULL && settings.config != NULL)
        return report_usage(settings.json, "FILE and --config name two files: give one");
    if (file != NULL)
        settings.config = file;
    struct setup setup;
    status = setup_open(&setup, &settings);
    if (status == EXIT_OK)
        status = print(&setup, settings.json);
    setup_close(&setup);
    return status;
}
