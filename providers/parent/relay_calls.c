/* The calls channel: what the program does. */
#include <pawl/wire.h>
#include <stdlib.h>
#include <string.h>

#include "program_frame.h"
#include "relay_state.h"

/* Room for one more element: the array, perhaps moved, or NULL, and then it is as it was. */
static void *grow(void *array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return array;
    size_t larger = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = reallocarray(array, larger, size);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

/* Room for one more call. */
static bool make_room(struct relay *relay)
{
    struct relayed_call *calls = grow(relay->calls, &relay->capacity, relay->count, sizeof(*calls));
    if (calls == NULL)
        return false;
    relay->calls = calls;
    size_t *in_flight =
        grow(relay->in_flight, &relay->flying_capacity, relay->flying, sizeof(*in_flight));
    if (in_flight == NULL)
        return false;
    relay->in_flight = in_flight;
    return true;
}

static void handle_call(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "function", .type = JSON_UNSIGNED, .required = true},
        {.name = "arguments", .type = JSON_ARRAY, .required = true},
    };
    struct text problem TEXT_CLEANUP = {0};
    uint64_t id = 0, function = 0;
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        relay_offend(relay, "in a call, %s", relay_explain(&problem));
        return;
    }
    json_unsigned(m[0].value, &id);
    json_unsigned(m[1].value, &function);
    if (id <= (relay->count == 0 ? relay->run->last_call : relay->calls[relay->count - 1].child)) {
        relay_offend(relay, "the id of a call is not greater than the one before");
        return;
    }
    if (function >= program_functions(relay->run)) {
        relay_offend(relay, "a call of a function that does not exist");
        return;
    }
    if (!make_room(relay)) {
        relay_give_up(relay, PAWL_E_MEMORY, "no memory");
        return;
    }
    struct relayed_call *call = &relay->calls[relay->count];
    int32_t status = relay->run->call(relay->run->context, (uint32_t)function, m[2].value.text,
                                      m[2].value.size, &call->host);
    if (status == PAWL_E_ARGUMENT) {
        relay_offend(relay, "the host does not accept the arguments of a call");
        return;
    }
    if (!relay_goes_on(relay, status))
        return;
    call->child = id;
    relay->in_flight[relay->flying++] = relay->count++;
}

/* The one member of a frame that is text, decoded. False: an offence. */
static bool read_text(struct relay *relay, struct json frame, const char *name, struct text *into)
{
    struct json_member member = {.name = name, .type = JSON_STRING, .required = true};
    struct text problem TEXT_CLEANUP = {0};
    if (!json_members(frame, &member, 1, &problem)) {
        relay_offend(relay, "%s", relay_explain(&problem));
        return false;
    }
    json_decode(member.value, into);
    if (text_get(into) != NULL)
        return true;
    relay_give_up(relay, PAWL_E_MEMORY, "no memory");
    return false;
}

static void handle_log(struct relay *relay, struct json frame)
{
    struct text entry TEXT_CLEANUP = {0};
    if (read_text(relay, frame, "text", &entry))
        relay_goes_on(relay, relay->run->log(relay->run->context, entry.data, entry.size));
}

/* Queues an answer: its value, or else a message. */
static void answer(struct relay *relay, const struct text *value, const struct text *message)
{
    if (relay->draining)
        return;
    struct text *text = frame_begin(&relay->worker->answers, PAWL_WIRE_ANSWER);
    if (value != NULL) {
        text_string(text, "{\"value\":");
        text_append(text, value->data, value->size);
    } else {
        text_string(text, "{\"message\":");
        text_json_string(text, message->data, message->size);
    }
    text_append(text, "}", 1);
    int32_t status = frame_end(&relay->worker->answers, PAWL_WIRE_FRAME_MOST);
    if (status != PAWL_OK)
        relay_give_up(relay, status, "an answer cannot be sent");
}

static void handle_discover(struct relay *relay, struct json frame)
{
    struct text query TEXT_CLEANUP = {0}, found TEXT_CLEANUP = {0};
    if ((relay->run->flags & PAWL_RUN_DISCOVER) == 0) {
        relay_offend(relay, "it asked to discover, which this program cannot");
        return;
    }
    if (!read_text(relay, frame, "query", &query) || relay->draining)
        return;
    struct pawl_sink sink = text_sink(&found);
    int32_t status = relay->run->discover(relay->run->context, query.data, query.size, &sink);
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else if (status == PAWL_OK && !found.failed && json_check(found.data, found.size, NULL))
        answer(relay, &found, NULL);
    else
        answer(relay, NULL, &found);
}

