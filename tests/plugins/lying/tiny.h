/*
 * tiny.h - an honest provider of a language of its own, for plugins that lie: each file here keeps
 * one promise of it less. pawl-harness is to find each of them out (tests/harness).
 *
 * A program is a list of commands, one on a line:
 *
 *     log TEXT            throw MESSAGE        return JSON       return-last  return-code
 *     call NAME [ARGS]    discover QUERY       return-total      set JSON     get
 *     clock               random               hold MEBIBYTES    await-nothing
 *     bad PATH            open FILE            connect PORT      busy
 *     try COMMAND         what it fails with is the last value
 *     guard COMMAND       what it fails with is caught, and "ran on" is logged
 *     times N COMMAND     % in it counts from 1; the last values are added up
 *     from-zero N COMMAND the same, but % counts from 0
 *     forever COMMAND
 *
 * "The last value" is what a call returned, what get, clock and random give, or what was caught.
 */
#ifndef TINY_H
#define TINY_H

#include <arpa/inet.h>
#include <pawl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORDS 4096 /* the most bytes of a value that tiny itself makes */

/* What a program has set; it must be gone when the run is. */
struct tiny_state {
    char text[WORDS];
};

/* What a program may reach. */
struct tiny_reach {
    int files, network;
};

struct tiny {
    const struct pawl_run *run;
    struct tiny_state *state;
    struct tiny_reach reach;
    uint32_t line;
    int over; /* the end was said, or the run is over */
    char *last;
    char code[64];
    double total;
    uint64_t held; /* bytes */
    void *memory;  /* what is held: each piece begins with a pointer to the one before */
    /* What a command failed with; kind NULL: it did not. */
    const char *kind;
    char message[WORDS];
    uint64_t call;
};

/* --- Helpers ------------------------------------------------------------------------------- */

static void tiny_last(struct tiny *tiny, const char *text, size_t size)
{
    free(tiny->last);
    tiny->last = malloc(size + 1);
    if (tiny->last == NULL)
        return;
    memcpy(tiny->last, text, size);
    tiny->last[size] = '\0';
}

static void tiny_last_string(struct tiny *tiny, const char *text)
{
    char *json = malloc(2 * strlen(text) + 3), *to = json;
    *to++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text < ' ' && *text > 0 ? ' ' : *text;
    }
    *to++ = '"';
    *to = '\0';
    free(tiny->last);
    tiny->last = json;
}

static void tiny_fails(struct tiny *tiny, const char *kind, const char *message)
{
    tiny->kind = kind;
    snprintf(tiny->message, sizeof(tiny->message), "%s", message);
}

static void tiny_status(struct tiny *tiny, int32_t status)
{
    if (status == PAWL_E_ENDED)
        tiny->over = 1;
    else if (status != PAWL_OK)
        tiny_fails(tiny, "runtime", "a service failed");
}

static int tiny_stopped(struct tiny *tiny)
{
    if (!tiny->over && tiny->run->cancelled(tiny->run->context) != PAWL_END_NONE)
        tiny->over = 1;
    return tiny->over;
}

/* --- Commands ------------------------------------------------------------------------------ */

static const struct pawl_function *tiny_find(const struct pawl_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->namespace_count; i++) {
        const struct pawl_namespace *space = run->namespaces[i];
        size_t length = strlen(space->name);
        if (strncmp(name, space->name, length) != 0 || name[length] != '.')
            continue;
        for (uint32_t j = 0; j < space->function_count; j++) {
            const struct pawl_function *f = space->functions[j];
            if (strcmp(f->name, name + length + 1) == 0 ||
                (f->alias != NULL && strcmp(f->alias, name + length + 1) == 0))
                return f;
        }
    }
    return NULL;
}

