/* The stage `approve`: its configuration, and commands that say yes, no, nothing or nonsense. What
 * is shown on a terminal is tested by tests/cli. */
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/stage.h"

static char *directory;

/* A configuration whose command is a shell's, with more members. */
static void *shell(const char *script, const char *members)
{
    char config[2048];
    snprintf(config, sizeof(config), "{\"command\": [\"/bin/sh\", \"-c\", \"cd %s; %s\"]%s}",
             directory, script, members);
    return stage_create(config, "");
}

static void begin(void)
{
    directory = test_make_directory();
}

static void end(void *instance)
{
    stage_destroy(instance);
    test_remove_directory(directory);
    /* No child is left, not even as a zombie. */
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
}

static int judge(void *instance, const char *name, const char *arguments)
{
    struct pawl_stage_call call = stage_call("run-1", 7, name, arguments);
    return stage_judge(instance, &call);
}

static void expect(const char *script, int verdict, const char *words)
{
    begin();
    void *instance = shell(script, "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), verdict);
    TEST_TEXT(stage_words, words);
    end(instance);
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void configuration(void)
{
    static const char whom[] = "say whom to ask: either \"command\" or \"terminal\": true";
    static const char array[] =
        "\"command\" must be an array of 1 to 256 strings such as [\"/usr/local/bin/approve\"]";
    stage_create("{}", whom);
    stage_create("{\"terminal\": false}", whom);
    stage_create("{\"terminal\": true, \"command\": [\"/bin/true\"]}", whom);
    stage_create("{\"terminal\": 1}", "\"terminal\" must be true or false");
    stage_create("{\"command\": \"/bin/true\"}", array);
    stage_create("{\"command\": []}", array);
    stage_create("{\"command\": [\"true\"]}",
                 "\"command\"[0] must be an absolute path: nothing is looked for in PATH");
    stage_create("{\"command\": [\"/bin/true\", 1]}",
                 "\"command\"[1] must be a string without U+0000");
    stage_create("{\"command\": [\"/bin/true\", \"a\\u0000b\"]}",
                 "\"command\"[1] must be a string without U+0000");
    static const char *const times[] = {"60", "\"60\"", "\"0s\"", "\"s\"", "\"1d\"", "\"-1s\""};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        char config[128];
        snprintf(config, sizeof(config), "{\"terminal\": true, \"timeout\": %s}", times[i]);
        stage_create(config, "\"timeout\" must be a time of at least 1ms: write \"1500ms\", "
                             "\"30s\", \"10m\" or \"1h\"");
    }
    stage_create("{\"terminal\": true, \"timeout\": \"25h\"}", "\"timeout\" must be 24h at most");
    stage_create("{\"terminal\": true, \"match\": \"*\"}",
                 "\"match\" must be an array of patterns such as \"tools.get_*\"");
    stage_create("{\"terminal\": true, \"default\": \"allow\"}",
                 "unknown key \"default\"; known here: \"command\", \"terminal\", \"timeout\", "
                 "\"match\"");
    stage_destroy(stage_create("{\"terminal\": true, \"timeout\": \"24h\"}", ""));
}

static void yes_and_no(void)
{
    expect("exit 0", PAWL_VERDICT_ALLOW, "");
    expect("echo ignored; exit 0", PAWL_VERDICT_ALLOW, "");
    expect("exit 1", PAWL_VERDICT_DENY, "it was not approved");
    expect("echo not today; echo more; exit 1", PAWL_VERDICT_DENY, "not today");
    expect("printf 'no\\\\r\\\\n'; exit 1", PAWL_VERDICT_DENY, "no");
    expect("echo; exit 1", PAWL_VERDICT_DENY, "it was not approved");
    expect("printf '\\\\033[2Jx'; exit 1", PAWL_VERDICT_DENY, "\\u001b[2Jx");
    expect("echo '%s%n'; exit 1", PAWL_VERDICT_DENY, "%s%n");
}

static void anything_else_is_a_failure(void)
{
    expect("echo yes; exit 2", PAWL_E_SYSTEM,
           "the command ended with status 2, which is neither yes (0) nor no (1)");
    expect("exit 255", PAWL_E_SYSTEM,
           "the command ended with status 255, which is neither yes (0) nor no (1)");
    expect("kill -9 $$", PAWL_E_SYSTEM, "the command was ended by signal 9");
    begin();
    void *instance = stage_create("{\"command\": [\"/no/such/command\"]}", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_E_SYSTEM);
    TEST_TEXT(stage_words, "the command cannot be started: No such file or directory");
    end(instance);
}

/* What a file in the directory holds. */
static const char *contents(const char *name)
{
    static char text[8192];
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void it_gets_the_call(void)
{
    begin();
    void *instance = shell("cat > call; cat /dev/stdin > again", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a\"\n", "{\"x\": \"$(reboot)\"}"), PAWL_VERDICT_ALLOW);
    static const char expected[] =
        "{\"number\":7,\"run\":\"run-1\",\"name\":\"tools.a\\\"\\n\",\"namespace\":\"tools\","
        "\"function\":\"a\\\"\\n\",\"arguments\":{\"x\": \"$(reboot)\"}}\n";
    TEST_TEXT(contents("call"), expected);
    end(instance);
}

/* It reads none of it, or all of it late: neither breaks anything. */
static void large_arguments(void)
{
    size_t size = 8 << 20;
    char *arguments = malloc(size + 1);
    memset(arguments, ' ', size);
    arguments[0] = '[';
    arguments[size - 1] = ']';
    arguments[size] = '\0';
    begin();
    void *instance = shell("exit 0", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", arguments), PAWL_VERDICT_ALLOW);
    stage_destroy(instance);
    instance = shell("wc -c; exit 1", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", arguments), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(atol(stage_words), (long)size + 92);
    end(instance);
    free(arguments);
}

static void it_inherits_nothing(void)
{
    begin();
    int leaking = dup(STDOUT_FILENO); /* without close-on-exec, as a host might have some */
    void *instance = shell("ls /proc/self/fd > fds", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    close(leaking);
    TEST_TEXT(contents("fds"), "0\n1\n2\n3\n"); /* 3 is what ls itself reads */
    end(instance);
}

static void a_flood_of_words_is_read(void)
{
    begin();
    void *instance = shell("yes no | head -c 3000000; exit 1", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "no");
    stage_destroy(instance);
    instance = shell("head -c 100000 /dev/zero | tr '\\\\000' x; exit 1", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(strlen(stage_words), 768);
    end(instance);
}

/* Whether a process with the number that stands in a file of the directory is gone. */
static bool is_gone(const char *name)
{
    pid_t pid = (pid_t)atol(contents(name));
    CU_ASSERT(pid > 1);
    for (int i = 0; i < 5000; i++) { /* the kernel takes a moment to end it */
        char path[64], state = 0;
        snprintf(path, sizeof(path), "/proc/%d/stat", pid);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return true;
        if (fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && (state == 'Z' || state == 'X')) {
            fclose(file);
            return true;
        }
        fclose(file);
        usleep(1000);
    }
    return false;
}

static void who_does_not_decide_in_time_denies(void)
{
    begin();
    void *instance =
        shell("echo $$ > pid; echo yes; sleep 1000; exit 0", ", \"timeout\": \"300ms\"");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "nobody approved it in time");
    CU_ASSERT(is_gone("pid"));
    stage_destroy(instance);
    instance = shell("yes", ", \"timeout\": \"100ms\""); /* talking is not deciding */
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "nobody approved it in time");
    end(instance);
}

/* Also when it holds the pipe. */
static void nothing_of_it_stays(void)
{
    begin();
    void *instance = shell("sleep 1000 & echo $! > pid; exit 0", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT(is_gone("pid"));
    end(instance);
}

struct cancelling {
    int fd;
    char fifo[512];
};

static void *cancel_once_it_runs(void *data)
{
    struct cancelling *cancelling = data;
    uint64_t one = 1;
    FILE *fifo = fopen(cancelling->fifo, "r"); /* until the command opens it */
    (void)!write(cancelling->fd, &one, sizeof(one));
    if (fifo != NULL)
        fclose(fifo);
    return NULL;
}

static void cancelling_ends_it(void)
{
    begin();
    struct cancelling cancelling = {.fd = eventfd(0, EFD_CLOEXEC)};
    snprintf(cancelling.fifo, sizeof(cancelling.fifo), "%s/fifo", directory);
    CU_ASSERT_EQUAL_FATAL(mkfifo(cancelling.fifo, 0600), 0);
    pthread_t thread;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, cancel_once_it_runs, &cancelling), 0);
    void *instance = shell("echo $$ > pid; echo > fifo; sleep 1000", ", \"timeout\": \"10m\"");
    struct pawl_stage_call call = stage_call("run-1", 7, "tools.a", "{}");
    call.cancel_fd = cancelling.fd;
    CU_ASSERT_EQUAL(stage_judge(instance, &call), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "the run ended before it was decided");
    CU_ASSERT(is_gone("pid"));
    pthread_join(thread, NULL);
    close(cancelling.fd);
    end(instance);
}

/* A host whose pawl is older has no cancel_fd, but another thing may stand where it would be. */
static void a_call_of_an_older_host(void)
{
    begin();
    void *instance = shell("exit 0", "");
    struct pawl_stage_call call = stage_call("run-1", 7, "tools.a", "{}");
    call.header.size = (uint32_t)offsetof(struct pawl_stage_call, cancel_fd);
    call.cancel_fd = 12345;
    CU_ASSERT_EQUAL(stage_judge(instance, &call), PAWL_VERDICT_ALLOW);
    end(instance);
}

static void only_what_matches_is_asked_about(void)
{
    begin();
    void *instance = shell("exit 1", ", \"match\": [\"tools.delete_*\", \"db.*\"]");
    CU_ASSERT_EQUAL(judge(instance, "tools.get_logs", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "tools.delete_logs", "{}"), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(judge(instance, "db.query", "{}"), PAWL_VERDICT_DENY);
    stage_destroy(instance);
    instance = shell("exit 1", ", \"match\": []");
    CU_ASSERT_EQUAL(judge(instance, "tools.get_logs", "{}"), PAWL_VERDICT_ALLOW);
    end(instance);
}

static void a_name_that_is_too_long_fails(void)
{
    char name[5000];
    begin();
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    void *instance = shell("exit 0", "");
    CU_ASSERT_EQUAL(judge(instance, name, "{}"), PAWL_E_SYSTEM);
    TEST_TEXT(stage_words, "the call cannot be handed over: Argument list too long");
    end(instance);
}

/* Whoever has SIGCHLD ignored, as hosts do, is not told how a child ended: then nothing passes. */
static void an_unknown_end_is_a_failure(void)
{
    begin();
    void *instance = shell("exit 0", "");
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    CU_ASSERT_EQUAL(judge(instance, "tools.a", "{}"), PAWL_E_SYSTEM);
    signal(SIGCHLD, before);
    /* Which of the two it is depends on how quick the command was. */
    CU_ASSERT(strstr(stage_words, "the command's end is not known: No child processes") ||
              strstr(stage_words, "the command cannot be watched: No such process"));
    end(instance);
}

/* In a session without one. */
static void without_a_terminal_it_fails(void)
{
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        setsid();
        void *instance = NULL;
        pawl_stage_entry_v1()->create("{\"terminal\": true}", &stage_why, &instance);
        int verdict = instance != NULL ? judge(instance, "tools.a", "{}") : 0;
        bool right = verdict == PAWL_E_SYSTEM &&
                     strstr(stage_words, "there is no terminal to ask on: ") == stage_words;
        /* The turn was given back: the next one does not wait for ever. */
        right = right && judge(instance, "tools.a", "{}") == PAWL_E_SYSTEM;
        _exit(right ? 0 : 1);
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

/* --- With a terminal ------------------------------------------------------------------------- */

static void say_nothing(void *context, const char *piece, size_t size)
{
    (void)context, (void)piece, (void)size;
}

static void *judge_once(void *instance)
{
    const struct pawl_sink silent = {.header = PAWL_HEADER(SINK, silent), .write = say_nothing};
    uint32_t verdict = PAWL_VERDICT_DENY;
    struct pawl_stage_call call = stage_call("run-1", 7, "tools.a", "{}");
    int32_t status = pawl_stage_entry_v1()->judge(instance, &call, &silent, &verdict);
    return status == PAWL_OK && verdict == PAWL_VERDICT_ALLOW ? instance : NULL;
}

/* Two calls at once; the exit status is how many were approved. */
static _Noreturn void ask_twice(void)
{
    pthread_t threads[2];
    void *instance = NULL, *approved;
    int count = 0;
    pawl_stage_entry_v1()->create("{\"terminal\": true}", &stage_why, &instance);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, judge_once, instance) != 0)
            _exit(99);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &approved);
        count += approved != NULL;
    }
    _exit(count);
}