static void answer_failed(struct relay *relay, int32_t status)
{
    const struct text message = {.data = (char *)"the host has none", .size = 17};
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else
        answer(relay, NULL, &message);
}

static void handle_clock(struct relay *relay, struct json frame)
{
    struct text value TEXT_CLEANUP = {0};
    int64_t now = 0;
    (void)frame;
    int32_t status = relay->run->clock(relay->run->context, &now);
    if (status != PAWL_OK || now < 0) {
        answer_failed(relay, status);
        return;
    }
    text_format(&value, "%lld", (long long)now);
    answer(relay, &value, NULL);
}

static void handle_random(struct relay *relay, struct json frame)
{
    struct json_member size = {.name = "size", .type = JSON_UNSIGNED, .required = true};
    struct text value TEXT_CLEANUP = {0};
    unsigned char bytes[PAWL_WIRE_RANDOM_MOST];
    uint64_t count = 0;
    if (!json_members(frame, &size, 1, NULL) || !json_unsigned(size.value, &count) || count == 0 ||
        count > sizeof(bytes)) {
        relay_offend(relay, "it asked for no or too many random bytes");
        return;
    }
    int32_t status = relay->run->random(relay->run->context, bytes, (size_t)count);
    if (status != PAWL_OK) {
        answer_failed(relay, status);
        return;
    }
    text_append(&value, "\"", 1);
    for (size_t i = 0; i < count; i++)
        text_format(&value, "%02x", bytes[i]);
    text_append(&value, "\"", 1);
    answer(relay, &value, NULL);
}

/* In a run that is recorded the host says when what arrives, so that it can say it again. */
static void handle_next(struct relay *relay, struct json frame)
{
    struct json_member timeout = {.name = "timeout", .type = JSON_UNSIGNED};
    uint64_t milliseconds = 0;
    if (!relay->asks || relay->wants_next || !json_members(frame, &timeout, 1, NULL) ||
        (timeout.value.text != NULL && !json_unsigned(timeout.value, &milliseconds))) {
        relay_offend(relay, "it asked for the next settlement where it may not");
        return;
    }
    if (milliseconds > INT32_MAX)
        milliseconds = INT32_MAX;
    relay->wants_next = true;
    relay->next_until =
        timeout.value.text != NULL ? worker_now() + milliseconds * UINT64_C(1000000) : 0;
}

void relay_answer_timeout(struct relay *relay)
{
    static const struct text nothing = {.data = (char *)"null", .size = 4};
    relay->wants_next = false;
    answer(relay, &nothing, NULL);
}

/* The host's id of a call; false: there was none of that id. */
bool relay_find_call(const struct relay *relay, uint64_t child, uint64_t *host)
{
    *host = child; /* before the run was put aside, they had the same */
    if (child <= relay->run->last_call)
        return child != 0;
    size_t low = 0, high = relay->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (relay->calls[middle].child < child)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == relay->count || relay->calls[low].child != child)
        return false;
    *host = relay->calls[low].host;
    return true;
}

/* The child's id of a call that has settled, which is then no longer in flight; 0: unknown. */
uint64_t relay_land(struct relay *relay, uint64_t host)
{
    if (host <= relay->run->last_call)
        return host;
    for (size_t i = 0; i < relay->flying; i++) {
        const struct relayed_call *call = &relay->calls[relay->in_flight[i]];
        if (call->host != host)
            continue;
        memmove(&relay->in_flight[i], &relay->in_flight[i + 1],
                (relay->flying - i - 1) * sizeof(*relay->in_flight));
        relay->flying--;
        return call->child;
    }
    return 0;
}

const struct relay_handler relay_of_calls[] = {
    {PAWL_WIRE_CALL, handle_call},
    {PAWL_WIRE_LOG, handle_log},
    {PAWL_WIRE_DISCOVER, handle_discover},
    {PAWL_WIRE_CLOCK, handle_clock},
    {PAWL_WIRE_RANDOM, handle_random},
    {PAWL_WIRE_NEXT, handle_next},
    {0, NULL},
};
