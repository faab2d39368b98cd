#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "filter.h"

/* Every type of socket but SOCK_STREAM has one of these bits. */
#define NOT_STREAM 0xe

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

static const struct filter_rule common[] = {
    /* Clock. Mostly answered without the kernel. */
    CALL("clock_gettime", 228, 113), CALL("gettimeofday", 96, 169), CALL("time", 201, -1),
    CALL("clock_getres", 229, 114), CALL("clock_nanosleep", 230, 115), CALL("nanosleep", 35, 101),

    /* Descriptors that are open already: pipes, and events. */
    CALL("read", 0, 63), CALL("write", 1, 64), CALL("readv", 19, 65), CALL("writev", 20, 66),
    CALL("poll", 7, -1), CALL("ppoll", 271, 73), CALL("select", 23, -1), CALL("pselect6", 270, 72),
    CALL("epoll_wait", 232, -1), CALL("epoll_pwait", 281, 22), CALL("epoll_pwait2", 441, 441),
    CALL("epoll_ctl", 233, 21), CALL("fstat", 5, 80), CALL("lseek", 8, 62), CALL("close", 3, 57),

    /* Memory. */
    CALL("munmap", 11, 215), CALL("mremap", 25, 216), CALL("madvise", 28, 233),
    CALL("mincore", 27, 232), CALL("brk", 12, 214),

    /* Locks between threads, and random bytes. */
    CALL("futex", 202, 98), CALL("sched_yield", 24, 124), CALL("getrandom", 318, 278),

    /* Signals of its own. */
    CALL("rt_sigaction", 13, 134), CALL("rt_sigprocmask", 14, 135), CALL("rt_sigreturn", 15, 139),
    CALL("rt_sigpending", 127, 136), CALL("sigaltstack", 131, 132),
    CALL("restart_syscall", 219, 128), CALL_IF("tgkill", 234, 131, 0, SELF, 0),
    CALL("timer_create", 222, 107), CALL("timer_settime", 223, 110),
    CALL("timer_gettime", 224, 108), CALL("timer_getoverrun", 225, 109),
    CALL("timer_delete", 226, 111),

    /* Questions about itself. */
    CALL("getpid", 39, 172), CALL("gettid", 186, 178), CALL("getppid", 110, 173),
    CALL("getuid", 102, 174), CALL("geteuid", 107, 175), CALL("getgid", 104, 176),
    CALL("getegid", 108, 177), CALL("getcpu", 309, 168), CALL("getrusage", 98, 165),
    CALL("times", 100, 153), CALL("sysinfo", 99, 179),

    /* Its own limits, which it can only lower. */
    CALL_IF("prlimit64", 302, 261, 0, EQUAL, 0), CALL("getrlimit", 97, 163),
    CALL("setrlimit", 160, 164),

    CALL("exit", 60, 93), CALL("exit_group", 231, 94),

    REFUSE("clone3", 435, 435, ENOSYS), /* its flags cannot be seen; then clone is tried */
};

