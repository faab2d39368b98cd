#include "question.h"

#include <pawl/wire.h>
#include <poll.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* How long a child that has closed its channel may take to be gone, in milliseconds. */
#define ENDING 200

static int32_t no_answer(struct worker *worker, struct text *why)
{
    struct pollfd gone = {.fd = worker->child.pidfd, .events = POLLIN};
    struct child_end end;
    poll(&gone, 1, ENDING);
    text_format(why, "%s does not say whether its engine keeps the budget",
                worker->recipe->argv[0]);
    if (child_has_ended(&worker->child, &end)) {
        text_string(why, ": it ended before (");
        worker_print_end(&end, why);
        text_string(why, ")");
    }
    return PAWL_E_UNAVAILABLE;
}

static int32_t read_answer(struct worker *worker, const struct frame *frame, uint32_t *missing,
                           struct text *why)
{
    struct json_member m[] = {
        {.name = "status", .type = JSON_UNSIGNED, .required = true},
        {.name = "missing", .type = JSON_UNSIGNED, .required = true},
        {.name = "why", .type = JSON_STRING, .required = true},
    };
    uint64_t status = 1, bits = 0;
    struct json value;
    if (frame->type != PAWL_WIRE_SUPPORTED || !json_check(frame->text, frame->size, &value) ||
        !json_members(value, m, LENGTH(m), NULL))
        return no_answer(worker, why);
    json_unsigned(m[0].value, &status);
    json_unsigned(m[1].value, &bits);
    if (status == 0)
        return PAWL_OK;
    *missing = (uint32_t)bits;
    json_decode(m[2].value, why);
    return PAWL_E_UNSUPPORTED;
}

static int32_t ask(struct worker *worker, const struct pawl_budget *budget, uint32_t *missing,
                   struct text *why)
{
    const uint64_t until = worker_now() + WORKER_START_TIMEOUT * UINT64_C(1000000);
    struct text *text = frame_begin(&worker->launch, PAWL_WIRE_SUPPORTS);
    text_format(text,
                "{\"wall_clock\":%llu,\"max_calls\":%llu,\"max_bytes\":%llu,\"max_memory\":%llu}",
                (unsigned long long)budget->wall_clock, (unsigned long long)budget->max_calls,
                (unsigned long long)budget->max_bytes, (unsigned long long)budget->max_memory);
    /* A pipe takes so little at once. */
    if (frame_end(&worker->launch, PAWL_WIRE_FRAME_MOST) != PAWL_OK ||
        frame_flush(&worker->launch, worker->child.launch) != PAWL_OK)
        return no_answer(worker, why);
    struct frame frame;
    return worker_next_report(worker, until, &frame) ? read_answer(worker, &frame, missing, why)
                                                     : no_answer(worker, why);
}

static int32_t try_child(const struct recipe *recipe, const struct pawl_budget *budget,
                         uint32_t *missing, struct text *why)
{
    struct worker *worker;
    int32_t status = worker_start(recipe, &worker, why);
    if (status != PAWL_OK)
        return status;
    status = worker_wait_ready(worker, -1, 0, why);
    if (status == PAWL_OK)
        status = ask(worker, budget, missing, why);
    worker_free(worker);
    return status;
}

/* A child that somebody ended meanwhile proves nothing: a second one is asked. */
int32_t question_supports(const struct recipe *recipe, const struct pawl_budget *budget,
                          uint32_t *missing, struct text *why)
{
    int32_t status = try_child(recipe, budget, missing, why);
    if (status != PAWL_E_UNAVAILABLE)
        return status;
    text_clear(why);
    return try_child(recipe, budget, missing, why);
}
