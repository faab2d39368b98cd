/*
 * quota - the stage that limits how often and with how much a function is called; see
 * pawl-quota(7).
 *
 *     {"limits": [{"match": "tools.get_*", "calls": 10, "bytes": "64KiB"},
 *                 {"match": "*", "per_minute": 60, "argument_bytes": "4KiB"}]}
 *
 * Everything is counted for each function by itself; of all limits that match it, each holds.
 */
#include <pawl/stage.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "stages/common/fields.h"
#include "stages/common/glob.h"
#include "stages/common/patterns.h"
#include "stages/common/say.h"
#include "stages/quota/table.h"
#include "stages/quota/window.h"

#define MAX_LIMITS 1024

/* Functions of runs whose calls and bytes are counted, and functions whose rate is. A run's count
 * is forgotten only when there is no room and it was idle for longer than runs last. */
#define MAX_ENTRIES  16384
#define IDLE_SECONDS 3600

/* A name of pawl's has at most 513 bytes; a host that judges calls of its own can say anything. */
#define MAX_KEY_BYTES 1024

#define NO_LIMIT UINT64_MAX

struct limit {
    char *match;
    uint64_t calls;
    uint64_t bytes;
    uint64_t per_minute;
    uint64_t argument_bytes;
};

struct limits {
    struct limit *items;
    size_t count;
};

/* What a function did in a run. */
struct usage {
    uint64_t calls;
    uint64_t bytes;
};

struct quota {
    struct limits limits;
    pthread_mutex_t lock; /* for what follows */
    struct table runs;    /* of struct usage */
    struct table rates;   /* of struct window; the run is "" */
};

/* --- Configuration ------------------------------------------------------------------------ */

static const struct field limit_fields[] = {
    {"match", field_pattern, offsetof(struct limit, match), "it says which functions: \"tools.*\""},
    {"calls", field_count, offsetof(struct limit, calls), NULL},
    {"bytes", field_size, offsetof(struct limit, bytes), NULL},
    {"per_minute", field_count, offsetof(struct limit, per_minute), NULL},
    {"argument_bytes", field_size, offsetof(struct limit, argument_bytes), NULL},
    {NULL, NULL, 0, NULL},
};

static int32_t read_limit(struct limit *limit, size_t index, struct json_object *value,
                          const struct pawl_sink *why)
{
    *limit = (struct limit){NULL, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT};
    if (!json_object_is_type(value, json_type_object)) {
        say(why,
            "\"limits\"[%zu] must be an object such as {\"match\": \"tools.*\", \"calls\": 10}",
            index);
        return PAWL_E_CONFIG;
    }
    char where[64];
    snprintf(where, sizeof(where), "\"limits\"[%zu]: ", index);
    int32_t status = fields_read(value, where, limit_fields, limit, why);
    if (status == PAWL_OK && json_object_object_length(value) == 1) {
        say(why,
            "%sit limits nothing; say \"calls\", \"bytes\", \"per_minute\" or \"argument_bytes\"",
            where);
        return PAWL_E_CONFIG;
    }
    return status;
}

static int32_t read_limits(void *member, const char *place, struct json_object *value,
                           const struct pawl_sink *why)
{
    struct limits *limits = member;
    size_t count =
        json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
    if (count < 1 || count > MAX_LIMITS) {
        say(why, "%s must be an array of 1 to %d limits", place, MAX_LIMITS);
        return PAWL_E_CONFIG;
    }
    limits->items = calloc(count, sizeof(*limits->items));
    if (limits->items == NULL)
        return PAWL_E_MEMORY;
    limits->count = count;
    int32_t status = PAWL_OK;
    for (size_t i = 0; i < count && status == PAWL_OK; i++)
        status = read_limit(&limits->items[i], i, json_object_array_get_idx(value, i), why);
    return status;
}

static const struct field fields[] = {
    {"limits", read_limits, offsetof(struct quota, limits), "without it nothing is limited"},
    {NULL, NULL, 0, NULL},
};

static void destroy(void *instance)
{
    struct quota *quota = instance;
    for (size_t i = 0; i < quota->limits.count; i++)
        free(quota->limits.items[i].match);
    free(quota->limits.items);
    table_clear(&quota->runs);
    table_clear(&quota->rates);
    pthread_mutex_destroy(&quota->lock);
    free(quota);
}

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    struct quota *quota = calloc(1, sizeof(*quota));
    if (quota == NULL)
        return PAWL_E_MEMORY;
    pthread_mutex_init(&quota->lock, NULL);
    quota->runs.payload = sizeof(struct usage);
    quota->runs.idle = IDLE_SECONDS;
    quota->rates.payload = sizeof(struct window);
    quota->rates.idle = WINDOW_SECONDS; /* then it is empty, and nothing is lost */
    quota->runs.most = quota->rates.most = MAX_ENTRIES;
    int32_t status = fields_parse(
        config, fields, "{\"limits\": [{\"match\": \"tools.*\", \"calls\": 10}]}", quota, why);
    if (status == PAWL_OK)
        *instance = quota;
    else
        destroy(quota);
    return status;
}

