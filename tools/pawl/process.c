#include "tools/pawl/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 500 /* between SIGTERM and SIGKILL */
#define LOOK_MS  20  /* between looks at a child that has no pidfd */

/* A pipe and the end of it that the child gets. */
struct pipe {
    int ours;
    int theirs;
};

struct running {
    const struct process *process;
    struct process_result *result;
    pid_t pid;
    int pidfd; /* negative on kernels that have none */
    struct pipe in, out, error;
    size_t written;
    size_t capacity; /* of the output */
    bool tail_cut;
    bool told_to_end;
    int64_t kill_at; /* when SIGTERM becomes SIGKILL; 0: it does not, or did */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* `writing`: we write and the child reads. */
static int open_pipe(struct pipe *pipe, bool writing)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    pipe->ours = ends[writing ? 1 : 0];
    pipe->theirs = ends[writing ? 0 : 1];
    return fcntl(pipe->ours, F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

/* --- Starting ----------------------------------------------------------------------------- */

static int spawn(struct running *running)
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
        posix_spawn_file_actions_adddup2(&actions, running->in.theirs, STDIN_FILENO),
        posix_spawn_file_actions_adddup2(&actions, running->out.theirs, STDOUT_FILENO),
        posix_spawn_file_actions_adddup2(&actions, running->error.theirs, STDERR_FILENO),
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1),
        posix_spawn_file_actions_addchdir_np(&actions, running->process->directory),
        posix_spawnattr_setpgroup(&attributes, 0),
        posix_spawnattr_setsigmask(&attributes, &none),
        posix_spawnattr_setsigdefault(&attributes, &all),
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF),
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && error == 0; i++)
        error = steps[i];
    if (error == 0)
        error = posix_spawnp(&running->pid, running->process->arguments[0], &actions, &attributes,
                             running->process->arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* --- What goes in and comes out ----------------------------------------------------------- */

static void write_input(struct running *running)
{
    const struct process *process = running->process;
    ssize_t put = write(running->in.ours, process->input + running->written,
                        process->input_size - running->written);
    if (put > 0)
        running->written += (size_t)put;
    /* EPIPE: it does not want the rest, which is its right. */
    if ((put < 0 && errno != EAGAIN && errno != EINTR) || running->written == process->input_size)
        close_fd(&running->in.ours);
}

static void end_now(struct running *running, enum process_end end, int number)
{
    if (running->result->end == PROCESS_EXITED) {
        running->result->end = end;
        running->result->number = number;
    }
    kill(-running->pid, SIGKILL);
    close_fd(&running->out.ours);
}

/* Reads once from stdout; returns whether there may be more at once. */
static bool read_output(struct running *running)
{
    struct process_result *result = running->result;
    if (running->capacity - result->output_size < 2) {
        size_t capacity = running->capacity == 0 ? 4096 : running->capacity * 2;
        char *grown = realloc(result->output, capacity);
        if (grown == NULL) {
            end_now(running, PROCESS_FAILED, ENOMEM);
            return false;
        }
        result->output = grown;
        running->capacity = capacity;
    }
    ssize_t got = read(running->out.ours, result->output + result->output_size,
                       running->capacity - result->output_size - 1);
    if (got < 0)
        return errno == EINTR;
    if (got == 0) {
        close_fd(&running->out.ours);
        return false;
    }
    result->output_size += (size_t)got;
    result->output[result->output_size] = '\0';
    if (result->output_size <= PROCESS_OUTPUT_MAX)
        return true;
    end_now(running, PROCESS_TOO_MUCH, 0);
    return false;
}

/* The same for stderr, of which the last bytes are kept. */
static bool read_error(struct running *running)
{
    struct process_result *result = running->result;
    char piece[PROCESS_TAIL_MAX];
    ssize_t got = read(running->error.ours, piece, sizeof(piece));
    if (got < 0)
        return errno == EINTR;
    if (got == 0) {
        close_fd(&running->error.ours);
        return false;
    }
    size_t size = (size_t)got, keep = result->tail_size;
    if (keep + size > PROCESS_TAIL_MAX) {
        keep = PROCESS_TAIL_MAX - size;
        memmove(result->tail, result->tail + result->tail_size - keep, keep);
        running->tail_cut = true;
    }
    memcpy(result->tail + keep, piece, size);
    result->tail_size = keep + size;
    return true;
}

/* A cut tail begins in the middle of a line, perhaps in the middle of a credential that nothing
 * could recognise any more: that line goes. */
static void trim_tail(struct process_result *result, bool cut)
{
    char *begin = result->tail;
    if (cut) {
        char *line_end = memchr(result->tail, '\n', result->tail_size);
        char *word_end = memchr(result->tail, ' ', result->tail_size);
        begin = line_end != NULL   ? line_end + 1
                : word_end != NULL ? word_end + 1
                                   : result->tail + result->tail_size;
    }
    result->tail_size -= (size_t)(begin - result->tail);
    memmove(result->tail, begin, result->tail_size);
    while (result->tail_size > 0 && strchr("\r\n\t ", result->tail[result->tail_size - 1]) != NULL)
        result->tail_size--;
    result->tail[result->tail_size] = '\0';
}

/* --- Until its end ------------------------------------------------------------------------ */

/* Whether the child has ended; it is left as a zombie, so that its process group keeps its number
 * until the group was killed. */
static bool has_ended(struct running *running)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)running->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
           info.si_pid == running->pid;
}