static void tiny_call(struct tiny *tiny, const char *rest)
{
    const struct pawl_run *run = tiny->run;
    char name[128];
    int end = 0;
    uint64_t id;
    const struct pawl_function *function;
    if (sscanf(rest, "%127s %n", name, &end) != 1 || (function = tiny_find(run, name)) == NULL) {
        tiny_fails(tiny, "runtime", "there is no such function");
        return;
    }
    const char *arguments = rest[end] == '[' ? rest + end : "[]";
    int32_t status = run->call(run->context, function->index, arguments, strlen(arguments), &id);
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    while (status == PAWL_OK && settled.id != id)
        status = run->next(run->context, -1, &settled);
    if (status != PAWL_OK) {
        tiny_status(tiny, status);
        return;
    }
    tiny_last(tiny, settled.text.data, settled.text.size);
    if (settled.status == PAWL_SETTLED_OK)
        return;
    tiny_fails(tiny, "runtime", tiny->last);
    tiny->call = id;
    snprintf(tiny->code, sizeof(tiny->code), "\"%s\"", settled.code);
}

static void tiny_keep(void *context, const char *text, size_t size)
{
    tiny_last(context, text, size);
}

static void tiny_discover(struct tiny *tiny, const char *query)
{
    struct pawl_sink sink = {.context = tiny, .write = tiny_keep};
    sink.header = (struct pawl_header)PAWL_HEADER(SINK, sink);
    tiny_status(tiny, tiny->run->discover(tiny->run->context, query, strlen(query), &sink));
}

static void tiny_hold(struct tiny *tiny, uint64_t size)
{
    uint64_t most = tiny->run->budget->max_memory;
    if (most != 0 && tiny->held + size > most) {
        tiny_fails(tiny, "budget_memory", "");
        return;
    }
    void **piece = malloc(size);
    memset(piece, 1, size);
    *piece = tiny->memory;
    tiny->memory = piece;
    tiny->held += size;
}

static void tiny_open(struct tiny *tiny, const char *path)
{
    char text[WORDS] = "";
    FILE *file = tiny->reach.files ? fopen(path, "r") : NULL;
    if (file == NULL) {
        tiny_fails(tiny, "runtime", "there are no files here");
        return;
    }
    size_t size = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[size] = '\0';
    tiny_last_string(tiny, text);
}

static void tiny_connect(struct tiny *tiny, const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(port)),
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    int fd = tiny->reach.network ? socket(AF_INET, SOCK_STREAM, 0) : -1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        tiny_fails(tiny, "runtime", "there is no network here");
    if (fd >= 0)
        close(fd);
}

static void tiny_clock(struct tiny *tiny)
{
    int64_t now = 0;
    char text[32];
    tiny_status(tiny, tiny->run->clock(tiny->run->context, &now));
    snprintf(text, sizeof(text), "%lld", (long long)(now / 1000000));
    tiny_last(tiny, text, strlen(text));
}

static void tiny_random(struct tiny *tiny)
{
    unsigned drawn = 0;
    char text[32];
    tiny_status(tiny, tiny->run->random(tiny->run->context, &drawn, sizeof(drawn)));
    snprintf(text, sizeof(text), "%u", drawn);
    tiny_last(tiny, text, strlen(text));
}

static void tiny_return(struct tiny *tiny, const char *json)
{
    tiny->over = 1;
    tiny->run->value(tiny->run->context, json, json != NULL ? strlen(json) : 0);
}

static void tiny_return_total(struct tiny *tiny)
{
    char text[32];
    snprintf(text, sizeof(text), "%.0f", tiny->total);
    tiny_return(tiny, text);
}

static void tiny_busy(struct tiny *tiny)
{
    while (!tiny_stopped(tiny))
        ;
}

static void tiny_do(struct tiny *tiny, const char *line);

/* Does a command until the run or the command fails; % in it becomes the number of the time. */
static void tiny_repeat(struct tiny *tiny, const char *command, unsigned long from,
                        unsigned long times)
{
    const char *mark = strchr(command, '%');
    char line[WORDS];
    for (unsigned long i = 0; i < times && tiny->kind == NULL && !tiny_stopped(tiny); i++) {
        if (mark != NULL)
            snprintf(line, sizeof(line), "%.*s%lu%s", (int)(mark - command), command, from + i,
                     mark + 1);
        tiny_do(tiny, mark != NULL ? line : command);
        tiny->total += tiny->last != NULL ? atof(tiny->last) : 0;
    }
}

static void tiny_times(struct tiny *tiny, const char *rest, unsigned long from)
{
    char *command;
    unsigned long times = strtoul(rest, &command, 10);
    tiny_repeat(tiny, command + (*command == ' '), from, times);
}