/* --- Judging ------------------------------------------------------------------------------ */

static void lower(uint64_t *limit, uint64_t other)
{
    if (other < *limit)
        *limit = other;
}

/* What holds for a function: of each kind the lowest limit. */
static struct limit limits_of(const struct limits *limits, const char *name)
{
    struct limit all = {NULL, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT};
    for (size_t i = 0; i < limits->count; i++) {
        const struct limit *limit = &limits->items[i];
        if (!glob_match(limit->match, name))
            continue;
        lower(&all.calls, limit->calls);
        lower(&all.bytes, limit->bytes);
        lower(&all.per_minute, limit->per_minute);
        lower(&all.argument_bytes, limit->argument_bytes);
    }
    return all;
}

static uint64_t this_second(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now); /* a minute is one also while the machine sleeps */
    return (uint64_t)now.tv_sec;
}

static int32_t no_room(int32_t status, const struct pawl_sink *why)
{
    if (status == PAWL_E_LIMIT)
        say(why, "too many runs are counted at once; none of %d was idle for long", MAX_ENTRIES);
    else
        say(why, "there is no memory for counting the call");
    return status;
}

/* Sets the verdict, and counts the call if that is to allow it. Called with the lock held. */
static int32_t count(struct quota *quota, const struct pawl_stage_call *call,
                     const struct limit *limit, uint64_t second, const struct pawl_sink *why,
                     uint32_t *verdict)
{
    struct usage *usage = NULL;
    struct window *window = NULL;
    void *found;
    if (limit->calls != NO_LIMIT || limit->bytes != NO_LIMIT) {
        int32_t status = table_use(&quota->runs, call->run, call->name, second, &found);
        if (status != PAWL_OK)
            return no_room(status, why);
        usage = found;
    }
    if (limit->per_minute != NO_LIMIT) {
        int32_t status = table_use(&quota->rates, "", call->name, second, &found);
        if (status != PAWL_OK)
            return no_room(status, why);
        window = found;
    }
    if (usage != NULL && usage->calls >= limit->calls) {
        say(why, "it may be called %" PRIu64 " times in a run, and was", limit->calls);
    } else if (usage != NULL && usage->bytes >= limit->bytes) {
        say(why,
            "it has returned %" PRIu64 " bytes in this run; after %" PRIu64
            " it may not be called any more",
            usage->bytes, limit->bytes);
    } else if (window != NULL && window_total(window, second) >= limit->per_minute) {
        say(why, "it may be called %" PRIu64 " times in a minute, and was", limit->per_minute);
    } else {
        if (usage != NULL) {
            usage->calls++;
            table_hold(usage);
        }
        if (window != NULL)
            window_count(window, second);
        *verdict = PAWL_VERDICT_ALLOW;
    }
    return PAWL_OK;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    struct quota *quota = instance;
    *verdict = PAWL_VERDICT_DENY;
    if (strlen(call->name) > MAX_KEY_BYTES || strlen(call->run) > MAX_KEY_BYTES) {
        say(why, "the names of functions and runs may have %d bytes", MAX_KEY_BYTES);
        return PAWL_E_LIMIT;
    }
    struct limit limit = limits_of(&quota->limits, call->name);
    if (call->arguments.size > limit.argument_bytes) {
        say(why, "its arguments have %" PRIu32 " bytes; at most %" PRIu64 " are allowed",
            call->arguments.size, limit.argument_bytes);
        return PAWL_OK;
    }
    pthread_mutex_lock(&quota->lock);
    int32_t status = count(quota, call, &limit, this_second(), why, verdict);
    pthread_mutex_unlock(&quota->lock);
    return status;
}

static void settled(void *instance, const struct pawl_stage_call *call, uint32_t outcome,
                    uint64_t bytes, uint64_t microseconds)
{
    struct quota *quota = instance;
    (void)outcome, (void)microseconds;
    pthread_mutex_lock(&quota->lock);
    struct usage *usage = table_find(&quota->runs, call->run, call->name);
    if (usage != NULL) {
        if (__builtin_add_overflow(usage->bytes, bytes, &usage->bytes))
            usage->bytes = UINT64_MAX;
        table_release(usage);
    }
    pthread_mutex_unlock(&quota->lock);
}

static const struct pawl_stage stage = {
    .header = PAWL_HEADER(STAGE, stage),
    .offers_bits = PAWL_STAGE_PROMPT,
    .name = "quota",
    .version = "1.0",
    .description = "limits how often and with how much each function is called",
    .threads = 2, /* any number of calls at once: it has a lock of its own */
    .create = create,
    .destroy = destroy,
    .judge = judge,
    .settled = settled,
};

PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return &stage;
}
