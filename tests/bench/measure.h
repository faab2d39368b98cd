/*
 * measure.h - several things, measured in turn, so that what else the machine does falls on all of
 * them alike.
 */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#define MEASURE_MOST 400

struct measured {
    const char *name;
    void (*work)(void *argument);
    void *argument;
    bool rested; /* after a pause: whoever answers has gone to sleep, and a pool of children has had
                    time to make one ready */
    double samples[MEASURE_MOST];
    double median; /* microseconds */
};

double microseconds(void);

/* The medians of `samples` rounds, at most MEASURE_MOST. */
void measure(struct measured *all, size_t count, int samples);

/* Work: starts the command of that argument vector, its output thrown away, and waits for it. */
void measure_spawn(void *argument);

#endif
