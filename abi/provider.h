/*
 * pawl/provider.h - the interface between pawl and a provider, a backend that runs programs.
 *
 * A provider is a shared object `pawl-NAME-provider.so` that exports one function,
 * pawl_provider_entry_v1. It returns a constant descriptor; everything else is reached through it.
 * See pawl/common.h for the rules that every struct here follows, and pawl-provider(3).
 *
 * Contents: the descriptor; what `create` gets from the host; namespaces and functions; one run and
 * its services; settlements; failures; facts.
 */
#ifndef PAWL_PROVIDER_H
#define PAWL_PROVIDER_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PAWL_MAGIC_PROVIDER   PAWL_MAGIC('P', 'W', 'p', 'r')
#define PAWL_MAGIC_HOST       PAWL_MAGIC('P', 'W', 'h', 'o')
#define PAWL_MAGIC_RUN        PAWL_MAGIC('P', 'W', 'r', 'u')
#define PAWL_MAGIC_NAMESPACE  PAWL_MAGIC('P', 'W', 'n', 's')
#define PAWL_MAGIC_FUNCTION   PAWL_MAGIC('P', 'W', 'f', 'n')
#define PAWL_MAGIC_SETTLEMENT PAWL_MAGIC('P', 'W', 's', 'e')
#define PAWL_MAGIC_FAILURE    PAWL_MAGIC('P', 'W', 'f', 'a')

/* --- What `create` gets -------------------------------------------------------------------- */

/* Services of the host for as long as the instance lives. */
struct pawl_host {
    struct pawl_header header; /* PAWL_MAGIC_HOST */
    void *context;             /* first argument of every service */
    const char *version;       /* the library's version, for messages */

    /* Writes the absolute path of the provider plugin called `name` (`mujs`) into `path`. Only
     * plugins that passed the library's trust checks are found; otherwise PAWL_E_UNKNOWN, and the
     * reason is written instead. [during create only] */
    int32_t (*find_provider)(void *context, const char *name, const struct pawl_sink *path);
};

/* --- Bindings ------------------------------------------------------------------------------ */

#define PAWL_FUNCTION_CONCURRENT (1u << 0) /* may be in flight beside other calls */

/* A function that the program can call. */
struct pawl_function {
    struct pawl_header header; /* PAWL_MAGIC_FUNCTION */
    const char *name;          /* any text: an own property of its namespace object */
    const char *alias; /* an identifier that also reaches it (`get_logs` for `get-logs`), or NULL */
    const char *signature; /* `get_logs(host, count?)`, or NULL; for messages and discovery: the
                              host itself turns positional arguments into named ones */
    uint32_t index;        /* what `call` takes: unique in the run, counted from 0 */
    uint32_t flags;        /* PAWL_FUNCTION_* */
};

/* One global object of the program, without a prototype. */
struct pawl_namespace {
    struct pawl_header header; /* PAWL_MAGIC_NAMESPACE */
    const char *name;          /* the global's name, an identifier */
    const char *error_class; /* constructor of the errors of failed calls, a global; NULL: Error */
    const char
        *member_property; /* property of such an error that holds the function's name, or NULL */
    const struct pawl_function *const *functions;
    uint32_t function_count;
    uint32_t reserved;
};

/* --- What a call came to ------------------------------------------------------------------- */

#define PAWL_SETTLED_OK     0u /* `text` is the JSON text of the value */
#define PAWL_SETTLED_ERROR  1u /* the function failed: `text` is the message */
#define PAWL_SETTLED_DENIED 2u /* a stage refused the call: `text` is its reason */
#define PAWL_SETTLED_FAILED 3u /* a stage broke: `text` says how */

/* A settled call. `text` and `code` stay valid until the next service call of this run. */
struct pawl_settlement {
    struct pawl_header header; /* PAWL_MAGIC_SETTLEMENT; the caller fills it in */
    uint64_t id;               /* as `call` returned it */
    struct pawl_text text;
    const char *code; /* error.code of the rejection: "tool_error", "stage_denied", "stage_failed",
                         "bad_arguments"; NULL when status is PAWL_SETTLED_OK */
    uint32_t status;  /* PAWL_SETTLED_* */
    uint32_t reserved;
};

/* --- Failures ------------------------------------------------------------------------------ */

/* How a program failed. */
struct pawl_failure {
    struct pawl_header header; /* PAWL_MAGIC_FAILURE */
    uint64_t call;             /* the failed call whose own, unchanged error object reached the top
                                  of the program; 0: none. The host knows from its record whether a
                                  stage had denied that call. */
    const char *kind;          /* "syntax", "runtime", "pending", "bad_result", "output_limit" (more
                                  than the provider can carry), "budget_memory", "worker_exit",
                                  "protocol", "sandbox_unavailable"; the host itself knows the
                                  others, because it ended those runs (cancelled) */
    struct pawl_text message;  /* for the model that wrote the program */
    struct pawl_text subject;  /* what it is about, for suggestions: an unknown name `fetch`, an
                                  unknown member `tools.get_log`, a class `Map`; may be empty */
    uint32_t line;             /* 1-based, in the program as it was given; 0: not known */
    uint32_t column;           /* 1-based, in Unicode code points; 0: not known */
    const char *const
        *suggestions; /* what only this engine can advise; ends in NULL; may be NULL */
};

