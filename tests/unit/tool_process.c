/* Running commands: what goes in, what comes out, and every way to end. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "tools/pawl/process.h"

static struct process_result result;

static void run_with(const char *script, const char *input, size_t size, int cancel_fd)
{
    struct process process = {
        .arguments = (char *[]){"sh", "-c", (char *)script, NULL},
        .directory = "/",
        .input = input,
        .input_size = size,
        .cancel_fd = cancel_fd,
    };
    process_run(&process, &result);
}

static void run(const char *script)
{
    run_with(script, "{}", 2, -1);
}

static void expect(enum process_end end, int number)
{
    CU_ASSERT_EQUAL(result.end, end);
    CU_ASSERT_EQUAL(result.number, number);
}

static void passes_input_and_output(void)
{
    run_with("cat", "{\"a\":1}", 7, -1);
    expect(PROCESS_EXITED, 0);
    TEST_TEXT(result.output, "{\"a\":1}");
    process_result_clear(&result);
}

static void large_input_and_output_do_not_block_each_other(void)
{
    size_t size = 5u << 20;
    char *input = malloc(size);
    memset(input, 'x', size);
    run_with("cat", input, size, -1);
    expect(PROCESS_EXITED, 0);
    CU_ASSERT_EQUAL(result.output_size, size);
    CU_ASSERT(memcmp(result.output, input, size) == 0);
    free(input);
    process_result_clear(&result);
}

static void input_that_is_not_read_does_not_matter(void)
{
    size_t size = 1u << 20;
    char *input = calloc(1, size);
    run_with("exec <&-; echo done", input, size, -1);
    expect(PROCESS_EXITED, 0);
    TEST_TEXT(result.output, "done\n");
    process_result_clear(&result);
    run_with("exit 0", input, size, -1);
    expect(PROCESS_EXITED, 0);
    CU_ASSERT_EQUAL(result.output_size, 0);
    free(input);
    process_result_clear(&result);
}

static void tells_how_it_ended(void)
{
    run("echo out; echo 'no such host' >&2; exit 3");
    expect(PROCESS_EXITED, 3);
    TEST_TEXT(result.output, "out\n");
    TEST_TEXT(result.tail, "no such host");
    process_result_clear(&result);
    run("kill -SEGV $$");
    expect(PROCESS_SIGNALED, SIGSEGV);
    process_result_clear(&result);
}

static void tells_why_it_did_not_start(void)
{
    struct process process = {
        .arguments = (char *[]){"./no-such-command", NULL}, .directory = "/", .cancel_fd = -1};
    process_run(&process, &result);
    expect(PROCESS_NOT_STARTED, ENOENT);
    process.arguments = (char *[]){"no-such-command-in-path", NULL};
    process_run(&process, &result);
    expect(PROCESS_NOT_STARTED, ENOENT);
    process.arguments = (char *[]){"/etc/passwd", NULL};
    process_run(&process, &result);
    expect(PROCESS_NOT_STARTED, EACCES);
    process.arguments = (char *[]){"true", NULL};
    process.directory = "/no/such/directory";
    process_run(&process, &result);
    expect(PROCESS_NOT_STARTED, ENOENT);
}

static void too_much_output_is_stopped(void)
{
    run("yes");
    expect(PROCESS_TOO_MUCH, 0);
    process_result_clear(&result);
    run("head -c 16777216 /dev/zero");
    expect(PROCESS_EXITED, 0);
    CU_ASSERT_EQUAL(result.output_size, PROCESS_OUTPUT_MAX);
    process_result_clear(&result);
}

static void the_end_of_stderr_is_kept(void)
{
    run("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i + 1)); done >&2; exit 1");
    expect(PROCESS_EXITED, 1);
    CU_ASSERT(result.tail_size <= PROCESS_TAIL_MAX);
    CU_ASSERT(strncmp(result.tail, "line ", 5) == 0);
    CU_ASSERT(strcmp(result.tail + result.tail_size - 9, "line 2999") == 0);
    process_result_clear(&result);
    /* A cut line could begin in the middle of a credential. */
    run("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1");
    CU_ASSERT_EQUAL(result.tail_size, 0);
    process_result_clear(&result);
}

