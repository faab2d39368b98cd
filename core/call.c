#include "core/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/error.h"
#include "core/json.h"
#include "core/redact.h"

/* The longest message that a failed call may have. */
#define MAX_MESSAGE_BYTES 65536u

static const char no_memory[] = "the host has no memory for the answer";

static struct pawl_call *make(struct calls *calls, const char *full_name, const char *function_name)
{
    struct pawl_call *call = calloc(1, sizeof(*call));
    if (call == NULL)
        return NULL;
    atomic_init(&call->references, 1);
    atomic_init(&call->cancel_fd, -1);
    call->calls = calls;
    size_t size = strlen(full_name) + 1;
    size_t dot = size - 1 - strlen(function_name) - 1;
    call->full_name = malloc(size + dot + 1);
    if (call->full_name == NULL) {
        free(call);
        return NULL;
    }
    memcpy(call->full_name, full_name, size);
    call->function_name = call->full_name + dot + 1;
    call->namespace_name = call->full_name + size;
    memcpy(call->namespace_name, full_name, dot);
    call->namespace_name[dot] = '\0';
    return call;
}

struct pawl_call *call_new(struct calls *calls, const struct binding *binding)
{
    struct pawl_call *call = make(calls, binding->full_name, binding->name);
    if (call == NULL)
        return NULL;
    call->function = binding->function;
    call->data = binding->data;
    call->concurrent = binding->concurrent;
    call->timeout = binding->timeout;
    if (binding->function == NULL) {
        call->concurrent = true; /* nothing of the host's runs */
        call->text = binding->value;
        call->text_size = binding->value_size;
        call->text_lent = true;
    }
    return call;
}

struct pawl_call *call_new_timeout(const struct pawl_call *call)
{
    struct pawl_call *made = make(call->calls, call->full_name, call->function_name);
    if (made == NULL)
        return NULL;
    made->id = call->id;
    made->number = call->number;
    made->started = call->started;
    char time[PAWL_UNIT_SIZE];
    pawl_duration_print(time, sizeof(time), call->timeout);
    char text[384];
    snprintf(text, sizeof(text), "%.320s did not answer within %s", call->full_name, time);
    call_answer(made, PAWL_SETTLED_ERROR, text, strlen(text), "tool_error");
    return made;
}

void call_hold(struct pawl_call *call)
{
    atomic_fetch_add(&call->references, 1);
}

void call_release(struct pawl_call *call)
{
    if (call == NULL || atomic_fetch_sub(&call->references, 1) != 1)
        return;
    int fd = atomic_load(&call->cancel_fd);
    if (fd >= 0)
        close(fd);
    free(call->full_name);
    free(call->arguments);
    if (!call->text_lent)
        free(call->text);
    free(call);
}

void call_drop_arguments(struct pawl_call *call)
{
    free(call->arguments);
    call->arguments = NULL;
    call->arguments_size = 0;
}

/* --- The answer ---------------------------------------------------------------------------- */

static void set_answer(struct pawl_call *call, uint32_t status, const char *code, char *text,
                       size_t size, bool lent)
{
    call->answered = true;
    call->status = status;
    call->code = code;
    call->text = text;
    call->text_size = size;
    call->text_lent = lent;
}

void call_answer_text(struct pawl_call *call, uint32_t status, const char *code, const char *text)
{
    if (!call->answered)
        set_answer(call, status, code, (char *)text, strlen(text), true);
}

void call_answer_lent(struct pawl_call *call, uint32_t status, const char *code, const char *text,
                      size_t size)
{
    if (!call->answered)
        set_answer(call, status, code, (char *)text, size, true);
}

void call_answer_value(struct pawl_call *call, char *json, size_t size)
{
    if (!call->answered)
        set_answer(call, PAWL_SETTLED_OK, NULL, json, size, true);
}

void call_answer(struct pawl_call *call, uint32_t status, const char *text, size_t size,
                 const char *code)
{
    if (call->answered)
        return;
    char *copy;
    if (status == PAWL_SETTLED_OK) {
        copy = malloc(size + 1);
        if (copy != NULL) {
            memcpy(copy, text, size);
            copy[size] = '\0';
        }
    } else {
        copy = redact(text, size > MAX_MESSAGE_BYTES ? MAX_MESSAGE_BYTES : size, &size);
    }
    if (copy != NULL)
        set_answer(call, status, code, copy, size, false);
    else
        call_answer_text(call, status == PAWL_SETTLED_OK ? PAWL_SETTLED_ERROR : status,
                         code != NULL ? code : "tool_error", no_memory);
}

void call_answer_buffer(struct pawl_call *call, uint32_t status, const struct buffer *text,
                        const char *code)
{
    if (text->failed != PAWL_OK || text->data == NULL)
        call_answer_text(call, status, code, no_memory);
    else
        call_answer(call, status, text->data, text->size, code);
}

void call_answer_if_none(struct pawl_call *call)
{
    if (call->answered)
        return;
    if (call->function == NULL)
        call_answer_value(call, call->text, call->text_size);
    else
        call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                         "the host function returned without an answer");
}

/* --- For host functions -------------------------------------------------------------------- */

const char *pawl_call_arguments(const pawl_call *call, size_t *size)
{
    if (size != NULL)
        *size = call->arguments_size;
    return call->arguments;
}

const char *pawl_call_name(const pawl_call *call)
{
    return call->full_name;
}

int pawl_call_return(pawl_call *call, const char *json, size_t size)
{
    if (call->answered)
        return PAWL_E_STATE;
    struct buffer why BUFFER_CLEANUP = {0};
    if (json_is_valid(json, size, &why)) {
        call_answer(call, PAWL_SETTLED_OK, json, size, NULL);
        return PAWL_OK;
    }
    struct buffer message BUFFER_CLEANUP = {0};
    buffer_format(&message, "%s returned what is not JSON: %s", call->full_name,
                  why.data != NULL ? why.data : "");
    call_answer_buffer(call, PAWL_SETTLED_ERROR, &message, "tool_error");
    return PAWL_E_ARGUMENT;
}

int pawl_call_fail(pawl_call *call, const char *message)
{
    if (call->answered)
        return PAWL_E_STATE;
    call_answer(call, PAWL_SETTLED_ERROR, message, strlen(message), "tool_error");
    return PAWL_OK;
}

int pawl_call_cancelled(const pawl_call *call)
{
    return atomic_load(&call->cancelled);
}

static void make_readable(int fd)
{
    uint64_t one = 1;
    (void)!write(fd, &one, sizeof(one));
}

int pawl_call_cancel_fd(pawl_call *call)
{
    int fd = atomic_load(&call->cancel_fd);
    if (fd >= 0)
        return fd;
    fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
        return PAWL_E_SYSTEM;
    int none = -1;
    if (!atomic_compare_exchange_strong(&call->cancel_fd, &none, fd)) {
        close(fd); /* another thread of the host was faster */
        return none;
    }
    /* Whoever cancels sets the flag before it looks at the descriptor; this is the other order, so
     * that one of the two sees the other. */
    if (atomic_load(&call->cancelled))
        make_readable(fd);
    return fd;
}

void call_cancel(struct pawl_call *call)
{
    atomic_store(&call->cancelled, true);
    int fd = atomic_load(&call->cancel_fd);
    if (fd >= 0)
        make_readable(fd);
}
