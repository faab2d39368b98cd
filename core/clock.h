/* clock.h - time in nanoseconds. */
#ifndef PAWL_CORE_CLOCK_H
#define PAWL_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull

/* CLOCK_MONOTONIC; safe in a signal handler. */
static inline uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/* The time `milliseconds` after another; 0 (never) for 0 and for more than a clock can count. */
static inline uint64_t clock_after(uint64_t start, uint64_t milliseconds)
{
    bool never = milliseconds == 0 || milliseconds > UINT64_MAX / NS_PER_MS / 4;
    return never ? 0 : start + milliseconds * NS_PER_MS;
}

#endif
