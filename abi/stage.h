/*
 * pawl/stage.h - the interface between pawl and a stage, a gate that judges every call of a binding
 * before it reaches the host function.
 *
 * A stage is a shared object `pawl-NAME-stage.so` that exports one function, pawl_stage_entry_v1.
 * See pawl/common.h for the rules that every struct here follows, and pawl-stage(3).
 */
#ifndef PAWL_STAGE_H
#define PAWL_STAGE_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PAWL_MAGIC_STAGE      PAWL_MAGIC('P', 'W', 's', 't')
#define PAWL_MAGIC_STAGE_CALL PAWL_MAGIC('P', 'W', 's', 'c')

/* Verdicts. Zero denies, so that a stage which forgets to answer has denied. Any value that is not
 * listed here, and any status but PAWL_OK, means that the stage itself failed, which also stops the
 * call. */
#define PAWL_VERDICT_DENY  0u
#define PAWL_VERDICT_ALLOW 1u
#define PAWL_VERDICT_PENDING                                               \
    2u /* to be decided later; ends the run as `suspended` where it can be \
          resumed, and denies where it cannot */

/* How a call that the ring allowed came out, as `settled` is told. */
#define PAWL_OUTCOME_OK        0u
#define PAWL_OUTCOME_ERROR     1u /* the host function failed */
#define PAWL_OUTCOME_STOPPED   2u /* a later stage denied it or failed */
#define PAWL_OUTCOME_ABANDONED 3u /* the run ended first */

/* A call to be judged. */
struct pawl_stage_call {
    struct pawl_header header; /* PAWL_MAGIC_STAGE_CALL */
    uint64_t number;           /* counts the calls of the run from 1 */
    const char *run;  /* identifies the run: the same for all its calls, unlike any other */
    const char *name; /* `namespace.function` */
    const char *namespace_name; /* its two parts */
    const char *function;
    struct pawl_text arguments; /* JSON: as the host function would get them */
    const void *reserved;       /* NULL: no padding at the end, where members will be added */
    int32_t cancel_fd;   /* readable once nobody waits for the verdict any more: for a stage that
                            waits (PAWL_STAGE_WAITS); negative: there is none */
    uint32_t reserved_2; /* 0 */
};

/* `offers` bits: informational. */
#define PAWL_STAGE_PROMPT                                                    \
    (1ull << 0) /* `judge` never waits for anything: it may be called on the \
                   program's own thread, which saves the way to another */
#define PAWL_STAGE_WAITS                                                       \
    (1ull << 1) /* `judge` may wait for somebody, a person perhaps: while it   \
                   does, no wall clock runs, neither the program's nor that of \
                   the call. It gets a `cancel_fd` and gives up once that is   \
                   readable. Without it, waiting counts as the call's time */

/* What a stage plugin is. Constant, and valid as long as the plugin is loaded (for ever). */
struct pawl_stage {
    struct pawl_header header; /* PAWL_MAGIC_STAGE */
    uint64_t requires_bits;    /* none is defined yet: must be 0 */
    uint64_t offers_bits;      /* PAWL_STAGE_* */
    const char *name;          /* as in the file's name: pawl-NAME-stage.so */
    const char *version;       /* the plugin's own */
    const char *description;
    uint32_t threads; /* PAWL_THREADS_SERIAL (0): one call into the plugin at a time;
                         1: one at a time for each instance; 2: any number at once */
    uint32_t reserved;

    /* As for a provider (pawl/provider.h). Required. */
    int32_t (*create)(const char *config, const struct pawl_sink *why, void **instance);
    void (*destroy)(void *instance);

    /* Judges a call: sets *verdict and returns PAWL_OK. The reason of a denial or failure goes to
     * `why`; the model reads it. *verdict is PAWL_VERDICT_DENY when it is called. Required.
     * [any thread, as `threads` allows] */
    int32_t (*judge)(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict);

    /* Told once for each call that this stage allowed: PAWL_OUTCOME_*, the JSON bytes that it
     * returned, and its time in microseconds. May be NULL. [any thread, as `threads` allows] */
    void (*settled)(void *instance, const struct pawl_stage_call *call, uint32_t outcome,
                    uint64_t bytes, uint64_t microseconds);

    /* Optional features by name, "pawl.NAME/REVISION". May be NULL. [any thread] */
    const void *(*get_extension)(const char *name);
};

/* The one function that a stage plugin exports. */
#define PAWL_STAGE_ENTRY "pawl_stage_entry_v1"
PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void);

#ifdef __cplusplus
}
#endif
#endif
