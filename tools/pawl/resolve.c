/* pawl resolve: which provider would run a program, with what, and why not each other one. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/report.h"
#include "tools/pawl/setup.h"
#include "tools/pawl/terminal.h"

static const struct synopsis synopsis = {
    .command = "resolve",
    .positionals = "",
    .summary = "Says which provider would run a program of which this is asked, and why not each\n"
               "other one. Nothing is run.",
    .options = (const struct option *const[]){demand_options, common_options, NULL},
};

/* The items of a budget, under the names that results use. */
struct item {
    const char *name;
    uint32_t bit;
    uint64_t value;
    size_t (*print)(char *buffer, size_t size, uint64_t value);
};

static size_t print_number(char *buffer, size_t size, uint64_t value)
{
    return (size_t)snprintf(buffer, size, "%" PRIu64, value);
}

#define ITEMS 4

static void list_items(const struct pawl_budget *budget, struct item items[ITEMS])
{
    items[0] = (struct item){"wall_clock_ms", PAWL_BUDGET_WALL_CLOCK, budget->wall_clock,
                             pawl_duration_print};
    items[1] = (struct item){"max_calls", PAWL_BUDGET_MAX_CALLS, budget->max_calls, print_number};
    items[2] =
        (struct item){"max_bytes", PAWL_BUDGET_MAX_BYTES, budget->max_bytes, pawl_size_print};
    items[3] =
        (struct item){"max_memory", PAWL_BUDGET_MAX_MEMORY, budget->max_memory, pawl_size_print};
}

static const char *egress_text(const struct pawl_policy *policy)
{
    return policy->egress == PAWL_EGRESS_NONE    ? "none"
           : policy->egress == PAWL_EGRESS_PROXY ? policy->proxy
                                                 : "any";
}

static int print_json(const pawl_spec *spec)
{
    struct json_object *object = report_new_object(), *budget = report_new_object();
    struct json_object *capped = report_new_array(), *refused = report_new_array();
    struct item items[ITEMS];
    list_items(pawl_spec_budget(spec), items);
    for (size_t i = 0; i < ITEMS; i++) {
        if (items[i].value != 0)
            report_put_number(budget, items[i].name, items[i].value);
        if (pawl_spec_capped(spec) & items[i].bit)
            report_push_string(capped, items[i].name);
    }
    for (size_t i = 0; i < pawl_spec_refusals(spec); i++) {
        const char *id, *why;
        uint32_t level;
        pawl_spec_refusal(spec, i, &id, &level, &why);
        report_push(refused, report_refusal(id, level, why));
    }
    report_put(object, "ok", json_object_new_boolean(true));
    report_put_string(object, "provider", pawl_spec_provider(spec));
    report_put_string(object, "level", pawl_level_name(pawl_spec_level(spec)));
    report_put_string(object, "language", pawl_spec_language(spec));
    report_put(object, "budget", budget);
    report_put(object, "capped", capped);
    report_put_string(object, "egress", egress_text(pawl_spec_policy(spec)));
    report_put(object, "refused", refused);
    return report_object(object, EXIT_OK);
}

static int print_text(const pawl_spec *spec)
{
    terminal_format(stdout, STYLE_BOLD, "%s", pawl_spec_provider(spec));
    terminal_format(stdout, STYLE_PLAIN, " (%s) would run it as %s\n",
                    pawl_level_name(pawl_spec_level(spec)), pawl_spec_language(spec));
    struct item items[ITEMS];
    list_items(pawl_spec_budget(spec), items);
    for (size_t i = 0; i < ITEMS; i++) {
        char value[PAWL_UNIT_SIZE];
        if (items[i].value == 0)
            continue;
        items[i].print(value, sizeof(value), items[i].value);
        terminal_format(stdout, STYLE_PLAIN, "  %-14s %s%s\n", items[i].name, value,
                        pawl_spec_capped(spec) & items[i].bit ? " (lowered to the operator's cap)"
                                                              : "");
    }
    terminal_format(stdout, STYLE_PLAIN, "  %-14s %s\n", "egress",
                    egress_text(pawl_spec_policy(spec)));
    if (pawl_spec_refusals(spec) > 0)
        terminal_format(stdout, STYLE_PLAIN, "\nNot chosen:\n");
    for (size_t i = 0; i < pawl_spec_refusals(spec); i++) {
        const char *id, *why;
        uint32_t level;
        pawl_spec_refusal(spec, i, &id, &level, &why);
        const char *name = pawl_level_name(level);
        terminal_format(stdout, STYLE_BOLD, "%s", id);
        terminal_format(stdout, STYLE_PLAIN, " (%s): %s\n", name != NULL ? name : "?", why);
    }
    return report_flush(EXIT_OK);
}

int command_resolve(int argc, char **argv)
{
    struct demand_settings settings = {0};
    int status = options_read(&synopsis, argc, argv, &settings, NULL, 0, 0);
    if (status != OPTIONS_GOOD)
        return status;
    struct setup setup;
    pawl_request *request = NULL;
    pawl_spec *spec = NULL;
    pawl_error *error = NULL;
    status = setup_open(&setup, &settings.common);
    if (status == EXIT_OK)
        status = setup_request(&setup, &settings, "", 0, &request);
    if (status == EXIT_OK) {
        if (pawl_registry_resolve(setup.registry, request, &spec, &error) != PAWL_OK)
            status = report_error(settings.common.json, error);
        else
            status = settings.common.json ? print_json(spec) : print_text(spec);
    }
    pawl_spec_free(spec);
    pawl_request_free(request);
    setup_close(&setup);
    return status;
}
