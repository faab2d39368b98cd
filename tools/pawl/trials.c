#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/kvm.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/pawl/trial.h"

/* The user that the confine provider's children become when root starts them. */
#define NOBODYS_ID 65532

__attribute__((format(printf, 2, 3))) static bool good(struct finding *finding, const char *format,
                                                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->how, sizeof(finding->how), format, arguments);
    va_end(arguments);
    return true;
}

static bool failed(struct finding *finding, const char *step)
{
    snprintf(finding->how, sizeof(finding->how), "%s: %s", step, strerror(errno));
    return false;
}

static bool wrong(struct finding *finding, const char *what)
{
    snprintf(finding->how, sizeof(finding->how), "%s", what);
    return false;
}

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t written = fd < 0 ? -1 : write(fd, text, strlen(text));
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return written == (ssize_t)strlen(text);
}

/* The number in a file; -1: there is none. */
static long read_setting(const char *path)
{
    char text[32] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    return size <= 0 ? -1 : strtol(text, NULL, 10);
}

/* --- Namespaces ------------------------------------------------------------------------------ */

/* Enters a user namespace from an ordinary user's id, as a child of the confine provider does. */
static bool enter_user_namespace(struct finding *finding)
{
    char map[64];
    if (geteuid() == 0 &&
        (setgroups(0, NULL) != 0 || setresgid(NOBODYS_ID, NOBODYS_ID, NOBODYS_ID) != 0 ||
         setresuid(NOBODYS_ID, NOBODYS_ID, NOBODYS_ID) != 0))
        return failed(finding, "becoming an unprivileged user");
    const unsigned user = geteuid(), group = getegid();
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
        return failed(finding, "prctl(PR_SET_DUMPABLE)");
    if (unshare(CLONE_NEWUSER) != 0)
        return failed(finding, "unshare(CLONE_NEWUSER)");
    if (!write_file("/proc/self/setgroups", "deny"))
        return failed(finding, "/proc/self/setgroups");
    snprintf(map, sizeof(map), "%u %u 1", group, group);
    if (!write_file("/proc/self/gid_map", map))
        return failed(finding, "/proc/self/gid_map");
    snprintf(map, sizeof(map), "%u %u 1", user, user);
    if (!write_file("/proc/self/uid_map", map))
        return failed(finding, "/proc/self/uid_map");
    return good(finding, "entered as user %u", user);
}

static bool enter_namespace(struct finding *finding, int flag, const char *call, const char *link)
{
    char path[64];
    struct stat before, after;
    snprintf(path, sizeof(path), "/proc/self/ns/%s", link);
    if (!enter_user_namespace(finding))
        return false;
    if (stat(path, &before) != 0)
        return failed(finding, path);
    if (unshare(flag) != 0)
        return failed(finding, call);
    if (stat(path, &after) != 0)
        return failed(finding, path);
    return before.st_ino != after.st_ino ? good(finding, "entered a new one")
                                         : wrong(finding, "it is still the old one");
}

static bool try_user(struct finding *finding)
{
    return enter_user_namespace(finding);
}

static bool try_net(struct finding *finding)
{
    return enter_namespace(finding, CLONE_NEWNET, "unshare(CLONE_NEWNET)", "net");
}

static bool try_ipc(struct finding *finding)
{
    return enter_namespace(finding, CLONE_NEWIPC, "unshare(CLONE_NEWIPC)", "ipc");
}

static bool try_uts(struct finding *finding)
{
    return enter_namespace(finding, CLONE_NEWUTS, "unshare(CLONE_NEWUTS)", "uts");
}

static bool try_cgroup_namespace(struct finding *finding)
{
    return enter_namespace(finding, CLONE_NEWCGROUP, "unshare(CLONE_NEWCGROUP)", "cgroup");
}