static char seen[16384];

/* Reads from a terminal until something was shown so many times. */
static void read_until(int master, const char *what, int times)
{
    for (;;) {
        int found = 0;
        for (const char *at = seen; (at = strstr(at, what)) != NULL; at++)
            found++;
        size_t size = strlen(seen);
        ssize_t got = found < times ? read(master, seen + size, sizeof(seen) - 1 - size) : 0;
        if (got <= 0) {
            CU_ASSERT_EQUAL(found, times);
            return;
        }
    }
}

static int end_of(pid_t child)
{
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void one_question_at_a_time(void)
{
    int master;
    memset(seen, 0, sizeof(seen));
    pid_t child = forkpty(&master, NULL, NULL, NULL);
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0)
        ask_twice();
    read_until(master, "[y/N] ", 1);
    CU_ASSERT_EQUAL(write(master, "y\n", 2), 2);
    read_until(master, "[y/N] ", 2);
    CU_ASSERT_EQUAL(write(master, "n\n", 2), 2);
    CU_ASSERT_EQUAL(end_of(child), 1);
    const char *answer = strstr(seen, "[y/N] y");
    const char *second = strstr(strstr(seen, "The program") + 1, "The program");
    CU_ASSERT(answer != NULL && second != NULL && answer < second);
    close(master);
}

