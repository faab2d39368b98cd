#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pawl/wire.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "proc.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

uint64_t worker_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int worker_timeout(uint64_t until)
{
    uint64_t now = worker_now();
    if (until <= now)
        return 0;
    uint64_t milliseconds = (until - now + 999999) / 1000000;
    return milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
}

void worker_print_end(const struct child_end *end, struct text *into)
{
    const char *name = end->signaled ? sigabbrev_np(end->code) : NULL;
    if (!end->known)
        text_string(into, "unknown (the host took the exit status away)");
    else if (name != NULL)
        text_format(into, "signal: SIG%s", name);
    else
        text_format(into, end->signaled ? "signal: %d" : "exit status %d", end->code);
}

bool recipe_confines_command(const struct recipe *recipe)
{
    return recipe->second.size > 0;
}

/* --- Start ----------------------------------------------------------------------------------- */

int32_t worker_start(const struct recipe *recipe, struct worker **result, struct text *why)
{
    struct worker *worker = calloc(1, sizeof(*worker));
    if (worker == NULL)
        return PAWL_E_MEMORY;
    worker->recipe = recipe;
    worker->report.limit = worker->calls.limit = recipe->frame_limit;
    struct text *text = frame_begin(&worker->launch, PAWL_WIRE_LAUNCH);
    text_append(text, recipe->launch.data, recipe->launch.size);
    int32_t status = frame_end(&worker->launch, PAWL_WIRE_FRAME_MOST);
    if (status == PAWL_OK)
        status = launch_child(&worker->child, recipe->argv, recipe->namespaces,
                              recipe_confines_command(recipe), why);
    if (status != PAWL_OK) {
        frame_writer_free(&worker->launch);
        free(worker);
        return status;
    }
    *result = worker;
    return PAWL_OK;
}

void worker_kill(struct worker *worker)
{
    child_kill_alone(&worker->child);
}

void worker_free(struct worker *worker)
{
    if (worker == NULL)
        return;
    child_kill(&worker->child);
    child_reap(&worker->child);
    frame_writer_free(&worker->launch);
    frame_writer_free(&worker->answers);
    frame_reader_free(&worker->report);
    frame_reader_free(&worker->calls);
    tail_free(&worker->tail);
    text_free(&worker->ready);
    text_free(&worker->locked);
    free(worker->engine);
    free(worker);
}

/* --- Ready ----------------------------------------------------------------------------------- */

static int32_t cannot_start(const struct worker *worker, struct text *why, const char *reason)
{
    text_format(why, "%s: %s", worker->recipe->argv[0], reason);
    return PAWL_E_UNAVAILABLE;
}

static int32_t broke_protocol(const struct worker *worker, struct text *why, const char *how)
{
    text_format(why, "%s broke the protocol: %s", worker->recipe->argv[0], how);
    return PAWL_E_UNAVAILABLE;
}

/* The member of a checked object; absent if there is none. */
static struct json member(const struct text *object, const char *name, enum json_type type)
{
    struct json_member wanted = {.name = name, .type = type};
    const struct json value = {object->data, object->size};
    if (object->size == 0 || !json_members(value, &wanted, 1, NULL))
        return (struct json){NULL, 0};
    return wanted.value;
}

struct json worker_languages(const struct worker *worker)
{
    return member(&worker->ready, "languages", JSON_ARRAY);
}

struct json worker_locked(const struct worker *worker)
{
    const bool apart = recipe_confines_command(worker->recipe);
    return member(apart ? &worker->locked : &worker->ready, "locked", JSON_OBJECT);
}

static int32_t take_engine(struct worker *worker, struct json engine, struct text *why)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "level", .type = JSON_UNSIGNED, .required = true},
        {.name = "memory", .type = JSON_BOOLEAN},
        {.name = "egress", .type = JSON_UNSIGNED},
    };
    uint64_t level, egress = PAWL_EGRESS_ANY;
    struct text name TEXT_CLEANUP = {0};
    if (!json_members(engine, m, LENGTH(m), why) || !json_unsigned(m[1].value, &level))
        return PAWL_E_UNAVAILABLE;
    json_decode(m[0].value, &name);
    const char *copy = text_get(&name);
    worker->engine = copy == NULL ? NULL : strdup(copy);
    worker->level = level > PAWL_LEVEL_PROCESS ? PAWL_LEVEL_PROCESS : (uint32_t)level;
    worker->bounds_memory = json_is_true(m[2].value);
    if (m[3].value.text != NULL && json_unsigned(m[3].value, &egress) && egress <= PAWL_EGRESS_NONE)
        worker->egress = (uint32_t)egress;
    return worker->engine == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

