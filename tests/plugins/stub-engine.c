/*
 * An engine for tests of what lies around engines. Its programs are lines of one command each, so
 * that a test says exactly which services are used, and how the process misbehaves.
 */
#include <errno.h>
#include <fcntl.h>
#include <pawl/provider.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "providers/wire/json.h"

extern char **environ;

struct stub {
    const struct pawl_run *run;
    bool ended; /* value or failure was said, or the run is over */
    int32_t status;
    const struct pawl_sink *why;
};

static void say(struct stub *stub, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct stub *stub, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (size >= (int)sizeof(line))
        size = sizeof(line) - 1;
    if (stub->run->log(stub->run->context, line, (size_t)size) == PAWL_E_ENDED)
        stub->ended = true;
}

static void call(struct stub *stub, const char *rest)
{
    char *arguments;
    unsigned long function = strtoul(rest, &arguments, 10);
    while (*arguments == ' ')
        arguments++;
    uint64_t id = 0;
    int32_t status =
        stub->run->call(stub->run->context, (uint32_t)function, arguments, strlen(arguments), &id);
    if (status == PAWL_E_ENDED)
        stub->ended = true;
    else if (status != PAWL_OK)
        say(stub, "call: %d", status);
}

static int32_t next(struct stub *stub, int32_t timeout, bool quiet)
{
    struct pawl_settlement s = {.header = PAWL_HEADER(SETTLEMENT, s)};
    int32_t status = stub->run->next(stub->run->context, timeout, &s);
    if (status == PAWL_E_ENDED)
        stub->ended = true;
    else if (status != PAWL_OK && !quiet)
        say(stub, "next: %d", status);
    else if (status == PAWL_OK && !quiet) {
        char *text = strndup(s.text.data, s.text.size), *code = strdup(s.code ? s.code : "-");
        unsigned long long id = s.id & ~(UINT64_C(1) << 63);
        uint32_t how = s.status;
        say(stub, "%llu %u %s %s", id, how, code, text);
        free(text);
        free(code);
    }
    return status;
}

static void poll_next(struct stub *stub)
{
    struct pollfd fd = {.fd = stub->run->settled_fd(stub->run->context), .events = POLLIN};
    poll(&fd, 1, 10000);
    next(stub, 0, false);
}

static char *padded(size_t size)
{
    char *json = malloc(size + 4);
    memset(json, 'x', size + 3);
    return json;
}

static void large(struct stub *stub, const char *what, const char *rest)
{
    const struct pawl_run *run = stub->run;
    size_t size = strtoul(rest, NULL, 10);
    char *text = padded(size);
    uint64_t id;
    if (strcmp(what, "large-log") == 0) {
        stub->ended = run->log(run->context, text, size) == PAWL_E_ENDED;
    } else if (strcmp(what, "large-call") == 0) {
        text[0] = '[', text[1] = '"', text[size - 2] = '"', text[size - 1] = ']';
        run->call(run->context, 0, text, size, &id);
    } else {
        text[0] = text[size - 1] = '"';
        run->value(run->context, text, size);
        stub->ended = true;
    }
    free(text);
}

/* One call after another, each settled before the next. */
static void sequence(struct stub *stub, const char *rest)
{
    for (unsigned long count = strtoul(rest, NULL, 10); count > 0 && !stub->ended; count--) {
        call(stub, "0 [1]");
        next(stub, -1, true);
    }
}

static void flood(struct stub *stub, const char *rest)
{
    for (unsigned long count = strtoul(rest, NULL, 10); count > 0 && !stub->ended; count--)
        call(stub, "0 [1]");
}

/* Takes everything, and says how many there were and whether they came in order. */
static void drain(struct stub *stub)
{
    uint64_t last = 0, count = 0;
    bool in_order = true;
    struct pawl_settlement s = {.header = PAWL_HEADER(SETTLEMENT, s)};
    int32_t status;
    while ((status = stub->run->next(stub->run->context, -1, &s)) == PAWL_OK) {
        in_order = in_order && s.id > last;
        last = s.id;
        count++;
    }
    if (status == PAWL_E_ENDED)
        stub->ended = true;
    say(stub, "%llu settled, %s", (unsigned long long)count, in_order ? "in order" : "mixed");
}

