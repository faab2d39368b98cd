/*
 * The filter on system calls: the program that is made of the table, instruction by instruction in
 * an interpreter, for every architecture; and live, in the kernel, for this one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "providers/lock/filter.h"
#include "tests/unit/lock_numbers.h"
#include "tests/unit/test.h"

#define SELF 4711

static struct sock_filter program[FILTER_MOST];
static size_t length;
static bool visited[FILTER_MOST];

/* --- The interpreter ------------------------------------------------------------------------- */

/* What the kernel would do. Whatever the kernel would refuse to load is a failed test. */
static uint32_t interpret(const struct seccomp_data *data)
{
    uint32_t accumulator = 0;
    for (size_t at = 0; at < length;) {
        const struct sock_filter *instruction = &program[at];
        bool taken = false;
        visited[at] = true;
        switch (instruction->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            if (instruction->k % 4 != 0 || instruction->k + 4 > sizeof(*data)) {
                CU_FAIL("a load outside of the data");
                return 0;
            }
            memcpy(&accumulator, (const char *)data + instruction->k, 4);
            at++;
            continue;
        case BPF_JMP | BPF_JEQ | BPF_K:
            taken = accumulator == instruction->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            taken = accumulator >= instruction->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            taken = (accumulator & instruction->k) != 0;
            break;
        case BPF_RET | BPF_K:
            return instruction->k;
        default:
            CU_FAIL("an unknown instruction");
            return 0;
        }
        at += 1u + (taken ? instruction->jt : instruction->jf);
    }
    CU_FAIL("the program ends without a verdict");
    return 0;
}

static const uint32_t audit[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64};

static uint32_t verdict(enum filter_arch arch, uint32_t number, unsigned argument, uint64_t value)
{
    struct seccomp_data data = {.nr = (int)number, .arch = audit[arch]};
    data.args[argument] = value;
    return interpret(&data);
}

static enum filter_profile profile;

static void compile(enum filter_arch arch)
{
    length = filter_compile(profile, arch, SELF, program);
    memset(visited, 0, sizeof(visited));
}

/* --- The program ----------------------------------------------------------------------------- */

static uint32_t action(const struct filter_rule *rule)
{
    return rule->error == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | rule->error;
}

/* Whether it holds for that value of its argument, of which only the lower half counts. */
static bool holds(const struct filter_rule *rule, uint64_t value)
{
    const uint32_t low = (uint32_t)value;
    switch (rule->test) {
    case FILTER_CLEAR:
        return (low & rule->value) == 0;
    case FILTER_SET:
        return (low & rule->value) != 0;
    case FILTER_EQUAL:
        return low == rule->value;
    case FILTER_SELF:
        return low == SELF;
    default:
        return true;
    }
}

/* What the table says, read in its own order, of a call of which one argument is `value` and the
 * others are 0. */
static uint32_t read_table(enum filter_arch arch, uint32_t number, unsigned argument,
                           uint64_t value)
{
    const struct filter_rule *rule;
    for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++)
        if (rule->number[arch] == (int)number &&
            holds(rule, rule->argument == argument ? value : 0))
            return action(rule);
    return filter_otherwise(profile);
}

/* Every number, with every value on either side of what some rule tests. */
static void follow_table(enum filter_arch arch)
{
    const uint64_t high = UINT64_C(0xdeadbeef) << 32;
    const struct filter_rule *rule;
    compile(arch);
    CU_ASSERT(length > 0 && length <= FILTER_MOST);
    for (uint32_t number = 0; number < 2048; number++) {
        CU_ASSERT_EQUAL(verdict(arch, number, 0, 0), read_table(arch, number, 0, 0));
        for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++) {
            if (rule->number[arch] != (int)number)
                continue;
            const uint32_t value = rule->test == FILTER_SELF ? SELF : rule->value;
            const uint64_t values[] = {0,         value,         value + 1,  value | high,
                                       ~value,    ~value | high, UINT64_MAX, high,
                                       value - 1u};
            for (size_t j = 0; j < sizeof(values) / sizeof(values[0]); j++)
                CU_ASSERT_EQUAL(verdict(arch, number, rule->argument, values[j]),
                                read_table(arch, number, rule->argument, values[j]));
        }
    }
    CU_ASSERT_EQUAL(verdict(arch, INT32_MAX, 0, 0),
                    arch == FILTER_X86_64 ? SECCOMP_RET_KILL_PROCESS : filter_otherwise(profile));
}