static int32_t take_ready(struct worker *worker, struct json frame, struct text *why)
{
    struct json_member m[] = {
        {.name = "protocol", .type = JSON_UNSIGNED, .required = true},
        {.name = "languages", .type = JSON_ARRAY, .required = true},
        {.name = "engine", .type = JSON_OBJECT, .required = !worker->recipe->is_command},
        {.name = "locked", .type = JSON_OBJECT},
        {.name = "images", .type = JSON_BOOLEAN},
    };
    struct text problem TEXT_CLEANUP = {0};
    uint64_t protocol = 0;
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        const char *text = text_get(&problem);
        return broke_protocol(worker, why, text == NULL ? "ready" : text);
    }
    json_unsigned(m[0].value, &protocol);
    if (protocol != PAWL_WIRE_PROTOCOL)
        return broke_protocol(worker, why, "it wants to speak a version that was not offered");
    worker->images = json_is_true(m[4].value);
    text_append(&worker->ready, frame.text, frame.size);
    if (worker->ready.failed)
        return worker->ready.failed;
    return worker->recipe->is_command ? PAWL_OK : take_engine(worker, m[2].value, why);
}

int32_t worker_read_error(const struct worker *worker, struct json frame, struct text *why)
{
    static const struct {
        const char *word;
        int32_t status;
    } words[] = {
        {"unavailable", PAWL_E_UNAVAILABLE}, {"memory", PAWL_E_MEMORY},
        {"plugin", PAWL_E_PLUGIN},           {"config", PAWL_E_CONFIG},
        {"image", PAWL_E_UNSUPPORTED},
    };
    struct json_member m[] = {
        {.name = "status", .type = JSON_STRING, .required = true},
        {.name = "message", .type = JSON_STRING, .required = true},
    };
    if (!json_members(frame, m, LENGTH(m), NULL))
        return broke_protocol(worker, why, "its error frame is malformed");
    json_decode(m[1].value, why);
    for (size_t i = 0; i < LENGTH(words); i++)
        if (json_equals(m[0].value, words[i].word))
            return words[i].status;
    return PAWL_E_UNAVAILABLE;
}

/* The frame that ends the start: `ready`, or the reason why it does not become so. */
static int32_t read_ready(struct worker *worker, const struct frame *frame, struct json *ready,
                          struct text *why)
{
    if (!json_check(frame->text, frame->size, ready) || json_type(*ready) != JSON_OBJECT)
        return broke_protocol(worker, why, "its first frame is no JSON object");
    if (frame->type == PAWL_WIRE_ERROR)
        return worker_read_error(worker, *ready, why);
    if (frame->type != PAWL_WIRE_READY)
        return broke_protocol(worker, why, "its first frame is neither ready nor error");
    return PAWL_OK;
}