static void finish(struct stub *stub, const char *json)
{
    stub->run->value(stub->run->context, *json == '\0' ? NULL : json, strlen(json));
    stub->ended = true;
}

/* fail KIND LINE COLUMN CALL MESSAGE */
static void fail(struct stub *stub, const char *rest)
{
    char kind[64], message[1024];
    unsigned line, column;
    unsigned long long id;
    if (sscanf(rest, "%63s %u %u %llu %1023[^\n]", kind, &line, &column, &id, message) != 5)
        return;
    const char *const suggestions[] = {"try this", "or that", NULL};
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = {.data = message, .size = (uint32_t)strlen(message)},
        .subject = {.data = "it", .size = 2},
        .call = id,
        .line = line,
        .column = column,
        .suggestions = suggestions,
    };
    stub->run->fail(stub->run->context, &failure);
    stub->ended = true;
}

static void allocate(struct stub *stub, const char *rest)
{
    for (unsigned long megabytes = strtoul(rest, NULL, 10); megabytes > 0; megabytes--) {
        void *memory = malloc(1 << 20);
        if (memory == NULL) {
            fail(stub, "budget_memory 0 0 0 out of memory");
            return;
        }
        memset(memory, 1, 1 << 20);
        /* A compiler may leave out memory that nobody looks at; clang does. */
        __asm__ volatile("" : : "r"(memory) : "memory");
    }
}

static void spin(struct stub *stub)
{
    while (stub->run->cancelled(stub->run->context) == PAWL_END_NONE)
        ;
    stub->ended = true;
}

static void ask(struct stub *stub, const char *what, const char *rest)
{
    struct text answer = {0};
    struct pawl_sink sink = text_sink(&answer);
    if (strcmp(what, "discover") == 0) {
        int32_t status = stub->run->discover(stub->run->context, rest, strlen(rest), &sink);
        say(stub, "discover: %d %s", status, text_get(&answer));
    } else if (strcmp(what, "clock") == 0) {
        int64_t now = 0;
        int32_t status = stub->run->clock(stub->run->context, &now);
        say(stub, "clock: %d %lld", status, (long long)now);
    } else {
        unsigned char bytes[8192] = {0};
        size_t size = strtoul(rest, NULL, 10);
        int32_t status = stub->run->random(stub->run->context, bytes, size);
        say(stub, "random: %d %02x %02x", status, bytes[0], bytes[size - 1]);
    }
    text_free(&answer);
}

static void fact(struct stub *stub, const char *rest)
{
    char name[64], json[512];
    if (sscanf(rest, "%63s %511[^\n]", name, json) == 2)
        say(stub, "fact: %d", stub->run->fact(stub->run->context, name, json, strlen(json)));
}

/* What the process is, as it sees itself. */
static void inspect(struct stub *stub)
{
    struct rlimit data;
    getrlimit(RLIMIT_DATA, &data);
    int fds = 0, variables = 0;
    for (int fd = 0; fd < 4096; fd++)
        fds += fcntl(fd, F_GETFD) >= 0 && fd > 4;
    while (environ[variables] != NULL)
        variables++;
    int signal = 0;
    prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0);
    say(stub, "fds %d environment %d leader %d dumpable %d deathsig %d cwd %s", fds, variables,
        getsid(0) == getpid(), prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), signal, get_current_dir_name());
}

