/*
 * tools.h - the functions that the scenarios call, and what they saw. See pawl-harness(1).
 */
#ifndef HARNESS_TOOLS_H
#define HARNESS_TOOLS_H

#include <pthread.h>
#include <stdbool.h>

#include <pawl/pawl.h>

#include "core/buffer.h"

/* One value for all runs of a requirement. */
struct tools {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buffer notes;      /* the arguments of tools.note and others, each with a space behind */
    unsigned denied_calls;    /* how often a function was called that a stage had denied */
    unsigned waiting;         /* runs in tools.wait */
    unsigned waited;          /* how often tools.wait was told to come back */
    unsigned meeting;         /* runs in tools.meet */
    unsigned met;             /* how often two met there */
    unsigned meeting_timeout; /* how long one waits for another, in milliseconds */
    void (*inspect)(void *data); /* what tools.inspect does */
    void *inspect_data;
};

void tools_init(struct tools *tools);

/* Adds the functions and the discoverer to a request. PAWL_OK or a status with its error. */
int tools_add(struct tools *tools, pawl_request *request, pawl_error **error);

/* A stage for the request's ring: it denies tools.denied and breaks over tools.broken. */
extern const struct pawl_stage tools_stage;

/* Waits until that many runs are in tools.wait; false: that did not happen within ten seconds. */
bool tools_wait_for_waiting(struct tools *tools, unsigned runs);

/* What tools.sample and discover answer, and what tools.fail and the stage say. */
#define TOOLS_SAMPLE                                                                     \
    "{\"null\":null,\"list\":[],\"object\":{},\"numbers\":[0.1,-5,1e21,12345678901234]," \
    "\"text\":\"\\u0000 \\ud83d\\ude00 \\\"\\\\\",\"__proto__\":1,\"nested\":[[[{\"a\":false}]]]}"
#define TOOLS_FOUND                                                                   \
    "[{\"name\":\"tools.get_logs\",\"signature\":\"get_logs(host)\",\"description\":" \
    "\"the logs of a host\"}]"
#define TOOLS_FAILURE "the tool said no"
#define TOOLS_DENIAL  "the harness denies it"
#define TOOLS_LARGE   (4u << 20) /* characters of what tools.large returns */
#define TOOLS_DEPTH   5000       /* of what tools.deep returns */

#endif
