/* The subprocess provider, with the stub engine in the real pawl-child. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pawl/wire.h>

#include "tests/unit/test.h"
#include "tests/wire/host.h"

static const struct pawl_provider *provider;
static char stub_path[4096];

/* --- Helpers --------------------------------------------------------------------------------- */

static int32_t create(const char *config, void **instance, struct text *why)
{
    struct pawl_host services = host_services(stub_path);
    struct pawl_sink sink = text_sink(why);
    return provider->create(&services, config, &sink, instance);
}

static void *make(const char *config)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance = NULL;
    int32_t status = create(config, &instance, &why);
    if (status != PAWL_OK) {
        printf("Bail out! create: %d %s\n", status, text_get(&why));
        exit(1);
    }
    return instance;
}

static const char *get(struct text *text)
{
    return text_get(text);
}

/* Runs a program on a new instance. */
static int32_t run_program(struct host *host, const char *config, const char *program)
{
    void *instance = make(config);
    host_begin(host, program);
    int32_t status = host_run(host, provider, instance);
    provider->destroy(instance);
    return status;
}

#define STUB "{\"engine\":\"stub\"}"

/* What the tests that know nothing but the wire run on: the stub engine, or a child in Python that
 * understands the same programs. `record` beside it. */
static char subject[4096] = STUB, recording_subject[4096];

static int use_engine(void)
{
    strcpy(subject, STUB);
    strcpy(recording_subject, "{\"engine\":\"stub\",\"record\":true}");
    return 0;
}

/* The interpreter itself: what stands in PATH may be a script that needs an environment. */
static int use_python(void)
{
    char python[1024] = "", command[2048];
    FILE *file = popen("python3 -c 'import sys; print(sys.executable)' 2>/dev/null", "r");
    if (file == NULL || fscanf(file, "%1023s", python) != 1)
        python[0] = '\0';
    if (file != NULL)
        pclose(file);
    snprintf(command, sizeof(command), "\"command\":[\"%s\",\"-SE\",\"%s/tests/wire/child.py\"]",
             python, test_source_directory());
    snprintf(subject, sizeof(subject), "{%s}", command);
    snprintf(recording_subject, sizeof(recording_subject), "{%s,\"record\":true}", command);
    if (python[0] == '\0')
        subject[0] = '\0';
    return 0;
}

static bool no_subject(void)
{
    if (subject[0] == '\0')
        test_skip("there is no python3");
    return subject[0] == '\0';
}

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* The processes whose parent is this one: how many, and one of them in *child. */
static int look_for_children(pid_t *child)
{
    glob_t files;
    int count = 0;
    *child = 0;
    if (glob("/proc/self/task/*/children", 0, NULL, &files) != 0)
        return 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");
        if (file == NULL)
            continue; /* a thread that ended meanwhile */
        while (fscanf(file, "%d", child) == 1)
            count++;
        fclose(file);
    }
    globfree(&files);
    return count;
}

static int count_children(void)
{
    pid_t child;
    return look_for_children(&child);
}

/* A child of this process, once there is one. */
static pid_t wait_for_child(void)
{
    pid_t child;
    while (look_for_children(&child) == 0)
        sched_yield();
    return child;
}

/* --- What an engine sees --------------------------------------------------------------------- */

static void value_crosses(void)
{
    if (no_subject())
        return;
    static const char *const values[] = {
        "null",         "-0", "12345678901234567", "{\"__proto__\":[1,{\"a\":\"\\ud800\\u0000\"}]}",
        "\"\xc3\xa4\"",
    };
    void *instance = make(subject);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct host host;
        char program[256];
        snprintf(program, sizeof(program), "return %s", values[i]);
        host_begin(&host, program);
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        CU_ASSERT_EQUAL(host.ends, 1);
        CU_ASSERT(host.has_value);
        TEST_TEXT(get(&host.value), values[i]);
        host_clear(&host);
    }
    provider->destroy(instance);
}

