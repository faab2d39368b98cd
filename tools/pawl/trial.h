/*
 * trial.h - what this machine lets a process do to itself, found out by doing it.
 *
 * Every trial runs in a process of its own, which is thrown away. Nothing is concluded from a
 * version number or a setting; settings are only read to say what stands in the way.
 */
#ifndef PAWL_TOOLS_TRIAL_H
#define PAWL_TOOLS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/* What a trial says of itself. */
struct finding {
    bool works;
    char how[160]; /* what was done and seen, or the step that failed and its error */
};

struct trial {
    const char *name;  /* in JSON */
    const char *title; /* for people */
    /* Runs in the trial's own process: fills in `how`, and returns whether it works. */
    bool (*attempt)(struct finding *finding);
    const char *use; /* what it is used for */
    /* What to change so that it works: a text, or NULL when nothing is known. May be NULL. */
    const char *(*advice)(void);
};

extern const struct trial trials[];
extern const size_t trial_count;

/* Runs a trial. The calling process must have one thread. */
void trial_run(const struct trial *trial, struct finding *finding);

#endif