/* --- One run ------------------------------------------------------------------------------- */

/* Why a run is over, as `cancelled` returns it. */
#define PAWL_END_NONE     0u /* it is not */
#define PAWL_END_DEADLINE 1u /* the wall clock ran out */
#define PAWL_END_ABORT    2u /* the caller cancelled it */
#define PAWL_END_CALLS    3u /* max_calls ran out */
#define PAWL_END_BYTES    4u /* max_bytes ran out */
#define PAWL_END_OUTPUT   5u /* logs and value are over the cap */
#define PAWL_END_MEMORY   6u /* the host saw max_memory run out */
#define PAWL_END_FAULT    7u /* the host cannot go on (no memory of its own, a broken provider) */
#define PAWL_END_SUSPEND  8u /* a stage answered `pending` and the run is to be put aside */

#define PAWL_RUN_DISCOVER (1u << 0) /* the program has a function discover(query) */
#define PAWL_RUN_RECORD   (1u << 1) /* the run is recorded or replayed: see `clock` */

/*
 * One run: what to run and the host's services for it. All services are called on the thread that
 * `run` was called on, while it has not returned, except where it says [any thread].
 *
 * A service that returns PAWL_E_ENDED says that the run is over: the provider stops the program at
 * once, without letting it catch anything or run `finally`, and returns from `run`. The host states
 * the failure then; the provider need not call `fail`.
 */
struct pawl_run {
    struct pawl_header header; /* PAWL_MAGIC_RUN */
    void *context;             /* first argument of every service */

    struct pawl_text program; /* as its author wrote it; any bytes */
    const char *language;     /* one of those that the instance lists */
    const struct pawl_budget *budget;
    const struct pawl_policy *policy;
    const struct pawl_namespace *const *namespaces;
    uint32_t namespace_count;
    uint32_t flags;    /* PAWL_RUN_* */
    uint64_t deadline; /* CLOCK_MONOTONIC, nanoseconds; 0: none, or one that may move, which only
                          `cancelled` and `settled_fd` know */

    /* Begins a call of the function with that index and returns its id (never 0) at once.
     * `arguments` is the JSON array of the positional arguments. The call settles later, a call
     * that was refused too; only PAWL_E_ENDED, PAWL_E_ARGUMENT (no such function, not a JSON array)
     * and PAWL_E_MEMORY are returned here. */
    int32_t (*call)(void *context, uint32_t function, const char *arguments, size_t size,
                    uint64_t *id);

    /* Takes the next settled call, in order of completion, waiting for at most `timeout`
     * milliseconds (0: do not wait; negative: as long as the run lasts). Returns PAWL_OK,
     * PAWL_E_TIMEOUT, or PAWL_E_ENDED. When nothing is in flight, a positive `timeout` is waited
     * for all the same, and otherwise PAWL_E_STATE is returned at once. */
    int32_t (*next)(void *context, int32_t timeout, struct pawl_settlement *settlement);

    /* A file descriptor that is readable while a settled call waits to be taken or the run is over;
     * owned by the host. Negative: a status code. */
    int32_t (*settled_fd)(void *context);

    /* One entry of the program's log, without a line end. */
    int32_t (*log)(void *context, const char *text, size_t size);

    /* Answers discover(query): writes a JSON array of {name, signature, description}. */
    int32_t (*discover)(void *context, const char *query, size_t size,
                        const struct pawl_sink *answer);

    /* PAWL_END_*: whether and why the run is over. Looks at the clock. [any thread; safe in a
     * signal handler] */
    uint32_t (*cancelled)(void *context);

    /* The wall clock in nanoseconds since 1970, and unpredictable bytes. A provider takes them from
     * here and nowhere else, so that a run can be recorded and replayed. One whose programs run in
     * another process, where each reading would cost a round trip, may use its own unless `flags`
     * say PAWL_RUN_RECORD; then timers go by this clock too, and everything that depends on time or
     * chance comes of what `next`, `clock`, `random` and `discover` return, in one order. */
    int32_t (*clock)(void *context, int64_t *nanoseconds);
    int32_t (*random)(void *context, void *buffer, size_t size);

    /* States a fact about the run (see below). Unknown names: PAWL_E_UNSUPPORTED. */
    int32_t (*fact)(void *context, const char *name, const char *json, size_t size);

    /* The end, said exactly once by one of these two. `json` NULL: nothing was returned. What the
     * host finds malformed ends the run as `protocol`; a second end is PAWL_E_STATE. */
    int32_t (*value)(void *context, const char *json, size_t size);
    int32_t (*fail)(void *context, const struct pawl_failure *failure);