static bool try_mount(struct finding *finding)
{
    if (!enter_namespace(finding, CLONE_NEWNS, "unshare(CLONE_NEWNS)", "mnt"))
        return false;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return failed(finding, "mount(/, MS_PRIVATE)");
    if (mount("pawl", "/proc", "tmpfs", MS_RDONLY, "size=4k,nr_inodes=1") != 0)
        return failed(finding, "mount(tmpfs)");
    if (chdir("/proc") != 0 || syscall(SYS_pivot_root, ".", ".") != 0)
        return failed(finding, "pivot_root");
    if (umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return failed(finding, "umount2(the old root)");
    if (access("/proc", F_OK) == 0)
        return wrong(finding, "the old root is still there");
    return good(finding, "the root became an empty directory");
}

static bool try_pid(struct finding *finding)
{
    int status;
    /* Root makes it directly, as the confine provider does. */
    if (geteuid() != 0 && !enter_user_namespace(finding))
        return false;
    if (unshare(CLONE_NEWPID) != 0)
        return failed(finding, "unshare(CLONE_NEWPID)");
    pid_t child = fork();
    if (child == 0)
        _exit(getpid() == 1 ? 0 : 1);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return failed(finding, "fork");
    return status == 0 ? good(finding, "a process became the first of its own")
                       : wrong(finding, "a process in it is not the first one");
}

static bool is_filtered(void)
{
    char line[256];
    bool filtered = false;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        filtered = filtered || strncmp(line, "Seccomp:\t2", 10) == 0;
    if (file != NULL)
        fclose(file);
    return filtered;
}

/* Whether the root is the one that the kernel unpacked at boot, which cannot be left. */
static bool root_is_initramfs(void)
{
    char place[256], type[64];
    bool found = false;
    FILE *mounts = fopen("/proc/self/mounts", "re");
    while (mounts != NULL && fscanf(mounts, "%*s %255s %63s %*[^\n]", place, type) == 2)
        if (strcmp(place, "/") == 0)
            found = strcmp(type, "rootfs") == 0; /* the last one is on top */
    if (mounts != NULL)
        fclose(mounts);
    return found;
}

static const char *advise_namespaces(void)
{
    if (read_setting("/proc/sys/user/max_user_namespaces") == 0)
        return "sysctl user.max_user_namespaces is 0: raise it (15000, for example)";
    if (read_setting("/proc/sys/kernel/unprivileged_userns_clone") == 0)
        return "sysctl kernel.unprivileged_userns_clone is 0: set it to 1";
    if (read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
        return "AppArmor restricts user namespaces: give pawl-child a profile with `userns,`, or "
               "set"
               " sysctl kernel.apparmor_restrict_unprivileged_userns to 0";
    if (is_filtered())
        return "a seccomp filter is already in force (a container?): start the container with a "
               "profile that allows clone and unshare with namespaces, mount, umount2 and "
               "pivot_root; or set \"namespaces\": \"optional\" for the confine provider";
    if (root_is_initramfs())
        return "the root is an initramfs, which pivot_root cannot leave: boot with a root file "
               "system of its own; or set \"namespaces\": \"optional\" for the confine provider";
    return "use a kernel with this namespace (CONFIG_USER_NS and the others); or set "
           "\"namespaces\": \"optional\" for the confine provider";
}

/* --- What a process forbids itself ----------------------------------------------------------- */

static bool try_no_new_privileges(struct finding *finding)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return failed(finding, "prctl(PR_SET_NO_NEW_PRIVS)");
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? good(finding, "set")
                                                       : wrong(finding, "it is not set");
}

static bool try_capabilities(struct finding *finding)
{
    if (prctl(PR_CAPBSET_READ, 0, 0, 0, 0) < 0)
        return failed(finding, "prctl(PR_CAPBSET_READ)");
    if (prctl(PR_CAPBSET_DROP, 0, 0, 0, 0) != 0) {
        if (!enter_user_namespace(finding))
            return false;
        if (prctl(PR_CAPBSET_DROP, 0, 0, 0, 0) != 0)
            return failed(finding, "prctl(PR_CAPBSET_DROP)");
    }
    return prctl(PR_CAPBSET_READ, 0, 0, 0, 0) == 0
               ? good(finding, "one was taken out of the bounding set")
               : wrong(finding, "the bounding set did not change");
}

static bool try_seccomp(struct finding *finding)
{
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {4, instructions};
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
            _exit(errno);
        syscall(SYS_getppid);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return failed(finding, "fork");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return good(finding, "a forbidden system call ended its process");
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return errno != 0 ? failed(finding, "seccomp(SECCOMP_SET_MODE_FILTER)")
                      : wrong(finding, "a forbidden system call was survived");
}

static const char *advise_seccomp(void)
{
    return "use a kernel with CONFIG_SECCOMP_FILTER (and a container that allows seccomp): without "
           "it there is no level `os`";
}

static bool try_landlock(struct finding *finding)
{
    const uint64_t files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    long abi = syscall(444, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 0)
        return failed(finding, "landlock_create_ruleset");
    long ruleset = syscall(444, &files, sizeof(files), 0);
    if (ruleset < 0)
        return failed(finding, "landlock_create_ruleset");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(446, ruleset, 0) != 0)
        return failed(finding, "landlock_restrict_self");
    int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0)
        return wrong(finding, "a directory could still be opened");
    return good(finding, "ABI %ld; a directory could no longer be opened", abi);
}

static const char *advise_landlock(void)
{
    return "use a kernel with CONFIG_SECURITY_LANDLOCK and `landlock` in its lsm= list; level `os` "
           "does without it";
}

static bool try_keyring(struct finding *finding)
{
    long own = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    return own < 0 ? failed(finding, "keyctl(KEYCTL_JOIN_SESSION_KEYRING)")
                   : good(finding, "joined a new one");
}

/* --- Limits ---------------------------------------------------------------------------------- */