static void no_value(void)
{
    if (no_subject())
        return;
    struct host host;
    CU_ASSERT_EQUAL(run_program(&host, subject, "return"), PAWL_OK);
    CU_ASSERT_EQUAL(host.ends, 1);
    CU_ASSERT(!host.has_value);
    host_clear(&host);
}

static void logs_cross(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject,
                "log one \"two\"\\ \xc3\xa4 \x01\x7f\nlog bad \xff\xed\xa0\x80 bytes\nreturn 1");
    TEST_TEXT(get(&host.logs), "one \"two\"\\ \xc3\xa4 \x01\x7f\nbad \xff\xed\xa0\x80 bytes\n");
    host_clear(&host);
}

static void calls_settle(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject,
                "next\ncall 0 [1, {\"a\": 2}]\ncall 2 []\ncall 3 []\nnext\nnext\nnext\nnext\n"
                "call 9 []\ncall 0 {}\ncall 0 [1\nreturn 1");
    TEST_TEXT(get(&host.logs), "next: -3\n1 0 - [1, {\"a\": 2}]\n2 1 tool_error it broke\n"
                               "3 2 stage_denied not \"this\"\n one\nnext: -3\n"
                               "call: -2\ncall: -2\ncall: -2\n");
    CU_ASSERT_EQUAL(host.calls, 3);
    host_clear(&host);
}

static void calls_time_out(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject, "call 1 []\nnext 0\nnext 20\ncall 0 []\nnext\nreturn 1");
    TEST_TEXT(get(&host.logs), "next: -7\nnext: -7\n2 0 - []\n");
    host_clear(&host);
}

static void descriptor_shows_settled_calls(void)
{
    struct host host;
    run_program(&host, STUB,
                "call 0 [1]\npoll\ncall 0 [2]\ncall 0 [3]\ndiscover x\npoll\npoll\nreturn 1");
    TEST_TEXT(get(&host.logs), "1 0 - [1]\ndiscover: -4 \n2 0 - [2]\n3 0 - [3]\n");
    host_clear(&host);
    void *instance = make(STUB);
    host_begin(&host, "call 0 [1]\ncall 0 [2]\ndiscover a\npoll\npoll\nreturn 1");
    host.run.flags = PAWL_RUN_DISCOVER;
    host_run(&host, provider, instance);
    TEST_TEXT(get(&host.logs), "discover: 0 [{\"name\":\"a\"}]\n1 0 - [1]\n2 0 - [2]\n");
    host_clear(&host);
    provider->destroy(instance);
}

static void questions_are_answered(void)
{
    if (no_subject())
        return;
    struct host host;
    void *instance = make(recording_subject);
    host_begin(&host, "discover get\ndiscover\nclock\nrandom 5000\nreturn 1");
    host.run.flags = PAWL_RUN_DISCOVER;
    host_run(&host, provider, instance);
    TEST_TEXT(get(&host.logs), "discover: 0 [{\"name\":\"get\"}]\ndiscover: -5 nothing was asked\n"
                               "clock: 0 1700000000123456789\nrandom: 0 5a 5a\n");
    host_clear(&host);
    provider->destroy(instance);
    /* Without "record" the child takes its own. */
    run_program(&host, subject, "clock\nreturn 1");
    CU_ASSERT(strcmp(get(&host.logs), "clock: 0 1700000000123456789\n") != 0);
    CU_ASSERT(strncmp(get(&host.logs), "clock: 0 1", 10) == 0);
    host_clear(&host);
}

static void failure_crosses(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject, "call 2 []\nnext\nfail runtime 3 14 1 it is not a function");
    CU_ASSERT_EQUAL(host.ends, 1);
    TEST_TEXT(host.kind, "runtime");
    TEST_TEXT(get(&host.message), "it is not a function");
    TEST_TEXT(get(&host.subject), "it");
    TEST_TEXT(get(&host.suggestions), "try this\nor that\n");
    CU_ASSERT_EQUAL(host.line, 3);
    CU_ASSERT_EQUAL(host.column, 14);
    CU_ASSERT_EQUAL(host.call, 10); /* the host's id */
    host_clear(&host);
}

