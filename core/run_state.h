/* run_state.h - one run from inside: what the files run*.c share. */
#ifndef PAWL_CORE_RUN_STATE_H
#define PAWL_CORE_RUN_STATE_H

#include "core/calls.h"
#include "core/playback.h"
#include "core/recorder.h"
#include "core/run.h"

struct run {
    const pawl_request *request;
    const pawl_spec *spec;
    struct calls *calls;
    pawl_result *result;
    uint64_t output; /* JSON bytes of the logs so far */
    uint64_t output_limit;
    bool ended;               /* value or fail was said */
    struct buffer subject;    /* what a failure is about, for the suggestions */
    struct recorder recorder; /* of what happens from now on; idle: nobody wants it */
    struct playback playback; /* of what happened before; over: everything happens for real */
    struct buffer image;      /* of a program that was suspended */
    bool parked;              /* it is to go on, but has not done anything new yet */
};

/* run_outcome.c: how the run came out. A message that is malformed UTF-8 is mended where it is
 * shown. */
void run_set_failure(struct run *run, const char *kind, const char *message, size_t size);
void run_set_failure_format(struct run *run, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The failure of a run that the host ended, for that reason. */
void run_set_ended(struct run *run, uint32_t end);

/* What the provider itself answered counts only when nothing has ended the run. */
void run_judge_provider(struct run *run, int32_t status, const struct buffer *why);

/* The diagnosis counts as output, too. */
void run_check_output(struct run *run);

/* run_services.c: what the provider sees of the run. */
struct pawl_run run_view(struct run *run, uint64_t deadline);

/* Adds an entry to the program's log. PAWL_OK, PAWL_E_STATE or PAWL_E_ENDED. */
int run_add_log(struct run *run, const char *text, size_t size);

#endif
