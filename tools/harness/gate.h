/*
 * gate.h - the stage that is checked: loaded as the library loads stages, and asked as the ring
 * asks them, with nothing in between.
 */
#ifndef HARNESS_GATE_H
#define HARNESS_GATE_H

#include <pawl/pawl.h>

#include "core/plugin.h"
#include "tools/harness/check.h"

/* An instance. Destroy it with gate_close. */
struct gate {
    const struct plugin *plugin;
    const struct pawl_stage *stage;
    void *instance;
    uint64_t number; /* of the last call */
};

/* The plugin, or NULL after the requirement has failed because it cannot be loaded. */
const struct plugin *gate_load(struct check *check);

/* Makes an instance of the harness's configuration. False: the requirement has failed. */
bool gate_open(struct check *check, struct gate *gate);
void gate_close(struct gate *gate);

/* A call to be judged. */
struct question {
    const char *function; /* of the namespace `tools` */
    const char *arguments;
    size_t size;   /* of the arguments; 0: up to their NUL */
    int cancel_fd; /* 0: one that becomes readable after a while, so that nobody waits long */
};

/* What was answered; to be cleared. */
struct answer {
    int32_t status;
    uint32_t verdict;
    struct buffer why;
};

/* Has an instance judge a call, and checks that what comes of it is a verdict or a status. */
void gate_ask(struct check *check, struct gate *gate, const struct question *question,
              struct answer *answer);

/* Tells it how a call came out that it allowed; nothing, when it does not want to know. */
void gate_tell(struct gate *gate, const struct question *question, uint32_t outcome);

/* "allow", "deny (why)", "fail with -8 (why)"; valid until it is called again. */
const char *gate_answer_text(const struct answer *answer);

/* The struct that a call is, with room for what a later minor version may add. */
struct gate_call {
    struct pawl_stage_call call;
    unsigned char later[128];
};
void gate_call_fill(struct gate *gate, const struct question *question, const char *name,
                    struct gate_call *call);

#endif