static void misbehave(struct stub *stub, const char *what, const char *rest)
{
    if (strcmp(what, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    } else if (strcmp(what, "exit") == 0) {
        _exit((int)strtol(rest, NULL, 10));
    } else if (strcmp(what, "kill") == 0) {
        raise(SIGKILL);
    } else if (strcmp(what, "hang") == 0) {
        for (;;)
            pause();
    } else if (strcmp(what, "stderr") == 0) {
        dprintf(2, "%s\n", rest);
    } else if (strcmp(what, "error") == 0) {
        stub->status = (int32_t)strtol(rest, NULL, 10);
        stub->why->write(stub->why->context, "the stub gave up", 16);
        stub->ended = true;
    } else if (strcmp(what, "fork") == 0) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        say(stub, "fork: %s", pid < 0 ? "refused" : "allowed");
    } else {
        say(stub, "unknown command %s", what);
    }
}

static void interpret(struct stub *stub, char *line)
{
    static const char nothing[] = "";
    char *space = strchr(line, ' ');
    const char *rest = nothing;
    if (space != NULL) {
        *space = '\0';
        rest = space + 1;
    }
    if (strcmp(line, "log") == 0)
        say(stub, "%s", rest);
    else if (strcmp(line, "call") == 0)
        call(stub, rest);
    else if (strcmp(line, "next") == 0)
        next(stub, *rest == '\0' ? -1 : (int32_t)strtol(rest, NULL, 10), false);
    else if (strcmp(line, "poll") == 0)
        poll_next(stub);
    else if (strcmp(line, "drain") == 0)
        drain(stub);
    else if (strcmp(line, "sequence") == 0)
        sequence(stub, rest);
    else if (strcmp(line, "flood") == 0)
        flood(stub, rest);
    else if (strcmp(line, "return") == 0)
        finish(stub, rest);
    else if (strcmp(line, "fail") == 0)
        fail(stub, rest);
    else if (strcmp(line, "fact") == 0)
        fact(stub, rest);
    else if (strcmp(line, "allocate") == 0)
        allocate(stub, rest);
    else if (strcmp(line, "spin") == 0)
        spin(stub);
    else if (strcmp(line, "inspect") == 0)
        inspect(stub);
    else if (strncmp(line, "large-", 6) == 0)
        large(stub, line, rest);
    else if (strcmp(line, "discover") == 0 || strcmp(line, "clock") == 0 ||
             strcmp(line, "random") == 0)
        ask(stub, line, rest);
    else if (*line != '\0')
        misbehave(stub, line, rest);
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    struct json_member m[] = {{.name = "refuse", .type = JSON_BOOLEAN},
                              {.name = "memory", .type = JSON_BOOLEAN}};
    struct json object;
    (void)host;
    *instance = (void *)"stub";
    if (!json_check(config, strlen(config), &object) || !json_members(object, m, 2, NULL) ||
        json_is_true(m[0].value)) {
        why->write(why->context, "the stub was told to refuse", 27);
        return PAWL_E_CONFIG;
    }
    if (json_is_true(m[1].value))
        *instance = (void *)"stub that keeps memory";
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *languages(void *instance)
{
    static const char *const list[] = {"stub", "lines", NULL};
    (void)instance;
    return list;
}

/* Configured with {"memory": true} it says that it keeps max_memory, up to 2 GiB. */
static int32_t supports(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing)
{
    bool keeps = strcmp(instance, "stub that keeps memory") == 0;
    if (budget->max_memory == 0 || (keeps && budget->max_memory <= UINT64_C(2) << 30))
        return PAWL_OK;
    *missing = PAWL_BUDGET_MAX_MEMORY;
    why->write(why->context, "the stub keeps 2 GiB at most", 28);
    return PAWL_E_UNSUPPORTED;
}

static int32_t run(void *instance, const struct pawl_run *a_run, const struct pawl_sink *why)
{
    struct stub stub = {.run = a_run, .why = why};
    char *program = strndup(a_run->program.data, a_run->program.size), *rest = program, *line;
    (void)instance;
    while (!stub.ended && (line = strsep(&rest, "\n")) != NULL)
        interpret(&stub, line);
    free(program);
    return stub.status;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "stub",
    .version = "1",
    .description = "interprets lines, for tests",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = destroy,
    .level = level,
    .supports = supports,
    .egress = egress,
    .languages = languages,
    .run = run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
