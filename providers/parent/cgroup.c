#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A group whose processes were just killed stays busy until they are gone: the first and the
 * longest pause between two looks, and how many there are (three seconds in all), in nanoseconds.
 */
#define FIRST_PAUSE   1000000
#define LONGEST_PAUSE 64000000
#define LOOKS         50

/* Sleeps longer each time. */
static void rest(long *pause)
{
    nanosleep(&(const struct timespec){0, *pause}, NULL);
    *pause = *pause * 2 > LONGEST_PAUSE ? LONGEST_PAUSE : *pause * 2;
}

static int32_t refused(struct text *why, const char *what, const char *where)
{
    int error = errno;
    text_format(why, "%s %s: %s%s", what, where, strerror(error),
                error == ENOENT ? " (is it a cgroup v2 directory whose cgroup.subtree_control names"
                                  " memory and pids?)"
                                : "");
    return PAWL_E_UNAVAILABLE;
}

static bool write_file(const struct cgroup *group, const char *name, const char *value)
{
    int fd = openat(group->directory, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    ssize_t written = write(fd, value, strlen(value));
    int error = errno;
    close(fd);
    errno = error;
    return written == (ssize_t)strlen(value);
}

static int32_t limit(const struct cgroup *group, const char *name, uint64_t value, struct text *why)
{
    char number[32];
    snprintf(number, sizeof(number), "%llu", (unsigned long long)value);
    return write_file(group, name, number) ? PAWL_OK : refused(why, "cannot limit", name);
}

static int32_t set_limits(const struct cgroup *group, uint64_t memory, unsigned processes,
                          struct text *why)
{
    int32_t status = PAWL_OK;
    if (memory != 0) {
        status = limit(group, "memory.max", memory, why);
        /* Where swap is not accounted for there is no such file, and then none to be had. */
        if (status == PAWL_OK && !write_file(group, "memory.swap.max", "0") && errno != ENOENT)
            status = refused(why, "cannot limit", "memory.swap.max");
    }
    if (status == PAWL_OK && processes != 0)
        status = limit(group, "pids.max", processes, why);
    return status;
}

int32_t cgroup_make(struct cgroup *group, const char *parent, pid_t number, uint64_t memory,
                    unsigned processes, struct text *why)
{
    *group = (struct cgroup)CGROUP_NONE;
    group->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group->parent < 0)
        return refused(why, "cannot open", parent);
    snprintf(group->name, sizeof(group->name), "pawl-%d-%d", (int)getpid(), (int)number);
    int32_t status = PAWL_OK;
    if (mkdirat(group->parent, group->name, 0755) != 0) {
        status = refused(why, "cannot make a group in", parent);
        close(group->parent);
        *group = (struct cgroup)CGROUP_NONE;
        return status;
    }
    group->directory =
        openat(group->parent, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    status = group->directory < 0 ? refused(why, "cannot open a group in", parent)
                                  : set_limits(group, memory, processes, why);
    if (status != PAWL_OK)
        cgroup_remove(group);
    return status;
}

int32_t cgroup_enter(const struct cgroup *group, pid_t pid, struct text *why)
{
    char number[32];
    snprintf(number, sizeof(number), "%d", (int)pid);
    return write_file(group, "cgroup.procs", number)
               ? PAWL_OK
               : refused(why, "cannot move the child into", "cgroup.procs");
}

int32_t cgroup_probe(const char *parent, struct text *why)
{
    struct cgroup group;
    int32_t status = cgroup_make(&group, parent, -gettid(), UINT64_C(1) << 30, 16, why);
    cgroup_remove(&group);
    return status;
}

bool cgroup_ran_out_of_memory(const struct cgroup *group)
{
    char events[1024];
    if (group->directory < 0)
        return false;
    int fd = openat(group->directory, "memory.events", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, events, sizeof(events) - 1);
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return false;
    events[size] = '\0';
    const char *kills = strstr(events, "oom_kill ");
    return kills != NULL && strtoull(kills + strlen("oom_kill "), NULL, 10) > 0;
}

/* Kills whom the group has now: how many, or -1. */
static int kill_members(const struct cgroup *group)
{
    char line[32];
    int count = 0;
    int fd = openat(group->directory, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    FILE *members = fd < 0 ? NULL : fdopen(fd, "re");
    if (members == NULL) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    while (fgets(line, sizeof(line), members) != NULL) {
        long pid = strtol(line, NULL, 10);
        if (pid > 1) /* 0: of another pid namespace */
            kill((pid_t)pid, SIGKILL);
        count++;
    }
    fclose(members);
    return count;
}

void cgroup_kill(const struct cgroup *group)
{
    if (group->directory < 0 || write_file(group, "cgroup.kill", "1"))
        return;
    /* Before Linux 5.14. They may go on forking meanwhile, which pids.max bounds. */
    long pause = FIRST_PAUSE;
    for (int i = 0; i < LOOKS && kill_members(group) > 0; i++)
        rest(&pause);
}

void cgroup_remove(struct cgroup *group)
{
    if (group->parent < 0)
        return;
    long pause = FIRST_PAUSE;
    for (int i = 0; i < LOOKS; i++) {
        if (unlinkat(group->parent, group->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            break;
        rest(&pause);
    }
    if (group->directory >= 0)
        close(group->directory);
    close(group->parent);
    *group = (struct cgroup)CGROUP_NONE;
}
