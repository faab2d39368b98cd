#include "step.h"

#include <errno.h>
#include <string.h>

int32_t lock_failed(struct lock *lock, const char *call)
{
    text_format(lock->why, "lock-down: %s: %s", call, strerror(errno));
    return PAWL_E_UNAVAILABLE;
}

int32_t lock_unproven(struct lock *lock, const char *what)
{
    text_format(lock->why, "lock-down: %s", what);
    return PAWL_E_UNAVAILABLE;
}
