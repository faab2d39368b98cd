#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif
#ifndef AF_ALG
#define AF_ALG 38
#endif

#define TARGET const struct probe_target *target

static int result(long returned)
{
    return returned < 0 ? errno : 0;
}

/* The call is reached if the kernel says anything but that there is none, or that it is not for us:
 * for calls whose success nobody wants. */
static int reached(long returned)
{
    return returned < 0 && (errno == ENOSYS || errno == EPERM || errno == EACCES) ? errno : 0;
}

/* --- Files ----------------------------------------------------------------------------------- */

static int open_path(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return result(fd);
}

static int read_file(TARGET)
{
    (void)target;
    return open_path("/etc/passwd", O_RDONLY);
}

static int write_file(TARGET)
{
    return open_path(target->file, O_WRONLY);
}

static int create_file(TARGET)
{
    (void)target;
    return open_path("/tmp/pawl-probe", O_CREAT | O_WRONLY);
}

static int list_root(TARGET)
{
    (void)target;
    return open_path("/etc", O_RDONLY | O_DIRECTORY);
}

static int open_like_new(TARGET)
{
    const uint64_t how[3] = {O_RDONLY, 0, 0};
    (void)target;
    return result(syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof(how)));
}

static int stat_file(TARGET)
{
    struct stat stat_;
    (void)target;
    return result(stat("/etc/passwd", &stat_));
}

static int unlink_file(TARGET)
{
    return result(unlink(target->file));
}

static int make_directory(TARGET)
{
    (void)target;
    return result(mkdir("/tmp/pawl-probe-directory", 0700));
}

static int change_directory(TARGET)
{
    (void)target;
    return result(chdir("/etc"));
}

static int shared_memory_file(TARGET)
{
    (void)target;
    return open_path("/dev/shm/pawl-probe", O_CREAT | O_WRONLY);
}

static int read_processes(TARGET)
{
    (void)target;
    return open_path("/proc/1/status", O_RDONLY);
}

static int own_memory_file(TARGET)
{
    (void)target;
    return open_path("/proc/self/mem", O_RDWR);
}

static int kernel_settings(TARGET)
{
    (void)target;
    return open_path("/proc/sys/kernel/hostname", O_RDONLY);
}

static int inherited_descriptor(TARGET)
{
    char byte;
    return result(read(target->descriptor, &byte, 1));
}

static int any_descriptor(TARGET)
{
    struct stat stat_;
    (void)target;
    for (int fd = 0; fd < 6000; fd++)
        if (fstat(fd, &stat_) == 0 && (S_ISREG(stat_.st_mode) || S_ISDIR(stat_.st_mode) ||
                                       S_ISSOCK(stat_.st_mode) || S_ISCHR(stat_.st_mode)))
            return 0;
    return EBADF;
}

static int inode_watch(TARGET)
{
    (void)target;
    return result(syscall(SYS_inotify_init1, 0));
}

static int file_handle(TARGET)
{
    (void)target;
    return reached(syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY));
}

/* --- Network --------------------------------------------------------------------------------- */

static int open_socket(int domain, int type, int protocol)
{
    int fd = socket(domain, type | SOCK_CLOEXEC, protocol);
    if (fd >= 0)
        close(fd);
    return result(fd);
}

static int internet(TARGET)
{
    (void)target;
    return open_socket(AF_INET, SOCK_STREAM, 0);
}

static int internet6(TARGET)
{
    (void)target;
    return open_socket(AF_INET6, SOCK_DGRAM, 0);
}

static int netlink(TARGET)
{
    (void)target;
    return open_socket(AF_NETLINK, SOCK_RAW, 0);
}

static int packet(TARGET)
{
    (void)target;
    return open_socket(AF_PACKET, SOCK_RAW, 0);
}

static int vsock(TARGET)
{
    (void)target;
    return open_socket(AF_VSOCK, SOCK_STREAM, 0);
}

static int algorithms(TARGET)
{
    (void)target;
    return open_socket(AF_ALG, SOCK_SEQPACKET, 0);
}