static void facts_cross(void)
{
    struct host host;
    run_program(&host, STUB,
                "fact peak_memory 123\nfact files {\"grade\":\"full\",\"by\":\"stub\"}\n"
                "fact worker {}\nfact setup_ms 9999\nreturn 1");
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.facts), "peak_memory=123\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(get(&host.facts), "files={\"grade\":\"full\",\"by\":\"stub\"}\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.facts), "setup_ms="));
    CU_ASSERT_PTR_NULL(strstr(get(&host.facts), "9999"));
    CU_ASSERT_PTR_NULL(strstr(get(&host.facts), "worker="));
    host_clear(&host);
}

static void process_is_bare(void)
{
    struct host host;
    int leaked = fcntl(STDOUT_FILENO, F_DUPFD, 500); /* without close-on-exec */
    setenv("SECRET_OF_THE_HOST", "1", 1);
    signal(SIGUSR1, SIG_IGN);
    run_program(&host, STUB, "inspect\nreturn 1");
    /* Two descriptors are its own: for settled_fd. */
    TEST_TEXT(get(&host.logs), "fds 2 environment 0 leader 1 dumpable 0 deathsig 9 cwd /\n");
    host_clear(&host);
    close(leaked);
}

/* --- Limits ---------------------------------------------------------------------------------- */

static void memory_is_bounded(void)
{
    if (HOST_SANITIZED) {
        test_skip("a sanitizer has its own memory");
        return;
    }
    struct host host;
    void *instance = make(STUB);
    host_begin(&host, "allocate 4000\nreturn 1");
    host.budget.max_memory = 64 << 20;
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    TEST_TEXT(host.kind, "budget_memory");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(get(&host.facts), "memory={\"grade\":\"partial\",\"by\":\"rlimit_data\"}\n"));
    host_clear(&host);
    host_begin(&host, "allocate 60\nreturn 1");
    host.budget.max_memory = 64 << 20;
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    TEST_TEXT(get(&host.value), "1");
    host_clear(&host);
    provider->destroy(instance);
}

static void budgets_that_are_supported(void)
{
    void *instance = make(STUB);
    struct text why TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(&why);
    struct pawl_budget budget = {.header = PAWL_HEADER(BUDGET, budget),
                                 .wall_clock = 1,
                                 .max_calls = 1,
                                 .max_bytes = 1,
                                 .max_memory = 8 << 20};
    uint32_t missing = 0;
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_OK);
    budget.max_memory = 1;
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_E_UNSUPPORTED);
    CU_ASSERT_EQUAL(missing, PAWL_BUDGET_MAX_MEMORY);
    CU_ASSERT(why.size > 0);
    provider->destroy(instance);
    /* An engine that keeps its memory itself has a word in it. */
    instance = make("{\"engine\":\"stub\",\"engine_config\":{\"memory\":true}}");
    for (int i = 0; i < 2; i++) { /* the second time from memory */
        text_clear(&why);
        budget.max_memory = 1;
        CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_OK);
        budget.max_memory = UINT64_C(3) << 30;
        CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_E_UNSUPPORTED);
        TEST_TEXT(get(&why), "the stub keeps 2 GiB at most");
    }
    provider->destroy(instance);
    /* A directory that is no cgroup: memory cannot be bounded by it, and the reason names it. */
    instance = make("{\"engine\":\"stub\",\"cgroup\":\"/tmp\"}");
    budget.max_memory = 8 << 20;
    text_clear(&why);
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_E_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&why), "memory.max"));
    provider->destroy(instance);
}

