/* pawl providers: what there is, and why something is not. */
#include "tools/pawl/commands.h"
#include "tools/pawl/listing.h"
#include "tools/pawl/report.h"

static const struct synopsis synopsis = {
    .command = "providers",
    .positionals = "",
    .summary = "Lists every provider by level and id, and each candidate that cannot be used with "
               "the reason.",
    .options = (const struct option *const[]){common_options, NULL},
};

int command_providers(int argc, char **argv)
{
    struct common_settings settings = {0};
    int status = options_read(&synopsis, argc, argv, &settings, NULL, 0, 0);
    if (status != OPTIONS_GOOD)
        return status;
    struct setup setup;
    status = setup_open(&setup, &settings);
    if (status == EXIT_OK)
        status = listing_print(&setup, &settings, PAWL_LISTED_PROVIDER);
    setup_close(&setup);
    return status;
}
