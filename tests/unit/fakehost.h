/*
 * fakehost.h - a host for tests of engine plugins: a struct pawl_run with canned functions.
 *
 * The program finds these functions, all settled in the order of their calls:
 *
 *   tools.echo(x)      returns its first argument, or null
 *   tools.list(...)    returns its arguments; also as tools["to-list"] and tools.to_list
 *   tools.raw()        returns fakehost.raw, whatever that is
 *   tools.fail(text)   fails with the code "tool_error" and the JSON text of its first argument
 *   tools.deny()       is refused by a stage ("stage_denied")
 *   tools.broken()     meets a stage that breaks ("stage_failed")
 *   tools.end()        the run's budget of calls is used up
 *   tools.wait()       never settles
 *
 * Failed calls of `tools` reject with ToolCallError, whose toolName is the function. A second
 * namespace, `other`, has `echo` alone, and rejects with Error.
 */
#ifndef FAKEHOST_H
#define FAKEHOST_H

#include <pawl/provider.h>
#include <stdatomic.h>

struct fakehost {
    struct pawl_run run;
    struct pawl_budget budget;
    struct pawl_policy policy;

    const char *raw;   /* what tools.raw returns */
    int64_t clock;     /* what the run's clock says, in nanoseconds */
    const char *found; /* what discover answers; NULL: there is no discover */
    /* Called at the begin of each call, and may be NULL. */
    void (*on_call)(struct fakehost *host, uint32_t function);

    atomic_uint end; /* PAWL_END_*, when it is not for the clock to say */

    /* What came of it. */
    int ends;    /* how often value or fail was called */
    char *value; /* JSON text; NULL: none */
    char *kind;  /* of the failure; NULL: it succeeded */
    char *message, *subject;
    uint32_t line, column;
    uint64_t failed_call;
    char *logs;  /* entries, each with a line end */
    char *facts; /* "name=json\n" */
    char *why;
    int calls;
    char *arguments; /* of the last call */

    /* Private. */
    struct {
        uint64_t id;
        uint32_t function;
        char *arguments;
        int taken;
    } call[64];
    int in_flight;
    char *text; /* of the last settlement */
    uint64_t random;
};

/* A host with no limits. */
void fakehost_init(struct fakehost *host, const char *language);

/* Runs a program and keeps what came of it; forgets the last one. Returns what `run` returned.
 * `milliseconds` 0: no deadline. [any thread, each host on one at a time] */
int32_t fakehost_run(struct fakehost *host, const struct pawl_provider *provider, void *instance,
                     const char *program, uint64_t milliseconds);

/* The same for a program with a length. */
int32_t fakehost_run_bytes(struct fakehost *host, const struct pawl_provider *provider,
                           void *instance, const char *program, size_t size, uint64_t milliseconds);

void fakehost_release(struct fakehost *host);

/* A sink that keeps text in *(char **)context, which must be NULL or from malloc. */
struct pawl_sink fakehost_sink(char **text);

#endif
