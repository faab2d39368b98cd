/*
 * check.h - one requirement that a plugin is held to, and what comes of checking it.
 *
 * Every requirement is checked in a process of its own, which ends when it is done: what its
 * function allocates goes with the process, and what the plugin breaks breaks nothing else.
 */
#ifndef HARNESS_CHECK_H
#define HARNESS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"

struct programs; /* programs.h */
struct subject;  /* subject.h */

/* What the harness was asked to do. */
struct settings {
    const char *directory; /* of the plugin: absolute, without links */
    const char *file;      /* pawl-NAME-provider.so, pawl-NAME-stage.so */
    bool is_stage;
    const char *config;    /* JSON; NULL: none */
    const char *language;  /* NULL: one of those that the instance lists */
    unsigned long runs;    /* of the requirement that counts on many */
    unsigned long seconds; /* the time limit of every requirement; 0: its own */
    struct programs *programs;
};

enum outcome { OUTCOME_PASSED, OUTCOME_SKIPPED, OUTCOME_FAILED };

struct check {
    const struct settings *settings;
    struct subject *subject; /* once it was asked for */
    enum outcome outcome;
    struct buffer words; /* why it failed or was skipped, and notes: a line each */
};

/* Unless the condition holds, the requirement fails for the reason given. Returns the condition. */
bool expect(struct check *check, bool condition, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The requirement cannot be checked here, and why. It stays failed if it is. */
void skip(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Something to be said of a requirement that holds. */
void note(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct requirement {
    const char *id;       /* "R10", "S10": never given to another one */
    const char *title;    /* what is required, after "the plugin ..." */
    const char *programs; /* the scenarios that it runs, separated by spaces; may be NULL */
    void (*test)(struct check *check);
    unsigned seconds; /* its time limit; 0: DEFAULT_SECONDS */
};

#define DEFAULT_SECONDS 60u

/* The groups. Each ends in a requirement without an id. */
extern const struct requirement abi_requirements[];
extern const struct requirement value_requirements[];
extern const struct requirement call_requirements[];
extern const struct requirement end_requirements[];
extern const struct requirement run_requirements[];
extern const struct requirement claim_requirements[];
extern const struct requirement escape_requirements[];
extern const struct requirement hostile_requirements[];
extern const struct requirement forged_requirements[];
extern const struct requirement odd_requirements[];
extern const struct requirement stage_requirements[]; /* of stages; the others are of providers */

/* Checks a requirement in a process of its own. What it prints goes to stderr; when it crashes or
 * does not come back in time the requirement has failed. */
void check_apart(const struct requirement *requirement, struct check *check);

#endif
