#include "core/run_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/redact.h"

#define MAX_MESSAGE_BYTES 65536u

void run_set_failure(struct run *run, const char *kind, const char *message, size_t size)
{
    pawl_result *result = run->result;
    result->ok = result->has_value = false;
    result->kind = kind;
    if (size > MAX_MESSAGE_BYTES)
        size = MAX_MESSAGE_BYTES;
    free(result->message.data);
    result->message.data = redact(message, size, &result->message.size);
    if (result->message.data == NULL) {
        result->message.size = 0;
        calls_set_end(run->calls, PAWL_END_FAULT);
    }
}

void run_set_failure_format(struct run *run, const char *kind, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t kept = size < 0 ? 0 : (size_t)size;
    run_set_failure(run, kind, text, kept < sizeof(text) ? kept : sizeof(text) - 1);
}

/* The call that waits to be decided, as its stage or, in a replay, the record says it. */
static void set_suspended(struct run *run)
{
    const char *why = calls_put_off(run->calls);
    const struct record_entry *end =
        run->playback.record != NULL ? record_end(run->playback.record) : NULL;
    if (end != NULL && end->text != NULL)
        run_set_failure(run, "suspended", end->text, end->text_size);
    else
        run_set_failure_format(run, "suspended", "%s", why != NULL ? why : "a call is not decided");
}

void run_set_ended(struct run *run, uint32_t end)
{
    const struct pawl_budget *budget = &run->spec->budget;
    char amount[PAWL_UNIT_SIZE];
    run->result->line = run->result->column = 0;
    switch (end) {
    case PAWL_END_DEADLINE:
        pawl_duration_print(amount, sizeof(amount), budget->wall_clock);
        run_set_failure_format(run, "deadline", "the program did not end within %s", amount);
        break;
    case PAWL_END_ABORT:
        run_set_failure_format(run, "abort", "the run was cancelled");
        break;
    case PAWL_END_CALLS:
        if (budget->max_calls != 0)
            run_set_failure_format(run, "budget_calls",
                                   "the program made more than the %" PRIu64
                                   " calls that it may make",
                                   budget->max_calls);
        else
            run_set_failure_format(run, "budget_calls",
                                   "the program made more calls than any run may make");
        break;
    case PAWL_END_BYTES:
        pawl_size_print(amount, sizeof(amount), budget->max_bytes);
        run_set_failure_format(
            run, "budget_bytes",
            "the functions returned more than the %s that they may return together", amount);
        break;
    case PAWL_END_MEMORY:
        pawl_size_print(amount, sizeof(amount), budget->max_memory);
        run_set_failure_format(run, "budget_memory", "the program needed more memory than its %s",
                               amount);
        break;
    case PAWL_END_OUTPUT:
        run_set_failure_format(run, "output_limit",
                               "the logs and the value together are larger than the %" PRIu64
                               " bytes that are accepted",
                               run->output_limit);
        break;
    case PAWL_END_SUSPEND:
        set_suspended(run);
        break;
    default:
        break;
    }
}

void run_judge_provider(struct run *run, int32_t status, const struct buffer *why)
{
    const char *id = run->spec->provider->id;
    uint32_t end = calls_end(run->calls);
    if (run->ended)
        return;
    if (run->playback.diverged.size > 0)
        run_set_failure(run, "diverged", run->playback.diverged.data, run->playback.diverged.size);
    else if (end != PAWL_END_NONE)
        run_set_ended(run, end);
    else if (status == PAWL_E_UNAVAILABLE)
        run_set_failure_format(run, "sandbox_unavailable", "the provider '%s' cannot be used: %s",
                               id, why->size > 0 ? why->data : "it did not say why");
    else if (status == PAWL_E_MEMORY)
        run_set_failure_format(run, "worker_exit", "the provider '%s' has no memory for the run",
                               id);
    else if (status != PAWL_OK)
        run_set_failure_format(run, "worker_exit", "the provider '%s' failed (%d): %s", id, status,
                               why->size > 0 ? why->data : "it did not say why");
    else
        run_set_failure_format(run, "protocol",
                               "the provider '%s' returned without a value or failure", id);
}

void run_check_output(struct run *run)
{
    pawl_result *result = run->result;
    if (result->ok || result->kind == NULL || strcmp(result->kind, "output_limit") == 0)
        return; /* without a kind the host itself could not go on, and there is no result */
    if (strcmp(result->kind, "suspended") == 0)
        return; /* it has not come to its end */
    if (run->output + json_string_size(result->message.data, result->message.size) >
        run->output_limit) {
        result->line = result->column = 0;
        run_set_ended(run, PAWL_END_OUTPUT);
    }
}