    /* Going on with a run that was suspended, for providers that offer PAWL_OFFERS_IMAGE.
     *
     * When `next` says PAWL_E_ENDED and `cancelled` PAWL_END_SUSPEND, the provider may state the
     * program's whole state, any bytes, by `suspend` before it returns from `run`: once as a whole
     * or in pieces that follow each other. PAWL_E_LIMIT: it is more than the host keeps.
     *
     * `image` is such a state, of a program that is to go on; its data is NULL for one that begins.
     * It may come from anywhere and is to be checked: PAWL_E_UNSUPPORTED from `run`, before any
     * service was called, says that it is of another build, and the host helps itself otherwise.
     * The ids of calls go on after `last_call`, and `in_flight` of those up to it have not been
     * taken by `next`. */
    struct pawl_text image;
    uint64_t last_call;
    uint32_t in_flight;
    uint32_t reserved_flags;
    int32_t (*suspend)(void *context, const void *image, size_t size);

    const void *reserved; /* NULL: no padding at the end, where members will be added */
};

/*
 * Facts, by name, each a JSON text:
 *
 *   files, network, syscalls, memory   {"grade": "full"|"partial"|"none", "by": "what enforces it"}
 *   peak_memory                        bytes
 *   setup_ms                           time spent before the program began
 *   denied                             true: the failure reads like a refusal by the kernel
 *   worker                             {"exit": "signal: SIGKILL", "signaled": true, "stderr": "…"}
 *
 * An axis that nobody states is `none`. The last statement of a fact holds.
 */

/* --- The descriptor ------------------------------------------------------------------------ */

/* Thread models. The host never does more at once than the model allows. */
#define PAWL_THREADS_SERIAL   0u /* one call into the plugin at a time */
#define PAWL_THREADS_INSTANCE 1u /* one run at a time for each instance */
#define PAWL_THREADS_PARALLEL 2u /* any number of runs at once */

/* `requires` bits: what the plugin needs of the host. One that the host does not know is a refusal.
 * None is defined yet. */

/* `offers` bits: informational. */
#define PAWL_OFFERS_ISOLATION                                             \
    (1ull << 0) /* runs another provider plugin, named by "engine" in its \
                   configuration, inside a child of its own */
#define PAWL_OFFERS_IMAGE                                                                   \
    (1ull << 1) /* goes on with a program from its `image`; of one that isolates: where the \
                   engine does */

/* What a provider plugin is. Constant, and valid as long as the plugin is loaded (for ever). */
struct pawl_provider {
    struct pawl_header header; /* PAWL_MAGIC_PROVIDER */
    uint64_t requires_bits;
    uint64_t offers_bits;
    const char *name;    /* as in the file's name: pawl-NAME-provider.so */
    const char *version; /* the plugin's own */
    const char *description;
    uint32_t threads; /* PAWL_THREADS_* */
    uint32_t reserved;

    /* Makes an instance. `config` is a JSON object ("{}" when the operator said nothing); unknown
     * keys are errors. On failure nothing is kept, the explanation goes to `why` and a status code
     * is returned. Required. */
    int32_t (*create)(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance);

    /* Frees an instance that has no run. Required. */
    void (*destroy)(void *instance);

    /* PAWL_LEVEL_* that this instance delivers on this machine. The same for its whole life.
     * Required. [any thread] */
    uint32_t (*level)(void *instance);

    /* Whether the instance keeps all of this budget at once, on this machine, now. PAWL_OK, or
     * PAWL_E_UNSUPPORTED with the items that it cannot keep in *missing (PAWL_BUDGET_*) and the
     * reason in `why`. What it cannot keep it must not claim. NULL: it keeps everything but memory.
     * A budget of all zeros is never asked about. [any thread] */
    int32_t (*supports)(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing);

    /* The strictest PAWL_EGRESS_* that the instance itself enforces. NULL: it enforces nothing.
     * [any thread] */
    uint32_t (*egress)(void *instance);

    /* Whether the instance can enforce that policy's file mode: PAWL_OK, or PAWL_E_UNSUPPORTED and
     * the reason in `why`. Asked only when a mode was requested. NULL: PAWL_FILES_NONE is enforced
     * by an instance of level `process` or above, and nothing else. [any thread] */
    int32_t (*files)(void *instance, const struct pawl_policy *policy, const struct pawl_sink *why);

    /* The languages that the instance runs; ends in NULL. The same for its whole life. Required.
     * [any thread] */
    const char *const *(*languages)(void *instance);

    /* Runs one program. Returns PAWL_OK when it ended the run (value, fail) or was told that it is
     * over. Any other status means that the provider itself failed: the run ends as
     * `sandbox_unavailable` for PAWL_E_UNAVAILABLE (and then nothing may have been run), otherwise
     * as `worker_exit`, with the explanation that was written to `why`. Required. */
    int32_t (*run)(void *instance, const struct pawl_run *run, const struct pawl_sink *why);

    /* Optional features by name, "pawl.NAME/REVISION"; NULL when there is no such one. May itself
     * be NULL. [any thread] */
    const void *(*get_extension)(const char *name);
};

/* The one function that a provider plugin exports. */
#define PAWL_PROVIDER_ENTRY "pawl_provider_entry_v1"
PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void);

#ifdef __cplusplus
}
#endif
#endif
