/* R80 to R85: programs that mean harm, or that nobody would write. Whatever comes of them, it is a
 * result, and the provider is there for the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/harness/trial.h"

/* Runs a text as a program; then the provider must still be of use. */
static void survives_text(struct check *check, const char *what, const char *text, size_t size)
{
    struct trial trial, next;
    if (!trial_new_text(check, &trial, what, text, size))
        return;
    pawl_result *result = trial_run(&trial);
    expect_survived(check, what, result);
    pawl_result_free(result);
    trial_free(&trial);
    if (!trial_try(check, &next, "echo"))
        return;
    result = trial_run(&next);
    if (result != NULL)
        expect(check, pawl_result_ok(result), "after %s the next program came to %s", what,
               outcome_of(result));
    pawl_result_free(result);
    trial_free(&next);
}

static void survives_garbage(struct check *check)
{
    static const char zeros[4096], high[] = "\xff\xfe\x80\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80",
                                   binary[] = "\x7f"
                                              "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0",
                                   quote[] = "\"never closed", comment[] = "/* never closed",
                                   mark[] = "\xef\xbb\xbf";
    survives_text(check, "an empty program", "", 0);
    survives_text(check, "a program of zeros", zeros, sizeof(zeros));
    survives_text(check, "malformed UTF-8", high, sizeof(high) - 1);
    survives_text(check, "the beginning of an executable file", binary, sizeof(binary) - 1);
    survives_text(check, "an open string", quote, sizeof(quote) - 1);
    survives_text(check, "an open comment", comment, sizeof(comment) - 1);
    survives_text(check, "a byte order mark alone", mark, sizeof(mark) - 1);
}

/* A text that is one character again and again. */
static void survives_repetition(struct check *check, char character, size_t size)
{
    char what[64], *text = malloc(size);
    if (text == NULL) {
        expect(check, false, "out of memory");
        return;
    }
    memset(text, character, size);
    snprintf(what, sizeof(what), "%zu times '%c'", size, character);
    survives_text(check, what, text, size);
    free(text);
}

static void survives_nesting(struct check *check)
{
    for (const char *c = "([{-!a\n"; *c != '\0'; c++)
        survives_repetition(check, *c, 200000);
}

static void survives_scenario(struct check *check, const char *scenario)
{
    struct trial trial;
    if (trial_new(check, &trial, scenario))
        expect_survived(check, scenario, trial_run(&trial));
}

static void survives_recursion(struct check *check)
{
    survives_scenario(check, "recursion");
}

static void survives_depth(struct check *check)
{
    survives_scenario(check, "deep_value");
    survives_scenario(check, "deep_result");
}

static void takes_large_results(struct check *check)
{
    const pawl_result *result = run_scenario(check, "large_result");
    char expected[16];
    if (result == NULL)
        return;
    snprintf(expected, sizeof(expected), "%u", TOOLS_LARGE);
    if (!pawl_result_ok(result) && strcmp(pawl_result_kind(result), "budget_memory") == 0)
        return; /* no memory was promised */
    expect_value(check, "large_result", result, expected);
}

static void survives_a_flood(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "flood"))
        return;
    trial.budget.max_calls = 1000;
    expect_kind(check, "flood", trial_run(&trial), "budget_calls");
}

const struct requirement hostile_requirements[] = {
    {.id = "R80",
     .title = "survives programs that are no text",
     .programs = "echo",
     .test = survives_garbage},
    {.id = "R81",
     .title = "survives programs that are nested without end",
     .programs = "echo",
     .test = survives_nesting,
     .seconds = 180},
    {.id = "R82",
     .title = "survives endless recursion",
     .programs = "recursion",
     .test = survives_recursion},
    {.id = "R83",
     .title = "survives values that are nested deep",
     .programs = "deep_value deep_result",
     .test = survives_depth},
    {.id = "R84",
     .title = "takes a large result of a function",
     .programs = "large_result",
     .test = takes_large_results},
    {.id = "R85",
     .title = "survives a flood of calls",
     .programs = "flood",
     .test = survives_a_flood},
    {0},
};
