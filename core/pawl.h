/*
 * pawl/pawl.h - run a program that a language model wrote, as isolated as you say, for as much as
 * you say, or be refused.
 *
 *     registry   the providers (backends) that exist here, and the operator's caps
 *     ring       the stages (gates) that judge every call
 *     request    a program, its bindings, the level and the budget that are asked for
 *     spec       what a request resolves to: who would run it, with what
 *     execution  a run under way
 *     result     how it came out; there always is one
 *     record     what a run was told while it ran, so that it can be done again or gone on with
 *
 * Conventions. A function that can fail returns PAWL_OK (0) or a negative PAWL_E_* and, when
 * `error` is not NULL, sets *error to an object that says what was wrong, where, and what to do;
 * free it with pawl_error_free. Text is UTF-8; a `const char *` ends in NUL; where a size stands
 * beside it, it is in bytes and the text may hold NUL. What a function takes it copies, unless it
 * says otherwise. What an accessor returns belongs to the object and lives as long as it does.
 * Times are milliseconds, memory is bytes. An object may be used by one thread at a time, except
 * where it says [any thread]. The library has no global state, prints nothing and never exits.
 */
#ifndef PAWL_H
#define PAWL_H

#include <stddef.h>
#include <stdint.h>

#include <pawl/common.h>
#include <pawl/provider.h>
#include <pawl/stage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_error pawl_error;
typedef struct pawl_registry pawl_registry;
typedef struct pawl_ring pawl_ring;
typedef struct pawl_request pawl_request;
typedef struct pawl_spec pawl_spec;
typedef struct pawl_call pawl_call;
typedef struct pawl_cancel pawl_cancel;
typedef struct pawl_execution pawl_execution;
typedef struct pawl_result pawl_result;
typedef struct pawl_record pawl_record;

/* --- Version ------------------------------------------------------------------------------- */

/* The library's version, as "1.2.3". [any thread] */
PAWL_EXPORT const char *pawl_version(void);

/* --- Errors -------------------------------------------------------------------------------- */

/* PAWL_E_*. */
PAWL_EXPORT int pawl_error_code(const pawl_error *error);

/* What was wrong, where, and what to do: one line, without a line end. */
PAWL_EXPORT const char *pawl_error_message(const pawl_error *error);

/* For PAWL_E_NO_PROVIDER: how many providers there are and why each was refused; those that could
 * not be made, whose level nobody knows, with PAWL_LEVEL_UNKNOWN. Each out-parameter may be NULL.
 */
#define PAWL_LEVEL_UNKNOWN UINT32_MAX
PAWL_EXPORT size_t pawl_error_refusals(const pawl_error *error);
PAWL_EXPORT void pawl_error_refusal(const pawl_error *error, size_t index, const char **id,
                                    uint32_t *level, const char **why);

/* Frees an error; NULL is allowed. */
PAWL_EXPORT void pawl_error_free(pawl_error *error);

/* --- Levels, sizes and times --------------------------------------------------------------- */

/* The name of a level, or NULL for a number that is none. [any thread] */
PAWL_EXPORT const char *pawl_level_name(uint32_t level);

/* Reads "none", "process", "os" or "machine"; anything else is PAWL_E_UNKNOWN. [any thread] */
PAWL_EXPORT int pawl_level_parse(const char *name, uint32_t *level, pawl_error **error);

/* Reads "N", "NK", "NM", "NG" or "NKiB"… as bytes (powers of 1024). [any thread] */
PAWL_EXPORT int pawl_size_parse(const char *text, uint64_t *bytes, pawl_error **error);

/* Reads "Nms", "Ns", "Nm" or "Nh" as milliseconds. [any thread] */
PAWL_EXPORT int pawl_duration_parse(const char *text, uint64_t *milliseconds, pawl_error **error);

/* Prints the shortest exact form that the readers above accept ("64MiB", "1500ms") and returns its
 * length; PAWL_UNIT_SIZE bytes are enough. [any thread] */
