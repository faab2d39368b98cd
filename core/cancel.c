#include "core/cancel.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/error.h"

struct pawl_cancel {
    atomic_bool set;
    int fd; /* an eventfd that nobody reads: once readable, it stays so */
};

int pawl_cancel_new(pawl_cancel **cancel, pawl_error **error)
{
    pawl_cancel *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made->fd < 0) {
        int failed = errno;
        free(made);
        return error_set(error, PAWL_E_SYSTEM, "cannot make an eventfd: %s", strerror(failed));
    }
    *cancel = made;
    return PAWL_OK;
}

void pawl_cancel_free(pawl_cancel *cancel)
{
    if (cancel == NULL)
        return;
    close(cancel->fd);
    free(cancel);
}

void pawl_cancel_now(pawl_cancel *cancel)
{
    int before = errno;
    atomic_store(&cancel->set, true);
    uint64_t one = 1;
    /* It can only fail when the counter is full, and then it is readable. */
    (void)!write(cancel->fd, &one, sizeof(one));
    errno = before;
}

bool cancel_is_set(const pawl_cancel *cancel)
{
    return cancel != NULL && atomic_load(&cancel->set);
}

int cancel_fd(const pawl_cancel *cancel)
{
    return cancel->fd;
}