static void other_architectures(enum filter_arch arch)
{
    static const uint32_t others[] = {
        AUDIT_ARCH_I386, AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM, 0, UINT32_MAX};
    compile(arch);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        for (int number = 0; number < 512 && others[i] != audit[arch]; number++) {
            const struct seccomp_data data = {.nr = number, .arch = others[i]};
            CU_ASSERT_EQUAL(interpret(&data), SECCOMP_RET_KILL_PROCESS);
        }
}

static void for_profiles(void (*test)(enum filter_arch arch), enum filter_arch arch)
{
    for (profile = 0; profile < FILTER_PROFILES; profile++)
        test(arch);
    profile = FILTER_ENGINE;
}

static void x86_64_follows_table(void)
{
    for_profiles(follow_table, FILTER_X86_64);
}

static void aarch64_follows_table(void)
{
    for_profiles(follow_table, FILTER_AARCH64);
}

static void architecture_is_checked(void)
{
    for_profiles(other_architectures, FILTER_X86_64);
    for_profiles(other_architectures, FILTER_AARCH64);
}

static void refuse_x32(enum filter_arch arch)
{
    compile(arch);
    for (uint32_t number = 0; number < 1024; number++)
        CU_ASSERT_EQUAL(verdict(arch, 0x40000000u + number, 0, 0), SECCOMP_RET_KILL_PROCESS);
}

static void x32_is_refused(void)
{
    for_profiles(refuse_x32, FILTER_X86_64);
}

/* No instruction is there for nothing; but that nothing is left to be killed where four numbers
 * follow on each other may change with the table. */
static void reach_instructions(enum filter_arch arch)
{
    follow_table(arch);
    struct seccomp_data data = {.arch = 0};
    interpret(&data);
    if (arch == FILTER_X86_64)
        verdict(arch, 0x40000000u, 0, 0);
    for (size_t i = 0; i < length; i++) {
        /* Nor are there numbers behind a rule that always holds. */
        bool idle = program[i].k == filter_otherwise(profile) ||
                    (i > 0 && program[i].code == (BPF_LD | BPF_W | BPF_ABS));
        if (!visited[i] && !idle) {
            printf("# architecture %d: instruction %zu is never reached\n", arch, i);
            CU_FAIL("an instruction that is never reached");
        }
    }
}

static void every_instruction_is_reached(void)
{
    for_profiles(reach_instructions, FILTER_X86_64);
    for_profiles(reach_instructions, FILTER_AARCH64);
}

/* --- The table ------------------------------------------------------------------------------- */

static void compare_numbers(enum filter_arch arch)
{
    const struct filter_rule *rule;
    (void)arch;
    for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++) {
        const int x86_64 = number_x86_64(rule->name), aarch64 = number_aarch64(rule->name);
        if ((x86_64 != -2 && x86_64 != rule->number[FILTER_X86_64]) ||
            aarch64 != rule->number[FILTER_AARCH64]) {
            printf("# %s is %d and %d\n", rule->name, x86_64, aarch64);
            CU_FAIL("a number that the kernel's headers do not have");
        }
    }
}

static void numbers_are_the_kernels(void)
{
    for_profiles(compare_numbers, FILTER_NATIVE);
}

