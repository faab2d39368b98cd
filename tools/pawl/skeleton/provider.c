/*
 * A provider for pawl: @NAME@.
 *
 * It works as it is. It runs a tiny language of its own, so that there is something to test while
 * you put your engine in its place; what is yours to fill in is marked with "TODO". Everything that
 * is said of the interface here stands in full in pawl/provider.h and in pawl-provider(3).
 *
 * A program is a list of statements, one on a line. Empty lines and those that begin with # are
 * passed over. `it` is the value that the last of some of them came to.
 *
 *     call NAMESPACE.FUNCTION [ARGUMENTS]   it: what the function returns
 *     try call NAMESPACE.FUNCTION ...       the same; when it fails, it: the message
 *     discover WORDS                        it: the functions that these words are about
 *     now                                   it: the time, in milliseconds since 1970
 *     random                                it: a number
 *     log TEXT
 *     throw TEXT
 *     repeat                                goes on at the first line
 *     return JSON                           also "return it", and "return" for no value
 */
#include <inttypes.h>
#include <pawl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* --- Statements ---------------------------------------------------------------------------- */

enum verb { NOTHING, CALL, DISCOVER, NOW, RANDOM, LOG, THROW, REPEAT, RETURN };

struct statement {
    enum verb verb;
    int tried;             /* what it fails with is caught */
    struct pawl_text name; /* of the function that it calls */
    struct pawl_text rest; /* what follows the words above */
};

static struct pawl_text text_of(const char *text)
{
    return (struct pawl_text){.data = text, .size = (uint32_t)strlen(text)};
}

static int text_is(struct pawl_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

/* Takes what stands before the first `separator`, or all, off a text. */
static struct pawl_text take_until(struct pawl_text *text, char separator)
{
    struct pawl_text taken = *text;
    const char *end = text->size > 0 ? memchr(text->data, separator, text->size) : NULL;
    if (end == NULL) {
        text->data += text->size;
        text->size = 0;
        return taken;
    }
    taken.size = (uint32_t)(end - text->data);
    text->data += taken.size + 1;
    text->size -= taken.size + 1;
    return taken;
}

static const char *parse_call(struct statement *statement)
{
    statement->name = take_until(&statement->rest, ' ');
    if (statement->rest.size == 0)
        statement->rest = text_of("[]");
    if (*statement->rest.data != '[' || !json_check(statement->rest.data, statement->rest.size))
        return "the arguments of a call are a JSON array";
    return NULL;
}

/* Returns what is wrong with a line, or NULL. */
static const char *parse(struct pawl_text line, struct statement *statement)
{
    static const struct {
        const char *word;
        enum verb verb;
    } verbs[] = {
        {"", NOTHING},    {"call", CALL},     {"discover", DISCOVER},
        {"now", NOW},     {"random", RANDOM}, {"log", LOG},
        {"throw", THROW}, {"repeat", REPEAT}, {"return", RETURN},
    };
    *statement = (struct statement){.rest = line};
    if (line.size > 0 && (*line.data == '#' || text_is(line, "\r")))
        return NULL;
    struct pawl_text word = take_until(&statement->rest, ' ');
    statement->tried = text_is(word, "try");
    if (statement->tried)
        word = take_until(&statement->rest, ' ');
    size_t i = 0;
    while (i < sizeof(verbs) / sizeof(verbs[0]) && !text_is(word, verbs[i].word))
        i++;
    if (i == sizeof(verbs) / sizeof(verbs[0]))
        return "there is no such statement";
    statement->verb = verbs[i].verb;
    if (statement->tried && statement->verb != CALL)
        return "only a call can be tried";
    if (statement->verb == CALL)
        return parse_call(statement);
    if (statement->verb == RETURN && statement->rest.size > 0 && !text_is(statement->rest, "it") &&
        !json_check(statement->rest.data, statement->rest.size))
        return "what is returned is JSON";
    return NULL;
}

/* --- One run ------------------------------------------------------------------------------- */

/* Everything that a run has is in here, and goes when it returns: the next one may be of somebody
 * else, and must find nothing. */
struct run {
    const struct pawl_run *host; /* its services are used on the thread that `run` was called on */
    uint32_t line;               /* the statement's, from 1 */
    int over;                    /* the end was said, or the host said that the run is over */
    char *it;                    /* JSON */
    size_t it_size;
};

/* Ends the run with a failure. The kinds that are a provider's to say stand in pawl/provider.h. */
static void fail(struct run *run, const char *kind, struct pawl_text message,
                 struct pawl_text subject, uint64_t call)
{
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = message, /* the model that wrote the program reads it */
        .subject = subject, /* an unknown name, for "Did you mean ...?" */
        .call = call,       /* the call whose error nobody caught, or 0 */
        .line = run->line,
        .column = run->line != 0, /* statements begin their lines; 0 when it is not known */
    };
    run->host->fail(run->host->context, &failure);
    run->over = 1;
}

