#include "stages/approve/command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "stages/common/quiet.h"

#define MAX_HEAD_BYTES 16384
#define MAX_NAME_BYTES 3072

struct command {
    pid_t pid;
    int pidfd;
    int input;  /* the call, in memory: no pipe that could break or fill */
    int output; /* the end of the pipe that is read */
    int output_of_child;
};

/* --- The call as JSON --------------------------------------------------------------------- */

static void add_name(struct text *text, const char *key, const char *name)
{
    text_format(text, ",\"%s\":", key);
    if (text_json(text, name, strlen(name), MAX_NAME_BYTES) != strlen(name))
        text->full = true;
}

static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const struct iovec part = {(char *)data, size};
        ssize_t put = quiet_writev(fd, &part, 1);
        if (put < 0)
            return errno;
        data += put;
        size -= (size_t)put;
    }
    return 0;
}

/* The arguments come last: they are as long as the program likes. Returns an errno. */
static int write_call(int fd, const struct pawl_stage_call *call)
{
    char memory[MAX_HEAD_BYTES];
    struct text head = {.data = memory, .capacity = sizeof(memory)};
    text_format(&head, "{\"number\":%" PRIu64, call->number);
    add_name(&head, "run", call->run);
    add_name(&head, "name", call->name);
    add_name(&head, "namespace", call->namespace_name);
    add_name(&head, "function", call->function);
    text_format(&head, ",\"arguments\":");
    if (head.full)
        return E2BIG;
    int error = write_all(fd, head.data, head.size);
    if (error == 0)
        error = write_all(fd, call->arguments.data, call->arguments.size);
    if (error == 0)
        error = write_all(fd, "}\n", 2);
    if (error == 0 && lseek(fd, 0, SEEK_SET) < 0)
        error = errno;
    return error;
}

/* --- Starting ----------------------------------------------------------------------------- */

static int spawn(struct command *command, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    /* No short circuit is needed for each: the first error is kept. */
    int steps[] = {
        posix_spawn_file_actions_adddup2(&actions, command->input, STDIN_FILENO),
        posix_spawn_file_actions_adddup2(&actions, command->output_of_child, STDOUT_FILENO),
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1),
        posix_spawnattr_setpgroup(&attributes, 0),
        posix_spawnattr_setsigmask(&attributes, &none),
        posix_spawnattr_setsigdefault(&attributes, &all),
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF),
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && error == 0; i++)
        error = steps[i];
    if (error == 0)
        error = posix_spawn(&command->pid, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_all(struct command *command)
{
    close_fd(&command->pidfd);
    close_fd(&command->input);
    close_fd(&command->output);
    close_fd(&command->output_of_child);
}

/* ANSWER_YES: it runs. */
static enum answer start(struct command *command, char *const *arguments,
                         const struct pawl_stage_call *call, struct asking *asking)
{
    int ends[2];
    command->input = memfd_create("pawl-call", MFD_CLOEXEC);
    if (command->input < 0)
        return asking_broke(asking, "memfd_create", errno);
    int error = write_call(command->input, call);
    if (error != 0)
        return asking_broke(asking, "the call cannot be handed over", error);
    if (pipe2(ends, O_CLOEXEC) < 0)
        return asking_broke(asking, "pipe", errno);
    command->output = ends[0];
    command->output_of_child = ends[1];
    if (fcntl(command->output, F_SETFL, O_NONBLOCK) < 0)
        return asking_broke(asking, "fcntl", errno);
    error = spawn(command, arguments);
    if (error != 0) {
        command->pid = -1;
        return asking_broke(asking, "the command cannot be started", error);
    }
    close_fd(&command->output_of_child);
    command->pidfd = pidfd_open(command->pid, 0);
    if (command->pidfd >= 0)
        return ANSWER_YES;
    return asking_broke(asking, "the command cannot be watched", errno);
}

/* --- Until its end ------------------------------------------------------------------------ */

/* Reads once what it prints. Only the beginning is kept, but all of it is read. Returns whether
 * there may be more at once. */
static bool read_output(struct command *command, struct asking *asking)
{
    char piece[1024];
    ssize_t got = read(command->output, piece, sizeof(piece));
    if (got < 0)
        return errno == EINTR;
    if (got == 0) {
        close_fd(&command->output);
        return false;
    }
    size_t room = asking->words.capacity - asking->words.size;
    text_append(&asking->words, piece, (size_t)got < room ? (size_t)got : room);
    return true;
}

/* Waits until it has ended, as long as there is time. It is left as a zombie. */
static enum answer wait_for_end(struct command *command, struct asking *asking)
{
    for (;;) {
        struct pollfd fds[] = {{command->pidfd, POLLIN, 0}, {command->output, POLLIN, 0}};
        enum answer ready = asking_wait(asking, fds, 2);
        if (ready != ANSWER_YES)
            return ready;
        if (fds[1].revents != 0)
            read_output(command, asking);
        if (fds[0].revents != 0)
            return ANSWER_YES;
    }
}

/* What the end that it came to by itself says. */
static enum answer reap(struct command *command, struct asking *asking)
{
    int status;
    pid_t waited;
    do
        waited = waitpid(command->pid, &status, 0);
    while (waited < 0 && errno == EINTR);
    if (waited < 0)
        return asking_broke(asking, "the command's end is not known", errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1)
        return WEXITSTATUS(status) == 0 ? ANSWER_YES : ANSWER_NO;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EX_TEMPFAIL)
        return ANSWER_LATER;
    asking->words.size = 0;
    if (WIFSIGNALED(status))
        text_format(&asking->words, "the command was ended by signal %d", WTERMSIG(status));
    else
        text_format(&asking->words,
                    "the command ended with status %d, which is neither yes (0) nor no (1)",
                    WEXITSTATUS(status));
    return ANSWER_BROKEN;
}

/* Whether its number, and that of its group, still belongs to it: as long as it runs, and then as
 * long as nobody has waited for it. A host that ignores SIGCHLD has the kernel do so at once. */
static bool is_ours(const struct command *command)
{
    siginfo_t info;
    return waitid(P_PID, (id_t)command->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

enum answer command_ask(char *const *arguments, const struct pawl_stage_call *call,
                        struct asking *asking)
{
    __attribute__((cleanup(close_all))) struct command command = {
        .pid = -1, .pidfd = -1, .input = -1, .output = -1, .output_of_child = -1};
    enum answer answer = start(&command, arguments, call, asking);
    if (command.pid < 0)
        return answer;
    if (answer == ANSWER_YES)
        answer = wait_for_end(&command, asking);
    if (is_ours(&command)) /* what is left of the group may hold the pipe */
        kill(-command.pid, SIGKILL);
    while (command.output >= 0 && asking->words.size < asking->words.capacity &&
           read_output(&command, asking))
        ;
    if (answer != ANSWER_YES) {
        while (waitpid(command.pid, NULL, 0) < 0 && errno == EINTR)
            ;
        return answer;
    }
    return reap(&command, asking);
}
