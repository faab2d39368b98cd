/* The calls channel: what the program does, and how its calls come out. */
#include "run_state.h"

#include <stdlib.h>

/* --- What is sent ---------------------------------------------------------------------------- */

/* Ends and sends the frame that was begun on `calls`. While the parent does not read, because it
 * has answers to deliver first, those are taken in. */
int32_t run_send(struct run *run)
{
    struct frame_writer *calls = &run->channel->calls;
    int32_t status = frame_end(calls, run->channel->frame_limit);
    if (status != PAWL_OK)
        return status;
    while ((status = frame_flush(calls, PAWL_WIRE_FD_CALLS)) == PAWL_E_TIMEOUT) {
        status = run_wait(run, true, 0);
        if (status != PAWL_OK)
            return status;
    }
    if (status != PAWL_OK)
        channel_lost();
    run_show_settled(run);
    return PAWL_OK;
}

/* Settles a call that is too large to cross, as the host would settle a call whose arguments it
 * does not accept. */
static int32_t refuse_large_call(struct run *run, size_t size, uint64_t *id)
{
    struct text settled TEXT_CLEANUP = {0};
    text_format(&settled,
                "{\"id\":%llu,\"status\":\"error\",\"code\":\"bad_arguments\",\"message\":"
                "\"the arguments are %zu bytes of JSON; at most %zu can be passed\"}",
                (unsigned long long)(run->last_id | LOCAL_CALL), size, run->channel->frame_limit);
    if (settled.failed)
        return settled.failed;
    *id = run->last_id | LOCAL_CALL;
    run->mixed = true;
    run->in_flight++;
    return run_enqueue(run, settled.data, settled.size);
}

int32_t run_call(void *context, uint32_t function, const char *arguments, size_t size, uint64_t *id)
{
    struct run *run = context;
    struct json array;
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (function >= run->functions || !json_check(arguments, size, &array) ||
        json_type(array) != JSON_ARRAY)
        return PAWL_E_ARGUMENT;
    run->last_id++;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_CALL);
    text_string(text, "{\"id\":");
    text_unsigned(text, run->last_id);
    text_string(text, ",\"function\":");
    text_unsigned(text, function);
    text_string(text, ",\"arguments\":");
    text_append(text, array.text, array.size);
    text_append(text, "}", 1);
    int32_t status = run_send(run);
    if (status == PAWL_E_LIMIT)
        status = refuse_large_call(run, size, id);
    else if (status == PAWL_OK) {
        *id = run->last_id;
        run->in_flight++;
    }
    return status;
}

int32_t run_log(void *context, const char *entry, size_t size)
{
    struct run *run = context;
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    /* An entry that cannot cross is over the host's cap on output, too; of such a one the host
     * needs no more than tells it so. */
    for (;;) {
        struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_LOG);
        text_string(text, "{\"text\":");
        text_json_string(text, entry, size);
        text_append(text, "}", 1);
        int32_t status = run_send(run);
        if (status != PAWL_E_LIMIT)
            return status;
        size_t most = run->channel->frame_limit - 64;
        size = cut(entry, size > most ? most : size - size / 4);
    }
}

/* --- Settlements ----------------------------------------------------------------------------- */

static void drop_current(struct run *run)
{
    free(run->current);
    run->current = NULL;
}

/* Fills in a settlement from the text of its frame. */
static int32_t fill_in(struct run *run, const struct settled *settled,
                       struct pawl_settlement *settlement)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    struct json_member m[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "status", .type = JSON_STRING, .required = true},
        {.name = "value"},
        {.name = "message", .type = JSON_STRING},
        {.name = "code", .type = JSON_STRING},
    };
    struct json frame;
    if (!json_check(settled->text, settled->size, &frame) ||
        !json_members(frame, m, LENGTH(m), NULL))
        channel_lost();
    uint32_t status = 0;
    while (status < LENGTH(words) && !json_equals(m[1].value, words[status]))
        status++;
    if (status == LENGTH(words) || (status == PAWL_SETTLED_OK) != (m[2].value.text != NULL))
        channel_lost();
    json_unsigned(m[0].value, &settlement->id);
    settlement->status = status;
    settlement->reserved = 0;
    settlement->code = NULL;
    if (status == PAWL_SETTLED_OK) {
        settlement->text =
            (struct pawl_text){.data = m[2].value.text, .size = (uint32_t)m[2].value.size};
        return PAWL_OK;
    }
    text_clear(&run->message);
    text_clear(&run->code);
    if (m[3].value.text != NULL)
        json_decode(m[3].value, &run->message);
    if (m[4].value.text != NULL)
        json_decode(m[4].value, &run->code);
    settlement->text.data = text_get(&run->message);
    settlement->text.size = (uint32_t)run->message.size;
    settlement->code = text_get(&run->code);
    return settlement->text.data == NULL || settlement->code == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* Waits until a settlement is here. */
static int32_t await_settled(struct run *run, int32_t timeout)
{
    uint64_t at = timeout >= 0 ? run_now() + (uint64_t)timeout * 1000000 : 0;
    while (run->first == NULL) {
        int32_t status = run_wait(run, false, at);
        if (status == PAWL_OK && run->ended != PAWL_END_NONE)
            status = PAWL_E_ENDED;
        if (status != PAWL_OK)
            return status;
    }
    return PAWL_OK;
}

/* The same where the host says what comes next, and when the time is over, so that it can say the
 * same again. */
static int32_t ask_next(struct run *run, int32_t timeout)
{
    if (run->first != NULL) /* of a call that never left the child */
        return PAWL_OK;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_NEXT);
    if (timeout < 0)
        text_string(text, "{}");
    else
        text_format(text, "{\"timeout\":%d}", timeout);
    run->answered = false;
    int32_t status = run_send(run);
    while (status == PAWL_OK && run->first == NULL && !run->answered)
        status = run->ended ? PAWL_E_ENDED : run_wait(run, false, 0);
    return status == PAWL_OK && run->first == NULL ? PAWL_E_TIMEOUT : status;
}

int32_t run_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct run *run = context;
    drop_current(run);
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (run->in_flight == 0 && timeout <= 0)
        return PAWL_E_STATE;
    int32_t status = run->ask ? ask_next(run, timeout) : await_settled(run, timeout);
    if (status != PAWL_OK) {
        run_show_settled(run);
        return status;
    }
    run->current = run->first;
    run->first = run->current->next;
    if (run->first == NULL)
        run->last = &run->first;
    run->in_flight--;
    run_show_settled(run);
    return fill_in(run, run->current, settlement);
}
