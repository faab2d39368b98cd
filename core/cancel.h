/* cancel.h - tokens by which runs are cancelled from elsewhere, a signal handler included. */
#ifndef PAWL_CORE_CANCEL_H
#define PAWL_CORE_CANCEL_H

#include <stdbool.h>

#include <pawl/pawl.h>

/* Whether it was cancelled. [any thread; safe in a signal handler] */
bool cancel_is_set(const pawl_cancel *cancel);

/* A file descriptor that is readable once it was cancelled. */
int cancel_fd(const pawl_cancel *cancel);

#endif
