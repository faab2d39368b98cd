#include "tools/harness/tools.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void tools_init(struct tools *tools)
{
    memset(tools, 0, sizeof(*tools));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&tools->lock, NULL);
    pthread_cond_init(&tools->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    tools->meeting_timeout = 1000;
}

static struct timespec milliseconds_from_now(unsigned milliseconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* --- The functions ------------------------------------------------------------------------- */

static void echo(pawl_call *call, void *data)
{
    (void)data;
    size_t size;
    const char *arguments = pawl_call_arguments(call, &size);
    pawl_call_return(call, arguments, size);
}

static void note(pawl_call *call, void *data)
{
    struct tools *tools = data;
    size_t size;
    const char *arguments = pawl_call_arguments(call, &size);
    pthread_mutex_lock(&tools->lock);
    buffer_append(&tools->notes, arguments, size);
    buffer_append(&tools->notes, " ", 1);
    pthread_mutex_unlock(&tools->lock);
    pawl_call_return(call, arguments, size);
}

static void fail(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, TOOLS_FAILURE);
}

/* Behind the stage, which lets nobody through. */
static void denied(pawl_call *call, void *data)
{
    struct tools *tools = data;
    pthread_mutex_lock(&tools->lock);
    tools->denied_calls++;
    pthread_mutex_unlock(&tools->lock);
    pawl_call_return(call, "1", 1);
}

/* Comes back when the run is over. */
static void wait(pawl_call *call, void *data)
{
    struct tools *tools = data;
    struct pollfd cancelled = {.fd = pawl_call_cancel_fd(call), .events = POLLIN};
    pthread_mutex_lock(&tools->lock);
    tools->waiting++;
    pthread_cond_broadcast(&tools->changed);
    pthread_mutex_unlock(&tools->lock);
    while (poll(&cancelled, 1, -1) < 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&tools->lock);
    tools->waiting--;
    tools->waited++;
    pthread_cond_broadcast(&tools->changed);
    pthread_mutex_unlock(&tools->lock);
    pawl_call_fail(call, "the run was over");
}

/* Comes back when two calls are here at once, or after a time alone. */
static void meet(pawl_call *call, void *data)
{
    struct tools *tools = data;
    size_t size;
    const char *arguments = pawl_call_arguments(call, &size);
    pthread_mutex_lock(&tools->lock);
    struct timespec end = milliseconds_from_now(tools->meeting_timeout);
    unsigned met = tools->met;
    if (++tools->meeting == 2) {
        tools->meeting = 0;
        tools->met++;
        pthread_cond_broadcast(&tools->changed);
    } else {
        int status = 0;
        while (tools->met == met && status != ETIMEDOUT)
            status = pthread_cond_timedwait(&tools->changed, &tools->lock, &end);
        if (tools->met == met)
            tools->meeting--;
    }
    pthread_mutex_unlock(&tools->lock);
    pawl_call_return(call, arguments, size);
}

static void inspect(pawl_call *call, void *data)
{
    const struct tools *tools = data;
    if (tools->inspect != NULL)
        tools->inspect(tools->inspect_data);
    pawl_call_return(call, "1", 1);
}

/* Returns a string of that many characters. */
static void return_string(pawl_call *call, size_t size)
{
    char *text = malloc(size + 2);
    if (text == NULL) {
        pawl_call_fail(call, "out of memory");
        return;
    }
    memset(text, 'x', size + 2);
    text[0] = text[size + 1] = '"';
    pawl_call_return(call, text, size + 2);
    free(text);
}

static void thousand(pawl_call *call, void *data)
{
    (void)data;
    return_string(call, 1000);
}

static void large(pawl_call *call, void *data)
{
    (void)data;
    return_string(call, TOOLS_LARGE);
}

static void deep(pawl_call *call, void *data)
{
    (void)data;
    static char text[2 * TOOLS_DEPTH];
    memset(text, '[', TOOLS_DEPTH);
    memset(text + TOOLS_DEPTH, ']', TOOLS_DEPTH);
    pawl_call_return(call, text, sizeof(text));
}

static int discover(const char *query, size_t size, const struct pawl_sink *answer, void *data)
{
    (void)query, (void)size, (void)data;
    answer->write(answer->context, TOOLS_FOUND, strlen(TOOLS_FOUND));
    return PAWL_OK;
}

static const struct {
    const char *namespace_name;
    const char *name;
    pawl_host_function function;
    int concurrent;
} functions[] = {
    {"tools", "echo", echo, 0},         {"tools", "note", note, 0},
    {"tools", "fail", fail, 0},         {"tools", "denied", denied, 0},
    {"tools", "broken", denied, 0},     {"tools", "wait", wait, 0},
    {"tools", "meet", meet, 1},         {"tools", "inspect", inspect, 0},
    {"tools", "thousand", thousand, 0}, {"tools", "large", large, 0},
    {"tools", "deep", deep, 0},         {"tools", "__proto__", note, 0},
    {"tools", "constructor", note, 0},  {"tools", "get-logs", note, 0},
    {"store", "query", fail, 0},
};

int tools_add(struct tools *tools, pawl_request *request, pawl_error **error)
{
    int code = pawl_request_add_namespace(request, "store", "StoreError", "operation", error);
    for (size_t i = 0; code == PAWL_OK && i < sizeof(functions) / sizeof(functions[0]); i++) {
        const struct pawl_function_options options = {.size = sizeof(options),
                                                      .concurrent = functions[i].concurrent};
        code = pawl_request_add_function(request, functions[i].namespace_name, functions[i].name,
                                         &options, functions[i].function, tools, error);
    }
    if (code == PAWL_OK)
        code = pawl_request_add_value(request, "tools", "sample", NULL, TOOLS_SAMPLE, error);
    if (code == PAWL_OK)
        pawl_request_set_discoverer(request, discover, NULL);
    return code;
}

bool tools_wait_for_waiting(struct tools *tools, unsigned runs)
{
    struct timespec end = milliseconds_from_now(10000);
    int status = 0;
    pthread_mutex_lock(&tools->lock);
    while (tools->waiting < runs && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&tools->changed, &tools->lock, &end);
    bool there = tools->waiting >= runs;
    pthread_mutex_unlock(&tools->lock);
    return there;
}

/* --- The stage ----------------------------------------------------------------------------- */

static int32_t stage_create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void stage_destroy(void *instance)
{
    (void)instance;
}

static int32_t stage_judge(void *instance, const struct pawl_stage_call *call,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    if (strcmp(call->name, "tools.broken") == 0)
        return PAWL_E_SYSTEM;
    *verdict = PAWL_VERDICT_ALLOW;
    if (strcmp(call->name, "tools.denied") == 0) {
        *verdict = PAWL_VERDICT_DENY;
        why->write(why->context, TOOLS_DENIAL, strlen(TOOLS_DENIAL));
    }
    return PAWL_OK;
}

const struct pawl_stage tools_stage = {
    .header = PAWL_HEADER(STAGE, tools_stage),
    .name = "harness",
    .version = "1",
    .description = "denies tools.denied and breaks over tools.broken",
    .offers_bits = PAWL_STAGE_PROMPT,
    .threads = PAWL_THREADS_PARALLEL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
};