static void deadline_ends_it(void)
{
    if (no_subject())
        return;
    static const char *const programs[] = {"spin", "hang", "call 1 []\nnext", "call 1 []\npoll"};
    void *instance = make(subject);
    for (size_t i = 0; i < 4; i++) {
        struct host host;
        host_begin(&host, programs[i]);
        host_set_deadline(&host, 50);
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        CU_ASSERT_EQUAL(host.run.cancelled(&host), PAWL_END_DEADLINE);
        CU_ASSERT_EQUAL(host.ends, 0);
        host_clear(&host);
    }
    provider->destroy(instance);
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void *cancel_soon(void *argument)
{
    struct host *host = argument;
    usleep(20000);
    host_cancel(host, PAWL_END_ABORT);
    return NULL;
}

static void cancel_ends_it(void)
{
    if (no_subject())
        return;
    static const char *const programs[] = {"hang", "call 1 []\nnext",
                                           "flood 100000\nhang" /* its answers are never read */};
    void *instance = make(subject);
    for (size_t i = 0; i < 3; i++) {
        struct host host;
        pthread_t thread;
        host_begin(&host, programs[i]);
        host.run.deadline = 0;
        pthread_create(&thread, NULL, cancel_soon, &host);
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        pthread_join(thread, NULL);
        CU_ASSERT_EQUAL(atomic_load(&host.end), PAWL_END_ABORT);
        CU_ASSERT_EQUAL(host.ends, 0);
        host_clear(&host);
    }
    provider->destroy(instance);
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void calls_run_out(void)
{
    if (no_subject())
        return;
    struct host host;
    void *instance = make(subject);
    host_begin(&host, "flood 10\ndrain\nlog not reached\nreturn 1");
    host.budget.max_calls = 5;
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    CU_ASSERT_EQUAL(atomic_load(&host.end), PAWL_END_CALLS);
    CU_ASSERT_EQUAL(host.calls, 5);
    CU_ASSERT_EQUAL(host.ends, 0);
    TEST_TEXT(get(&host.logs), "");
    host_clear(&host);
    provider->destroy(instance);
}

static void thousands_in_flight(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject, "flood 1000\ndrain\nreturn 1");
    TEST_TEXT(get(&host.logs), "1000 settled, in order\n");
    host_clear(&host);
    run_program(&host, subject, "flood 20000\ndrain\nreturn 1");
    TEST_TEXT(get(&host.logs), "20000 settled, in order\n");
    host_clear(&host);
}

static void large_things(void)
{
    struct host host;
    run_program(&host, STUB, "large-value 1048576");
    CU_ASSERT_EQUAL(host.value.size, 1048576);
    host_clear(&host);
    run_program(&host, STUB, "large-value 3000000");
    TEST_TEXT(host.kind, "output_limit");
    host_clear(&host);
    run_program(&host, STUB, "large-log 3000000\nreturn 1");
    CU_ASSERT(host.logs.size > 1048576 && host.logs.size < 1200000);
    host_clear(&host);
    run_program(&host, STUB, "large-call 3000000\ncall 0 [1]\ndrain\nfail runtime 1 1 1 x");
    CU_ASSERT_EQUAL(host.calls, 1);
    TEST_TEXT(host.kind, "protocol"); /* the first call, which never left the child */
    host_clear(&host);
    run_program(&host, STUB, "large-call 3000000\nnext\nreturn 1");
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.logs), "1 1 bad_arguments the arguments are 3000000"));
    host_clear(&host);
    run_program(&host, "{\"engine\":\"stub\",\"frame_limit\":8000000}", "large-value 3000000");
    TEST_TEXT(get(&host.message), "");
    CU_ASSERT_EQUAL(host.value.size, 3000000);
    host_clear(&host);
}

/* --- Ends ------------------------------------------------------------------------------------ */