static void tiny_try(struct tiny *tiny, const char *command, int guard)
{
    tiny_do(tiny, command);
    if (tiny->kind == NULL || tiny->over || strcmp(tiny->kind, "budget_memory") == 0)
        return;
    tiny_last_string(tiny, tiny->message);
    tiny->kind = NULL;
    tiny->call = 0;
    if (guard)
        tiny_status(tiny, tiny->run->log(tiny->run->context, "ran on", 6));
}

/* If the line begins with the word, what comes behind it and a space; otherwise NULL. */
static const char *tiny_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length + (line[length] == ' ');
}

static void tiny_do(struct tiny *tiny, const char *line)
{
    const struct pawl_run *run = tiny->run;
    const char *rest;
    if ((rest = tiny_word(line, "log")) != NULL)
        tiny_status(tiny, run->log(run->context, rest, strlen(rest)));
    else if ((rest = tiny_word(line, "call")) != NULL)
        tiny_call(tiny, rest);
    else if ((rest = tiny_word(line, "try")) != NULL)
        tiny_try(tiny, rest, 0);
    else if ((rest = tiny_word(line, "guard")) != NULL)
        tiny_try(tiny, rest, 1);
    else if ((rest = tiny_word(line, "times")) != NULL)
        tiny_times(tiny, rest, 1);
    else if ((rest = tiny_word(line, "from-zero")) != NULL)
        tiny_times(tiny, rest, 0);
    else if ((rest = tiny_word(line, "forever")) != NULL)
        tiny_repeat(tiny, rest, 1, (unsigned long)-1);
    else if ((rest = tiny_word(line, "throw")) != NULL)
        tiny_fails(tiny, "runtime", rest);
    else if ((rest = tiny_word(line, "bad")) != NULL)
        tiny_fails(tiny, "bad_result", rest);
    else if ((rest = tiny_word(line, "hold")) != NULL)
        tiny_hold(tiny, strtoul(rest, NULL, 10) << 20);
    else if ((rest = tiny_word(line, "set")) != NULL)
        snprintf(tiny->state->text, sizeof(tiny->state->text), "%s", rest);
    else if ((rest = tiny_word(line, "discover")) != NULL)
        tiny_discover(tiny, rest);
    else if ((rest = tiny_word(line, "open")) != NULL)
        tiny_open(tiny, rest);
    else if ((rest = tiny_word(line, "connect")) != NULL)
        tiny_connect(tiny, rest);
    else if ((rest = tiny_word(line, "return")) != NULL)
        tiny_return(tiny, rest);
    else if (strcmp(line, "return-last") == 0)
        tiny_return(tiny, tiny->last);
    else if (strcmp(line, "return-code") == 0)
        tiny_return(tiny, tiny->code);
    else if (strcmp(line, "return-total") == 0)
        tiny_return_total(tiny);
    else if (strcmp(line, "get") == 0)
        tiny_last(tiny, tiny->state->text, sizeof(tiny->state->text));
    else if (strcmp(line, "clock") == 0)
        tiny_clock(tiny);
    else if (strcmp(line, "random") == 0)
        tiny_random(tiny);
    else if (tiny_word(line, "busy") != NULL)
        tiny_busy(tiny);
    else if (strcmp(line, "await-nothing") == 0)
        tiny_fails(tiny, "pending", "nothing will ever come");
    else if (*line != '\0')
        tiny_fails(tiny, "syntax", "there is no such command");
}

/* --- A run --------------------------------------------------------------------------------- */