static int timeout_ms(const struct running *running)
{
    int64_t timeout = -1;
    if (running->kill_at != 0) {
        timeout = running->kill_at - now_ms();
        timeout = timeout < 0 ? 0 : timeout;
    }
    if (running->pidfd < 0 && (timeout < 0 || timeout > LOOK_MS))
        timeout = LOOK_MS;
    return (int)timeout;
}

static void wait_and_serve(struct running *running)
{
    enum { IN, OUT, ERROR, PID, CANCEL, COUNT };
    struct pollfd fds[COUNT] = {
        [IN] = {running->in.ours, POLLOUT, 0},
        [OUT] = {running->out.ours, POLLIN, 0},
        [ERROR] = {running->error.ours, POLLIN, 0},
        [PID] = {running->pidfd, POLLIN, 0},
        [CANCEL] = {running->told_to_end ? -1 : running->process->cancel_fd, POLLIN, 0},
    };
    if (poll(fds, COUNT, timeout_ms(running)) < 0 && errno != EINTR) {
        end_now(running, PROCESS_FAILED, errno);
        return;
    }
    if (fds[IN].revents != 0)
        write_input(running);
    if (fds[OUT].revents != 0)
        read_output(running);
    if (fds[ERROR].revents != 0)
        read_error(running);
    if (fds[CANCEL].revents != 0) {
        if (running->result->end == PROCESS_EXITED)
            running->result->end = PROCESS_CANCELLED;
        running->told_to_end = true;
        running->kill_at = now_ms() + GRACE_MS;
        kill(-running->pid, SIGTERM);
    } else if (running->kill_at != 0 && now_ms() >= running->kill_at) {
        kill(-running->pid, SIGKILL);
        running->kill_at = 0;
    }
}

/* Reads what was in a pipe when the child ended: everything that it wrote. Descendants that left
 * its group may hold the pipe and write for ever; that is not waited for. */
static void drain(struct running *running, const int *fd, bool (*read_some)(struct running *))
{
    int left = 0;
    if (*fd < 0 || ioctl(*fd, FIONREAD, &left) < 0)
        return;
    for (int pieces = left; pieces > 0 && *fd >= 0 && read_some(running); pieces--)
        if (ioctl(*fd, FIONREAD, &left) < 0 || left == 0)
            return;
}

static void reap(struct running *running)
{
    struct process_result *result = running->result;
    int status;
    pid_t waited;
    do
        waited = waitpid(running->pid, &status, 0);
    while (waited < 0 && errno == EINTR);
    if (result->end != PROCESS_EXITED)
        return;
    if (waited < 0) {
        result->end = PROCESS_FAILED;
        result->number = errno;
    } else if (WIFSIGNALED(status)) {
        result->end = PROCESS_SIGNALED;
        result->number = WTERMSIG(status);
    } else {
        result->number = WEXITSTATUS(status);
    }
}

static void close_all(struct running *running)
{
    close_fd(&running->in.ours);
    close_fd(&running->in.theirs);
    close_fd(&running->out.ours);
    close_fd(&running->out.theirs);
    close_fd(&running->error.ours);
    close_fd(&running->error.theirs);
    close_fd(&running->pidfd);
}

void process_run(const struct process *process, struct process_result *result)
{
    __attribute__((cleanup(close_all))) struct running running = {
        .process = process,
        .result = result,
        .pidfd = -1,
        .in = {-1, -1},
        .out = {-1, -1},
        .error = {-1, -1},
    };
    *result = (struct process_result){.end = PROCESS_FAILED};
    if ((result->number = open_pipe(&running.in, true)) != 0 ||
        (result->number = open_pipe(&running.out, false)) != 0 ||
        (result->number = open_pipe(&running.error, false)) != 0)
        return;
    result->end = PROCESS_NOT_STARTED;
    result->number = spawn(&running);
    if (result->number != 0)
        return;
    result->end = PROCESS_EXITED;
    running.pidfd = pidfd_open(running.pid, 0);
    close_fd(&running.in.theirs);
    close_fd(&running.out.theirs);
    close_fd(&running.error.theirs);
    if (process->input_size == 0)
        close_fd(&running.in.ours);

    while (!has_ended(&running))
        wait_and_serve(&running);

    kill(-running.pid, SIGKILL);
    drain(&running, &running.out.ours, read_output);
    drain(&running, &running.error.ours, read_error);
    reap(&running);
    trim_tail(result, running.tail_cut);
}

void process_result_clear(struct process_result *result)
{
    free(result->output);
    result->output = NULL;
}