static void expect_exit(const char *program, const char *fact)
{
    struct host host;
    CU_ASSERT_EQUAL(run_program(&host, STUB, program), PAWL_OK);
    CU_ASSERT_EQUAL(host.ends, 1);
    TEST_TEXT(host.kind, "worker_exit");
    if (strstr(get(&host.facts), fact) == NULL)
        TEST_TEXT(get(&host.facts), fact);
    host_clear(&host);
}

static void child_dies(void)
{
    expect_exit("crash",
                "worker={\"exit\":\"signal: SIGSEGV\",\"signaled\":true,\"stderr\":\"\"}\n");
    expect_exit("kill",
                "worker={\"exit\":\"signal: SIGKILL\",\"signaled\":true,\"stderr\":\"\"}\n");
    expect_exit("exit 3",
                "worker={\"exit\":\"exit status 3\",\"signaled\":false,\"stderr\":\"\"}\n");
    expect_exit("exit 0",
                "worker={\"exit\":\"exit status 0\",\"signaled\":false,\"stderr\":\"\"}\n");
    expect_exit("stderr it went wrong\nexit 1", "\"stderr\":\"it went wrong\\n\"}\n");
    expect_exit("stderr password=hunter22hunter22\nexit 1", "[redacted]");
}

static void words_before_death_count(void)
{
    if (no_subject())
        return;
    struct host host;
    run_program(&host, subject, "log first\ncall 0 []\nlog second\ncrash");
    TEST_TEXT(host.kind, "worker_exit");
    TEST_TEXT(get(&host.logs), "first\nsecond\n");
    CU_ASSERT_EQUAL(host.calls, 1);
    host_clear(&host);
}

static void engine_gives_up(void)
{
    if (no_subject())
        return;
    struct host host;
    CU_ASSERT_EQUAL(run_program(&host, subject, "error -5"), PAWL_E_UNAVAILABLE);
    TEST_TEXT(get(&host.why), "the stub gave up");
    CU_ASSERT_EQUAL(host.ends, 0);
    host_clear(&host);
    CU_ASSERT_NOT_EQUAL(run_program(&host, subject, "log nothing"), PAWL_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.why), "without saying how the program ended"));
    host_clear(&host);
}

/* --- Configuration --------------------------------------------------------------------------- */

static void refuse(const char *config, int32_t status, const char *reason)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance = NULL;
    CU_ASSERT_EQUAL(create(config, &instance, &why), status);
    CU_ASSERT_PTR_NULL(instance);
    if (strstr(get(&why), reason) == NULL)
        TEST_TEXT(get(&why), reason);
}

static void wrong_configurations(void)
{
    refuse("{}", PAWL_E_CONFIG, "either \"engine\" or \"command\"");
    refuse("[]", PAWL_E_CONFIG, "no JSON object");
    refuse("{\"engine\":\"stub\",\"wram\":1}", PAWL_E_CONFIG,
           "unknown key \"wram\"; there are: engine");
    refuse("{\"engine\":7}", PAWL_E_CONFIG, "\"engine\" has the wrong type");
    refuse("{\"engine\":\"stub\",\"engine\":\"stub\"}", PAWL_E_CONFIG, "twice");
    refuse("{\"engine\":\"stub\",\"warm\":65}", PAWL_E_CONFIG, "\"warm\" must be 0 to 64");
    refuse("{\"engine\":\"stub\",\"cgroup\":\"x\"}", PAWL_E_CONFIG, "absolute path");
    refuse("{\"engine\":\"stub\",\"command\":[\"/bin/true\"]}", PAWL_E_CONFIG, "either");
    refuse("{\"command\":[\"true\"]}", PAWL_E_CONFIG, "absolute path");
    refuse("{\"command\":[]}", PAWL_E_CONFIG, "absolute path");
    refuse("{\"engine\":\"other\"}", PAWL_E_UNKNOWN,
           "`other` cannot be used: there is no such plugin");
}

