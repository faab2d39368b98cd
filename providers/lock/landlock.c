#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
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

/* Layout of the kernel's struct landlock_path_beneath_attr. */
struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#define FILE_RIGHTS      (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define DIRECTORY_RIGHTS (FILE_RIGHTS | LANDLOCK_ACCESS_FS_READ_DIR)

/* What is visible may be read and executed. */
static int32_t allow_visible(struct lock *lock, int ruleset)
{
    struct json_iterator iterator = json_iterate(lock->visible);
    struct text path TEXT_CLEANUP = {0};
    while (lock_next_visible(&iterator, &path)) {
        struct stat stat;
        struct beneath rule = {.parent = open(path.data, O_PATH | O_CLOEXEC)};
        if (rule.parent < 0 || fstat(rule.parent, &stat) != 0)
            return lock_failed(lock, path.data);
        rule.allowed = S_ISDIR(stat.st_mode) ? DIRECTORY_RIGHTS : FILE_RIGHTS;
        long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        int error = errno;
        close(rule.parent);
        errno = error;
        if (added != 0)
            return lock_failed(lock, "landlock_add_rule");
    }
    return path.failed ? PAWL_E_MEMORY : PAWL_OK;
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
        int32_t status = lock->visible.text == NULL ? PAWL_OK : allow_visible(lock, fd);
        if (status != PAWL_OK) {
            close(fd);
            return status;
        }
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
