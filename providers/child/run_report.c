/* The report channel: facts, the end, and the state of a program that is put aside. */
#include "run_state.h"

#include <string.h>

#include "providers/wire/base64.h"

/* --- Facts and the end ----------------------------------------------------------------------- */

int32_t run_fact(void *context, const char *name, const char *json, size_t size)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    if (!json_check(json, size, NULL))
        return PAWL_E_ARGUMENT;
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_FACT);
    text_string(text, "{\"name\":");
    text_json_string(text, name, strlen(name));
    text_string(text, ",\"value\":");
    text_append(text, json, size);
    text_append(text, "}", 1);
    return channel_report(run->channel);
}

static void append_text(struct text *text, const char *name, struct pawl_text value)
{
    text_format(text, ",\"%s\":", name);
    text_json_string(text, value.data, value.size);
}

static int32_t report_failure(struct run *run, const struct pawl_failure *failure, bool whole)
{
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_FAILURE);
    struct pawl_text message = failure->message;
    size_t most = run->channel->frame_limit / 8;
    if (!whole && message.size > most)
        message.size = (uint32_t)cut(message.data, most);
    text_string(text, "{\"kind\":");
    text_json_string(text, failure->kind, strlen(failure->kind));
    append_text(text, "message", message);
    if (whole && failure->subject.size > 0)
        append_text(text, "subject", failure->subject);
    if (failure->line > 0)
        text_format(text, ",\"line\":%u", failure->line);
    if (failure->column > 0)
        text_format(text, ",\"column\":%u", failure->column);
    if (failure->call != 0 && (failure->call & LOCAL_CALL) == 0)
        text_format(text, ",\"call\":%llu", (unsigned long long)failure->call);
    if (whole && failure->suggestions != NULL && failure->suggestions[0] != NULL) {
        text_string(text, ",\"suggestions\":");
        for (size_t i = 0; i < PAWL_WIRE_SUGGESTIONS && failure->suggestions[i] != NULL; i++) {
            text_append(text, i == 0 ? "[" : ",", 1);
            text_json_string(text, failure->suggestions[i], strlen(failure->suggestions[i]));
        }
        text_string(text, "]");
    }
    text_append(text, "}", 1);
    return channel_report(run->channel);
}

int32_t run_fail(void *context, const struct pawl_failure *failure)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    int32_t status = report_failure(run, failure, true);
    if (status == PAWL_E_LIMIT)
        status = report_failure(run, failure, false);
    run->finished = status == PAWL_OK;
    return status;
}

/* A value that cannot cross is over the host's cap on output, unless that was raised without
 * raising the limit of a frame. */
static int32_t fail_large_value(struct run *run, size_t size)
{
    struct text message TEXT_CLEANUP = {0};
    text_format(&message, "the value is %zu bytes of JSON; at most %zu can be returned", size,
                run->channel->frame_limit);
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = "output_limit",
        .message = {.data = message.data, .size = (uint32_t)message.size},
    };
    return message.failed ? message.failed : run_fail(run, &failure);
}

int32_t run_value(void *context, const char *json, size_t size)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_VALUE);
    text_append(text, "{", 1);
    if (json != NULL) {
        text_string(text, "\"value\":");
        text_append(text, json, size);
    }
    text_append(text, "}", 1);
    int32_t status = channel_report(run->channel);
    if (status == PAWL_E_LIMIT)
        return fail_large_value(run, size);
    run->finished = status == PAWL_OK;
    return status;
}

/* --- Being put aside ------------------------------------------------------------------------- */

/* The program's state is sent in pieces that fit into frames. */
int32_t run_suspend(void *context, const void *image, size_t size)
{
    struct run *run = context;
    size_t most = (run->channel->frame_limit - 64) / 4 * 3;
    if (run->ended != PAWL_END_SUSPEND)
        return PAWL_E_STATE;
    if (run->mixed)
        return PAWL_E_UNSUPPORTED;
    for (const char *at = image; size > 0;) {
        size_t part = size < most ? size : most;
        struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_IMAGE);
        text_string(text, "{\"data\":\"");
        base64_encode(text, at, part);
        text_string(text, "\"}");
        int32_t status = channel_report(run->channel);
        if (status != PAWL_OK)
            return status;
        at += part;
        size -= part;
    }
    return PAWL_OK;
}