static int unix_path(TARGET)
{
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/pawl-probe"};
    (void)target;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int connected = connect(fd, (const struct sockaddr *)&address, sizeof(address));
    int error = errno;
    close(fd);
    return connected == 0 || error == ECONNREFUSED || error == ENOENT ? 0 : error;
}

static int unix_abstract(TARGET)
{
    const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0pawl-probe"};
    (void)target;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int connected = connect(fd, (const struct sockaddr *)&address, sizeof(address));
    int error = errno;
    close(fd);
    return connected == 0 || error == ECONNREFUSED ? 0 : error;
}

static int unix_pair(TARGET)
{
    int pair[2];
    (void)target;
    return result(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

/* In a network namespace of its own there is not even a loopback that is up. */
static int loopback(TARGET)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    (void)target;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int sent = (int)sendto(fd, "", 1, 0, (const struct sockaddr *)&address, sizeof(address));
    int error = errno;
    close(fd);
    return sent >= 0 || error == ECONNREFUSED || error == ENETUNREACH ? 0 : error;
}

/* --- Other processes ------------------------------------------------------------------------- */

static int trace(TARGET)
{
    return result(ptrace(PTRACE_SEIZE, target->victim, NULL, NULL));
}

static int trace_me(TARGET)
{
    (void)target;
    return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

/* An address that is the same in the victim, which was forked from the same program. */
static int read_memory(TARGET)
{
    static char here = 1;
    char byte;
    const struct iovec to = {&byte, 1}, from = {&here, 1};
    return result(process_vm_readv(target->victim, &to, 1, &from, 1, 0));
}

static int write_memory(TARGET)
{
    static char here = 1;
    char byte = 1;
    const struct iovec from = {&byte, 1}, to = {&here, 1};
    return result(process_vm_writev(target->victim, &from, 1, &to, 1, 0));
}

static int open_process(TARGET)
{
    return result(syscall(SYS_pidfd_open, target->victim, 0));
}

static int take_descriptor(TARGET)
{
    int pidfd = (int)syscall(SYS_pidfd_open, target->victim, 0);
    return pidfd < 0 ? errno : result(syscall(SYS_pidfd_getfd, pidfd, 0, 0));
}

static int limit_another(TARGET)
{
    struct rlimit limit;
    return result(syscall(SYS_prlimit64, target->victim, RLIMIT_CPU, NULL, &limit));
}

static int signal_victim(TARGET)
{
    return result(kill(target->victim, 0));
}

static int kill_all(TARGET)
{
    (void)target;
    return result(kill(-1, SIGTERM));
}

static int signal_parent(TARGET)
{
    (void)target;
    return result(kill(getppid(), 0));
}

static int signal_thread(TARGET)
{
    return result(syscall(SYS_tgkill, target->victim, target->victim, 0));
}

static int queue_signal(TARGET)
{
    siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
    return result(syscall(SYS_rt_sigqueueinfo, target->victim, 0, &info));
}

static int own_descriptor(TARGET)
{
    return result(fcntl(1, F_SETOWN, target->victim));
}

static int priority(TARGET)
{
    return result(setpriority(PRIO_PROCESS, (id_t)target->victim, 19));
}

static int schedule(TARGET)
{
    const struct sched_param parameters = {0};
    (void)target;
    return result(sched_setscheduler(0, SCHED_BATCH, &parameters));
}

/* --- Processes of its own -------------------------------------------------------------------- */

static int execute(TARGET)
{
    char *const arguments[] = {"true", NULL}, *const environment[] = {NULL};
    (void)target;
    execve("/bin/true", arguments, environment);
    return errno;
}

static int execute_memory(TARGET)
{
    char *const arguments[] = {"x", NULL}, *const environment[] = {NULL};
    (void)target;
    int fd = (int)syscall(SYS_memfd_create, "x", 0);
    if (fd < 0 || write(fd, "#!/bin/true\n", 12) != 12)
        return errno;
    syscall(SYS_execveat, fd, "", arguments, environment, AT_EMPTY_PATH);
    return errno;
}

static int fork_once(TARGET)
{
    (void)target;
    long child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    int error = errno;
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    errno = error;
    return result(child);
}

static int fork_bomb(TARGET)
{
    int error = 0;
    (void)target;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0)
            error = errno;
    }
    while (wait(NULL) > 0)
        ;
    return error;
}

