/*
 * Every system call and allocation of the parent's side fails once, in turn: at the start, during a
 * run, and at its end. Each time there is either a result or a clear error, and nothing is left.
 *
 * The linker puts the functions below in the place of the C library's (--wrap). Those that the new
 * process calls before it executes count as well: it shares this memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tests/wire/host.h"

static const struct pawl_provider *provider;
static char stub_path[4096];

/* --- Faults ---------------------------------------------------------------------------------- */

static atomic_uint left;      /* calls until the one that fails; 0: none will */
static int fault_error;       /* errno of that one */
static atomic_int in_host;    /* the host's own calls do not count */
static const char *failed_in; /* which it was */

static bool fails(const char *name)
{
    if (atomic_load(&in_host) > 0)
        return false;
    unsigned count = atomic_load(&left);
    while (count > 0 && !atomic_compare_exchange_weak(&left, &count, count - 1))
        ;
    if (count != 1)
        return false;
    failed_in = name;
    errno = fault_error;
    return true;
}

#define WRAP(result, failure, name, parameters, arguments)       \
    result __real_##name parameters;                             \
    result __wrap_##name parameters;                             \
    result __wrap_##name parameters                              \
    {                                                            \
        return fails(#name) ? failure : __real_##name arguments; \
    }

WRAP(void *, NULL, malloc, (size_t size), (size))
WRAP(void *, NULL, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, NULL, realloc, (void *memory, size_t size), (memory, size))
WRAP(void *, NULL, reallocarray, (void *memory, size_t count, size_t size), (memory, count, size))
WRAP(char *, NULL, strdup, (const char *text), (text))
WRAP(int, -1, pipe2, (int fds[2], int flags), (fds, flags))
WRAP(int, -1, poll, (struct pollfd * fds, nfds_t count, int timeout), (fds, count, timeout))
WRAP(int, -1, eventfd, (unsigned count, int flags), (count, flags))
WRAP(int, -1, setsid, (void), ())
WRAP(int, -1, chdir, (const char *path), (path))
WRAP(int, -1, setrlimit, (int resource, const struct rlimit *limit), (resource, limit))
WRAP(int, -1, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
WRAP(int, -1, execve, (const char *path, char *const argv[], char *const envp[]),
     (path, argv, envp))
WRAP(ssize_t, -1, read, (int fd, void *buffer, size_t size), (fd, buffer, size))
WRAP(ssize_t, -1, write, (int fd, const void *buffer, size_t size), (fd, buffer, size))
WRAP(int, -1, prlimit, (pid_t pid, int resource, const struct rlimit *new, struct rlimit *old),
     (pid, resource, new, old))

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    return fails("pthread_create") ? errno
                                   : __real_pthread_create(thread, attributes, function, argument);
}

int __wrap_open(const char *path, int flags, ...);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    return fails("open") ? -1 : __real_open(path, flags, 0);
}

int __wrap_fcntl(int fd, int command, ...);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    int argument = va_arg(arguments, int);
    va_end(arguments);
    return fails("fcntl") ? -1 : __real_fcntl(fd, command, argument);
}

int __wrap_prctl(int option, ...);
int __real_prctl(int option, ...);
int __wrap_prctl(int option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    unsigned long first = va_arg(arguments, int); /* all that it is used for */
    va_end(arguments);
    return fails("prctl") ? -1 : __real_prctl(option, first, 0, 0, 0);
}

int __wrap_clone(int (*function)(void *), void *stack, int flags, void *argument, int *pidfd);
int __real_clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
int __wrap_clone(int (*function)(void *), void *stack, int flags, void *argument, int *pidfd)
{
    return fails("clone") ? -1 : __real_clone(function, stack, flags, argument, pidfd);
}

long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
    long a[4];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    return fails("syscall") ? -1 : __real_syscall(number, a[0], a[1], a[2], a[3]);
}

/* --- The host, whose own calls do not fail --------------------------------------------------- */

static struct pawl_run inner;

#define GUARD(result, name, parameters, arguments) \
    static result guarded_##name parameters        \
    {                                              \
        atomic_fetch_add(&in_host, 1);             \
        result value = inner.name arguments;       \
        atomic_fetch_sub(&in_host, 1);             \
        return value;                              \
    }

GUARD(int32_t, call, (void *c, uint32_t function, const char *json, size_t size, uint64_t *id),
      (c, function, json, size, id))