static void starts_that_fail(void)
{
    refuse("{\"engine\":\"stub\",\"child\":\"/nonexistent\"}", PAWL_E_UNAVAILABLE,
           "/nonexistent cannot be started: execve: No such file or directory");
    refuse("{\"engine\":\"stub\",\"child\":\"/etc/passwd\"}", PAWL_E_UNAVAILABLE,
           "execve: Permission denied");
    refuse("{\"engine\":\"stub\",\"child\":\"/bin/false\"}", PAWL_E_UNAVAILABLE,
           "it ended before it was ready: exit status 1");
    refuse("{\"engine\":\"stub\",\"child\":\"/bin/cat\"}", PAWL_E_UNAVAILABLE, "protocol");
    refuse("{\"engine\":\"stub\",\"engine_config\":{\"refuse\":true}}", PAWL_E_CONFIG,
           "told to refuse");
    char real[sizeof(stub_path)];
    memcpy(real, stub_path, sizeof(real));
    strcpy(stub_path, "/nonexistent.so");
    refuse(STUB, PAWL_E_PLUGIN, "/nonexistent.so");
    memcpy(stub_path, real, sizeof(real));
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void what_it_says_of_itself(void)
{
    void *instance = make(STUB);
    CU_ASSERT_EQUAL(provider->level(instance), PAWL_LEVEL_PROCESS);
    CU_ASSERT_EQUAL(provider->egress(instance), PAWL_EGRESS_NONE);
    TEST_TEXT(provider->languages(instance)[0], "stub");
    TEST_TEXT(provider->languages(instance)[1], "lines");
    CU_ASSERT_PTR_NULL(provider->languages(instance)[2]);
    provider->destroy(instance);
}

static void command_is_believed_little(void)
{
    use_python();
    if (no_subject())
        return;
    struct text why TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(&why);
    struct pawl_budget budget = {.header = PAWL_HEADER(BUDGET, budget), .max_memory = 64 << 20};
    uint32_t missing = 0;
    void *instance = make(subject);
    CU_ASSERT_EQUAL(provider->level(instance), PAWL_LEVEL_NONE);
    CU_ASSERT_EQUAL(provider->egress(instance), PAWL_EGRESS_ANY);
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &sink, &missing), PAWL_E_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&why), "cgroup"));
    struct host host;
    host_begin(&host, "fact files {\"grade\":\"full\"}\nfact peak_memory 5\nreturn 1");
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    CU_ASSERT_PTR_NULL(strstr(get(&host.facts), "files="));
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.facts), "peak_memory=5"));
    host_clear(&host);
    provider->destroy(instance);
}

/* --- Many ------------------------------------------------------------------------------------ */

static void run_many(void *instance, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct host host;
        host_begin(&host, i % 10 == 9 ? "exit 1" : "call 0 [7]\nnext\nreturn 42");
        CU_ASSERT_EQUAL_FATAL(host_run(&host, provider, instance), PAWL_OK);
        CU_ASSERT_EQUAL(host.ends, 1);
        if (i % 10 != 9)
            TEST_TEXT(get(&host.value), "42");
        host_clear(&host);
    }
}