static int new_thread(TARGET)
{
    static _Alignas(16) char stack[16384];
    (void)target;
    /* It shares everything, and stops at once: the first thing it does is a system call that ends
     * the thread. */
    const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
#if defined(__x86_64__)
    long thread;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "mov $60, %%eax\n\t"
                     "xor %%edi, %%edi\n\t"
                     "syscall\n"
                     "1:"
                     : "=a"(thread)
                     : "a"(SYS_clone), "D"(flags), "S"(stack + sizeof(stack)), "d"(0)
                     : "rcx", "r11", "memory");
    return thread < 0 ? (int)-thread : 0;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = (long)flags;
    register char *x1 __asm__("x1") = stack + sizeof(stack);
    register long x2 __asm__("x2") = 0, x3 __asm__("x3") = 0, x4 __asm__("x4") = 0;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x8, #93\n\t"
                     "svc #0\n"
                     "1:"
                     : "+r"(x0), "+r"(x8)
                     : "r"(x1), "r"(x2), "r"(x3), "r"(x4)
                     : "memory");
    return x0 < 0 ? (int)-x0 : 0;
#else
    (void)flags;
    (void)stack;
    return ENOSYS;
#endif
}

static int clone_like_new(TARGET)
{
    uint64_t arguments[8] = {[4] = SIGCHLD};
    (void)target;
    long child = syscall(SYS_clone3, arguments, sizeof(arguments));
    if (child == 0)
        _exit(0);
    int error = errno;
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    errno = error;
    return result(child);
}

static int clone_namespace(TARGET)
{
    (void)target;
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    return result(child);
}

/* --- Namespaces, root and identity ----------------------------------------------------------- */

static int unshare_user(TARGET)
{
    (void)target;
    return result(unshare(CLONE_NEWUSER));
}

static int unshare_mount(TARGET)
{
    (void)target;
    return result(unshare(CLONE_NEWNS));
}

static int enter_namespace(TARGET)
{
    int pidfd = (int)syscall(SYS_pidfd_open, target->victim, 0);
    return pidfd < 0 ? errno : result(setns(pidfd, CLONE_NEWUTS));
}

static int mount_tmpfs(TARGET)
{
    (void)target;
    return result(mount("probe", "/", "tmpfs", 0, NULL));
}

static int mount_like_new(TARGET)
{
    (void)target;
    return result(syscall(SYS_fsopen, "tmpfs", 0));
}

static int open_tree_(TARGET)
{
    (void)target;
    return result(syscall(SYS_open_tree, AT_FDCWD, "/", 0));
}

static int unmount(TARGET)
{
    (void)target;
    return result(umount2("/tmp", MNT_DETACH));
}

static int change_root(TARGET)
{
    (void)target;
    return result(chroot("/"));
}

static int pivot(TARGET)
{
    (void)target;
    if (syscall(SYS_pivot_root, "/", "/") == 0 || errno == EBUSY || errno == EINVAL)
        return 0;
    return errno;
}

static int set_user(TARGET)
{
    (void)target;
    return result(setuid(0));
}

static int set_all_users(TARGET)
{
    (void)target;
    return result(syscall(SYS_setresuid, 0, 0, 0));
}

static int set_groups(TARGET)
{
    (void)target;
    return result(syscall(SYS_setgroups, 0, NULL));
}

static int set_capabilities(TARGET)
{
    uint32_t header[2] = {0x20080522, 0}, data[6] = {0};
    (void)target;
    if (syscall(SYS_capget, header, data) != 0)
        return errno;
    data[0] |= 1u << 21; /* CAP_SYS_ADMIN */
    data[1] |= 1u << 21;
    return result(syscall(SYS_capset, header, data));
}

static int set_name_of_host(TARGET)
{
    (void)target;
    return result(sethostname("probe", 5));
}

