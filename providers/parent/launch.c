#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pawl/wire.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "providers/lock/idmap.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

#define STACK_SIZE 32768

/* Numbers of the child's descriptors are below this. */
#define ENDS (PAWL_WIRE_FD_GATEWAY + 1)

/* ThreadSanitizer takes clone() for a fork, and what the new process does for the doing of this
 * thread. (It need not see dup3 either, which is why that is a plain system call.) */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER
#endif
#ifdef UNDER_THREAD_SANITIZER
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#define clone       __clone
#define NEW_PROCESS __attribute__((no_sanitize("thread")))
#else
#define NEW_PROCESS
#endif

/* What the new process needs, on the parent's stack, which it shares until it executes. */
struct start {
    char *const *argv;
    int ends[ENDS]; /* of the channels, all of them above their numbers; -1: not wanted */
    unsigned count; /* how many are wanted, the first ones */
    pid_t parent;   /* 0: it cannot be known, inside a new pid namespace */
    bool keeps_ids; /* in a new user namespace */
    uid_t user;
    gid_t group;
    const char *volatile failed; /* the step that failed */
    volatile int error;
};

NEW_PROCESS static void default_signals(void)
{
    const struct sigaction action = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal < NSIG; signal++)
        sigaction(signal, &action, NULL);
}

/* The steps of the new process; returns the one that failed. All signals are blocked until the last
 * one: a handler of the host's must not run here. */
NEW_PROCESS static const char *become_child(struct start *start)
{
    default_signals();
    const char *step = start->keeps_ids ? idmap_keep(start->user, start->group) : NULL;
    if (step != NULL)
        return step;
    if (setsid() < 0)
        return "setsid";
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        return "prctl(PR_SET_PDEATHSIG)";
    if (start->parent != 0 && getppid() != start->parent) { /* it died before the line above */
        errno = ESRCH;
        return "getppid";
    }
    for (unsigned fd = 0; fd < start->count; fd++)
        if (syscall(SYS_dup3, start->ends[fd], fd, 0) < 0)
            return "dup3";
    if (syscall(SYS_close_range, start->count, ~0u, 0u) != 0)
        return "close_range";
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0)
        return "setrlimit(RLIMIT_CORE)";
    if (chdir("/") != 0)
        return "chdir";
    sigset_t unblocked;
    sigemptyset(&unblocked);
    if (sigprocmask(SIG_SETMASK, &unblocked, NULL) != 0)
        return "sigprocmask";
    char *environment[] = {NULL};
    execve(start->argv[0], start->argv, environment);
    return "execve";
}

NEW_PROCESS static int child_main(void *argument)
{
    struct start *start = argument;
    start->failed = become_child(start);
    start->error = errno;
    _exit(127);
}

static int32_t failed(struct text *why, const char *path, const char *step, int error)
{
    text_format(why, "%s cannot be started: %s: %s", path, step, strerror(error));
    return PAWL_E_UNAVAILABLE;
}

void child_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Moves a descriptor out of the way of the channels' numbers. Takes it over in any case. */
static int lift(int fd)
{
    if (fd < 0 || fd >= ENDS)
        return fd;
    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, ENDS);
    int error = errno;
    close(fd);
    errno = error;
    return lifted;
}

