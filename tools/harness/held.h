/* held.h - what this process holds: what must not grow, and not be left. */
#ifndef HARNESS_HELD_H
#define HARNESS_HELD_H

#include <stdbool.h>
#include <stddef.h>

size_t held_files(void); /* descriptors */
size_t held_threads(void);
long held_memory(void);   /* bytes that are resident */
bool held_children(void); /* whether it has any that nobody has waited for */

#endif