static int keep_dumpable(TARGET)
{
    (void)target;
    return result(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static int outlive_parent(TARGET)
{
    (void)target;
    return result(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int own_session(TARGET)
{
    (void)target;
    return reached(setsid()) == 0 ? 0 : errno;
}

/* --- Limits and memory ----------------------------------------------------------------------- */

static int raise_core(TARGET)
{
    const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    (void)target;
    return result(setrlimit(RLIMIT_CORE, &limit));
}

static int raise_files(TARGET)
{
    struct rlimit limit;
    (void)target;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return errno;
    limit.rlim_cur = limit.rlim_max = 1024;
    return result(setrlimit(RLIMIT_NOFILE, &limit));
}

static int memory_bomb(TARGET)
{
    (void)target;
    void *memory = mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

static int code_mapping(TARGET)
{
    (void)target;
    void *memory =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

static int code_later(TARGET)
{
    (void)target;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : result(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}

static int code_by_key(TARGET)
{
    (void)target;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED
               ? errno
               : result(syscall(SYS_pkey_mprotect, memory, 4096, PROT_READ | PROT_EXEC, -1));
}

static int change_personality(TARGET)
{
    (void)target;
    return result(personality(READ_IMPLIES_EXEC));
}

static int page_faults(TARGET)
{
    (void)target;
    return result(syscall(SYS_userfaultfd, 1));
}

static int lock_memory(TARGET)
{
    static char page[4096];
    (void)target;
    return result(syscall(SYS_mlock, page, sizeof(page))); /* sanitizers do not let it through */
}

static int segments(TARGET)
{
    (void)target;
    return result(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
}

static int queues(TARGET)
{
    (void)target;
    return result(syscall(SYS_mq_open, "pawl-probe", O_CREAT | O_RDWR, 0600, NULL));
}

/* --- The kernel ------------------------------------------------------------------------------ */

static int load_bpf(TARGET)
{
    (void)target;
    return reached(syscall(SYS_bpf, 0, NULL, 0));
}

static int count_performance(TARGET)
{
    (void)target;
    return reached(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
}

static int set_up_ring(TARGET)
{
    char parameters[256] = {0};
    (void)target;
    return reached(syscall(SYS_io_uring_setup, 1, parameters));
}

static int join_keyring(TARGET)
{
    (void)target;
    return result(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1));
}

static int add_key(TARGET)
{
    (void)target;
    return result(syscall(SYS_add_key, "user", "pawl-probe", "x", 1, KEY_SPEC_PROCESS_KEYRING));
}

static int ask_for_key(TARGET)
{
    (void)target;
    return reached(syscall(SYS_request_key, "user", "pawl-probe", NULL, 0));
}

static int adjust_clock(TARGET)
{
    struct timex timex_ = {0};
    (void)target;
    return result(clock_adjtime(CLOCK_REALTIME, &timex_));
}

static int set_clock(TARGET)
{
    (void)target;
    return reached(syscall(SYS_clock_settime, CLOCK_MONOTONIC, NULL));
}

static int read_log(TARGET)
{
    (void)target;
    return result(syscall(SYS_syslog, 10, NULL, 0));
}

static int reboot_(TARGET)
{
    (void)target;
    return reached(syscall(SYS_reboot, 0xfee1deadu, 672274793, 0x77777777, NULL));
}

static int load_module(TARGET)
{
    (void)target;
    return reached(syscall(SYS_init_module, NULL, 0, ""));
}

static int load_kernel(TARGET)
{
    (void)target;
    return reached(syscall(SYS_kexec_load, 0, 0, NULL, 0xffff0000u));
}

static int swap(TARGET)
{
    (void)target;
    return reached(syscall(SYS_swapoff, "/nowhere"));
}

static int install_filter(TARGET)
{
    (void)target;
    return result(syscall(SYS_seccomp, 2, 0, (const uint32_t[]){0x7fff0000u}));
}

static int push_back(TARGET)
{
    (void)target;
    return result(ioctl(0, TIOCSTI, "x"));
}

static int splice_(TARGET)
{
    (void)target;
    return reached(syscall(SYS_vmsplice, 1, NULL, 0, 0));
}

#if defined(__x86_64__)
static int other_pointers(TARGET)
{
    (void)target;
    return result(syscall(0x40000000 + SYS_getpid));
}

static int other_architecture(TARGET)
{
    long returned;
    (void)target;
    __asm__ volatile("int $0x80" : "=a"(returned) : "a"(20L) : "memory"); /* getpid */
    return returned > 0 ? 0 : ENOSYS;
}

static int descriptor_table(TARGET)
{
    char buffer[16];
    (void)target;
    return result(syscall(SYS_modify_ldt, 0, buffer, sizeof(buffer)));
}

static int port_rights(TARGET)
{
    (void)target;
    return result(syscall(SYS_iopl, 0));
}
#endif

/* Behind the filter everything that takes a path, an address or a process dies, or is told that it
 * may not; what the rest of the jail would have said stands beside it. */
const struct probe probes[] = {
    {"read-file", read_file, "EACCES", "ENOENT"},
    {"write-file", write_file, "EACCES", "ENOENT"},
    {"create-file", create_file, "EACCES", "ENOENT"},
    {"list-directory", list_root, "EACCES", "ENOENT"},
    {"openat2", open_like_new, "SIGSYS", "ENOENT"},
    {"stat-file", stat_file, "EACCES", "ENOENT"},
    {"unlink-file", unlink_file, "SIGSYS", "ENOENT"},
    {"make-directory", make_directory, "SIGSYS", "ENOENT"},
    {"change-directory", change_directory, "SIGSYS", "ENOENT"},
    {"dev-shm", shared_memory_file, "EACCES", "ENOENT"},
    {"proc-other", read_processes, "EACCES", "ENOENT"},
    {"proc-self-mem", own_memory_file, "EACCES", "ENOENT"},
    {"proc-sys", kernel_settings, "EACCES", "ENOENT"},
    {"inherited-descriptor", inherited_descriptor, "EBADF", NULL},
    {"any-descriptor", any_descriptor, "EBADF", NULL},
    {"inotify", inode_watch, "SIGSYS", NULL},
    {"open-by-handle", file_handle, "SIGSYS", NULL},

    {"socket-inet", internet, "SIGSYS", NULL},
    {"socket-inet6", internet6, "SIGSYS", NULL},
    {"socket-netlink", netlink, "SIGSYS", NULL},
    {"socket-packet", packet, "SIGSYS", "EPERM"},
    {"socket-vsock", vsock, "SIGSYS", NULL},
    {"socket-alg", algorithms, "SIGSYS", NULL},
    {"socket-unix-path", unix_path, "SIGSYS", NULL},
    {"socket-unix-abstract", unix_abstract, "SIGSYS", NULL},
    {"socketpair", unix_pair, "SIGSYS", NULL},
    {"connect-loopback", loopback, "SIGSYS", NULL},

    {"ptrace", trace, "SIGSYS", "ESRCH"},
    {"ptrace-me", trace_me, "SIGSYS", NULL},
    {"process-vm-readv", read_memory, "SIGSYS", "ESRCH"},
    {"process-vm-writev", write_memory, "SIGSYS", "ESRCH"},
    {"pidfd-open", open_process, "SIGSYS", "ESRCH"},
    {"pidfd-getfd", take_descriptor, "SIGSYS", "ESRCH"},
    {"prlimit-other", limit_another, "SIGSYS", "ESRCH"},
    {"kill-victim", signal_victim, "SIGSYS", "ESRCH"},
    {"kill-all", kill_all, "SIGSYS", "ESRCH"},
    {"kill-parent", signal_parent, "SIGSYS", NULL},
    {"tgkill-other", signal_thread, "SIGSYS", "ESRCH"},
    {"sigqueue", queue_signal, "SIGSYS", "ESRCH"},
    {"fcntl-setown", own_descriptor, "EPERM", NULL},
    {"setpriority", priority, "SIGSYS", "ESRCH"},
    {"setscheduler", schedule, "SIGSYS", NULL},

    {"execve", execute, "SIGSYS", "ENOENT EAGAIN"},
    {"memfd-execveat", execute_memory, "SIGSYS", "EFBIG"},
    {"fork", fork_once, "SIGSYS", "EAGAIN"},
    {"fork-bomb", fork_bomb, "SIGSYS", "EAGAIN"},
    {"thread", new_thread, "EPERM", "EAGAIN"},
    {"clone3", clone_like_new, "ENOSYS", "EAGAIN"},
    {"clone-newuser", clone_namespace, "SIGSYS", "EAGAIN"},

    {"unshare-user", unshare_user, "SIGSYS", NULL},
    {"unshare-mount", unshare_mount, "SIGSYS", "EPERM"},
    {"setns", enter_namespace, "SIGSYS", "ESRCH"},
    {"mount", mount_tmpfs, "SIGSYS", "EPERM"},
    {"fsopen", mount_like_new, "SIGSYS", "EPERM"},
    {"open-tree", open_tree_, "SIGSYS", NULL},
    {"umount", unmount, "SIGSYS", "ENOENT"},
    {"chroot", change_root, "SIGSYS", "EPERM"},
    {"pivot-root", pivot, "SIGSYS", "EPERM"},
    {"setuid", set_user, "SIGSYS", "EINVAL"},
    {"setresuid", set_all_users, "SIGSYS", "EINVAL"},
    {"setgroups", set_groups, "SIGSYS", "EPERM"},
    {"capset", set_capabilities, "SIGSYS", "EPERM"},
    {"sethostname", set_name_of_host, "SIGSYS", "EPERM"},
    {"dumpable", keep_dumpable, "EPERM", NULL},
    {"outlive-parent", outlive_parent, "EPERM", NULL},
    {"setsid", own_session, "SIGSYS", NULL},

    {"raise-core", raise_core, "EPERM", "EPERM"},
    {"raise-nofile", raise_files, "EPERM", "EPERM"},
    {"memory-bomb", memory_bomb, "ENOMEM", NULL},
    {"mmap-exec", code_mapping, "SIGSYS", NULL},
    {"mprotect-exec", code_later, "SIGSYS", NULL},
    {"pkey-mprotect-exec", code_by_key, "SIGSYS", NULL},
    {"personality", change_personality, "SIGSYS", NULL},
    {"userfaultfd", page_faults, "SIGSYS", NULL},
    {"mlock", lock_memory, "SIGSYS", "EPERM"},
    {"sysv-shm", segments, "SIGSYS", NULL},
    {"mqueue", queues, "SIGSYS", NULL},

    {"bpf", load_bpf, "SIGSYS", NULL},
    {"perf-event", count_performance, "SIGSYS", NULL},
    {"io-uring", set_up_ring, "SIGSYS", NULL},
    {"keyctl", join_keyring, "SIGSYS", NULL},
    {"add-key", add_key, "SIGSYS", NULL},
    {"request-key", ask_for_key, "SIGSYS", NULL},
    {"clock-adjtime", adjust_clock, "SIGSYS", NULL},
    {"clock-settime", set_clock, "SIGSYS", NULL},
    {"syslog", read_log, "SIGSYS", NULL},
    {"reboot", reboot_, "SIGSYS", "EPERM"},
    {"init-module", load_module, "SIGSYS", "EPERM"},
    {"kexec-load", load_kernel, "SIGSYS", "EPERM"},
    {"swapoff", swap, "SIGSYS", "EPERM"},
    {"seccomp", install_filter, "SIGSYS", NULL},
    {"tiocsti", push_back, "ENOTTY", NULL},
    {"vmsplice", splice_, "SIGSYS", NULL},
#if defined(__x86_64__)
    {"x32", other_pointers, "SIGSYS", NULL},
    {"int80", other_architecture, "SIGSYS", NULL},
    {"modify-ldt", descriptor_table, "SIGSYS", NULL},
    {"iopl", port_rights, "SIGSYS", NULL},
#endif
};

const size_t probe_count = sizeof(probes) / sizeof(probes[0]);