static const struct filter_rule engine[] = {
    /* Memory, without code that was not there when the process was locked. */
    CALL_IF("mmap", 9, 222, 2, CLEAR, PROT_EXEC),
    CALL_IF("mprotect", 10, 226, 2, CLEAR, PROT_EXEC),

    /* What the C library asks for out of habit, and does without. */
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

static const struct filter_rule command[] = {
    /* Its files, of which its root has no others. */
    CALL("open", 2, -1),
    CALL("openat", 257, 56),
    CALL("access", 21, -1),
    CALL("faccessat", 269, 48),
    CALL("faccessat2", 439, 439),
    CALL("stat", 4, -1),
    CALL("lstat", 6, -1),
    CALL("newfstatat", 262, 79),
    CALL("statx", 332, 291),
    CALL("statfs", 137, 43),
    CALL("fstatfs", 138, 44),
    CALL("readlink", 89, -1),
    CALL("readlinkat", 267, 78),
    CALL("getcwd", 79, 17),
    CALL("chdir", 80, 49),
    CALL("getdents64", 217, 61),
    CALL("pread64", 17, 67),
    CALL("fadvise64", 221, 223),
    CALL("execve", 59, 221),

    /* Its code: what is mapped to be executed is not writable at that time. */
    CALL_IF("mmap", 9, 222, 2, CLEAR, PROT_EXEC),
    CALL_IF("mmap", 9, 222, 2, CLEAR, PROT_WRITE),
    REFUSE("mmap", 9, 222, EPERM),
    CALL_IF("mprotect", 10, 226, 2, CLEAR, PROT_EXEC),
    CALL_IF("mprotect", 10, 226, 2, CLEAR, PROT_WRITE),
    REFUSE("mprotect", 10, 226, EPERM),

    /* Descriptors of its own. */
    CALL("dup", 32, 23),
    CALL("dup2", 33, -1),
    CALL("dup3", 292, 24),
    CALL("pipe", 22, -1),
    CALL("pipe2", 293, 59),
    CALL("eventfd2", 290, 19),
    CALL("epoll_create1", 291, 20),
    CALL_IF("ioctl", 16, 29, 1, EQUAL, FIONREAD),
    CALL_IF("ioctl", 16, 29, 1, EQUAL, FIONBIO),
    CALL_IF("ioctl", 16, 29, 1, EQUAL, FIOCLEX),
    CALL_IF("ioctl", 16, 29, 1, EQUAL, FIONCLEX),
    REFUSE("ioctl", 16, 29, ENOTTY),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_DUPFD),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_DUPFD_CLOEXEC),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_GETFD),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_SETFD),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_GETFL),
    CALL_IF("fcntl", 72, 25, 1, EQUAL, F_SETFL),
    REFUSE("fcntl", 72, 25, EINVAL),

    /* Sockets that it is handed, and pairs that are connected from the start: none that could be
     * connected to something else. A datagram could be sent to any name. */
    CALL("recvfrom", 45, 207),
    CALL("recvmsg", 47, 212),
    CALL("sendto", 44, 206),
    CALL("sendmsg", 46, 211),
    CALL("shutdown", 48, 210),
    CALL("getsockopt", 55, 209),
    CALL("getsockname", 51, 204),
    CALL("getpeername", 52, 205),
    REFUSE_IF("socketpair", 53, 199, EACCES, 1, SET, NOT_STREAM),
    CALL_IF("socketpair", 53, 199, 0, EQUAL, AF_UNIX),
    REFUSE("socketpair", 53, 199, EACCES),
    REFUSE("socket", 41, 198, EACCES),
    REFUSE("connect", 42, 203, EACCES),
    REFUSE("bind", 49, 200, EACCES),
    REFUSE("setsockopt", 54, 208, ENOPROTOOPT),

    /* No process and no thread beside it. */
    REFUSE("clone", 56, 220, EPERM),
    REFUSE("fork", 57, -1, EPERM),
    REFUSE("vfork", 58, -1, EPERM),
    CALL("wait4", 61, 260),

    /* What a C library begins with, and asks about itself. */
    CALL("arch_prctl", 158, -1),
    CALL("set_tid_address", 218, 96),
    CALL("set_robust_list", 273, 99),
    CALL("rseq", 334, 293),
    CALL("uname", 63, 160),
    CALL("umask", 95, 166),
    CALL("getpgrp", 111, -1),
    CALL("getpgid", 121, 155),
    CALL("getsid", 124, 156),
    CALL("getgroups", 115, 158),
    CALL("getresuid", 118, 148),
    CALL("getresgid", 120, 150),
    CALL("sched_getaffinity", 204, 123),
    CALL("rt_sigsuspend", 130, 133),
    CALL("rt_sigtimedwait", 128, 137),
    REFUSE("prctl", 157, 167, EPERM),
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

const struct filter_rule *filter_rule(enum filter_profile profile, size_t index)
{
    const struct filter_rule *own = profile == FILTER_ENGINE ? engine : command;
    const size_t count = profile == FILTER_ENGINE ? LENGTH(engine) : LENGTH(command);
    if (index < LENGTH(common))
        return &common[index];
    index -= LENGTH(common);
    return index < count ? &own[index] : NULL;
}

/* Programs ask for what their kernel may not have, and go on without. */
uint32_t filter_otherwise(enum filter_profile profile)
{
    return profile == FILTER_ENGINE ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | ENOSYS;
}