GUARD(int32_t, next, (void *c, int32_t timeout, struct pawl_settlement *s), (c, timeout, s))
GUARD(int32_t, log, (void *c, const char *text, size_t size), (c, text, size))
GUARD(int32_t, fact, (void *c, const char *name, const char *json, size_t size),
      (c, name, json, size))
GUARD(int32_t, value, (void *c, const char *json, size_t size), (c, json, size))
GUARD(int32_t, fail, (void *c, const struct pawl_failure *failure), (c, failure))

static void guard(struct host *host)
{
    inner = host->run;
    host->run.call = guarded_call;
    host->run.next = guarded_next;
    host->run.log = guarded_log;
    host->run.fact = guarded_fact;
    host->run.value = guarded_value;
    host->run.fail = guarded_fail;
}

/* Explanations are kept in memory that no fault touches. */
static char explanation[4096];

static void explain(void *context, const char *text, size_t size)
{
    size_t *used = context;
    if (size > sizeof(explanation) - 1 - *used)
        size = sizeof(explanation) - 1 - *used;
    memcpy(explanation + *used, text, size);
    *used += size;
    explanation[*used] = '\0';
}

static int32_t find_stub(void *context, const char *name, const struct pawl_sink *path)
{
    (void)context;
    (void)name;
    path->write(path->context, stub_path, strlen(stub_path));
    return PAWL_OK;
}

/* --- Tests ----------------------------------------------------------------------------------- */

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Creates an instance, runs a program on it, destroys it, with the Nth call failing. False: there
 * were fewer calls. */
static bool attempt(unsigned number, int error, const char *config, const char *program)
{
    static const struct pawl_host services = {
        .header = PAWL_HEADER(HOST, services), .version = "0", .find_provider = find_stub};
    struct host host;
    void *instance = NULL;
    size_t used = 0;
    const struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = &used, .write = explain};
    host_begin(&host, program);
    host.budget.max_memory = 64 << 20;
    guard(&host);
    explanation[0] = '\0';
    failed_in = NULL;
    fault_error = error;
    atomic_store(&left, number);
    int32_t status = provider->create(&services, config, &sink, &instance);
    if (status == PAWL_OK) {
        status = provider->run(instance, &host.run, &sink);
        if (status == PAWL_OK) {
            CU_ASSERT_EQUAL(host.ends, 1);
            /* Whatever failed, a value is the right one. */
            CU_ASSERT(host.kind[0] != '\0' || host.value.size == 0 ||
                      strcmp(text_get(&host.value), "42") == 0);
        }
        provider->destroy(instance);
    }
    bool reached = atomic_exchange(&left, 0) == 0;
    if (status != PAWL_OK) {
        CU_ASSERT(reached);
        CU_ASSERT(explanation[0] != '\0' || status == PAWL_E_MEMORY);
    }
    host_clear(&host);
    return reached;
}

static void every_call_fails_once(const char *config, const char *program)
{
    static const int errors[] = {EMFILE, ENOMEM, EAGAIN};
    int descriptors = count_descriptors();
    for (size_t i = 0; i < 3; i++) {
        unsigned number = 1;
        while (number < 2000 && attempt(number, errors[i], config, program)) {
            if (count_descriptors() != descriptors || waitpid(-1, NULL, WNOHANG | __WALL) >= 0) {
                printf("# call %u, %s: %s\n", number, failed_in, strerror(errors[i]));
                CU_FAIL("something was left behind");
                descriptors = count_descriptors();
            }
            number++;
        }
        CU_ASSERT(number > 50 && number < 2000);
    }
}

static void value_of_a_cold_child(void)
{
    every_call_fails_once("{\"engine\":\"stub\"}",
                          "log a\ncall 0 [1]\ncall 2 []\nnext\nnext\nreturn 42");
}

static void death_of_a_cold_child(void)
{
    every_call_fails_once("{\"engine\":\"stub\"}", "stderr password=hunter2hunter2\nexit 1");
}

static void value_of_a_warm_child(void)
{
    every_call_fails_once("{\"engine\":\"stub\",\"warm\":1}", "call 0 [1]\nnext\nreturn 42");
}

int main(void)
{
    static CU_TestInfo tests[] = {{"a cold child", value_of_a_cold_child},
                                  {"a cold child that dies", death_of_a_cold_child},
                                  {"a warm child", value_of_a_warm_child},
                                  CU_TEST_INFO_NULL};
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so",
             test_build_directory());
    provider = pawl_provider_entry_v1();
    return test_suite("faults", tests);
}
