/*
 * The filter on system calls: the program that is made of the table, instruction by instruction in
 * an interpreter, for every architecture; and live, in the kernel, for this one.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

static void compile(enum filter_arch arch)
{
    length = filter_compile(arch, SELF, program);
    memset(visited, 0, sizeof(visited));
}

/* --- The program ----------------------------------------------------------------------------- */

static uint32_t action(const struct filter_rule *rule)
{
    return rule->error == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | rule->error;
}

/* Every rule, and every number that has none. */
static void follow_table(enum filter_arch arch)
{
    compile(arch);
    CU_ASSERT(length > 0 && length <= FILTER_MOST);
    for (uint32_t number = 0; number < 2048; number++) {
        const struct filter_rule *rule = NULL;
        for (size_t i = 0; i < filter_rule_count && rule == NULL; i++)
            if (filter_rules[i].number[arch] == (int)number)
                rule = &filter_rules[i];
        if (rule == NULL) {
            CU_ASSERT_EQUAL(verdict(arch, number, 0, 0), SECCOMP_RET_KILL_PROCESS);
            continue;
        }
        /* The upper half of an argument changes nothing. */
        const uint64_t high = UINT64_C(0xdeadbeef) << 32;
        const unsigned a = rule->argument;
        const uint32_t killed = SECCOMP_RET_KILL_PROCESS;
        switch (rule->test) {
        case FILTER_ALWAYS:
            CU_ASSERT_EQUAL(verdict(arch, number, 0, 0), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, 5, UINT64_MAX), action(rule));
            break;
        case FILTER_CLEAR:
            CU_ASSERT_EQUAL(verdict(arch, number, a, 0), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, high | (uint32_t)~rule->value), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, rule->value), killed);
            CU_ASSERT_EQUAL(verdict(arch, number, a, UINT64_MAX), killed);
            break;
        case FILTER_SET:
            CU_ASSERT_EQUAL(verdict(arch, number, a, rule->value), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, UINT64_MAX), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, 0), killed);
            CU_ASSERT_EQUAL(verdict(arch, number, a, (uint32_t)~rule->value), killed);
            break;
        case FILTER_EQUAL:
        case FILTER_SELF: {
            const uint32_t value = rule->test == FILTER_SELF ? SELF : rule->value;
            CU_ASSERT_EQUAL(verdict(arch, number, a, value), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, high | value), action(rule));
            CU_ASSERT_EQUAL(verdict(arch, number, a, value + 1), killed);
            CU_ASSERT_EQUAL(verdict(arch, number, a, UINT64_MAX), killed);
            break;
        }
        default:
            CU_FAIL("an unknown test");
        }
    }
    CU_ASSERT_EQUAL(verdict(arch, UINT32_MAX, 0, 0), SECCOMP_RET_KILL_PROCESS);
    CU_ASSERT_EQUAL(verdict(arch, INT32_MAX, 0, 0), SECCOMP_RET_KILL_PROCESS);
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

static void x86_64_follows_table(void)
{
    follow_table(FILTER_X86_64);
}

static void aarch64_follows_table(void)
{
    follow_table(FILTER_AARCH64);
}

static void architecture_is_checked(void)
{
    other_architectures(FILTER_X86_64);
    other_architectures(FILTER_AARCH64);
}

static void x32_is_refused(void)
{
    compile(FILTER_X86_64);
    for (uint32_t number = 0; number < 1024; number++)
        CU_ASSERT_EQUAL(verdict(FILTER_X86_64, 0x40000000u + number, 0, 0),
                        SECCOMP_RET_KILL_PROCESS);
}

/* No instruction is there for nothing; but that nothing is left to be killed where four numbers
 * follow on each other may change with the table. */
static void every_instruction_is_reached(void)
{
    for (int arch = 0; arch < FILTER_ARCHES; arch++) {
        follow_table(arch);
        struct seccomp_data data = {.arch = 0};
        interpret(&data);
        if (arch == FILTER_X86_64)
            verdict(arch, 0x40000000u, 0, 0);
        for (size_t i = 0; i < length; i++)
            if (!visited[i] && program[i].k != SECCOMP_RET_KILL_PROCESS) {
                printf("# architecture %d: instruction %zu is never reached\n", arch, i);
                CU_FAIL("an instruction that is never reached");
            }
    }
}

/* --- The table ------------------------------------------------------------------------------- */

static void numbers_are_the_kernels(void)
{
    for (size_t i = 0; i < filter_rule_count; i++) {
        const struct filter_rule *rule = &filter_rules[i];
        const int x86_64 = number_x86_64(rule->name), aarch64 = number_aarch64(rule->name);
        if ((x86_64 != -2 && x86_64 != rule->number[FILTER_X86_64]) ||
            aarch64 != rule->number[FILTER_AARCH64]) {
            printf("# %s is %d and %d\n", rule->name, x86_64, aarch64);
            CU_FAIL("a number that the kernel's headers do not have");
        }
    }
}

/* What a locked process may do is changed on purpose or not at all. */
static void allowed_calls_are_pinned(void)
{
    static const char pinned[] =
        "clock_gettime gettimeofday time clock_getres clock_nanosleep nanosleep read write readv "
        "writev poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 epoll_ctl fstat "
        "lseek close mmap? mprotect? munmap mremap madvise mincore brk futex sched_yield getrandom "
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall "
        "tgkill? timer_create timer_settime timer_gettime timer_getoverrun timer_delete getpid "
        "gettid getppid getuid geteuid getgid getegid getcpu getrusage times sysinfo prlimit64? "
        "getrlimit setrlimit exit exit_group ";
    char names[2048] = "";
    for (size_t i = 0; i < filter_rule_count; i++) {
        if (filter_rules[i].error != 0)
            continue;
        strcat(names, filter_rules[i].name);
        strcat(names, filter_rules[i].test == FILTER_ALWAYS ? " " : "? ");
    }
    TEST_TEXT(names, pinned);
}

/* --- Live ------------------------------------------------------------------------------------ */

static int install(void)
{
    struct sock_fprog loaded = {.filter = program};
    loaded.len = (unsigned short)filter_compile(FILTER_NATIVE, getpid(), program);
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
        for (size_t i = 0; i < filter_rule_count; i++)
            known = known || filter_rules[i].number[FILTER_NATIVE] == number;
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
    for (size_t i = 0; i < filter_rule_count; i++) {
        const struct filter_rule *rule = &filter_rules[i];
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
                                 CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"program", NULL, NULL, NULL, NULL, compiled},
                                    {"table", NULL, NULL, NULL, NULL, table},
                                    {"live", NULL, NULL, NULL, NULL, live},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
