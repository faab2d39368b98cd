#include <errno.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self  446
#endif

/* As the newest ABI has it; older kernels know the beginning. */
struct ruleset {
    uint64_t files;   /* from ABI 1 */
    uint64_t network; /* from ABI 4 */
    uint64_t scoped;  /* from ABI 6 */
};

/* Everything that an ABI can restrict, and no rule that allows any of it. */
static struct ruleset everything(int abi, size_t *size)
{
    struct ruleset ruleset = {.files = (UINT64_C(1) << 13) - 1};
    *size = sizeof(ruleset.files);
    if (abi >= 2)
        ruleset.files |= UINT64_C(1) << 13; /* move between directories */
    if (abi >= 3)
        ruleset.files |= UINT64_C(1) << 14; /* truncate */
    if (abi >= 4) {
        ruleset.network = 3; /* bind and connect TCP */
        *size += sizeof(ruleset.network);
    }
    if (abi >= 5)
        ruleset.files |= UINT64_C(1) << 15; /* ioctl of devices */
    if (abi >= 6) {
        ruleset.scoped = 3; /* abstract unix sockets, signals */
        *size += sizeof(ruleset.scoped);
    }
    return ruleset;
}

int32_t lock_landlock(struct lock *lock)
{
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 0) {
        /* Not in this kernel, not enabled, or hidden by a filter of the host's. */
        if (errno != ENOSYS && errno != EOPNOTSUPP && errno != EPERM)
            return lock_failed(lock, "landlock_create_ruleset(version)");
        abi = 0;
    }
    if (abi > 0) {
        size_t size;
        const struct ruleset ruleset = everything(abi, &size);
        int fd = (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
        if (fd < 0)
            return lock_failed(lock, "landlock_create_ruleset");
        long restricted = syscall(SYS_landlock_restrict_self, fd, 0);
        int error = errno;
        close(fd);
        errno = error;
        if (restricted != 0)
            return lock_failed(lock, "landlock_restrict_self");
    }
    text_format(lock->locked, ",\"landlock\":%d", abi);
    return PAWL_OK;
}
