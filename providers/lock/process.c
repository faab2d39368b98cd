#include <errno.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "step.h"

/* Changing the user has undone what the start and limits.c did here. A parent that died meanwhile
 * is noticed without this: the launch channel ends. */
int32_t lock_process(struct lock *lock)
{
    int signal = 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || prctl(PR_GET_PDEATHSIG, &signal) != 0)
        return lock_failed(lock, "prctl(PR_SET_PDEATHSIG)");
    if (signal != SIGKILL)
        return lock_unproven(lock, "the process would outlive its parent");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return lock_failed(lock, "prctl(PR_SET_DUMPABLE)");
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0)
        return lock_unproven(lock, "the process can be dumped");
    /* Behind the change of user: execve(2) fails if that was one to a user with too many processes.
     */
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0)
        return lock_failed(lock, "setrlimit(RLIMIT_NPROC)");
    /* Otherwise memory that is readable would be executable, and the filter would not see it. */
    int personality_ = personality(0xffffffff);
    if (personality_ < 0 || (personality_ & READ_IMPLIES_EXEC) != 0)
        return lock_unproven(lock, "the process has the personality READ_IMPLIES_EXEC");
    return PAWL_OK;
}
