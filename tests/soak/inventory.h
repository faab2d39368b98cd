/* inventory.h - what a process holds: what must not grow, and not be left. */
#ifndef SOAK_INVENTORY_H
#define SOAK_INVENTORY_H

#include <stddef.h>

struct inventory {
    size_t resident; /* bytes, after the heap gave back what it can */
    size_t files;    /* descriptors */
    size_t threads;
    size_t
        children; /* processes that are or were started by this one and have not been waited for */
    size_t cgroups; /* groups below this process's own */
};

void inventory_take(struct inventory *inventory);

/* The pids of the processes that this one started, and of those that they did; at most `most`.
 * Returns how many there are. */
size_t inventory_children(int *pids, size_t most);

#endif