static bool try_memory_limit(struct finding *finding)
{
    const struct rlimit limit = {64u << 20, 64u << 20};
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return failed(finding, "setrlimit(RLIMIT_DATA)");
    void *memory = mmap(NULL, (size_t)256 << 20, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? good(finding, "256 MiB were refused where 64 MiB were allowed")
                                : wrong(finding, "256 MiB were had where 64 MiB were allowed");
}

static bool try_process_limit(struct finding *finding)
{
    const struct rlimit none = {0, 0};
    if (geteuid() == 0 && setresuid(NOBODYS_ID, NOBODYS_ID, NOBODYS_ID) != 0)
        return failed(finding, "becoming an unprivileged user");
    if (setrlimit(RLIMIT_NPROC, &none) != 0)
        return failed(finding, "setrlimit(RLIMIT_NPROC)");
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child < 0 ? good(finding, "fork was refused") : wrong(finding, "fork was allowed");
}

static bool try_start(struct finding *finding)
{
    int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (pidfd < 0)
        return failed(finding, "pidfd_open");
    if (syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) != 0)
        return failed(finding, "pidfd_send_signal");
    if (syscall(SYS_close_range, ~0u, ~0u, 0) != 0)
        return failed(finding, "close_range");
    return good(finding, "pidfd and close_range work");
}

static const char *advise_start(void)
{
    return "use Linux 5.9 or newer: without it no child can be started";
}

/* This process's own group in the hierarchy of version 2; false: there is none. */
static bool own_group(char *path, size_t size)
{
    char line[4096], place[4096] = "", own[4096] = "";
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (strstr(line, " - cgroup2 ") != NULL && place[0] == '\0')
            sscanf(line, "%*s %*s %*s %*s %4095s", place);
    if (file != NULL)
        fclose(file);
    file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, "0::", 3) == 0)
            sscanf(line + 3, "%4095s", own);
    if (file != NULL)
        fclose(file);
    snprintf(path, size, "%s%s", place, strcmp(own, "/") == 0 ? "" : own);
    return place[0] != '\0' && own[0] != '\0';
}

static bool try_cgroup(struct finding *finding)
{
    char path[8300], file[8400];
    if (!own_group(path, sizeof(path)))
        return wrong(finding, "no cgroup v2 hierarchy is mounted here");
    snprintf(file, sizeof(file), "%s/pawl-doctor-%d", path, (int)getpid());
    if (mkdir(file, 0755) != 0) {
        snprintf(finding->how, sizeof(finding->how), "a group in %.80s: %s", path, strerror(errno));
        return false;
    }
    snprintf(file, sizeof(file), "%s/pawl-doctor-%d/memory.max", path, (int)getpid());
    bool limited = write_file(file, "67108864");
    int error = errno;
    *strrchr(file, '/') = '\0';
    rmdir(file);
    if (!limited) {
        snprintf(finding->how, sizeof(finding->how), "memory.max of a group in %.80s: %s", path,
                 strerror(error));
        return false;
    }
    return good(finding, "a group with memory.max was made in %.80s", path);
}

static const char *advise_cgroup(void)
{
    return "only for exact memory limits of children: delegate a cgroup v2 directory with the "
           "controllers memory and pids (systemd: Delegate=yes) and name it in the provider's "
           "\"cgroup\"";
}

static bool try_kvm(struct finding *finding)
{
    int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
    if (kvm < 0)
        return failed(finding, "/dev/kvm");
    int version = ioctl(kvm, KVM_GET_API_VERSION, 0);
    int machine = version < 0 ? -1 : ioctl(kvm, KVM_CREATE_VM, 0);
    if (machine < 0)
        return failed(finding, "ioctl(/dev/kvm, KVM_CREATE_VM)");
    return good(finding, "API %d; a machine was made", version);
}

static const char *advise_kvm(void)
{
    return "only for level `machine`, which no provider that comes with pawl has";
}

const struct trial trials[] = {
    {"start", "starting a child", try_start, "subprocess, confine", advise_start},
    {"seccomp", "seccomp filter", try_seccomp, "confine", advise_seccomp},
    {"no_new_privs", "no new privileges", try_no_new_privileges, "confine", advise_seccomp},
    {"user_namespace", "user namespace", try_user, "confine", advise_namespaces},
    {"mount_namespace", "mount namespace", try_mount, "confine", advise_namespaces},
    {"pid_namespace", "pid namespace", try_pid, "confine", advise_namespaces},
    {"net_namespace", "net namespace", try_net, "confine", advise_namespaces},
    {"ipc_namespace", "ipc namespace", try_ipc, "confine", advise_namespaces},
    {"uts_namespace", "uts namespace", try_uts, "confine", advise_namespaces},
    {"cgroup_namespace", "cgroup namespace", try_cgroup_namespace, "confine", advise_namespaces},
    {"capabilities", "capabilities", try_capabilities, "confine", advise_namespaces},
    {"landlock", "Landlock", try_landlock, "confine", advise_landlock},
    {"keyring", "session keyring", try_keyring, "confine", NULL},
    {"rlimit_data", "memory limit", try_memory_limit, "subprocess, confine", NULL},
    {"rlimit_nproc", "process limit", try_process_limit, "subprocess, confine", NULL},
    {"cgroup2", "cgroup v2 delegation", try_cgroup, "subprocess, confine", advise_cgroup},
    {"kvm", "KVM", try_kvm, "level machine", advise_kvm},
};

const size_t trial_count = sizeof(trials) / sizeof(trials[0]);