/* What it holds before it has a program, from the kernel. */
static int32_t measure(struct worker *worker, struct text *why)
{
    char path[64], line[256];
    snprintf(path, sizeof(path), "/proc/%d/statm", (int)worker->child.pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
    int error = errno;
    child_close(&fd);
    unsigned long long pages[7];
    if (size > 0)
        line[size] = '\0';
    if (size <= 0 || sscanf(line, "%llu %llu %llu %llu %llu %llu", &pages[0], &pages[1], &pages[2],
                            &pages[3], &pages[4], &pages[5]) != 6) {
        text_format(why, "%s cannot be read: %s", path, size < 0 ? strerror(error) : "no numbers");
        return PAWL_E_UNAVAILABLE;
    }
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    worker->idle_address = pages[0] * page;
    worker->idle_data = pages[5] * page;
    worker->limitable = prlimit(worker->child.pid, RLIMIT_DATA, NULL, NULL) == 0;
    return PAWL_OK;
}

/* Whether the kernel knows the limits that pawl-child says it has. Not prlimit(2): it may not even
 * look at a process that has become another user. */
static int32_t verify_limits(const struct worker *worker, struct text *why)
{
    static const char *const zero[] = {"Max core file size", "Max file size", "Max processes"};
    struct text limits TEXT_CLEANUP = {0};
    int32_t status = proc_read(worker->child.pid, "limits", &limits, why);
    for (size_t i = 0; status == PAWL_OK && i < LENGTH(zero); i++) {
        const char *line;
        size_t size;
        unsigned long long soft, hard;
        if (proc_line(&limits, zero[i], &line, &size) &&
            sscanf(line, "%llu %llu", &soft, &hard) == 2 && soft == 0 && hard == 0)
            continue;
        text_format(why, "the child says that it is limited, but its limit `%s` is not 0", zero[i]);
        status = PAWL_E_UNAVAILABLE;
    }
    return status;
}

static int32_t verify_lock(struct worker *worker, struct text *why)
{
    const struct recipe *recipe = worker->recipe;
    int32_t status = verify_limits(worker, why);
    if (status == PAWL_OK && recipe->verify != NULL)
        status = recipe->verify(recipe->verify_context, worker, why);
    return status;
}

static int32_t verify(struct worker *worker, struct text *why)
{
    int32_t status = measure(worker, why);
    return status == PAWL_OK && !worker->recipe->is_command ? verify_lock(worker, why) : status;
}

/* pawl-child has confined itself, and executes the command when something is sent for it. */
static int32_t take_locked(struct worker *worker, struct json ready, struct text *why)
{
    text_append(&worker->locked, ready.text, ready.size);
    if (worker->locked.failed)
        return worker->locked.failed;
    int32_t status = verify_lock(worker, why);
    if (status != PAWL_OK)
        return status;
    const struct text *second = &worker->recipe->second;
    text_append(frame_begin(&worker->launch, PAWL_WIRE_LAUNCH), second->data, second->size);
    return frame_end(&worker->launch, PAWL_WIRE_FRAME_MOST);
}

/* It ended, or closed its channel, before it was ready. */
static int32_t ended_early(struct worker *worker, struct text *why)
{
    struct child_end end;
    struct pollfd gone = {.fd = worker->child.pidfd, .events = POLLIN};
    poll(&gone, 1, 200);
    if (!child_has_ended(&worker->child, &end))
        return broke_protocol(worker, why, "it closed its report channel before it was ready");
    while (tail_read(&worker->tail, worker->child.stderr_tail) > 0 &&
           worker->tail.total < 4 * TAIL_SIZE)
        ;
    cannot_start(worker, why, "it ended before it was ready: ");
    worker_print_end(&end, why);
    if (worker->tail.total > 0) {
        text_string(why, ": ");
        tail_print(&worker->tail, why);
    }
    return PAWL_E_UNAVAILABLE;
}

int32_t worker_wait_ready(struct worker *worker, int cancel_fd, uint64_t deadline, struct text *why)
{
    const uint64_t patience = worker_now() + WORKER_START_TIMEOUT * UINT64_C(1000000);
    const uint64_t until = deadline != 0 && deadline < patience ? deadline : patience;
    for (;;) {
        int32_t sent = frame_flush(&worker->launch, worker->child.launch);
        if (sent == PAWL_E_SYSTEM)
            return cannot_start(worker, why, strerror(errno));
        struct pollfd fds[] = {
            {.fd = worker->child.report, .events = POLLIN},
            {.fd = worker->child.stderr_tail, .events = POLLIN},
            {.fd = cancel_fd, .events = POLLIN},
            {.fd = sent == PAWL_E_TIMEOUT ? worker->child.launch : -1, .events = POLLOUT},
        };
        int ready = poll(fds, LENGTH(fds), worker_timeout(until));
        if (ready < 0 && errno != EINTR)
            return cannot_start(worker, why, strerror(errno));
        if (fds[2].revents != 0)
            return PAWL_E_ENDED;
        if (ready == 0 && worker_now() >= until)
            return until == deadline ? PAWL_E_ENDED
                                     : cannot_start(worker, why, "it did not become ready in time");
        if (fds[1].revents != 0 && tail_read(&worker->tail, worker->child.stderr_tail) == 0)
            child_close(&worker->child.stderr_tail);
        if (fds[0].revents == 0)
            continue;
        int32_t got = frame_read(&worker->report, worker->child.report);
        if (got == PAWL_E_TIMEOUT)
            continue;
        if (got < 0)
            return cannot_start(worker, why, got == PAWL_E_MEMORY ? "no memory" : strerror(errno));
        if (got == 0)
            return ended_early(worker, why);
        struct frame frame;
        int32_t taken = frame_take(&worker->report, &frame);
        if (taken < 0)
            return broke_protocol(worker, why, "its first frame is too large");
        if (taken == 0)
            continue;
        struct json ready_;
        const bool locks = recipe_confines_command(worker->recipe) && worker->locked.size == 0;
        int32_t status = read_ready(worker, &frame, &ready_, why);
        if (status == PAWL_OK)
            status = locks ? take_locked(worker, ready_, why) : take_ready(worker, ready_, why);
        if (status != PAWL_OK || !locks)
            return status == PAWL_OK ? verify(worker, why) : status;
    }
}

bool worker_next_report(struct worker *worker, uint64_t until, struct frame *frame)
{
    int32_t taken;
    while ((taken = frame_take(&worker->report, frame)) == 0) {
        struct pollfd report = {.fd = worker->child.report, .events = POLLIN};
        if (worker_now() >= until)
            return false;
        poll(&report, 1, worker_timeout(until));
        int32_t got = frame_read(&worker->report, worker->child.report);
        if (got <= 0 && got != PAWL_E_TIMEOUT)
            return false;
    }
    return taken == 1;
}

bool worker_has_spoken(const struct worker *worker)
{
    struct pollfd fds[] = {
        {.fd = worker->child.report, .events = POLLIN},
        {.fd = worker->child.calls, .events = POLLIN},
    };
    return frame_is_partial(&worker->report) ||
           (poll(fds, LENGTH(fds), 0) > 0 && ((fds[0].revents | fds[1].revents) & POLLIN) != 0);
}

bool worker_is_fresh(const struct worker *worker)
{
    struct pollfd fds[] = {
        {.fd = worker->child.pidfd, .events = POLLIN},
        {.fd = worker->child.report, .events = POLLIN},
        {.fd = worker->child.calls, .events = POLLIN},
        {.fd = worker->child.answers, .events = POLLOUT},
    };
    poll(fds, LENGTH(fds), 0);
    return fds[0].revents == 0 && fds[1].revents == 0 && fds[2].revents == 0 &&
           fds[3].revents == POLLOUT && !frame_is_partial(&worker->report);
}
