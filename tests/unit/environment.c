#include "tests/unit/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "providers/lock/idmap.h"

/* An ordinary user, whom nobody else is. */
const char *environment_ordinary(void)
{
    if (geteuid() != 0)
        return NULL;
    if (setgroups(0, NULL) != 0 || setresgid(54321, 54321, 54321) != 0 ||
        setresuid(54321, 54321, 54321) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0)
        return "another user cannot be become";
    return NULL;
}

/* A user namespace in which limits on namespaces hold for nobody else. */
static const char *limit_namespaces(const char *const *kinds, const char *most)
{
    if (environment_ordinary() != NULL)
        return "another user cannot be become";
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWUSER) != 0 || idmap_keep(user, group) != NULL)
        return "there are no user namespaces to begin with";
    for (; *kinds != NULL; kinds++) {
        char path[64];
        snprintf(path, sizeof(path), "/proc/sys/user/max_%s_namespaces", *kinds);
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, most, strlen(most)) != (ssize_t)strlen(most))
            return "the limits on namespaces cannot be set";
        close(fd);
    }
    /* The capabilities of the namespace's creator are not an ordinary user's. */
    uint32_t header[2] = {0x20080522, 0}, none[6] = {0};
    return syscall(SYS_capset, header, none) == 0 ? NULL : "capset";
}

/* Those of the net namespaces go away in the background. */
const char *environment_few_namespaces(void)
{
    static const char *const kinds[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup", NULL};
    return limit_namespaces(kinds, "100");
}

/* What an administrator may have set. */
const char *environment_no_namespaces(void)
{
    static const char *const kinds[] = {"user", NULL};
    return limit_namespaces(kinds, "0");
}

#define LOAD(what)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(number, error) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(SECCOMP_RET_ERRNO | (error))

static const char *install(const struct sock_filter *instructions, unsigned short count)
{
    const struct sock_fprog program = {count, (struct sock_filter *)instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return "no filter can be installed";
    return NULL;
}

/* What Docker's default profile forbids of what matters here, and the capabilities that it leaves
 * to root. */
const char *environment_container(void)
{
    static const struct sock_filter docker[] = {
        LOAD(nr),
        REFUSE(SYS_unshare, EPERM),
        REFUSE(SYS_setns, EPERM),
        REFUSE(SYS_mount, EPERM),
        REFUSE(SYS_umount2, EPERM),
        REFUSE(SYS_pivot_root, EPERM),
        REFUSE(SYS_keyctl, EPERM),
        REFUSE(SYS_add_key, EPERM),
        REFUSE(SYS_clone3, ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x7e020000, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
        RETURN(SECCOMP_RET_ALLOW),
    };
    static const int kept[] = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31};
    if (geteuid() == 0) {
        uint64_t mask = 0;
        for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
            mask |= UINT64_C(1) << kept[i];
        for (int cap = 0; cap < 64; cap++)
            if ((mask >> cap & 1) == 0)
                prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
        uint32_t header[2] = {0x20080522, 0};
        uint32_t sets[6] = {(uint32_t)mask,         (uint32_t)mask,         0,
                            (uint32_t)(mask >> 32), (uint32_t)(mask >> 32), 0};
        if (syscall(SYS_capset, header, sets) != 0)
            return "the capabilities of a container cannot be taken on";
    }
    return install(docker, sizeof(docker) / sizeof(docker[0]));
}

const char *environment_no_landlock(void)
{
    static const struct sock_filter older[] = {
        LOAD(nr),
        REFUSE(444, ENOSYS),
        RETURN(SECCOMP_RET_ALLOW),
    };
    return install(older, sizeof(older) / sizeof(older[0]));
}

const char *environment_seccomp_alone(void)
{
    const char *missing = environment_no_namespaces();
    return missing != NULL ? missing : environment_no_landlock();
}

const char *environment_no_seccomp(void)
{
    static const struct sock_filter none[] = {
        LOAD(nr),
        REFUSE(SYS_seccomp, ENOSYS),
        RETURN(SECCOMP_RET_ALLOW),
    };
    return install(none, sizeof(none) / sizeof(none[0]));
}

static const char *cover(const char *path, bool read_only)
{
    if (!read_only)
        return mount("masked", path, "tmpfs", MS_RDONLY, "size=4k") == 0 ? NULL : path;
    return mount(path, path, NULL, MS_BIND, NULL) == 0 &&
                   mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) == 0
               ? NULL
               : path;
}

const char *environment_masked_proc(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return "mounting needs root";
    if (cover("/proc/sys", true) != NULL || cover("/proc/irq", true) != NULL ||
        cover("/proc/tty", false) != NULL)
        return "/proc cannot be masked";
    return NULL;
}

const char *environment_no_proc(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || cover("/proc", false) != NULL)
        return "mounting needs root";
    return NULL;
}