#define PAWL_UNIT_SIZE 32
PAWL_EXPORT size_t pawl_size_print(char *buffer, size_t size, uint64_t bytes);
PAWL_EXPORT size_t pawl_duration_print(char *buffer, size_t size, uint64_t milliseconds);

/* An empty budget, and the higher of two demands item by item (never a sum). [any thread] */
PAWL_EXPORT struct pawl_budget pawl_budget_empty(void);
PAWL_EXPORT void pawl_budget_merge(struct pawl_budget *into, const struct pawl_budget *other);

/* --- Registry ------------------------------------------------------------------------------ */

/* An empty registry. Free it after every request's result and execution is done with it; it waits
 * for host functions that outlived their runs. `add`, `open`, `resolve`, `list` and runs may be on
 * any threads at once. */
PAWL_EXPORT int pawl_registry_new(pawl_registry **registry, pawl_error **error);
PAWL_EXPORT void pawl_registry_free(pawl_registry *registry);

/* The directory that plugins are looked for in when nothing else is said: PAWL_PLUGIN_DIR where
 * secure_getenv(3) gives it, otherwise the one fixed at build time. [any thread] */
PAWL_EXPORT const char *pawl_plugin_directory(void);

/* Of the plugins that are scanned from now on, only those are loaded whose very bytes
 * pawl-harness found to hold what they claim: a record of it must be in that directory (an absolute
 * path; NULL: /etc/pawl/verified), which must be as safe as one of plugins. An instance whose level
 * is higher than what was found is refused. To be said before the first scan (PAWL_E_STATE);
 * PAWL_E_CONFIG when a record is malformed. */
PAWL_EXPORT int pawl_registry_require_verified(pawl_registry *registry, const char *directory,
                                               pawl_error **error);

/* Looks at every `pawl-NAME-provider.so` and `pawl-NAME-stage.so` in a directory (an absolute
 * path), in order of name, without loading any that fails a check. All candidates are remembered,
 * the refused ones with the reason. A name that an earlier directory had already is refused. An
 * error only if the directory itself cannot be read or trusted. [any thread] */
PAWL_EXPORT int pawl_registry_scan(pawl_registry *registry, const char *directory,
                                   pawl_error **error);

/* Opens an instance of a scanned provider plugin under an id. `config` is a JSON object; NULL: {}.
 * PAWL_E_DUPLICATE if the id exists, PAWL_E_UNKNOWN if there is no such plugin, otherwise the
 * plugin's own reason. [any thread] */
PAWL_EXPORT int pawl_registry_open(pawl_registry *registry, const char *plugin, const char *id,
                                   const char *config, pawl_error **error);

/* Opens every scanned provider plugin under its own name, and an isolating one once for each
 * engine plugin as ISOLATOR-ENGINE. One that cannot be opened is listed with its reason and is no
 * error. [any thread] */
PAWL_EXPORT int pawl_registry_open_defaults(pawl_registry *registry, pawl_error **error);

/* Adds a provider that the host itself built: the descriptor must live as long as the registry.
 * [any thread] */
PAWL_EXPORT int pawl_registry_add(pawl_registry *registry, const struct pawl_provider *provider,
                                  const char *id, const char *config, pawl_error **error);

/* What a request gets for budget items that it does not ask for, and what it gets at most. Zero:
 * nothing, no cap. To be set before the first run. */
PAWL_EXPORT void pawl_registry_set_defaults(pawl_registry *registry,
                                            const struct pawl_budget *budget);
PAWL_EXPORT void pawl_registry_set_caps(pawl_registry *registry, const struct pawl_budget *caps);

/* --- Listing ------------------------------------------------------------------------------- */

#define PAWL_LISTED_PROVIDER 0u /* an instance that can be resolved */
#define PAWL_LISTED_STAGE    1u /* a stage plugin that can be used */
#define PAWL_LISTED_REFUSED  2u /* a candidate or an instance that cannot; `reason` says why */

