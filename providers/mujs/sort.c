#include "sort.h"

#include <string.h>

/* Runs this short are sorted by insertion. */
#define RUN 8

static void insertion_sort(int *order, size_t count, int (*compare)(void *, int, int),
                           void *context)
{
    for (size_t i = 1; i < count; i++) {
        int moving = order[i];
        size_t hole = i;

        while (hole > 0 && compare(context, order[hole - 1], moving) > 0) {
            order[hole] = order[hole - 1];
            hole--;
        }
        order[hole] = moving;
    }
}

static void merge(const int *left, size_t left_count, const int *right, size_t right_count,
                  int *out, int (*compare)(void *, int, int), void *context)
{
    while (left_count > 0 && right_count > 0) {
        if (compare(context, *left, *right) <= 0) {
            *out++ = *left++;
            left_count--;
        } else {
            *out++ = *right++;
            right_count--;
        }
    }
    memcpy(out, left, left_count * sizeof *out);
    memcpy(out + left_count, right, right_count * sizeof *out);
}

void sort_indices(int *order, int *scratch, size_t count,
                  int (*compare)(void *context, int a, int b), void *context)
{
    int *from = order, *to = scratch;

    for (size_t i = 0; i < count; i += RUN)
        insertion_sort(order + i, count - i < RUN ? count - i : RUN, compare, context);
    for (size_t width = RUN; width < count; width *= 2) {
        int *swap = from;

        for (size_t i = 0; i < count; i += 2 * width) {
            size_t left = count - i < width ? count - i : width;
            size_t right = count - i - left < width ? count - i - left : width;

            merge(from + i, left, from + i + left, right, to + i, compare, context);
        }
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}
