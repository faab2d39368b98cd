#include <errno.h>
#include <sched.h>
#include <sys/mman.h>

#include "filter.h"

#define CALL(name, x86_64, aarch64)                     \
    {                                                   \
        name, {x86_64, aarch64}, 0, FILTER_ALWAYS, 0, 0 \
    }
#define CALL_IF(name, x86_64, aarch64, argument, test, value)      \
    {                                                              \
        name, {x86_64, aarch64}, 0, FILTER_##test, argument, value \
    }
#define REFUSE(name, x86_64, aarch64, error)                \
    {                                                       \
        name, {x86_64, aarch64}, error, FILTER_ALWAYS, 0, 0 \
    }
#define REFUSE_IF(name, x86_64, aarch64, error, argument, test, value) \
    {                                                                  \
        name, {x86_64, aarch64}, error, FILTER_##test, argument, value \
    }

const struct filter_rule filter_rules[] = {
    /* Clock. Mostly answered without the kernel. */
    CALL("clock_gettime", 228, 113),
    CALL("gettimeofday", 96, 169),
    CALL("time", 201, -1),
    CALL("clock_getres", 229, 114),
    CALL("clock_nanosleep", 230, 115),
    CALL("nanosleep", 35, 101),

    /* Descriptors that are open already: pipes, and events. */
    CALL("read", 0, 63),
    CALL("write", 1, 64),
    CALL("readv", 19, 65),
    CALL("writev", 20, 66),
    CALL("poll", 7, -1),
    CALL("ppoll", 271, 73),
    CALL("select", 23, -1),
    CALL("pselect6", 270, 72),
    CALL("epoll_wait", 232, -1),
    CALL("epoll_pwait", 281, 22),
    CALL("epoll_pwait2", 441, 441),
    CALL("epoll_ctl", 233, 21),
    CALL("fstat", 5, 80),
    CALL("lseek", 8, 62),
    CALL("close", 3, 57),

    /* Memory, without code that was not there when the process was locked. */
    CALL_IF("mmap", 9, 222, 2, CLEAR, PROT_EXEC),
    CALL_IF("mprotect", 10, 226, 2, CLEAR, PROT_EXEC),
    CALL("munmap", 11, 215),
    CALL("mremap", 25, 216),
    CALL("madvise", 28, 233),
    CALL("mincore", 27, 232),
    CALL("brk", 12, 214),

    /* Locks between threads, and random bytes. */
    CALL("futex", 202, 98),
    CALL("sched_yield", 24, 124),
    CALL("getrandom", 318, 278),

    /* Signals of its own. */
    CALL("rt_sigaction", 13, 134),
    CALL("rt_sigprocmask", 14, 135),
    CALL("rt_sigreturn", 15, 139),
    CALL("rt_sigpending", 127, 136),
    CALL("sigaltstack", 131, 132),
    CALL("restart_syscall", 219, 128),
    CALL_IF("tgkill", 234, 131, 0, SELF, 0),
    CALL("timer_create", 222, 107),
    CALL("timer_settime", 223, 110),
    CALL("timer_gettime", 224, 108),
    CALL("timer_getoverrun", 225, 109),
    CALL("timer_delete", 226, 111),

    /* Questions about itself. */
    CALL("getpid", 39, 172),
    CALL("gettid", 186, 178),
    CALL("getppid", 110, 173),
    CALL("getuid", 102, 174),
    CALL("geteuid", 107, 175),
    CALL("getgid", 104, 176),
    CALL("getegid", 108, 177),
    CALL("getcpu", 309, 168),
    CALL("getrusage", 98, 165),
    CALL("times", 100, 153),
    CALL("sysinfo", 99, 179),

    /* Its own limits, which it can only lower. */
    CALL_IF("prlimit64", 302, 261, 0, EQUAL, 0),
    CALL("getrlimit", 97, 163),
    CALL("setrlimit", 160, 164),

    CALL("exit", 60, 93),
    CALL("exit_group", 231, 94),

    /* What the C library asks for out of habit, and does without. */
    REFUSE("clone3", 435, 435, ENOSYS), /* its flags cannot be seen; then clone is tried */
    REFUSE_IF("clone", 56, 220, EPERM, 0, SET, CLONE_THREAD),
    REFUSE("open", 2, -1, EACCES),
    REFUSE("openat", 257, 56, EACCES),
    REFUSE("access", 21, -1, EACCES),
    REFUSE("faccessat", 269, 48, EACCES),
    REFUSE("faccessat2", 439, 439, EACCES),
    REFUSE("stat", 4, -1, EACCES),
    REFUSE("lstat", 6, -1, EACCES),
    REFUSE("newfstatat", 262, 79, EACCES),
    REFUSE("statx", 332, 291, EACCES),
    REFUSE("readlink", 89, -1, EACCES),
    REFUSE("readlinkat", 267, 78, EACCES),
    REFUSE("getcwd", 79, 17, EACCES),
    REFUSE("ioctl", 16, 29, ENOTTY),
    REFUSE("fcntl", 72, 25, EPERM),
    REFUSE("prctl", 157, 167, EPERM),
    REFUSE("sched_getaffinity", 204, 123, EPERM),
    REFUSE("uname", 63, 160, EPERM),
};

const size_t filter_rule_count = sizeof(filter_rules) / sizeof(filter_rules[0]);