/* Takes over both ends of a channel, perhaps as -1. */
static bool take_ends(int ends[2], bool inward, int *childs, int *ours)
{
    ends[0] = lift(ends[0]);
    int error = errno;
    ends[1] = lift(ends[1]);
    if (ends[0] < 0)
        errno = error;
    *childs = ends[inward ? 0 : 1];
    *ours = ends[inward ? 1 : 0];
    return *childs >= 0 && *ours >= 0 && fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

/* Makes a pipe: `inward` for what the child reads. */
static bool make_pipe(bool inward, int *childs, int *ours)
{
    int ends[2];
    return pipe2(ends, O_CLOEXEC) == 0 && take_ends(ends, inward, childs, ours);
}

/* Messages, so that a request is never cut in two. */
static bool make_gateway(int *childs, int *ours)
{
    int ends[2];
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 &&
           take_ends(ends, true, childs, ours);
}

/* All that are wanted. On failure the ends that were made are left in their places. */
static bool make_channels(struct child *child, struct start *start)
{
    if (start->count > PAWL_WIRE_FD_GATEWAY &&
        !make_gateway(&start->ends[PAWL_WIRE_FD_GATEWAY], &child->gateway))
        return false;
    return make_pipe(true, &start->ends[PAWL_WIRE_FD_LAUNCH], &child->launch) &&
           make_pipe(false, &start->ends[PAWL_WIRE_FD_REPORT], &child->report) &&
           make_pipe(false, &start->ends[PAWL_WIRE_FD_STDERR], &child->stderr_tail) &&
           make_pipe(false, &start->ends[PAWL_WIRE_FD_CALLS], &child->calls) &&
           make_pipe(true, &start->ends[PAWL_WIRE_FD_ANSWERS], &child->answers);
}

static void close_channels(struct child *child)
{
    child_close(&child->launch);
    child_close(&child->report);
    child_close(&child->stderr_tail);
    child_close(&child->calls);
    child_close(&child->answers);
    child_close(&child->gateway);
}

/* Runs become_child on a stack of its own while this thread waits. */
static pid_t start_process(struct start *start, int namespaces, int *pidfd)
{
    _Alignas(16) char stack[STACK_SIZE];
    sigset_t all, before;
    sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error != 0) {
        errno = error;
        return -1;
    }
    pid_t pid = clone(child_main, stack + sizeof(stack),
                      CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | namespaces, start, pidfd);
    error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static void wait_for(const struct child *child)
{
    siginfo_t info;
    while (waitid((idtype_t)P_PIDFD, (id_t)child->pidfd, &info, WEXITED) != 0 && errno == EINTR)
        ;
}

int32_t launch_child(struct child *child, char *const argv[], int namespaces, bool gateway,
                     struct text *why)
{
    struct start start = {.argv = argv, .ends = {-1, -1, -1, -1, -1, -1}};
    start.count = gateway ? ENDS : PAWL_WIRE_FDS;
    start.parent = namespaces & CLONE_NEWPID ? 0 : getpid();
    start.keeps_ids = (namespaces & CLONE_NEWUSER) != 0;
    start.user = geteuid();
    start.group = getegid();
    *child = (struct child){.pidfd = -1,
                            .launch = -1,
                            .report = -1,
                            .stderr_tail = -1,
                            .calls = -1,
                            .answers = -1,
                            .gateway = -1};
    const char *step = "pipe";
    int error = 0;
    if (make_channels(child, &start)) {
        child->pid = start_process(&start, namespaces, &child->pidfd);
        step = child->pid >= 0   ? start.failed
               : namespaces == 0 ? "clone"
                                 : "clone into new namespaces";
        error = child->pid < 0 ? errno : start.error;
    } else {
        error = errno;
    }
    for (int fd = 0; fd < ENDS; fd++)
        child_close(&start.ends[fd]);
    if (step == NULL)
        return PAWL_OK;
    if (child->pidfd >= 0)
        wait_for(child);
    child_close(&child->pidfd);
    close_channels(child);
    return failed(why, argv[0], step, error);
}

bool child_has_ended(const struct child *child, struct child_end *end)
{
    siginfo_t info = {0};
    *end = (struct child_end){0};
    if (waitid((idtype_t)P_PIDFD, (id_t)child->pidfd, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD; /* somebody else has waited for it */
    if (info.si_pid == 0)
        return false;
    *end = (struct child_end){
        .signaled = info.si_code != CLD_EXITED, .code = info.si_status, .known = true};
    return true;
}

void child_terminate(const struct child *child)
{
    syscall(SYS_pidfd_send_signal, child->pidfd, SIGTERM, NULL, 0);
}

void child_kill_alone(const struct child *child)
{
    if (child->pidfd >= 0)
        syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0);
}

void child_kill(const struct child *child)
{
    struct child_end end;
    if (child->pidfd < 0)
        return; /* it was waited for */
    child_kill_alone(child);
    /* Only while the process id is surely the child's own: it was not waited for. */
    if (!child_has_ended(child, &end) || end.known)
        kill(-child->pid, SIGKILL);
}

void child_reap(struct child *child)
{
    if (child->pidfd >= 0)
        wait_for(child);
    child_close(&child->pidfd);
    close_channels(child);
}