/* Whether there is such a command. */
static int tiny_known(const char *line)
{
    static const char *const words[] = {
        "log",     "call",    "try",    "guard",       "times",        "from-zero",
        "forever", "throw",   "bad",    "hold",        "set",          "discover",
        "open",    "connect", "return", "return-last", "return-code",  "return-total",
        "get",     "clock",   "random", "busy",        "await-nothing"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (tiny_word(line, words[i]) != NULL)
            return 1;
    return *line == '\0';
}

static void tiny_state_failure(struct tiny *tiny)
{
    struct pawl_failure failure = {.header = PAWL_HEADER(FAILURE, failure),
                                   .kind = tiny->kind,
                                   .message = {tiny->message, (uint32_t)strlen(tiny->message), 0},
                                   .call = tiny->call,
                                   .line = tiny->line};
    tiny->over = 1;
    tiny->run->fail(tiny->run->context, &failure);
}

/* Goes through the lines: `act` 0: to find the first that is no command. */
static void tiny_lines(struct tiny *tiny, const char *program, int act)
{
    tiny->line = 0;
    while (*program != '\0' && !tiny->over) {
        size_t size = 0; /* by hand: a sanitizer looks at all the rest in every call of strcspn */
        while (program[size] != '\0' && program[size] != '\n')
            size++;
        char *line = malloc(size + 1);
        memcpy(line, program, size);
        line[size] = '\0';
        tiny->line++;
        if (act)
            tiny_do(tiny, line);
        else if (!tiny_known(line))
            tiny_fails(tiny, "syntax", "there is no such command");
        free(line);
        if (tiny->kind != NULL && !tiny->over)
            tiny_state_failure(tiny);
        program += size + (program[size] == '\n');
    }
}

static void tiny_interpret(const struct pawl_run *run, struct tiny_state *state,
                           struct tiny_reach reach)
{
    static const char fact[] = "{\"grade\":\"full\",\"by\":\"tiny counts\"}";
    struct tiny tiny = {.run = run, .state = state, .reach = reach};
    char *program = strndup(run->program.data, run->program.size);
    run->fact(run->context, "memory", fact, sizeof(fact) - 1);
    if (strlen(program) != run->program.size)
        tiny_fails(&tiny, "syntax", "a program is text");
    if (tiny.kind != NULL)
        tiny_state_failure(&tiny);
    if (!tiny_stopped(&tiny))
        tiny_lines(&tiny, program, 0);
    if (!tiny.over)
        tiny_lines(&tiny, program, 1);
    if (!tiny.over)
        run->value(run->context, NULL, 0);
    while (tiny.memory != NULL) {
        void *before = *(void **)tiny.memory;
        free(tiny.memory);
        tiny.memory = before;
    }
    free(tiny.last);
    free(program);
}

static int32_t tiny_run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    static const struct tiny_reach nothing;
    struct tiny_state state = {"null"};
    (void)instance, (void)why;
    tiny_interpret(run, &state, nothing);
    return PAWL_OK;
}

/* --- The provider -------------------------------------------------------------------------- */

static int32_t tiny_create(const struct pawl_host *host, const char *config,
                           const struct pawl_sink *why, void **instance)
{
    static int one;
    (void)host;
    *instance = &one;
    if (strcmp(config, "{}") == 0)
        return PAWL_OK;
    why->write(why->context, "there is nothing to configure", 29);
    return PAWL_E_CONFIG;
}

static void tiny_destroy(void *instance)
{
    (void)instance;
}

static uint32_t tiny_level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static int32_t tiny_supports(void *instance, const struct pawl_budget *budget,
                             const struct pawl_sink *why, uint32_t *missing)
{
    (void)instance, (void)budget, (void)why;
    *missing = 0;
    return PAWL_OK;
}

static uint32_t tiny_egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *tiny_languages(void *instance)
{
    static const char *const own[] = {"tiny", NULL};
    (void)instance;
    return own;
}

/* The entry function of a provider called `own_name`, after `change` has been done to it. */
#define TINY_ENTRY(own_name, change)                                     \
    const struct pawl_provider *pawl_provider_entry_v1(void)             \
    {                                                                    \
        static struct pawl_provider provider = {                         \
            .header = PAWL_HEADER(PROVIDER, provider),                   \
            .name = own_name,                                            \
            .version = "1",                                              \
            .description = "interprets lines, for tests of the harness", \
            .threads = PAWL_THREADS_PARALLEL,                            \
            .create = tiny_create,                                       \
            .destroy = tiny_destroy,                                     \
            .level = tiny_level,                                         \
            .supports = tiny_supports,                                   \
            .egress = tiny_egress,                                       \
            .languages = tiny_languages,                                 \
            .run = tiny_run,                                             \
        };                                                               \
        change;                                                          \
        return &provider;                                                \
    }

#endif
