/* stack.h - whether the calling thread has the stack that libmujs needs. */
#ifndef MUJS_STACK_H
#define MUJS_STACK_H

#include <stddef.h>

/* libmujs recurses in C for calls, regular expressions and its parser: 0.55 MiB at most. */
#define STACK_NEEDED ((size_t)704 << 10)

/* How many bytes the calling thread's stack can still grow; 0 when it runs on another stack than
 * its own. [any thread] */
size_t stack_left(void);

#endif
