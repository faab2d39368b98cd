/* image.h - the state of a box, to be given to others. */
#ifndef QUICKJS_IMAGE_H
#define QUICKJS_IMAGE_H

#include "box.h"

#define IMAGE_PAGE 4096u

/* The state of a box, to be given to others. Immutable, so threads may share it. Only the host
 * pages that are not zero are kept. */
struct box_image {
    uint32_t pages; /* of WebAssembly */
    uint32_t stack_pointer;
    uint32_t count;         /* of the pages below */
    const uint32_t *number; /* of each of them, ascending */
    const uint8_t *data;    /* of all of them, one behind the other */
    void *owned;            /* what box_image_free frees with it */
};
struct box_image *box_image_take(struct box *box); /* NULL: no memory */
void box_image_free(struct box_image *image);
uint64_t box_image_size(const struct box_image *image); /* of the linear memory, in bytes */

/* Makes the box's memory and globals exactly those of the image, whatever was done to them. False:
 * no memory, which cannot be when the box was as large before. */
bool box_image_restore(const struct box_image *image, struct box *box);

#endif
