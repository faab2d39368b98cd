#include <errno.h>
#include <grp.h>
#include <unistd.h>

#include "step.h"

static bool is_only(uid_t id)
{
    uid_t real, effective, saved;
    gid_t real_group, effective_group, saved_group;
    return getresuid(&real, &effective, &saved) == 0 &&
           getresgid(&real_group, &effective_group, &saved_group) == 0 && real == id &&
           effective == id && saved == id && real_group == id && effective_group == id &&
           saved_group == id && getgroups(0, NULL) == 0;
}

/* What breaks out of every other wall must not find itself to be root. */
static int32_t leave_root(struct lock *lock)
{
    if (setgroups(0, NULL) != 0)
        return lock_failed(lock, "setgroups");
    if (setresgid(lock->id, lock->id, lock->id) != 0)
        return lock_failed(lock, "setresgid (is the provider's \"id\" one that exists here?)");
    if (setresuid(lock->id, lock->id, lock->id) != 0)
        return lock_failed(lock, "setresuid (is the provider's \"id\" one that exists here?)");
    if (!is_only(lock->id))
        return lock_unproven(lock, "the process is still root");
    return PAWL_OK;
}

int32_t lock_identity(struct lock *lock)
{
    int32_t status = lock->privileged ? leave_root(lock) : PAWL_OK;
    if (status == PAWL_OK && (getuid() != lock->id || geteuid() != lock->id))
        status = lock_unproven(lock, "the process is not the user that it should be");
    text_format(lock->locked, ",\"id\":%u", (unsigned)lock->id);
    return status;
}