/* An entry of a listing. Members that do not apply are NULL or 0. */
struct pawl_listed {
    uint32_t what;  /* PAWL_LISTED_* */
    uint32_t level; /* of a provider */
    const char *id;
    const char *plugin;           /* the plugin's name; NULL for a provider that the host built */
    const char *path;             /* of the plugin */
    const char *version;          /* of the plugin */
    const char *description;      /* of the plugin */
    const char *const *languages; /* of a provider; ends in NULL */
    uint32_t threads;             /* PAWL_THREADS_* */
    uint32_t egress;              /* the strictest that a provider enforces */
    const char *reason;           /* of a refusal */
};

typedef struct pawl_listing pawl_listing;

/* A snapshot: providers by level, then id; stages by name; the refused by path, then id.
 * [any thread] */
PAWL_EXPORT int pawl_registry_list(pawl_registry *registry, pawl_listing **listing,
                                   pawl_error **error);
PAWL_EXPORT size_t pawl_listing_size(const pawl_listing *listing);
PAWL_EXPORT const struct pawl_listed *pawl_listing_at(const pawl_listing *listing, size_t index);
PAWL_EXPORT void pawl_listing_free(pawl_listing *listing);

/* --- Ring ---------------------------------------------------------------------------------- */

/* An empty ring allows every call. Add the stages in the order in which they judge; when requests
 * use it, it must not change. It may be shared by runs on any threads and must outlive them; host
 * functions that come back later still find it. It may be freed before or after the registry that
 * its stages come from. */
PAWL_EXPORT int pawl_ring_new(pawl_ring **ring, pawl_error **error);
PAWL_EXPORT void pawl_ring_free(pawl_ring *ring);

/* Adds an instance of a stage plugin that the registry scanned. */
PAWL_EXPORT int pawl_ring_open(pawl_ring *ring, pawl_registry *registry, const char *plugin,
                               const char *config, pawl_error **error);

/* Adds a stage that the host itself built. The descriptor must live as long as the ring. */
PAWL_EXPORT int pawl_ring_add(pawl_ring *ring, const struct pawl_stage *stage, const char *config,
                              pawl_error **error);

PAWL_EXPORT size_t pawl_ring_size(const pawl_ring *ring);

/* Judges a call that the host makes itself, so that one policy holds for both ways. `arguments` is
 * JSON (PAWL_E_ARGUMENT otherwise). *verdict is PAWL_VERDICT_*; unless it is PAWL_VERDICT_ALLOW,
 * `error` says which stage decided and why. PAWL_E_PLUGIN: a stage failed, and the call must not be
 * made. The stages that allowed a call hear when a later one stopped it, but not how an allowed
 * call came out. [any thread] */
PAWL_EXPORT int pawl_ring_judge(const pawl_ring *ring, const char *namespace_name,
                                const char *function, const char *arguments, uint32_t *verdict,
                                pawl_error **error);

/* --- Configuration ------------------------------------------------------------------------- */

/* What an operator wrote in pawl.json (see pawl.json(5)). */
typedef struct pawl_config pawl_config;

/* Reads a configuration file. `path` NULL: PAWL_CONFIG, then $XDG_CONFIG_HOME/pawl/pawl.json, then
 * /etc/pawl/pawl.json; none of them is an empty configuration. */
PAWL_EXPORT int pawl_config_load(const char *path, pawl_config **config, pawl_error **error);
PAWL_EXPORT void pawl_config_free(pawl_config *config);

/* The file that was read, or NULL. */
PAWL_EXPORT const char *pawl_config_path(const pawl_config *config);

/* The level it asks for, or `otherwise` when it names none; its max_output, 0 when it names none.
 */
PAWL_EXPORT uint32_t pawl_config_level(const pawl_config *config, uint32_t otherwise);
PAWL_EXPORT uint64_t pawl_config_max_output(const pawl_config *config);

/* Scans its plugin directories and the standard one, opens its providers (or all, by default), sets
 * its caps and defaults, and adds its stages to the ring. A provider or stage that it names and
 * that cannot be opened is an error. */
PAWL_EXPORT int pawl_config_apply(const pawl_config *config, pawl_registry *registry,
                                  pawl_ring *ring, pawl_error **error);

/* --- Host functions ------------------------------------------------------------------------ */