static void pin(const char *pinned)
{
    const struct filter_rule *rule;
    char names[4096] = "";
    for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++) {
        if (rule->error != 0)
            continue;
        strcat(names, rule->name);
        strcat(names, rule->test == FILTER_ALWAYS ? " " : "? ");
    }
    TEST_TEXT(names, pinned);
}

/* What a locked process may do is changed on purpose or not at all. */
static void allowed_calls_are_pinned(void)
{
    static const char common[] =
        "clock_gettime gettimeofday time clock_getres clock_nanosleep nanosleep read write readv "
        "writev poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 epoll_ctl fstat "
        "lseek close munmap mremap madvise mincore brk futex sched_yield getrandom "
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall "
        "tgkill? timer_create timer_settime timer_gettime timer_getoverrun timer_delete getpid "
        "gettid getppid getuid geteuid getgid getegid getcpu getrusage times sysinfo prlimit64? "
        "getrlimit setrlimit exit exit_group ";
    static const char command[] =
        "open openat access faccessat faccessat2 stat lstat newfstatat statx statfs fstatfs "
        "readlink readlinkat getcwd chdir getdents64 pread64 fadvise64 execve mmap? mmap? "
        "mprotect? mprotect? dup dup2 dup3 pipe pipe2 eventfd2 epoll_create1 ioctl? ioctl? ioctl? "
        "ioctl? fcntl? fcntl? fcntl? fcntl? fcntl? fcntl? recvfrom recvmsg sendto sendmsg shutdown "
        "getsockopt getsockname getpeername socketpair? wait4 arch_prctl set_tid_address "
        "set_robust_list rseq uname umask getpgrp getpgid getsid getgroups getresuid getresgid "
        "sched_getaffinity rt_sigsuspend rt_sigtimedwait ";
    char expected[4096];
    snprintf(expected, sizeof(expected), "%smmap? mprotect? ", common);
    pin(expected);
    profile = FILTER_COMMAND;
    snprintf(expected, sizeof(expected), "%s%s", common, command);
    pin(expected);
    profile = FILTER_ENGINE;
}

/* --- Live ------------------------------------------------------------------------------------ */

static int install(void)
{
    struct sock_fprog loaded = {.filter = program};
    loaded.len = (unsigned short)filter_compile(profile, FILTER_NATIVE, getpid(), program);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &loaded) != 0;
}

/* Makes a call behind the filter: its errno, 0, or the negative number of the signal. */
static int call_filtered(long number, long a, long b, long c)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (install() != 0)
            _exit(255);
        errno = 0;
        long returned = syscall(number, a, b, c, 0L, 0L, 0L);
        _exit(returned < 0 ? errno : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 255;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* x86-64's uretprobe and uprobe: newer kernels do not ask filters about them, because programs that
 * are being observed would die of it. Called from anywhere else they do nothing. */
static bool is_exempt(int number)
{
    return FILTER_NATIVE == FILTER_X86_64 && (number == 335 || number == 336);
}

/* Every number that the table does not know ends the process, whether the kernel has such a call or
 * not. */
static void unknown_calls_kill(void)
{
    int counted = 0;
    for (int number = 0; number < 480; number++) {
        bool known = is_exempt(number);
        const struct filter_rule *rule;
        for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++)
            known = known || rule->number[FILTER_NATIVE] == number;
        if (known)
            continue;
        counted++;
        int end = call_filtered(number, 0, 0, 0);
        if (end != -SIGSYS) {
            printf("# system call %d: %d\n", number, end);
            CU_FAIL("a call that is not in the table was survived");
        }
    }
    CU_ASSERT(counted > 300);
}

static void refused_calls_fail(void)
{
    const struct filter_rule *rule;
    for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++) {
        if (rule->error == 0 || rule->number[FILTER_NATIVE] < 0)
            continue;
        long argument = rule->test == FILTER_SET ? (long)rule->value : 0;
        CU_ASSERT_EQUAL(call_filtered(rule->number[FILTER_NATIVE], argument, 0, 0), rule->error);
    }
}

