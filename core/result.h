/* result.h - how a run came out. Filled in by the run, then closed and read only. */
#ifndef PAWL_CORE_RESULT_H
#define PAWL_CORE_RESULT_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/registry.h"

/* Text that the result owns. */
struct owned_text {
    char *data;
    size_t size;
};

/* The axes of enforcement and the other facts that a provider may state, in the order in which the
 * JSON shows them. */
enum fact {
    FACT_FILES,
    FACT_NETWORK,
    FACT_SYSCALLS,
    FACT_MEMORY,
    FACT_PEAK_MEMORY,
    FACT_SETUP_MS,
    FACT_DENIED,
    FACT_WORKER,
    FACT_COUNT,
};

struct call_entry {
    struct pawl_call_record record; /* `name` points into `names`, `error` is owned */
    char *error;
    uint32_t binding;
    bool counted; /* false: its arguments were refused before it was a call */
};

struct pawl_result {
    /* The outcome. */
    bool ok;
    bool has_value;
    char *value;
    size_t value_size;
    const char *kind; /* a constant word; NULL when ok */
    struct owned_text message;
    uint32_t line;
    uint32_t column;
    char **suggestions;
    size_t suggestion_count;
    char *note; /* what there is to say about a success; NULL: nothing */

    /* What happened. */
    struct owned_text *logs;
    size_t log_count;
    size_t log_capacity;
    struct call_entry *calls;
    size_t call_count;
    char **names; /* of the bindings that were called */
    size_t name_count;
    uint64_t calls_counted;
    uint64_t bytes;

    /* The facts. */
    char *provider;
    uint32_t level;
    char *language;
    struct pawl_budget budget;
    uint32_t capped;
    struct policy policy;
    char *egress_by;
    char *facts[FACT_COUNT];
    uint64_t program_us;
    uint64_t calls_us;   /* at least one call was under way and no stage waited */
    uint64_t waiting_us; /* a stage waited for somebody */
    uint64_t total_us;

    struct buffer json;
    struct buffer description;
};

/* Index of a fact's name, or FACT_COUNT. */
enum fact fact_find(const char *name);
extern const char *const fact_names[FACT_COUNT];

/* Whether a JSON value that begins with that character is of the fact's type. */
bool fact_fits(enum fact fact, char first);

/* The microseconds that the provider says it spent before the program began, or 0. */
uint64_t fact_setup_us(const pawl_result *result);

/* Adds a suggestion (copied); a failure to is ignored, since the diagnosis is worth more than it.
 */
void result_suggest(pawl_result *result, const char *text);

#endif