static void fail_simply(struct run *run, const char *kind, const char *message)
{
    fail(run, kind, text_of(message), text_of(""), 0);
}

/* Whether a service did what it should.
 *
 * PAWL_E_ENDED: the budget, the deadline or the caller has ended the run. Then the program stops at
 * once. Nothing of it may catch that or run afterwards, and there is nothing more to say. */
static int check(struct run *run, int32_t status)
{
    if (status == PAWL_E_ENDED)
        run->over = 1;
    else if (status != PAWL_OK)
        fail_simply(run, "runtime", "a service of the host failed");
    return status == PAWL_OK;
}

static void keep(struct run *run, const char *json, size_t size)
{
    char *kept = realloc(run->it, size + 1);
    if (kept == NULL) {
        fail_simply(run, "budget_memory", "there is no memory for a value");
        return;
    }
    if (size > 0)
        memcpy(kept, json, size);
    kept[size] = '\0';
    run->it = kept;
    run->it_size = size;
}

static void keep_string(struct run *run, struct pawl_text text)
{
    size_t size;
    char *quoted = json_quote(text.data, text.size, &size);
    if (quoted == NULL) {
        fail_simply(run, "budget_memory", "there is no memory for a value");
        return;
    }
    free(run->it);
    run->it = quoted;
    run->it_size = size;
}

/* --- The host's functions ------------------------------------------------------------------ */

/* TODO: an engine makes an object of each namespace and a function of each of its members, under
 * the name (any text) and the alias (an identifier), when a run begins. */
static const struct pawl_function *find_function(const struct pawl_run *host, struct pawl_text name)
{
    struct pawl_text space_name = take_until(&name, '.');
    for (uint32_t i = 0; i < host->namespace_count; i++) {
        const struct pawl_namespace *space = host->namespaces[i];
        for (uint32_t j = 0; text_is(space_name, space->name) && j < space->function_count; j++) {
            const struct pawl_function *function = space->functions[j];
            if (text_is(name, function->name) ||
                (function->alias != NULL && text_is(name, function->alias)))
                return function;
        }
    }
    return NULL;
}

/* Waits until the call has settled. An engine in which several calls can be in flight has a table
 * of them instead, and takes with `next` whichever is first. */
static void call(struct run *run, const struct statement *statement)
{
    const struct pawl_run *host = run->host;
    const struct pawl_function *function = find_function(host, statement->name);
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    uint64_t id = 0;
    if (function == NULL) {
        fail(run, "runtime", text_of("there is no such function"), statement->name, 0);
        return;
    }
    int32_t status =
        host->call(host->context, function->index, statement->rest.data, statement->rest.size, &id);
    if (status == PAWL_OK)
        do
            status = host->next(host->context, -1, &settled);
        while (status == PAWL_OK && settled.id != id);
    if (!check(run, status))
        return;
    /* TODO: an engine makes an error object of a failed call: of the namespace's `error_class`,
     * with `code`, and the function's name under `member_property`. It remembers which call that
     * object is of, and says so (`call`) when just this object, uncaught, ends the program: a
     * denial that a program merely talks of is none. */
    if (settled.status == PAWL_SETTLED_OK)
        keep(run, settled.text.data, settled.text.size);
    else if (statement->tried)
        keep_string(run, settled.text);
    else
        fail(run, "runtime", settled.text, text_of(""), id);
}

static void keep_answer(void *context, const char *text, size_t size)
{
    struct run *run = context;
    char *longer = realloc(run->it, run->it_size + size + 1);
    if (longer == NULL)
        return; /* what was answered is cut off, and then is no JSON: see `discover` */
    memcpy(longer + run->it_size, text, size);
    run->it = longer;
    run->it_size += size;
}

static void discover(struct run *run, struct pawl_text query)
{
    const struct pawl_run *host = run->host;
    struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = run, .write = keep_answer};
    if ((host->flags & PAWL_RUN_DISCOVER) == 0) {
        fail(run, "runtime", text_of("there is no discover here"), text_of("discover"), 0);
        return;
    }
    run->it_size = 0;
    if (check(run, host->discover(host->context, query.data, query.size, &sink)) &&
        !json_check(run->it, run->it_size))
        fail_simply(run, "budget_memory", "there is no memory for a value");
}

/* Time and chance come from the host, so that a run can be recorded and replayed. */
static void now(struct run *run)
{
    int64_t nanoseconds;
    char json[32];
    if (check(run, run->host->clock(run->host->context, &nanoseconds)))
        keep(run, json, (size_t)sprintf(json, "%" PRId64, nanoseconds / 1000000));
}

static void random_number(struct run *run)
{
    uint32_t number;
    char json[32];
    if (check(run, run->host->random(run->host->context, &number, sizeof(number))))
        keep(run, json, (size_t)sprintf(json, "%" PRIu32, number));
}

