#include <errno.h>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

/* The keys of whoever started the host are not for the program. Where the kernel has no keys, or a
 * filter forbids asking for them, they are out of reach anyway. */
int32_t lock_keyring(struct lock *lock)
{
    const char *state = "new";
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0) {
        if (errno != ENOSYS && errno != EPERM && errno != EACCES)
            return lock_failed(lock, "keyctl(KEYCTL_JOIN_SESSION_KEYRING)");
        state = errno == ENOSYS ? "absent" : "forbidden";
    }
    text_format(lock->locked, ",\"keyring\":\"%s\"", state);
    return PAWL_OK;
}
