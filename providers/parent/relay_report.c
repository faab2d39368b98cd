/* The report channel: what the child says of itself, and how the program ended. */
#include <pawl/wire.h>
#include <string.h>
#include <sys/ioctl.h>

#include "relay_state.h"

/* What a child may say about itself; the rest is known better here. */
static bool is_believed(const struct relay *relay, struct json name)
{
    static const char *const of_engines[] = {"files", "network", "syscalls", "memory"};
    if (json_equals(name, "peak_memory"))
        return true;
    const struct recipe *recipe = relay->worker->recipe;
    if (recipe->is_command || recipe->state_facts != NULL ||
        (relay->bounds.memory && json_equals(name, "memory")))
        return false;
    for (size_t i = 0; i < LENGTH(of_engines); i++)
        if (json_equals(name, of_engines[i]))
            return true;
    return false;
}

static void handle_fact(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "value", .required = true},
    };
    struct text problem TEXT_CLEANUP = {0}, name TEXT_CLEANUP = {0};
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        relay_offend(relay, "in a fact, %s", relay_explain(&problem));
        return;
    }
    if (!is_believed(relay, m[0].value))
        return;
    json_decode(m[0].value, &name);
    if (text_get(&name) != NULL)
        relay->run->fact(relay->run->context, name.data, m[1].value.text, m[1].value.size);
}

/* Before an end is passed on: what was said before it on the other channel counts, and nothing may
 * stand behind it. */
static bool may_end(struct relay *relay)
{
    int waiting = 0;
    relay_drain_calls(relay);
    if (relay->over)
        return false;
    if (frame_is_partial(&relay->worker->report) ||
        (ioctl(relay->worker->child.report, FIONREAD, &waiting) == 0 && waiting > 0)) {
        relay_offend(relay, "something stands behind the end");
        return false;
    }
    return true;
}

static void handle_value(struct relay *relay, struct json frame)
{
    struct json_member value = {.name = "value"};
    struct text problem TEXT_CLEANUP = {0};
    if (!may_end(relay))
        return;
    if (!json_members(frame, &value, 1, &problem)) {
        relay_offend(relay, "in the value, %s", relay_explain(&problem));
        return;
    }
    relay->run->value(relay->run->context, value.value.text, value.value.size);
    relay->over = true;
}

/* The kinds of failure that a child can know of. */
static const char *known_kind(struct json kind)
{
    static const char *const kinds[] = {"syntax",     "runtime",       "pending",
                                        "bad_result", "budget_memory", "output_limit"};
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (json_equals(kind, kinds[i]))
            return kinds[i];
    return NULL;
}

/* A line or column: absent or out of range is not known. */
static uint32_t position(struct json value)
{
    uint64_t number = 0;
    if (value.text == NULL || !json_unsigned(value, &number) || number > UINT32_MAX)
        return 0;
    return (uint32_t)number;
}

/* Decodes suggestions into one text, each ended by NUL, and points at them. */
static bool read_suggestions(struct json array, struct text *text,
                             const char *suggestions[PAWL_WIRE_SUGGESTIONS + 1])
{
    struct json_iterator iterator = json_iterate(array);
    struct json element;
    size_t starts[PAWL_WIRE_SUGGESTIONS], count = 0;
    while (json_next(&iterator, NULL, &element)) {
        if (count == PAWL_WIRE_SUGGESTIONS || json_type(element) != JSON_STRING)
            return false;
        starts[count++] = text->size;
        json_decode(element, text);
        text_append(text, "", 1);
    }
    for (size_t i = 0; i < count && !text->failed; i++)
        suggestions[i] = text->data + starts[i];
    return true;
}

/* Whether a message reads like the kernel's refusal: a hint, no proof. */
static bool reads_like_refusal(const char *message)
{
    static const char *const refusals[] = {"Permission denied", "Operation not permitted",
                                           "Read-only file system"};
    for (size_t i = 0; i < LENGTH(refusals); i++)
        if (strcasestr(message, refusals[i]) != NULL)
            return true;
    return false;
}

static void handle_failure(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "kind", .type = JSON_STRING, .required = true},
        {.name = "message", .type = JSON_STRING, .required = true},
        {.name = "line", .type = JSON_UNSIGNED},
        {.name = "column", .type = JSON_UNSIGNED},
        {.name = "subject", .type = JSON_STRING},
        {.name = "call", .type = JSON_UNSIGNED},
        {.name = "suggestions", .type = JSON_ARRAY},
    };
    struct text problem TEXT_CLEANUP = {0}, message TEXT_CLEANUP = {0}, subject TEXT_CLEANUP = {0},
                        advice TEXT_CLEANUP = {0};
    const char *suggestions[PAWL_WIRE_SUGGESTIONS + 1] = {NULL};
    uint64_t child = 0, host = 0;
    if (!may_end(relay))
        return;
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        relay_offend(relay, "in the failure, %s", relay_explain(&problem));
        return;
    }
    const char *kind = known_kind(m[0].value);
    if (kind == NULL) {
        relay_offend(relay, "an unknown kind of failure");
        return;
    }
    if (m[5].value.text != NULL &&
        (!json_unsigned(m[5].value, &child) || !relay_find_call(relay, child, &host))) {
        relay_offend(relay, "the failure names a call that was never made");
        return;
    }
    if (m[6].value.text != NULL && !read_suggestions(m[6].value, &advice, suggestions)) {
        relay_offend(relay, "the suggestions are malformed");
        return;
    }
    json_decode(m[1].value, &message);
    if (m[4].value.text != NULL)
        json_decode(m[4].value, &subject);
    if (text_get(&message) == NULL || text_get(&subject) == NULL || advice.failed) {
        relay_give_up(relay, PAWL_E_MEMORY, "no memory");
        return;
    }
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = {.data = message.data, .size = (uint32_t)message.size},
        .subject = {.data = subject.data, .size = (uint32_t)subject.size},
        .call = host,
        .line = position(m[2].value),
        .column = position(m[3].value),
        .suggestions = suggestions[0] == NULL ? NULL : suggestions,
    };
    if (reads_like_refusal(message.data))
        relay->run->fact(relay->run->context, "denied", "true", 4);
    relay->run->fail(relay->run->context, &failure);
    relay->over = true;
}

static void handle_stopped(struct relay *relay, struct json frame)
{
    (void)frame;
    if (!may_end(relay))
        return;
    if (relay->run->cancelled(relay->run->context) == PAWL_END_NONE)
        relay_offend(relay, "it stopped a program that was not over");
    relay->over = true;
}

static void handle_error(struct relay *relay, struct json frame)
{
    if (!may_end(relay))
        return;
    int32_t status = worker_read_error(relay->worker, frame, relay->why);
    if (status == PAWL_E_MEMORY) {
        struct text message TEXT_CLEANUP = {0};
        text_string(&message, "the process that ran the program could not get more memory");
        relay_end(relay, "budget_memory", &message);
        return;
    }
    relay->status = status;
    relay->over = true;
}

const struct relay_handler relay_of_report[] = {
    {PAWL_WIRE_FACT, handle_fact},       {PAWL_WIRE_VALUE, handle_value},
    {PAWL_WIRE_FAILURE, handle_failure}, {PAWL_WIRE_STOPPED, handle_stopped},
    {PAWL_WIRE_ERROR, handle_error},     {0, NULL},
};