/* Ends the run with a value. */
static void say_value(struct run *run, struct pawl_text json)
{
    const struct pawl_run *host = run->host;
    if (text_is(json, "it"))
        host->value(host->context, run->it, run->it_size);
    else
        host->value(host->context, json.size > 0 ? json.data : NULL, json.size);
    run->over = 1;
}

/* --- Programs ------------------------------------------------------------------------------ */

static void execute(struct run *run, const struct statement *statement)
{
    switch (statement->verb) {
    case CALL:
        call(run, statement);
        break;
    case DISCOVER:
        discover(run, statement->rest);
        break;
    case NOW:
        now(run);
        break;
    case RANDOM:
        random_number(run);
        break;
    case LOG:
        check(run, run->host->log(run->host->context, statement->rest.data, statement->rest.size));
        break;
    case THROW:
        fail(run, "runtime", statement->rest, text_of(""), 0);
        break;
    case RETURN:
        say_value(run, statement->rest);
        break;
    case NOTHING:
    case REPEAT:
        break;
    }
}

/* A program is any bytes. What does not parse is found before anything of it is run. */
static int check_program(struct run *run)
{
    struct pawl_text rest = run->host->program;
    struct statement statement;
    if (rest.size > 0 && !utf8_check(rest.data, rest.size)) {
        fail_simply(run, "syntax", "the program is not UTF-8");
        return 0;
    }
    while (rest.size > 0) {
        run->line++;
        const char *wrong = parse(take_until(&rest, '\n'), &statement);
        if (wrong != NULL) {
            fail_simply(run, "syntax", wrong);
            return 0;
        }
    }
    return 1;
}

static void execute_program(struct run *run)
{
    const struct pawl_run *host = run->host;
    struct pawl_text rest = host->program;
    struct statement statement;
    run->line = 0;
    while (rest.size > 0 && !run->over) {
        run->line++;
        parse(take_until(&rest, '\n'), &statement);
        /* TODO: whatever can take long in your engine must look at this now and then: at every
         * backward jump and call, say, and inside of long built-in functions. */
        if (host->cancelled(host->context) != PAWL_END_NONE)
            return;
        execute(run, &statement);
        if (statement.verb == REPEAT) {
            rest = host->program;
            run->line = 0;
        }
    }
    if (!run->over)
        say_value(run, text_of(""));
}

/* --- The provider -------------------------------------------------------------------------- */

/* An instance: what a configuration came to. */
struct instance {
    char unused; /* TODO */
};

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **made)
{
    static const char nothing[] = "there is nothing to configure: the configuration must be {}";
    int end = 0;
    (void)host;
    /* TODO: read your options from `config`, a JSON object. An unknown key is an error, so that a
     * misspelt one is noticed. */
    sscanf(config, " { } %n", &end);
    if (end == 0 || config[end] != '\0') {
        why->write(why->context, nothing, sizeof(nothing) - 1);
        return PAWL_E_CONFIG;
    }
    struct instance *instance = calloc(1, sizeof(*instance));
    if (instance == NULL)
        return PAWL_E_MEMORY;
    *made = instance;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

/* TODO: `process` says that a program reaches nothing but its language and the functions that it is
 * handed. It holds for the language here. If yours can open a file or run a command, and nothing
 * confines it, say PAWL_LEVEL_NONE. */
static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

/* The strictest egress that is enforced: the language here has no network at all. TODO: yours? */
static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *languages(void *instance)
{
    static const char *const own[] = {"@NAME@", NULL};
    (void)instance;
    return own;
}

static void state_fact(const struct pawl_run *host, const char *name, const char *json)
{
    host->fact(host->context, name, json, strlen(json));
}

static int32_t run_program(void *instance, const struct pawl_run *host, const struct pawl_sink *why)
{
    struct run run = {.host = host, .it = malloc(sizeof("null")), .it_size = strlen("null")};
    (void)instance, (void)why;
    if (run.it == NULL)
        return PAWL_E_MEMORY;
    strcpy(run.it, "null");
    /* What is enforced, and by what. What nobody states counts as not enforced. */
    state_fact(host, "files", "{\"grade\":\"full\",\"by\":\"@NAME@: the language has none\"}");
    state_fact(host, "network", "{\"grade\":\"full\",\"by\":\"@NAME@: the language has none\"}");
    if (check_program(&run))
        execute_program(&run);
    free(run.it);
    return PAWL_OK;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "@NAME@",
    .version = "0.1",
    .description = "programs in @NAME@, in the caller's process",
    /* Nothing here is shared. TODO: one run at a time for each instance is PAWL_THREADS_INSTANCE,
     * and PAWL_THREADS_SERIAL keeps all instances apart. */
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = destroy,
    .level = level,
    /* TODO: without `supports`, it keeps every budget but memory. An engine that can bound its
     * memory says so there, and fails as `budget_memory` when a program needs more. */
    .egress = egress,
    .languages = languages,
    .run = run_program,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
