#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

const struct probe *probe_find(const char *name)
{
    for (size_t i = 0; i < probe_count; i++)
        if (strcmp(probes[i].name, name) == 0)
            return &probes[i];
    return NULL;
}

static void describe(int status, int error, char *end, size_t size)
{
    const char *name = NULL;
    if (WIFSIGNALED(status)) {
        name = sigabbrev_np(WTERMSIG(status));
        snprintf(end, size, "SIG%s", name == NULL ? "?" : name);
        return;
    }
    name = error == 0 ? "done" : strerrorname_np(error);
    snprintf(end, size, "%s", name == NULL ? "unknown" : name);
}

/* What the probe returned comes through a pipe, because it may end its process in any way. */
void probe_run(const struct probe *probe, const struct probe_target *target,
               int (*enter)(void *context), void *context, char *end, size_t size)
{
    int result[2], error = -1, status = 0;
    snprintf(end, size, "not entered");
    if (pipe2(result, O_CLOEXEC) != 0)
        return;
    fflush(NULL); /* what is not said yet is not to be said twice */
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (enter != NULL && enter(context) != 0)
            _exit(0);
        error = -2; /* it has begun */
        if (write(result[1], &error, sizeof(error)) < 0)
            _exit(0);
        error = probe->attempt(target);
        if (write(result[1], &error, sizeof(error)) < 0)
            _exit(1);
        _exit(0);
    }
    close(result[1]);
    ssize_t begun = child < 0 ? 0 : read(result[0], &error, sizeof(error));
    ssize_t returned = begun <= 0 ? 0 : read(result[0], &error, sizeof(error));
    close(result[0]);
    if (child < 0)
        return;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (begun > 0 && returned <= 0 && WIFEXITED(status))
        error = 0; /* it became another program */
    if (begun > 0)
        describe(status, error, end, size);
}

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t written = fd < 0 ? -1 : write(fd, text, strlen(text));
    if (fd >= 0)
        close(fd);
    return written == (ssize_t)strlen(text);
}

/* An ordinary user is root there, and nobody else. */
static bool become_root_of_namespace(uid_t user, gid_t group)
{
    char users[64], groups[64];
    snprintf(users, sizeof(users), "0 %u 1", (unsigned)user);
    snprintf(groups, sizeof(groups), "0 %u 1", (unsigned)group);
    return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/gid_map", groups) &&
           write_file("/proc/self/uid_map", users);
}

/* Namespaces in which even what succeeds harms nobody. The first process in the pid namespace is
 * the victim of others; the probe is another one, so that signals reach it. */
static int throw_away(void *context)
{
    const int flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    (void)context;
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(user == 0 ? flags : flags | CLONE_NEWUSER) != 0 ||
        (user != 0 && !become_root_of_namespace(user, group)))
        return -1;
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static void control_in_namespace(const struct probe *probe, int report)
{
    char end[64], file[] = "/tmp/pawl-control-XXXXXX";
    if (mount("control", "/tmp", "tmpfs", 0, "size=1m") != 0 ||
        (access("/dev/shm", F_OK) == 0 && mount("control", "/dev/shm", "tmpfs", 0, "size=1m") != 0))
        _exit(1);
    struct probe_target target = {.file = file};
    int fd = mkstemp(file);
    target.descriptor = dup2(fd, 500);
    target.victim = fork();
    if (target.victim == 0)
        for (;;)
            pause();
    probe_run(probe, &target, NULL, NULL, end, sizeof(end));
    if (write(report, end, strlen(end) + 1) < 0)
        _exit(1);
    _exit(0); /* and all that was started goes with it */
}

void probe_control(const struct probe *probe, char *end, size_t size)
{
    int report[2];
    snprintf(end, size, "no namespaces for a control");
    if (pipe2(report, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    pid_t outer = fork();
    if (outer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (throw_away(NULL) != 0)
            _exit(1);
        pid_t init = fork();
        if (init == 0)
            control_in_namespace(probe, report[1]);
        while (init > 0 && waitpid(init, NULL, 0) < 0 && errno == EINTR)
            ;
        _exit(0);
    }
    close(report[1]);
    char got[64];
    ssize_t length = outer < 0 ? 0 : read(report[0], got, sizeof(got));
    if (length > 0)
        snprintf(end, size, "%.*s", (int)length, got);
    close(report[0]);
    while (outer > 0 && waitpid(outer, NULL, 0) < 0 && errno == EINTR)
        ;
}
