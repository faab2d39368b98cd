/*
 * trial.h - running a scenario on the plugin, and what is expected to come of it.
 */
#ifndef HARNESS_TRIAL_H
#define HARNESS_TRIAL_H

#include "tools/harness/spy.h"
#include "tools/harness/subject.h"
#include "tools/harness/tools.h"

/* A run to be. Nothing of it need be freed (check.h). */
struct trial {
    struct check *check;
    const char *scenario; /* for messages */
    const char *provider; /* NULL: the first instance */
    char *program;
    size_t size;
    struct pawl_budget budget; /* beside a wall clock against hangs, where the plugin keeps one */
    uint64_t output_limit;
    struct pawl_policy policy;
    pawl_cancel *cancel;
    struct tools *tools; /* shared by all trials of the process */
};

/* Makes one of a scenario's program. False: there is none, and the requirement is skipped, or the
 * plugin cannot be opened, and it has failed. */
bool trial_new(struct check *check, struct trial *trial, const char *scenario);

/* The same where other scenarios will do as well: false, and nothing more, when there is none. */
bool trial_try(struct check *check, struct trial *trial, const char *scenario);

/* Makes one of a program that is any bytes. */
bool trial_new_text(struct check *check, struct trial *trial, const char *what, const char *text,
                    size_t size);

/* Replaces a word (@FILE@) in the program. */
void trial_fill(struct trial *trial, const char *word, const char *with);

/* Runs it; NULL: there is no result, and the requirement has failed. [any thread] */
pawl_result *trial_run(const struct trial *trial);

/* Both: the result of a scenario, or NULL. */
pawl_result *run_scenario(struct check *check, const char *scenario);

/* Frees a trial or a result, for who makes thousands of them. */
void trial_free(struct trial *trial);

/* What the functions saw. */
struct tools *trial_tools(void);
void trial_forget_notes(void);

/* --- Expectations: each fails the requirement and returns false when it does not hold. ------- */

/* It succeeded with this value, compared as JSON: the order of keys does not matter, and neither
 * does how a number is written. */
bool expect_value(struct check *check, const char *scenario, const pawl_result *result,
                  const char *json);

/* It failed with this kind. */
bool expect_kind(struct check *check, const char *scenario, const pawl_result *result,
                 const char *kind);

/* It failed with this kind and with a message that contains the text. */
bool expect_message(struct check *check, const char *scenario, const pawl_result *result,
                    const char *kind, const char *text);

/* It came to an end of its own, whatever that was: it did not take the provider with it. */
bool expect_survived(struct check *check, const char *scenario, const pawl_result *result);

/* How it came out, for messages: "the value 42", "runtime (the cause)". */
const char *outcome_of(const pawl_result *result);

#endif
