#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "idmap.h"
#include "step.h"

#define ALL \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static const char host_name[] = "pawl";

/* Which they are; the parent compares this with what it is told by the kernel. */
static int32_t account(struct lock *lock)
{
    static const char *const names[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    text_string(lock->locked, ",\"namespaces\":{");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char path[64];
        struct stat stat_;
        snprintf(path, sizeof(path), "/proc/self/ns/%s", names[i]);
        if (stat(path, &stat_) != 0)
            return lock_failed(lock, path);
        text_format(lock->locked, "%s\"%s\":%llu", i == 0 ? "" : ",", names[i],
                    (unsigned long long)stat_.st_ino);
    }
    text_string(lock->locked, "}");
    return PAWL_OK;
}

int32_t lock_namespaces(struct lock *lock)
{
    const uid_t user = geteuid();
    const gid_t group = getegid();
    /* Changing the user made /proc/self root's. */
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
        return lock_failed(lock, "prctl(PR_SET_DUMPABLE)");
    if (getpid() != 1)
        return lock_unproven(lock, "the process is not in a pid namespace of its own");
    if (unshare(ALL) != 0)
        return lock_failed(lock, "unshare(user, mount, net, ipc, uts and cgroup namespaces)");
    const char *step = idmap_keep(user, group);
    if (step != NULL)
        return lock_failed(lock, step);
    if (getuid() != user || getgid() != group)
        return lock_unproven(lock, "the user namespace does not keep the process's ids");
    if (sethostname(host_name, strlen(host_name)) != 0 ||
        setdomainname(host_name, strlen(host_name)) != 0)
        return lock_failed(lock, "sethostname");
    return account(lock);
}
