/* signals.h - whether a signal interrupts a loop under this build's sanitizer. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "tests/unit/test.h"

/* ThreadSanitizer delays signals until the next call into its runtime: nothing can be left. */
#if defined(__SANITIZE_THREAD__)
#define SIGNALS_ARE_DELAYED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIGNALS_ARE_DELAYED 1
#endif
#endif
#ifndef SIGNALS_ARE_DELAYED
#define SIGNALS_ARE_DELAYED 0
#endif

/* The test that is running needs a program to be left. */
#define NEEDS_SIGNALS                                                      \
    do {                                                                   \
        if (SIGNALS_ARE_DELAYED) {                                         \
            test_skip("ThreadSanitizer delays the signals that it needs"); \
            return;                                                        \
        }                                                                  \
    } while (0)

#endif