static void arguments_are_looked_at(void)
{
    CU_ASSERT_EQUAL(call_filtered(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC), -SIGSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_mprotect, 0, 4096, PROT_EXEC), -SIGSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_mprotect, 0, 4096, PROT_READ), ENOMEM);
    CU_ASSERT_EQUAL(call_filtered(SYS_prlimit64, getppid(), 0, 0), -SIGSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_prlimit64, 0, 0, 0), 0);
    CU_ASSERT_EQUAL(call_filtered(SYS_tgkill, getpid(), getpid(), 0), -SIGSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_clone, SIGCHLD, 0, 0), -SIGSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_clone, CLONE_THREAD | CLONE_NEWUSER, 0, 0), EPERM);
}

/* Behind the filter of a command: no socket that could be connected, no process, no code that can
 * be written while it is executed; and what is not known does not exist. */
static void commands_are_looked_at(void)
{
    profile = FILTER_COMMAND;
    CU_ASSERT_EQUAL(call_filtered(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC), EINVAL);
    CU_ASSERT_EQUAL(call_filtered(SYS_mmap, 0, 4096, PROT_WRITE | PROT_EXEC), EPERM);
    CU_ASSERT_EQUAL(call_filtered(SYS_mprotect, 0, 4096, PROT_WRITE | PROT_EXEC), EPERM);
    CU_ASSERT_EQUAL(call_filtered(SYS_socket, AF_UNIX, SOCK_STREAM, 0), EACCES);
    CU_ASSERT_EQUAL(call_filtered(SYS_connect, 0, 0, 0), EACCES);
    CU_ASSERT_EQUAL(call_filtered(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), EFAULT);
    CU_ASSERT_EQUAL(call_filtered(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0), EACCES);
    CU_ASSERT_EQUAL(call_filtered(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET, 0), EACCES);
    CU_ASSERT_EQUAL(call_filtered(SYS_socketpair, AF_INET, SOCK_STREAM, 0), EACCES);
    CU_ASSERT_EQUAL(call_filtered(SYS_fcntl, 1, F_SETOWN, getppid()), EINVAL);
    CU_ASSERT_EQUAL(call_filtered(SYS_ioctl, 0, TIOCSTI, 0), ENOTTY);
    CU_ASSERT_EQUAL(call_filtered(SYS_clone, SIGCHLD, 0, 0), EPERM);
    CU_ASSERT_EQUAL(call_filtered(SYS_prlimit64, getppid(), 0, 0), ENOSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_ptrace, 0, 0, 0), ENOSYS);
    CU_ASSERT_EQUAL(call_filtered(SYS_listen, 0, 0, 0), ENOSYS);
    profile = FILTER_ENGINE;
}

int main(void)
{
    static CU_TestInfo compiled[] = {{"x86-64 follows the table", x86_64_follows_table},
                                     {"aarch64 follows the table", aarch64_follows_table},
                                     {"the architecture is checked", architecture_is_checked},
                                     {"x32 is refused", x32_is_refused},
                                     {"every instruction is reached", every_instruction_is_reached},
                                     CU_TEST_INFO_NULL};
    static CU_TestInfo table[] = {{"numbers are the kernel's", numbers_are_the_kernels},
                                  {"allowed calls are pinned", allowed_calls_are_pinned},
                                  CU_TEST_INFO_NULL};
    static CU_TestInfo live[] = {{"unknown calls kill", unknown_calls_kill},
                                 {"refused calls fail", refused_calls_fail},
                                 {"arguments are looked at", arguments_are_looked_at},
                                 {"commands are looked at", commands_are_looked_at},
                                 CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"program", NULL, NULL, NULL, NULL, compiled},
                                    {"table", NULL, NULL, NULL, NULL, table},
                                    {"live", NULL, NULL, NULL, NULL, live},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