/* A host function. It is called on a thread of the library, never on the program's, and ends the
 * call by pawl_call_return or pawl_call_fail before it returns; if it does neither, the call
 * failed. When the run is over (pawl_call_cancelled) it should come back soon: what it answers then
 * is dropped. `data` must stay valid until the registry is freed or the function has returned. */
typedef void (*pawl_host_function)(pawl_call *call, void *data);

/* The arguments: a JSON object if the function has a signature, otherwise any JSON value. */
PAWL_EXPORT const char *pawl_call_arguments(const pawl_call *call, size_t *size);

/* `namespace.function`. */
PAWL_EXPORT const char *pawl_call_name(const pawl_call *call);

/* Whether nobody waits for the answer any more. [any thread] */
PAWL_EXPORT int pawl_call_cancelled(const pawl_call *call);

/* A file descriptor that becomes readable when the call is cancelled; owned by the library.
 * Negative: PAWL_E_*. */
PAWL_EXPORT int pawl_call_cancel_fd(pawl_call *call);

/* Ends the call with a JSON value, or with a failure whose message the program can catch. The first
 * of them counts. Returns PAWL_E_ARGUMENT if `json` is not JSON (then the call has failed). */
PAWL_EXPORT int pawl_call_return(pawl_call *call, const char *json, size_t size);
PAWL_EXPORT int pawl_call_fail(pawl_call *call, const char *message);

/* --- Request ------------------------------------------------------------------------------- */

/* An empty request: no level (one must be set), language "javascript", no bindings. The same
 * request may be executed any number of times, on several threads at once if it is not changed
 * meanwhile. */
PAWL_EXPORT int pawl_request_new(pawl_request **request, pawl_error **error);
PAWL_EXPORT void pawl_request_free(pawl_request *request);

/* The program's text. At most PAWL_PROGRAM_MAX bytes. */
#define PAWL_PROGRAM_MAX (16u << 20)
PAWL_EXPORT int pawl_request_set_program(pawl_request *request, const char *text, size_t size,
                                         pawl_error **error);

/* What it is written in. */
PAWL_EXPORT int pawl_request_set_language(pawl_request *request, const char *language,
                                          pawl_error **error);

/* The weakest level that is acceptable (PAWL_LEVEL_*). There is no default. */
PAWL_EXPORT int pawl_request_set_level(pawl_request *request, uint32_t level, pawl_error **error);

/* Only this provider will do (it must still satisfy everything else). NULL: any. */
PAWL_EXPORT int pawl_request_set_provider(pawl_request *request, const char *id,
                                          pawl_error **error);

/* Merges a budget into the request's (see pawl_budget_merge). */
PAWL_EXPORT void pawl_request_add_budget(pawl_request *request, const struct pawl_budget *budget);

/* The cap on logs plus value (or diagnosis), in exact JSON bytes. 0: the default, 1 MiB. */
#define PAWL_OUTPUT_DEFAULT (1u << 20)
PAWL_EXPORT void pawl_request_set_output_limit(pawl_request *request, uint64_t bytes);

/* How many concurrent calls may be in flight together: 1 to 64, 0: the default, 8. */
PAWL_EXPORT int pawl_request_set_concurrency(pawl_request *request, uint32_t calls,
                                             pawl_error **error);

/* What network and files the program may reach. The header must be filled in. */
PAWL_EXPORT int pawl_request_set_policy(pawl_request *request, const struct pawl_policy *policy,
                                        pawl_error **error);

/* The host's own word for the egress policy: `enforce` is called before a run whose provider does
 * not enforce the demanded egress itself; it returns PAWL_OK only if the host does. `by` names it
 * in the facts. */
typedef int (*pawl_egress_enforcer)(const struct pawl_policy *policy, const char *provider,
                                    void *data);
PAWL_EXPORT int pawl_request_set_egress_enforcer(pawl_request *request, const char *by,
                                                 pawl_egress_enforcer enforce, void *data,
                                                 pawl_error **error);

