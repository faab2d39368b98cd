/*
 * recorder.h - writing the record of a run: a JSON text on each line, of what the run was asked to
 * do, and of everything that it was told while it ran. pawl-record(5) describes it.
 *
 * Each line is handed out before what it tells of can go on, so that no call is made of which the
 * record knows nothing. One that cannot be handed out ends the run.
 */
#ifndef PAWL_CORE_RECORDER_H
#define PAWL_CORE_RECORDER_H

#include "core/buffer.h"
#include "core/registry.h"
#include "core/result.h"
#include "providers/wire/text.h"

struct calls;

struct recorder {
    pawl_recorder write; /* NULL: nothing is recorded */
    void *data;
    struct calls *calls; /* ended when a line cannot be written */
    struct text line;
    bool failed;
};

/* Begins a record: what was asked for, and of whom. */
void recorder_begin(struct recorder *recorder, const pawl_request *request, const pawl_spec *spec);

/* A run that was suspended goes on: the lines that follow belong behind those that there are. */
void recorder_resume(struct recorder *recorder);

/* What the services of struct pawl_run were asked and what they answered. */
void recorder_call(struct recorder *recorder, uint64_t id, const struct binding *binding,
                   const char *arguments, size_t size);
void recorder_settled(struct recorder *recorder, const struct pawl_settlement *settlement,
                      uint64_t microseconds);

/* How a call came out that the program was not told of any more. */
void recorder_late(struct recorder *recorder, const struct pawl_settlement *settlement,
                   uint64_t microseconds);
void recorder_timeout(struct recorder *recorder);
void recorder_clock(struct recorder *recorder, int64_t nanoseconds);
void recorder_random(struct recorder *recorder, const void *bytes, size_t size);
void recorder_discover(struct recorder *recorder, const char *query, size_t query_size,
                       int32_t status, const struct buffer *answer);
void recorder_log(struct recorder *recorder, const char *text, size_t size);

/* How the run came out; `image` is what is kept of a suspended program, or is empty. */
void recorder_end(struct recorder *recorder, const pawl_result *result, const struct buffer *image);

void recorder_clear(struct recorder *recorder);

#endif
