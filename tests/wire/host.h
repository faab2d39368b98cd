/* host.h - a host that is just enough to run programs on a provider: four functions, four budgets,
 * and a record of everything that the provider said. */
#ifndef TESTS_WIRE_HOST_H
#define TESTS_WIRE_HOST_H

#include <pawl/provider.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "providers/wire/text.h"

/* Sanitizers start slowly, hold much memory, and have their own words when a process dies. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOST_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOST_SANITIZED 1
#endif
#ifndef HOST_SANITIZED
#define HOST_SANITIZED 0
#endif

/* The functions of the only namespace, `tools`, by index. */
#define HOST_ECHO  0u /* returns its arguments */
#define HOST_NEVER 1u /* never settles */
#define HOST_FAIL  2u /* fails with "it broke" */
#define HOST_DENY  3u /* is denied */

struct host_call {
    uint64_t id;
    struct text text;
    uint32_t status;
};

struct host {
    struct pawl_run run;
    struct pawl_budget budget;
    struct pawl_policy policy;
    atomic_uint end;         /* PAWL_END_* */
    int settled;             /* eventfd */
    uint64_t most_log_bytes; /* 0: no cap */

    bool forgets_facts;

    /* The record. */
    struct text logs;  /* each entry followed by LF */
    struct text facts; /* NAME=JSON LF */
    struct text value;
    struct text message, subject, suggestions;
    char kind[64];
    uint32_t line, column;
    uint64_t call;
    unsigned ends; /* how often value or fail was called */
    bool has_value;
    atomic_ullong calls;
    uint64_t in_flight;
    struct host_call *waiting; /* settled, not taken yet */
    size_t waiting_count, waiting_first;
    struct text taken; /* the settlement that was taken last */
    struct text why;   /* of `run` */
};

/* A run of that program. Budgets, flags, deadline may be changed before it. */
void host_begin(struct host *host, const char *program);
void host_clear(struct host *host);

/* Milliseconds from now until the deadline. */
void host_set_deadline(struct host *host, unsigned milliseconds);

/* Ends the run from any thread. */
void host_cancel(struct host *host, uint32_t why);

/* Runs it on an instance; what it returned. */
int32_t host_run(struct host *host, const struct pawl_provider *provider, void *instance);

/* What `create` gets: finds the plugin `stub` at `path`. */
struct pawl_host host_services(const char *path);

#endif
