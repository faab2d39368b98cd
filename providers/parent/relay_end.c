/* The ways in which a run ends at the relay. */
#include <stdarg.h>
#include <stdio.h>

#include "relay_state.h"

/* The provider itself cannot go on. */
void relay_give_up(struct relay *relay, int32_t status, const char *why)
{
    if (relay->over)
        return;
    relay->over = true;
    relay->status = status;
    text_string(relay->why, why);
}

/* What a service of the host returned: true if the run goes on. */
bool relay_goes_on(struct relay *relay, int32_t status)
{
    if (status == PAWL_OK)
        return true;
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else
        relay_give_up(relay, status,
                      status == PAWL_E_MEMORY ? "no memory" : "the host refused a service");
    return false;
}

void relay_end(struct relay *relay, const char *kind, struct text *message)
{
    const char *text = text_get(message);
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = {.data = text, .size = text == NULL ? 0 : (uint32_t)message->size},
    };
    if (relay->over)
        return;
    relay->over = true;
    relay->run->fail(relay->run->context, &failure);
}

/* The child broke the protocol. */
void relay_offend(struct relay *relay, const char *format, ...)
{
    struct text message TEXT_CLEANUP = {0};
    char how[256];
    relay->offended = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(how, sizeof(how), format, arguments);
    va_end(arguments);
    text_format(&message, "the process that ran the program broke the protocol: %s", how);
    relay_end(relay, "protocol", &message);
}

/* What json_members found wrong. */
const char *relay_explain(struct text *problem)
{
    const char *text = text_get(problem);
    return text == NULL ? "something is malformed" : text;
}

/* The child ended without saying how the program did. */
void relay_end_without_result(struct relay *relay, const struct child_end *end)
{
    struct text message TEXT_CLEANUP = {0}, fact TEXT_CLEANUP = {0}, how TEXT_CLEANUP = {0},
                        tail TEXT_CLEANUP = {0};
    if (relay->over)
        return;
    worker_print_end(end, &how);
    tail_print(&relay->worker->tail, &tail);
    text_string(&fact, "{\"exit\":");
    text_json_string(&fact, how.data, how.size);
    text_format(&fact, ",\"signaled\":%s,\"stderr\":", end->signaled ? "true" : "false");
    text_json_string(&fact, tail.data, tail.size);
    text_append(&fact, "}", 1);
    if (!fact.failed)
        relay->run->fact(relay->run->context, "worker", fact.data, fact.size);
    if (bounds_ran_out_of_memory(&relay->bounds)) {
        text_string(&message, "the program needed more memory than its budget allows");
        relay_end(relay, "budget_memory", &message);
        return;
    }
    text_string(&message, "the process that ran the program ended without a result: ");
    text_append(&message, how.data, how.size);
    relay_end(relay, "worker_exit", &message);
}
