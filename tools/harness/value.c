/* R11 to R23: what a program returns, how it fails, and what it logs. */
#include <stdio.h>
#include <string.h>

#include "tools/harness/trial.h"

static void returns_values(struct check *check)
{
    expect_value(check, "value", run_scenario(check, "value"),
                 "{\"number\":42,\"text\":\"snow \u2603\",\"list\":[1,[2,[3]]],\"yes\":true,"
                 "\"no\":false,\"inner\":{\"a\":{\"b\":\"c\"}}}");
}

static void returns_strings(struct check *check)
{
    expect_value(check, "strings", run_scenario(check, "strings"),
                 "[\"\\u0000\",\"\\u00e9\\u2603\\ud83d\\ude00\",\"\\\"\\\\/\\b\\n\\t\\u2028\"]");
}

static void returns_numbers(struct check *check)
{
    expect_value(check, "numbers", run_scenario(check, "numbers"),
                 "[0,-1,0.1,1e21,1.7976931348623157e308,1e-300,9007199254740991]");
}

static void returns_nothing(struct check *check)
{
    pawl_result *result = run_scenario(check, "nothing");
    if (result != NULL)
        expect(check, pawl_result_ok(result) && !pawl_result_has_value(result),
               "nothing: success without a value was expected, it came to %s", outcome_of(result));
}

static void returns_null(struct check *check)
{
    expect_value(check, "null", run_scenario(check, "null"), "null");
}

/* --- Failures ------------------------------------------------------------------------------ */

static void finds_syntax_errors(struct check *check)
{
    pawl_result *result = run_scenario(check, "syntax");
    if (expect_kind(check, "syntax", result, "syntax"))
        expect(check, pawl_result_logs(result) == 0,
               "syntax: a part of a program that does not parse was run");
}

static void states_errors(struct check *check)
{
    expect_message(check, "runtime", run_scenario(check, "runtime"), "runtime", "the cause");
}

static void finds_pending(struct check *check)
{
    expect_kind(check, "pending", run_scenario(check, "pending"), "pending");
}

static void refuses_values(struct check *check)
{
    pawl_result *result = run_scenario(check, "bad_result");
    if (expect_message(check, "bad_result", result, "bad_result", "items"))
        expect_message(check, "bad_result", result, "bad_result", "score");
    result = run_scenario(check, "bad_function");
    expect_message(check, "bad_function", result, "bad_result", "callback");
}

/* The line of a program in which HERE stands, from 1; 0: none. */
static uint32_t line_of_here(const struct trial *trial)
{
    const char *here = strstr(trial->program, "HERE");
    uint32_t line = 1;
    if (here == NULL)
        return 0;
    for (const char *p = trial->program; p < here; p++)
        line += *p == '\n';
    return line;
}

static void states_positions(struct check *check)
{
    static const char *const scenarios[] = {"position_first", "position_later", "position_name",
                                            "position_call", "position_syntax"};
    bool any = false;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, scenarios[i]))
            continue;
        any = true;
        const pawl_result *result = trial_run(&trial);
        if (result == NULL)
            continue;
        uint32_t line = pawl_result_line(result), here = line_of_here(&trial);
        expect(check, !pawl_result_ok(result), "%s: it did not fail, but came to %s", scenarios[i],
               outcome_of(result));
        expect(check, line == 0 || line == here, "%s: it failed on line %u, and is said to on %u",
               scenarios[i], here, line);
        expect(check, line != 0 || pawl_result_column(result) == 0,
               "%s: there is a column without a line", scenarios[i]);
    }
    if (!any)
        skip(check, "no program \"position_first\" or another such");
}

/* --- Logs ---------------------------------------------------------------------------------- */

static void keeps_logs(struct check *check)
{
    const pawl_result *result = run_scenario(check, "logs");
    if (result == NULL)
        return;
    size_t count = pawl_result_logs(result);
    expect(check, count == 50, "logs: 50 entries were logged, %zu are there", count);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        size_t size;
        const char *entry = pawl_result_log(result, i, &size);
        int length = snprintf(text, sizeof(text), "entry %zu", i);
        if (!expect(check, size == (size_t)length && memcmp(entry, text, size) == 0,
                    "logs: entry %zu is \"%.100s\"", i, entry))
            return;
    }
    expect_value(check, "logs", result, "1");
}

static void keeps_logs_of_failures(struct check *check)
{
    const pawl_result *result = run_scenario(check, "logs_failure");
    if (!expect_kind(check, "logs_failure", result, "runtime"))
        return;
    expect(check,
           pawl_result_logs(result) == 1 && strcmp(pawl_result_log(result, 0, NULL), "before") == 0,
           "logs_failure: what was logged before the failure is lost");
}

static void stops_at_the_output_limit(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "logs_endless"))
        return;
    trial.output_limit = 1000;
    const pawl_result *result = trial_run(&trial);
    if (!expect_kind(check, "logs_endless", result, "output_limit"))
        return;
    expect(check, pawl_result_logs(result) > 0, "logs_endless: the entries that fit are lost");
}

const struct requirement value_requirements[] = {
    {.id = "R11",
     .title = "returns values as they are",
     .programs = "value",
     .test = returns_values},
    {.id = "R12",
     .title = "returns strings of any characters",
     .programs = "strings",
     .test = returns_strings},
    {.id = "R13",
     .title = "returns numbers without loss",
     .programs = "numbers",
     .test = returns_numbers},
    {.id = "R14",
     .title = "tells nothing returned from a value",
     .programs = "nothing",
     .test = returns_nothing},
    {.id = "R15", .title = "returns null", .programs = "null", .test = returns_null},
    {.id = "R16",
     .title = "finds that a program does not parse before it runs any of it",
     .programs = "syntax",
     .test = finds_syntax_errors},
    {.id = "R17",
     .title = "states an error that nothing caught",
     .programs = "runtime",
     .test = states_errors},
    {.id = "R18",
     .title = "finds that a program waits for what can never come",
     .programs = "pending",
     .test = finds_pending},
    {.id = "R19",
     .title = "refuses a value that is no JSON, and names its path",
     .programs = "bad_result bad_function",
     .test = refuses_values},
    {.id = "R20",
     .title = "states the true line of a failure, or none",
     .programs = "position_first position_later position_name position_call position_syntax",
     .test = states_positions},
    {.id = "R21", .title = "keeps the log, in order", .programs = "logs", .test = keeps_logs},
    {.id = "R22",
     .title = "keeps the log of a program that fails",
     .programs = "logs_failure",
     .test = keeps_logs_of_failures},
    {.id = "R23",
     .title = "stops a program that logs too much",
     .programs = "logs_endless",
     .test = stops_at_the_output_limit},
    {0},
};