/* The stages that judge every call; not copied, must outlive the request's runs. NULL: none. */
PAWL_EXPORT void pawl_request_set_ring(pawl_request *request, const pawl_ring *ring);

/* The program has discover(query), answered by this function: it writes a JSON array of
 * {name, signature, description} into `answer` and returns PAWL_OK. Called on the run's thread. */
typedef int (*pawl_discoverer)(const char *query, size_t size, const struct pawl_sink *answer,
                               void *data);
PAWL_EXPORT void pawl_request_set_discoverer(pawl_request *request, pawl_discoverer discover,
                                             void *data);

/* A token by which a run can be cancelled; not copied, must outlive the request's runs. */
PAWL_EXPORT void pawl_request_set_cancel(pawl_request *request, pawl_cancel *cancel);

/* Adds a namespace: a global object of the program. `error_class` (NULL: Error) is the constructor
 * of the errors of its failed calls and `member_property` (NULL: none) their property that holds
 * the function's name. PAWL_E_NAME, PAWL_E_COLLISION. */
PAWL_EXPORT int pawl_request_add_namespace(pawl_request *request, const char *name,
                                           const char *error_class, const char *member_property,
                                           pawl_error **error);

/* A function's description. Zero it, set `size`, and fill in what is known. */
struct pawl_function_options {
    uint32_t size;         /* sizeof(struct pawl_function_options) */
    uint32_t concurrent;   /* 1: may be in flight beside other concurrent calls */
    uint64_t timeout;      /* milliseconds; the call fails after that; 0: none of its own */
    const char *signature; /* "get_logs(host, count?)"; NULL: its one argument is passed through */
    const char *description; /* for discover() */
};

/* Adds a function to a namespace; "tools" is made when it does not exist. PAWL_E_NAME,
 * PAWL_E_SIGNATURE, PAWL_E_COLLISION. `options` may be NULL. */
PAWL_EXPORT int pawl_request_add_function(pawl_request *request, const char *namespace_name,
                                          const char *name,
                                          const struct pawl_function_options *options,
                                          pawl_host_function function, void *data,
                                          pawl_error **error);

/* Adds a function that always returns the same JSON value. */
PAWL_EXPORT int pawl_request_add_value(pawl_request *request, const char *namespace_name,
                                       const char *name,
                                       const struct pawl_function_options *options,
                                       const char *json, pawl_error **error);

/* What happens during a run, for hosts that show progress. Calls that are told again from a record
 * settle without having started. Called on the thread where it happens;
 * it must return soon and call nothing of the run. */
#define PAWL_EVENT_CALL_STARTED 0u
#define PAWL_EVENT_CALL_SETTLED 1u
#define PAWL_EVENT_LOG          2u
struct pawl_event {
    uint32_t what;         /* PAWL_EVENT_* */
    uint32_t status;       /* of a settled call: PAWL_SETTLED_* */
    uint64_t call;         /* the call's number, from 1 */
    const char *name;      /* `namespace.function` of a call */
    struct pawl_text text; /* a log entry */
};
typedef void (*pawl_event_function)(const struct pawl_event *event, void *data);
PAWL_EXPORT void pawl_request_set_events(pawl_request *request, pawl_event_function function,
                                         void *data);

/* --- Records ------------------------------------------------------------------------------- */

/* Takes a line of a run's record, with its line end (see pawl-record(5)), on the thread of the run,
 * before what it tells of goes on. Anything but PAWL_OK ends the run: pawl_execute then returns
 * PAWL_E_RECORD. Lines of one run follow each other in one text. */
typedef int (*pawl_recorder)(const char *line, size_t size, void *data);

/* The runs of this request are recorded. `host` is JSON of the host's own that stands in the record
 * (copied; NULL: none). With a recorder, a stage that answers *pending* suspends the run instead of
 * denying the call: the result is the failure `suspended`, and the record can be resumed. */
PAWL_EXPORT int pawl_request_set_recorder(pawl_request *request, const char *host,
                                          pawl_recorder write, void *data, pawl_error **error);

