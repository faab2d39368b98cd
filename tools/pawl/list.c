/* pawl providers, pawl stages: what there is, and why something is not. */
#include "tools/pawl/commands.h"
#include "tools/pawl/listing.h"
#include "tools/pawl/report.h"

static const struct synopsis providers = {
    .command = "providers",
    .positionals = "",
    .summary = "Lists every provider by level and id, and each candidate that cannot be used with "
               "the reason.",
    .options = (const struct option *const[]){common_options, NULL},
};

static const struct synopsis stages = {
    .command = "stages",
    .positionals = "",
    .summary = "Lists the stages that a configuration or --stage can name, and each candidate that "
               "cannot be used.",
    .options = (const struct option *const[]){common_options, NULL},
};

static int list(const struct synopsis *synopsis, uint32_t what, int argc, char **argv)
{
    struct common_settings settings = {0};
    int status = options_read(synopsis, argc, argv, &settings, NULL, 0, 0);
    if (status != OPTIONS_GOOD)
        return status;
    struct setup setup;
    status = setup_open(&setup, &settings);
    if (status == EXIT_OK)
        status = listing_print(&setup, &settings, what);
    setup_close(&setup);
    return status;
}

int command_providers(int argc, char **argv)
{
    return list(&providers, PAWL_LISTED_PROVIDER, argc, argv);
}

int command_stages(int argc, char **argv)
{
    return list(&stages, PAWL_LISTED_STAGE, argc, argv);
}
