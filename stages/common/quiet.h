/* quiet.h - writing without a signal to the host. */
#ifndef PAWL_STAGES_QUIET_H
#define PAWL_STAGES_QUIET_H

#include <sys/types.h>
#include <sys/uio.h>

/* As writev(2), begun again when a signal interrupts it. A file that may not grow any more
 * (RLIMIT_FSIZE) is EFBIG and no SIGXFSZ, which would end the host. [any thread] */
ssize_t quiet_writev(int fd, const struct iovec *parts, int count);

#endif
