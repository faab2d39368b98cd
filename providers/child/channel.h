/* channel.h - the child's end of the wire. */
#ifndef CHILD_CHANNEL_H
#define CHILD_CHANNEL_H

#include "providers/wire/frame.h"

struct channel {
    struct frame_reader launch;  /* fd 0 */
    struct frame_writer report;  /* fd 1 */
    struct frame_writer calls;   /* fd 3 */
    struct frame_reader answers; /* fd 4 */
    size_t frame_limit;          /* of what the child sends */
};

/* Waits for the next frame on fd 0: PAWL_OK; PAWL_E_ENDED: it has ended, or is no frame; or
 * PAWL_E_MEMORY. */
int32_t channel_receive_launch(struct channel *channel, struct frame *frame);

/* Ends and sends the frame that was begun on `report`. PAWL_E_LIMIT and PAWL_E_MEMORY: nothing was
 * sent. A parent that is gone ends the process. */
int32_t channel_report(struct channel *channel);

/* Reports an `error` frame: `status` is a PAWL_E_* code. Works without memory, too. */
void channel_report_error(struct channel *channel, int32_t status, const char *message);

/* Nobody is there any more to whom anything could be said. */
_Noreturn void channel_lost(void);

#endif