static void thousands_of_runs(void)
{
    int descriptors = count_descriptors();
    void *cold = make(STUB), *warm = make("{\"engine\":\"stub\",\"warm\":2}");
    run_many(cold, HOST_SANITIZED ? 50 : 1000);
    CU_ASSERT(count_children() <= 2); /* those that are kept ready */
    run_many(warm, HOST_SANITIZED ? 50 : 2000);
    provider->destroy(cold);
    provider->destroy(warm);
    CU_ASSERT_EQUAL(count_descriptors(), descriptors);
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void *run_some(void *instance)
{
    run_many(instance, HOST_SANITIZED ? 10 : 100);
    return NULL;
}

static void runs_on_many_threads(void)
{
    int descriptors = count_descriptors();
    void *instance = make("{\"engine\":\"stub\",\"warm\":3}");
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, run_some, instance);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    provider->destroy(instance);
    CU_ASSERT_EQUAL(count_descriptors(), descriptors);
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void idle_child_that_dies_is_replaced(void)
{
    void *instance = make("{\"engine\":\"stub\",\"warm\":1}");
    for (int i = 0; i < 5; i++) {
        kill(wait_for_child(), SIGKILL);
        struct host host;
        host_begin(&host, "return 1");
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        if (host.ends == 1 && host.kind[0] != '\0') /* it was killed after it had been taken */
            TEST_TEXT(host.kind, "worker_exit");
        else
            TEST_TEXT(get(&host.value), "1");
        host_clear(&host);
    }
    provider->destroy(instance);
    CU_ASSERT_EQUAL(count_children(), 0);
}

struct other_host {
    struct host host;
    void *instance;
};

static void *run_forever(void *argument)
{
    struct other_host *other = argument;
    host_run(&other->host, provider, other->instance);
    return NULL;
}

static void wait_for_children(int count)
{
    while (count_children() != count)
        sched_yield();
}

static bool is_zombie(pid_t child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

/* With nobody running anything: the pool learns by itself that a run is over, be it before or after
 * it has replaced the child. */
static void child_is_reaped_once_its_run_is_over(void)
{
    static const char *const programs[] = {"return 1", "exit 1", "hang"};
    void *instance = make("{\"engine\":\"stub\",\"warm\":1}");
    for (int i = 0; i < 30; i++) {
        struct host host;
        wait_for_children(1);
        pid_t child = wait_for_child();
        host_begin(&host, programs[i % 3]);
        host_set_deadline(&host, 20);
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        host_clear(&host);
        /* It may have been too late to be taken, and be the one that is ready. */
        while (is_zombie(child))
            sched_yield();
    }
    provider->destroy(instance);
    CU_ASSERT_EQUAL(count_children(), 0);
}

static void child_is_replaced_while_its_run_goes_on(void)
{
    pthread_t thread;
    struct other_host other = {.instance = make("{\"engine\":\"stub\",\"warm\":1}")};
    wait_for_children(1);
    host_begin(&other.host, "hang");
    pthread_create(&thread, NULL, run_forever, &other);
    wait_for_children(2);
    host_cancel(&other.host, PAWL_END_ABORT);
    pthread_join(thread, NULL);
    host_clear(&other.host);
    wait_for_children(1);
    provider->destroy(other.instance);
    CU_ASSERT_EQUAL(count_children(), 0);
}

/* --- The host and its children --------------------------------------------------------------- */

/* A host of its own, whose program makes a call and then never ends; tells the child's process id
 * once the program is that far. */
static int be_a_host(int report)
{
    struct other_host other = {.instance = make(STUB)};
    pthread_t thread;
    host_begin(&other.host, "call 1 []\nhang");
    other.host.run.deadline = 0;
    pthread_create(&thread, NULL, run_forever, &other);
    while (atomic_load(&other.host.calls) == 0)
        sched_yield();
    pid_t child = wait_for_child();
    if (write(report, &child, sizeof(child)) != (ssize_t)sizeof(child))
        return 1;
    pthread_join(thread, NULL);
    return 1;
}

static void killed_host_leaves_no_child(void)
{
    int report[2];
    char number[16];
    CU_ASSERT_EQUAL_FATAL(pipe(report), 0);
    snprintf(number, sizeof(number), "%d", report[1]);
    /* Orphans come to this process, so that it can wait for them. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    fflush(stdout);
    pid_t host = fork();
    if (host == 0) {
        execl("/proc/self/exe", "subprocess", "--host", number, (char *)NULL);
        _exit(1);
    }
    pid_t child = 0;
    CU_ASSERT_EQUAL_FATAL(read(report[0], &child, sizeof(child)), (ssize_t)sizeof(child));
    kill(host, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(host, NULL, 0), host);
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    close(report[0]);
    close(report[1]);
}

static volatile sig_atomic_t pipes_broken;

static void on_sigpipe(int signal)
{
    (void)signal;
    pipes_broken++;
}

static void signals_are_the_hosts(void)
{
    const struct sigaction action = {.sa_handler = on_sigpipe};
    sigset_t before, after, pending;
    sigaction(SIGPIPE, &action, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    struct host host;
    run_program(&host, STUB, "flood 2000\nexit 0");
    TEST_TEXT(host.kind, "worker_exit");
    host_clear(&host);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    sigpending(&pending);
    for (int number = 1; number < NSIG; number++)
        CU_ASSERT_EQUAL(sigismember(&before, number), sigismember(&after, number));
    CU_ASSERT_EQUAL(pipes_broken, 0);
    CU_ASSERT_FALSE(sigismember(&pending, SIGPIPE));
    signal(SIGPIPE, SIG_DFL);
    /* A host that ignores SIGCHLD loses exit statuses, and nothing else. */
    signal(SIGCHLD, SIG_IGN);
    run_program(&host, STUB, "return 5");
    TEST_TEXT(get(&host.value), "5");
    host_clear(&host);
    run_program(&host, STUB, "exit 4");
    TEST_TEXT(host.kind, "worker_exit");
    CU_ASSERT_PTR_NOT_NULL(strstr(get(&host.facts), "unknown"));
    host_clear(&host);
    signal(SIGCHLD, SIG_DFL);
}

int main(int argc, char **argv)
{
    static CU_TestInfo contract[] = {{"a value crosses", value_crosses},
                                     {"no value", no_value},
                                     {"logs cross", logs_cross},
                                     {"calls settle", calls_settle},
                                     {"calls time out", calls_time_out},
                                     {"questions are answered", questions_are_answered},
                                     {"a failure crosses", failure_crosses},
                                     {"deadline", deadline_ends_it},
                                     {"cancel", cancel_ends_it},
                                     {"calls run out", calls_run_out},
                                     {"thousands in flight", thousands_in_flight},
                                     {"words before death count", words_before_death_count},
                                     {"the backend gives up", engine_gives_up},
                                     CU_TEST_INFO_NULL};
    static CU_TestInfo engine[] = {{"settled_fd", descriptor_shows_settled_calls},
                                   {"facts cross", facts_cross},
                                   {"the process is bare", process_is_bare},
                                   {"memory is bounded", memory_is_bounded},
                                   {"supported budgets", budgets_that_are_supported},
                                   {"large things", large_things},
                                   {"the child dies", child_dies},
                                   {"wrong configurations", wrong_configurations},
                                   {"starts that fail", starts_that_fail},
                                   {"what it says of itself", what_it_says_of_itself},
                                   {"a command", command_is_believed_little},
                                   CU_TEST_INFO_NULL};
    static CU_TestInfo many[] = {
        {"thousands of runs", thousands_of_runs},
        {"many threads", runs_on_many_threads},
        {"an idle child that dies is replaced", idle_child_that_dies_is_replaced},
        {"a child is reaped once its run is over", child_is_reaped_once_its_run_is_over},
        {"a child is replaced while its run goes on", child_is_replaced_while_its_run_goes_on},
        {"a killed host leaves no child", killed_host_leaves_no_child},
        {"signals are the host's", signals_are_the_hosts},
        CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {
        {"contract, stub engine", use_engine, NULL, NULL, NULL, contract},
        {"contract, Python child", use_python, NULL, NULL, NULL, contract},
        {"engine", NULL, NULL, NULL, NULL, engine},
        {"many", NULL, NULL, NULL, NULL, many},
        CU_SUITE_INFO_NULL};
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so",
             test_build_directory());
    provider = pawl_provider_entry_v1();
    if (argc == 3 && strcmp(argv[1], "--host") == 0)
        return be_a_host((int)strtol(argv[2], NULL, 10));
    return test_main(suites);
}