static void what_it_leaves_behind_is_killed(void)
{
    run("sleep 1000 & echo $!");
    expect(PROCESS_EXITED, 0);
    pid_t pid = (pid_t)atoi(result.output);
    CU_ASSERT(pid > 1);
    /* It is no child of ours, but its end can be waited for. */
    int pidfd = pidfd_open(pid, 0);
    if (pidfd >= 0) {
        struct pollfd end = {pidfd, POLLIN, 0};
        CU_ASSERT_EQUAL(poll(&end, 1, 60000), 1);
        close(pidfd);
    } else {
        CU_ASSERT_EQUAL(errno, ESRCH);
    }
    process_result_clear(&result);
}

static void can_be_cancelled(void)
{
    int fds[2];
    CU_ASSERT_FATAL(pipe(fds) == 0);
    close(fds[1]); /* readable at once: end of file */
    run_with("exec sleep 1000", "{}", 2, fds[0]);
    CU_ASSERT_EQUAL(result.end, PROCESS_CANCELLED);
    process_result_clear(&result);
    run_with("trap '' TERM; while :; do sleep 1000; done", "{}", 2, fds[0]);
    CU_ASSERT_EQUAL(result.end, PROCESS_CANCELLED);
    process_result_clear(&result);
    close(fds[0]);
}

static void inherits_nothing(void)
{
    /* 0 to 2, and the directory that ls itself reads. */
    int extra = dup(2);
    signal(SIGTERM, SIG_IGN);
    run("ls /proc/self/fd | tr '\\n' ' '");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.output, "0 1 2 3 "));
    CU_ASSERT_PTR_NULL(strstr(result.output, "4 "));
    process_result_clear(&result);
    run("kill -TERM $$; echo survived");
    signal(SIGTERM, SIG_DFL);
    close(extra);
    expect(PROCESS_SIGNALED, SIGTERM);
    process_result_clear(&result);
}

static size_t count_fds(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    if (directory == NULL)
        abort();
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static void leaves_nothing_open(void)
{
    size_t before = count_fds();
    for (int i = 0; i < 50; i++) {
        run(i % 3 == 0 ? "exit 1" : i % 3 == 1 ? "kill -9 $$" : "echo x");
        process_result_clear(&result);
        struct process process = {
            .arguments = (char *[]){"./none", NULL}, .directory = "/", .cancel_fd = -1};
        process_run(&process, &result);
        process_result_clear(&result);
    }
    CU_ASSERT_EQUAL(count_fds(), before);
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void *run_many(void *data)
{
    char input[64];
    for (int i = 0; i < 20; i++) {
        snprintf(input, sizeof(input), "[%d,%d]", *(int *)data, i);
        struct process_result mine;
        struct process process = {
            .arguments = (char *[]){"cat", NULL},
            .directory = "/",
            .input = input,
            .input_size = strlen(input),
            .cancel_fd = -1,
        };
        process_run(&process, &mine);
        if (mine.end != PROCESS_EXITED || mine.output == NULL || strcmp(mine.output, input) != 0)
            *(int *)data = -1;
        process_result_clear(&mine);
    }
    return NULL;
}

/* Were the end of a pipe to slip into another child, `cat` would not end. */
static void many_at_once(void)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int data[THREADS];
    for (int i = 0; i < THREADS; i++) {
        data[i] = i;
        CU_ASSERT_FATAL(pthread_create(&threads[i], NULL, run_many, &data[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CU_ASSERT_EQUAL(data[i], i);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    static CU_TestInfo tests[] = {
        {"stdin and stdout", passes_input_and_output},
        {"large input and output do not block each other",
         large_input_and_output_do_not_block_each_other},
        {"input need not be read", input_that_is_not_read_does_not_matter},
        {"exit status, signal, stderr", tells_how_it_ended},
        {"a command that cannot be started", tells_why_it_did_not_start},
        {"more than 16 MiB is stopped, 16 MiB is not", too_much_output_is_stopped},
        {"the last whole lines of stderr are kept", the_end_of_stderr_is_kept},
        {"what it leaves in its process group is killed", what_it_leaves_behind_is_killed},
        {"cancelling ends also what ignores SIGTERM", can_be_cancelled},
        {"a command inherits no descriptor and no ignored signal", inherits_nothing},
        {"many at once", many_at_once},
        {"no descriptor and no zombie is left", leaves_nothing_open},
        CU_TEST_INFO_NULL,
    };
    return test_suite("process", tests);
}