/* Reads a record. PAWL_E_CONFIG, or what a pawl_request_* function says of the first line, with the
 * line that is wrong. A last line without its end, which a
 * host that died may have left, is ignored. What a record says is not trusted with more than a
 * program is; but it says what program, at which level: who can write it says that. */
PAWL_EXPORT int pawl_record_read(const char *text, size_t size, pawl_record **record,
                                 pawl_error **error);
PAWL_EXPORT void pawl_record_free(pawl_record *record);

/* How the run ended: "ok", the kind of its failure, or NULL when the record was cut off. What the
 * host added to it as JSON, or NULL. Its program. */
PAWL_EXPORT const char *pawl_record_end(const pawl_record *record);
PAWL_EXPORT const char *pawl_record_host(const pawl_record *record);
PAWL_EXPORT const char *pawl_record_program(const pawl_record *record, size_t *size);

/* A new request for what was recorded: the program, its language, the level, the budget, the
 * policy, and with `functions` not 0 the functions too, which do nothing; for a run that goes on
 * they must be added in the same order. */
PAWL_EXPORT int pawl_record_request(const pawl_record *record, int functions,
                                    pawl_request **request, pawl_error **error);

/* The runs of this request are told what the recorded one was told, and call nothing. One that does
 * something else than the record says ends with the failure `diverged`. Nothing
 * is recorded then. The record is not copied and must outlive the runs. */
PAWL_EXPORT void pawl_request_set_replay(pawl_request *request, const pawl_record *record);

/* A run of this request goes on where a suspended one stood: from the image of its program, when
 * the record has one that the provider can use, otherwise by replaying it; then it calls the
 * functions for real, beginning with those that were not called before. PAWL_E_STATE: it was not
 * suspended; PAWL_E_ARGUMENT: the program or the functions are others. Its recorder gets only what
 * happens from now on, to be added to the record. A record must be resumed once only, or what it
 * was about to do is done twice: see to that before this is called. */
PAWL_EXPORT int pawl_request_set_resume(pawl_request *request, const pawl_record *record,
                                        pawl_error **error);

/* --- Resolving ----------------------------------------------------------------------------- */

/* The weakest provider whose level is at least the one asked for, which runs the language, keeps
 * the budget and can enforce the policy; at the same level the first by id. PAWL_E_NO_PROVIDER says
 * for each provider why not. Nothing is run. [any thread] */
PAWL_EXPORT int pawl_registry_resolve(pawl_registry *registry, const pawl_request *request,
                                      pawl_spec **spec, pawl_error **error);
PAWL_EXPORT const char *pawl_spec_provider(const pawl_spec *spec);
PAWL_EXPORT uint32_t pawl_spec_level(const pawl_spec *spec);
PAWL_EXPORT const char *pawl_spec_language(const pawl_spec *spec);

/* The whole budget, after defaults and caps; the items that a cap lowered, as PAWL_BUDGET_*. */
PAWL_EXPORT const struct pawl_budget *pawl_spec_budget(const pawl_spec *spec);
PAWL_EXPORT uint32_t pawl_spec_capped(const pawl_spec *spec);
PAWL_EXPORT const struct pawl_policy *pawl_spec_policy(const pawl_spec *spec);

/* The other providers and why they were not chosen ("stronger than needed" is one reason), as
 * above. */
PAWL_EXPORT size_t pawl_spec_refusals(const pawl_spec *spec);
PAWL_EXPORT void pawl_spec_refusal(const pawl_spec *spec, size_t index, const char **id,
                                   uint32_t *level, const char **why);
PAWL_EXPORT void pawl_spec_free(pawl_spec *spec);

/* --- Running ------------------------------------------------------------------------------- */

/* Resolves a request and runs it on the calling thread. PAWL_OK with *result, whether the program
 * succeeded or not; another status only if the request is malformed or no provider satisfies it.
 * [any thread] */
PAWL_EXPORT int pawl_execute(pawl_registry *registry, const pawl_request *request,
                             pawl_result **result, pawl_error **error);

/* The same on a thread of the library's own, for hosts with an event loop. The request must stay
 * unchanged until the run is over. */
