#include "tools/harness/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"

/* What a requirement may say, in bytes; it travels through a pipe. */
#define WORDS_MAX 16384u

/* How much more writable memory a plugin may map than there was, so that one which does not stop a
 * memory bomb does not take the machine with it. */
#define DATA_MAX (UINT64_C(4) << 30)

static void add_words(struct check *check, const char *format, va_list arguments)
{
    char line[2048];
    vsnprintf(line, sizeof(line), format, arguments);
    if (check->words.size > 0)
        buffer_string(&check->words, "\n");
    buffer_string(&check->words, line);
}

bool expect(struct check *check, bool condition, const char *format, ...)
{
    if (condition)
        return true;
    if (check->outcome == OUTCOME_SKIPPED)
        buffer_clear(&check->words);
    check->outcome = OUTCOME_FAILED;
    va_list arguments;
    va_start(arguments, format);
    add_words(check, format, arguments);
    va_end(arguments);
    return false;
}

void skip(struct check *check, const char *format, ...)
{
    if (check->outcome != OUTCOME_PASSED)
        return;
    check->outcome = OUTCOME_SKIPPED;
    va_list arguments;
    va_start(arguments, format);
    add_words(check, format, arguments);
    va_end(arguments);
}

void note(struct check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_words(check, format, arguments);
    va_end(arguments);
}

/* --- In the requirement's process ---------------------------------------------------------- */

/* The private writable memory of this process, in bytes. */
static uint64_t data_size(void)
{
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL)
        return 0;
    while (fgets(line, sizeof(line), status) != NULL)
        if (sscanf(line, "VmData: %llu", &kilobytes) == 1)
            break;
    fclose(status);
    return kilobytes * 1024;
}

static void limit_damage(void)
{
    struct rlimit none = {0, 0};
    struct rlimit data;
    setrlimit(RLIMIT_CORE, &none);
    if (getrlimit(RLIMIT_DATA, &data) == 0) {
        rlim_t most = data_size() + DATA_MAX;
        if (data.rlim_max == RLIM_INFINITY || most < data.rlim_max)
            data.rlim_cur = most;
        setrlimit(RLIMIT_DATA, &data);
    }
}

static void write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, text, size);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            text += written;
            size -= (size_t)written;
        }
    }
}

/* A byte for the outcome, then the words. */
static _Noreturn void check_here(const struct requirement *requirement, struct check *check, int fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* stdout is the harness's own */
    limit_damage();
    requirement->test(check);
    char outcome = (char)('0' + (int)check->outcome);
    write_all(fd, &outcome, 1);
    write_all(fd, check->words.data != NULL ? check->words.data : "", check->words.size);
    _exit(0);
}

/* --- In the harness ------------------------------------------------------------------------ */

/* Reads what the process says until it closes the pipe. False: the time is over. */
static bool read_report(int fd, unsigned seconds, struct buffer *report)
{
    uint64_t end = clock_now() + seconds * 1000 * NS_PER_MS;
    for (;;) {
        uint64_t now = clock_now();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (now >= end)
            return false;
        if (poll(&ready, 1, (int)((end - now) / NS_PER_MS) + 1) <= 0)
            continue;
        char piece[4096];
        ssize_t size = read(fd, piece, sizeof(piece));
        if (size == 0)
            return true;
        if (size > 0)
            buffer_append(report, piece, (size_t)size);
        else if (errno != EINTR)
            return true;
    }
}

static void judge(struct check *check, const struct buffer *report, int status, bool in_time,
                  unsigned seconds)
{
    bool said = report->size > 0 && report->data[0] >= '0' && report->data[0] <= '2';
    if (said) {
        check->outcome = (enum outcome)(report->data[0] - '0');
        buffer_append(&check->words, report->data + 1, report->size - 1);
    }
    if (!in_time)
        expect(check, false, "it did not come back within %u seconds", seconds);
    else if (WIFSIGNALED(status))
        expect(check, false, "it crashed: %s", strsignal(WTERMSIG(status)));
    else if (!said || WEXITSTATUS(status) != 0)
        expect(check, false, "it ended the process: exit status %d", WEXITSTATUS(status));
}

void check_apart(const struct requirement *requirement, struct check *check)
{
    int channel[2];
    unsigned seconds = requirement->seconds != 0 ? requirement->seconds : DEFAULT_SECONDS;
    if (check->settings->seconds != 0)
        seconds = (unsigned)check->settings->seconds;
    if (pipe2(channel, O_CLOEXEC) != 0) {
        expect(check, false, "no pipe can be made: %m");
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        check_here(requirement, check, channel[1]);
    }
    close(channel[1]);
    if (child < 0) {
        expect(check, false, "no process can be started: %m");
        close(channel[0]);
        return;
    }
    setpgid(child, child);
    struct buffer report BUFFER_CLEANUP = {.limit = WORDS_MAX};
    bool in_time = read_report(channel[0], seconds, &report);
    close(channel[0]);
    kill(-child, SIGKILL); /* and whatever it left behind in its group */
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    judge(check, &report, status, in_time, seconds);
}