/* A host that was started with & is not stopped; the call is not made. */
static void in_the_background_it_fails(void)
{
    int master;
    pid_t child = forkpty(&master, NULL, NULL, NULL);
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        pid_t background = fork();
        if (background == 0) {
            void *instance = NULL;
            setpgid(0, 0);
            pawl_stage_entry_v1()->create("{\"terminal\": true}", &stage_why, &instance);
            bool right = judge(instance, "tools.a", "{}") == PAWL_E_SYSTEM &&
                         strstr(stage_words, "not in the foreground") != NULL;
            _exit(right ? 0 : 1);
        }
        int status = -1;
        waitpid(background, &status, WUNTRACED);
        if (WIFSTOPPED(status))
            kill(background, SIGKILL);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
    }
    CU_ASSERT_EQUAL(end_of(child), 0);
    close(master);
}

static void *judge_yes(void *instance)
{
    uint32_t verdict = PAWL_VERDICT_DENY;
    struct pawl_stage_call call = stage_call("run-1", 7, "tools.a", "{}");
    for (int i = 0; i < 10; i++)
        if (pawl_stage_entry_v1()->judge(instance, &call, &stage_why, &verdict) != PAWL_OK ||
            verdict != PAWL_VERDICT_ALLOW)
            return instance;
    return NULL;
}

static void several_at_once(void)
{
    begin();
    void *instance = shell("exit 0", ""), *failed;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, judge_yes, instance), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    end(instance);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"its configuration", configuration},
        {"yes and no", yes_and_no},
        {"anything else is a failure", anything_else_is_a_failure},
        {"it gets the call", it_gets_the_call},
        {"large arguments", large_arguments},
        {"it inherits nothing", it_inherits_nothing},
        {"a flood of words is read", a_flood_of_words_is_read},
        {"who does not decide in time denies", who_does_not_decide_in_time_denies},
        {"nothing of it stays", nothing_of_it_stays},
        {"cancelling ends it", cancelling_ends_it},
        {"a call of an older host", a_call_of_an_older_host},
        {"only what matches is asked about", only_what_matches_is_asked_about},
        {"a name that is too long fails", a_name_that_is_too_long_fails},
        {"an unknown end is a failure", an_unknown_end_is_a_failure},
        {"without a terminal it fails", without_a_terminal_it_fails},
        {"one question at a time", one_question_at_a_time},
        {"in the background it fails", in_the_background_it_fails},
        {"several at once", several_at_once},
        CU_TEST_INFO_NULL,
    };
    return test_suite("approve", tests);
}
