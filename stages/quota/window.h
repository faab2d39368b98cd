/* window.h - how many calls there were in the last minute, by the second. */
#ifndef PAWL_QUOTA_WINDOW_H
#define PAWL_QUOTA_WINDOW_H

#include <stdint.h>

/* The second that is not over yet and the sixty before it: what began in any span of sixty seconds
 * is never more than what is counted here. Zeroed, it is empty. */
#define WINDOW_SECONDS 61

struct window {
    uint64_t second; /* the last one that was counted or asked about */
    uint64_t total;
    uint32_t counts[WINDOW_SECONDS];
};

/* The calls in the window that ends with `second`, which never goes back. */
uint64_t window_total(struct window *window, uint64_t second);

/* Counts one more in it. */
void window_count(struct window *window, uint64_t second);

#endif
