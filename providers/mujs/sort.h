/* sort.h - a stable sort that allocates nothing: qsort may allocate, and may be left half done. */
#ifndef MUJS_SORT_H
#define MUJS_SORT_H

#include <stddef.h>

/* Sorts `count` indices in `order` with `scratch`, which is as long. `compare` may throw or leave:
 * the array then holds some indices twice. */
void sort_indices(int *order, int *scratch, size_t count,
                  int (*compare)(void *context, int a, int b), void *context);

#endif
