/* R24 to R34: the functions that a program calls. */
#include <string.h>

#include "tools/harness/trial.h"

#define ECHOED "{\"a\":[1,-2.5,\"snow \u2603\",true],\"b\":{\"c\":\"d\"}}"

static void passes_values(struct check *check)
{
    expect_value(check, "echo", run_scenario(check, "echo"), ECHOED);
}

static void passes_results(struct check *check)
{
    expect_value(check, "sample", run_scenario(check, "sample"), TOOLS_SAMPLE);
}

static void calls_once(struct check *check)
{
    static const char all[] = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 ";
    const pawl_result *result = run_scenario(check, "sequence");
    const struct buffer *notes = &trial_tools()->notes;
    if (result == NULL)
        return;
    expect(check, strcmp(notes->data != NULL ? notes->data : "", all) == 0,
           "sequence: the function was called with %s", notes->data);
    expect(check, pawl_result_calls(result) == 20, "sequence: 20 calls were made, %zu arrived",
           pawl_result_calls(result));
    expect_value(check, "sequence", result, "210");
}

static void lets_catch_failures(struct check *check)
{
    const pawl_result *result = run_scenario(check, "failed_caught");
    if (result != NULL)
        expect(check,
               pawl_result_ok(result) &&
                   strstr(pawl_result_value(result, NULL), TOOLS_FAILURE) != NULL,
               "failed_caught: the message of the failed call was expected, it came to %s",
               outcome_of(result));
}

static void passes_failures_on(struct check *check)
{
    expect_message(check, "failed", run_scenario(check, "failed"), "runtime", TOOLS_FAILURE);
}

static void states_denials(struct check *check)
{
    expect_message(check, "denied", run_scenario(check, "denied"), "stage_denied", TOOLS_DENIAL);
    const pawl_result *result = run_scenario(check, "denied_caught");
    if (result != NULL)
        expect_value(check, "denied_caught", result, "\"stage_denied\"");
    expect(check, trial_tools()->denied_calls == 0, "a function was called that a stage denied");
}

static void states_stage_failures(struct check *check)
{
    expect_kind(check, "stage_failed", run_scenario(check, "stage_failed"), "stage_failed");
    expect(check, trial_tools()->denied_calls == 0,
           "a function was called though its stage had failed");
}

static void has_error_classes(struct check *check)
{
    expect_value(check, "error_class", run_scenario(check, "error_class"), "[true,\"query\"]");
}

static void has_any_names(struct check *check)
{
    expect_value(check, "names", run_scenario(check, "names"), "[1,2,3,4]");
}

static void overlaps_calls(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "overlap"))
        return;
    trial.tools->meeting_timeout = 5000;
    expect_value(check, "overlap", trial_run(&trial), "2");
    expect(check, trial.tools->met == 1,
           "overlap: two concurrent calls were not in flight at once");
}

static void discovers(struct check *check)
{
    expect_value(check, "discover", run_scenario(check, "discover"), TOOLS_FOUND);
}

const struct requirement call_requirements[] = {
    {.id = "R24",
     .title = "passes arguments and results as they are",
     .programs = "echo",
     .test = passes_values},
    {.id = "R25",
     .title = "passes any JSON that a function returns",
     .programs = "sample",
     .test = passes_results},
    {.id = "R26",
     .title = "makes every call once, in order",
     .programs = "sequence",
     .test = calls_once},
    {.id = "R27",
     .title = "lets a program catch a failed call",
     .programs = "failed_caught",
     .test = lets_catch_failures},
    {.id = "R28",
     .title = "states a failed call that nothing caught",
     .programs = "failed",
     .test = passes_failures_on},
    {.id = "R29",
     .title = "states a denied call, and lets a program catch it",
     .programs = "denied denied_caught",
     .test = states_denials},
    {.id = "R30",
     .title = "states that a stage failed",
     .programs = "stage_failed",
     .test = states_stage_failures},
    {.id = "R31",
     .title = "has the error class of a namespace",
     .programs = "error_class",
     .test = has_error_classes},
    {.id = "R32",
     .title = "calls functions of any name, and by their aliases",
     .programs = "names",
     .test = has_any_names},
    {.id = "R33",
     .title = "has concurrent calls in flight together",
     .programs = "overlap",
     .test = overlaps_calls},
    {.id = "R34", .title = "has discover()", .programs = "discover", .test = discovers},
    {0},
};
