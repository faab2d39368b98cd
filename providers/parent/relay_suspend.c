/* Putting a run aside: the state of its program comes from the child. */
#include <pawl/wire.h>

#include "providers/wire/base64.h"
#include "relay_state.h"

/* How long a child may take to state it, in milliseconds, and how much it may state. */
#define PATIENCE   10000
#define IMAGE_MOST (64u << 20)

/* Takes a frame. 1: there is more to come, 0: that was the last, negative: it is none that belongs
 * here, and what came before it is worth nothing. */
static int take(const struct frame *frame, struct text *image)
{
    struct json_member data = {.name = "data", .type = JSON_STRING, .required = true};
    struct json value;
    if (!json_check(frame->text, frame->size, &value) || json_type(value) != JSON_OBJECT)
        return PAWL_E_STATE;
    if (frame->type == PAWL_WIRE_STOPPED)
        return 0;
    if (frame->type == PAWL_WIRE_FACT)
        return 1;
    if (frame->type != PAWL_WIRE_IMAGE || !json_members(value, &data, 1, NULL))
        return PAWL_E_STATE;
    return base64_decode(image, data.value.text + 1, data.value.size - 2) ? 1 : PAWL_E_STATE;
}

/* Reads frames until the child has stopped. False: it did not do so in order, or in time. */
static bool receive(struct worker *worker, struct text *image)
{
    uint64_t until = worker_now() + PATIENCE * UINT64_C(1000000);
    struct frame frame;
    int more = 1;
    while (more > 0 && worker_next_report(worker, until, &frame))
        more = take(&frame, image);
    return more == 0;
}

void relay_suspend(struct relay *relay)
{
    struct worker *worker = relay->worker;
    struct text image TEXT_CLEANUP = {.limit = IMAGE_MOST};
    text_string(frame_begin(&worker->answers, PAWL_WIRE_ENDED), "{\"reason\":\"suspend\"}");
    if (frame_end(&worker->answers, PAWL_WIRE_FRAME_MOST) != PAWL_OK ||
        frame_flush(&worker->answers, worker->child.answers) != PAWL_OK)
        return;
    if (receive(worker, &image) && image.size > 0)
        relay->run->suspend(relay->run->context, image.data, image.size);
}
