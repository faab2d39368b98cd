#include <errno.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"
#include "step.h"

int32_t lock_seccomp(struct lock *lock)
{
    struct sock_filter instructions[FILTER_MOST];
    struct sock_fprog program = {.filter = instructions};
    program.len = (unsigned short)filter_compile(lock->command ? FILTER_COMMAND : FILTER_ENGINE,
                                                 FILTER_NATIVE, getpid(), instructions);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return lock_failed(lock, "seccomp(SECCOMP_SET_MODE_FILTER)");
    text_format(lock->locked, ",\"seccomp\":%u", (unsigned)program.len);
    return PAWL_OK;
}
