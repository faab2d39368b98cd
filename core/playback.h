/*
 * playback.h - a run is given again what its record says it was told, and makes no call.
 *
 * A record is either replayed to its end, or, if its run was suspended, as far as it goes: then
 * everything happens for real from there on, beginning with the calls that had not been made.
 */
#ifndef PAWL_CORE_PLAYBACK_H
#define PAWL_CORE_PLAYBACK_H

#include "core/buffer.h"
#include "core/calls.h"
#include "core/record.h"

struct playback {
    const struct pawl_record *record; /* NULL: over, or there never was one */
    struct calls *calls;
    size_t at;
    bool resumes;
    uint64_t last_call;
    struct buffer diverged; /* how the run differs from its record */
};

/* What becomes of a question of the provider. */
enum play {
    PLAY_ANSWERED, /* as the record says */
    PLAY_ENDED,    /* the run is over: the record ends, or the run differs from it */
    PLAY_LIVE,     /* the record has been played: it is to be answered for real */
};

enum play playback_call(struct playback *playback, const struct binding *binding,
                        const char *arguments, size_t size);
enum play playback_next(struct playback *playback, int32_t timeout,
                        struct pawl_settlement *settlement, int32_t *status);
enum play playback_clock(struct playback *playback, int64_t *nanoseconds);
enum play playback_random(struct playback *playback, void *bytes, size_t size);
enum play playback_discover(struct playback *playback, const char *query, size_t size,
                            const struct pawl_sink *answer, int32_t *status);

/* The program has ended: whether there is no call in the record that it did not make. */
bool playback_finish(struct playback *playback);

/* Has the calls come out of which the program was not told any more. */
void playback_settle_late(struct playback *playback);

/* Plays all of it at once, for a program that goes on from an image: `log` gets what was logged.
 * PAWL_OK, or PAWL_E_ENDED. */
int playback_skip(struct playback *playback,
                  int (*log)(void *context, const char *text, size_t size), void *context);

#endif