PAWL_EXPORT int pawl_start(pawl_registry *registry, const pawl_request *request,
                           pawl_execution **execution, pawl_error **error);

/* A file descriptor that is readable once the run is over; owned by the execution. */
PAWL_EXPORT int pawl_execution_fd(const pawl_execution *execution);

/* Ends the run as `abort`. [any thread] */
PAWL_EXPORT void pawl_execution_cancel(pawl_execution *execution);

/* Waits for the end of the run (timeout in milliseconds; negative: for ever) and takes the result,
 * once. PAWL_E_TIMEOUT. */
PAWL_EXPORT int pawl_wait(pawl_execution *execution, int timeout, pawl_result **result,
                          pawl_error **error);

/* Frees an execution; one that is still under way is cancelled and waited for. */
PAWL_EXPORT void pawl_execution_free(pawl_execution *execution);

/* A token for cancelling runs from elsewhere. Once cancelled it stays so. */
PAWL_EXPORT int pawl_cancel_new(pawl_cancel **cancel, pawl_error **error);
PAWL_EXPORT void pawl_cancel_free(pawl_cancel *cancel);

/* Ends every run with this token as `abort`. [any thread; safe in a signal handler] */
PAWL_EXPORT void pawl_cancel_now(pawl_cancel *cancel);

/* --- Result -------------------------------------------------------------------------------- */

PAWL_EXPORT void pawl_result_free(pawl_result *result);

/* Whether the program succeeded; whether it returned anything; what, as JSON ("null" when nothing;
 * NULL when it failed). */
PAWL_EXPORT int pawl_result_ok(const pawl_result *result);
PAWL_EXPORT int pawl_result_has_value(const pawl_result *result);
PAWL_EXPORT const char *pawl_result_value(const pawl_result *result, size_t *size);

/* Of a failure: the kind (one stable word, see pawl-result(3)), the message, the position in the
 * program as it was given (1-based, 0: not known), and what the program's author can do. NULL, 0
 * when it succeeded. */
PAWL_EXPORT const char *pawl_result_kind(const pawl_result *result);
PAWL_EXPORT const char *pawl_result_message(const pawl_result *result, size_t *size);
PAWL_EXPORT uint32_t pawl_result_line(const pawl_result *result);
PAWL_EXPORT uint32_t pawl_result_column(const pawl_result *result);
PAWL_EXPORT size_t pawl_result_suggestions(const pawl_result *result);
PAWL_EXPORT const char *pawl_result_suggestion(const pawl_result *result, size_t index);

/* What the program logged, in order. */
PAWL_EXPORT size_t pawl_result_logs(const pawl_result *result);
PAWL_EXPORT const char *pawl_result_log(const pawl_result *result, size_t index, size_t *size);

/* A call, in the order in which they began. */
struct pawl_call_record {
    uint64_t bytes;        /* JSON bytes that it returned */
    uint64_t microseconds; /* from its start to its end */
    const char *name;      /* `namespace.function` */
    const char *error;     /* why it failed; NULL if it did not */
    uint32_t status;       /* PAWL_SETTLED_* */
    uint32_t abandoned;    /* 1: the run ended before the host function came back */
};
PAWL_EXPORT size_t pawl_result_calls(const pawl_result *result);
PAWL_EXPORT const struct pawl_call_record *pawl_result_call(const pawl_result *result,
                                                            size_t index);

/* The provider that ran it, the level it delivers, and a stated fact as JSON (see
 * pawl/provider.h), NULL when nobody stated it. */
PAWL_EXPORT const char *pawl_result_provider(const pawl_result *result);
PAWL_EXPORT uint32_t pawl_result_level(const pawl_result *result);
PAWL_EXPORT const char *pawl_result_fact(const pawl_result *result, const char *name);

/* The whole result as one JSON object (pawl-result(3)), and as plain text for the model that wrote
 * the program. Both are made when first asked for; NULL: no memory. */
PAWL_EXPORT const char *pawl_result_json(pawl_result *result, size_t *size);
PAWL_EXPORT const char *pawl_result_describe(pawl_result *result, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
