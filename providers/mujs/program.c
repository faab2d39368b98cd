#include "program.h"
#include "bindings.h"
#include "explain.h"
#include "forin.h"
#include "json.h"
#include "position.h"
#include "text.h"

#include "providers/program/await.h"
#include "providers/program/es5.h"
#include "providers/program/modules.h"
#include "providers/program/prepare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Reading a text takes some time, in which nobody looks at the clock: about 0.1 s for this much. */
#define SOURCE_MAX ((size_t)1 << 20)

/* What a program came to. Texts are in the arena, or static. */
struct outcome {
    struct program_text text;
    char *source; /* what libmujs compiles: the text with its loops rewritten */
    size_t source_size;
    enum { LOADING, RUNNING, ANSWERING } stage;

    const char *json; /* the value; NULL: none */
    size_t json_size;

    const char *kind; /* of the failure; NULL: none */
    const char *message, *subject;
    size_t message_size;
    char written[256]; /* a message that was put together here */
    uint64_t call;
    uint32_t line, column; /* in text.text */
};

static struct outcome *outcome_of(js_State *J)
{
    return vm_of(J)->outcome;
}

/* --- The text ------------------------------------------------------------------------------ */

static int32_t fail(const struct pawl_run *run, const char *kind, const char *message, size_t size,
                    const char *subject, uint64_t call, uint32_t line, uint32_t column)
{
    struct pawl_failure failure = {.header = PAWL_HEADER(FAILURE, failure),
                                   .kind = kind,
                                   .message = {.data = message, .size = (uint32_t)size},
                                   .call = call,
                                   .line = line,
                                   .column = line != 0 ? column : 0};

    if (subject != NULL) {
        failure.subject.data = subject;
        failure.subject.size = (uint32_t)strlen(subject);
    }
    run->fail(run->context, &failure);
    return PAWL_OK;
}

/* Takes a position in the body to one in the whole text, whose prefix is on the body's first line.
 */
static void place(struct outcome *outcome, uint32_t line, uint32_t column)
{
    outcome->line = line;
    outcome->column = line == 1 && column != 0 ? column + outcome->text.prefix_columns : column;
}

static int32_t fail_with_outcome(const struct pawl_run *run, const struct outcome *outcome)
{
    uint32_t line, column;

    program_text_locate(&outcome->text, outcome->line, outcome->column, &line, &column);
    return fail(run, outcome->kind, outcome->message, outcome->message_size, outcome->subject,
                outcome->call, line, column);
}

static void set_message(struct outcome *outcome, const char *kind, const char *message)
{
    outcome->kind = kind;
    outcome->message = message;
    outcome->message_size = strlen(message);
}

/* Makes the text that libmujs compiles. Returns 0 when the run has failed. */
static int prepare_text(const struct pawl_run *run, struct outcome *outcome, int32_t *status)
{
    static const struct program_options options = {
        .prefix = "(function () { 'use strict'; ", .suffix = "\n})", .source_max = SOURCE_MAX};
    struct program_module_use module;
    struct program_error error;
    struct program_text *text = &outcome->text;
    const char *problem;
    uint32_t line, column;

    *status = PAWL_OK;
    switch (program_prepare(run->program.data, run->program.size, &options, text, &error)) {
    case 0:
        break;
    case PROGRAM_E_SYNTAX:
        *status = fail(run, "syntax", error.message, strlen(error.message), NULL, 0, error.line,
                       error.column);
        return 0;
    default:
        *status = PAWL_E_MEMORY;
        return 0;
    }
    if (run->cancelled(run->context) != PAWL_END_NONE)
        return 0;
    if (program_find_module_use(text->text + text->body, text->body_length, &module)) {
        program_module_message(&module, outcome->written, sizeof outcome->written);
        set_message(outcome, "syntax", outcome->written);
        place(outcome, module.line, module.column);
        *status = fail_with_outcome(run, outcome);
        return 0;
    }
    program_await_erase(text->text + text->body, text->body_length);
    problem = explain_refused(text->text + text->body, text->body_length, &line, &column);
    if (problem == NULL) {
        outcome->source = forin_rewrite(text->text, text->length, &outcome->source_size);
        if (outcome->source == NULL)
            *status = PAWL_E_MEMORY;
        return outcome->source != NULL;
    }
    set_message(outcome, "syntax", problem);
    place(outcome, line, column);
    *status = fail_with_outcome(run, outcome);
    return 0;
}

/* --- Inside the VM ------------------------------------------------------------------------- */

static void load(js_State *J)
{
    const struct outcome *outcome = outcome_of(J);
    struct buffer *source = buffer_push(J);

    text_add_utf8(J, source, outcome->source, outcome->source_size);
    buffer_add_char(J, source, 0);
    js_loadstring(J, POSITION_FILE, source->data);
    buffer_clear(J, source);
    js_rot2pop1(J);
    js_pushundefined(J);
    js_call(J, 0); /* the script's value is the function */
}

/* The result is at the top. */
static void answer(js_State *J)
{
    static const struct json_options options = {.mode = JSON_CROSS, .root = "value"};
    struct outcome *outcome = outcome_of(J);
    struct json_problem problem;
    struct buffer *out = buffer_push(J);
    int written = json_write(J, -2, &options, out, &problem);

    if (written < 0) {
        set_message(outcome, "bad_result", problem.message);
        outcome->subject = problem.subject;
    } else if (written > 0) {
        outcome->json = out->data;
        outcome->json_size = (size_t)out->size;
        out->data = NULL; /* it stays when the object is collected */
    }
}

static void run_program(js_State *J)
{
    struct outcome *outcome = outcome_of(J);

    bindings_install(J);
    load(J);
    outcome->stage = RUNNING;
    js_pushundefined(J);
    js_call(J, 0);
    if (outcome->text.calls_result && js_iscallable(J, -1)) {
        js_pushundefined(J);
        js_call(J, 0);
    }
    outcome->stage = ANSWERING;
    answer(J);
    js_pushundefined(J);
}

/* --- What was thrown ----------------------------------------------------------------------- */

/* Pushes a property of the thrown object as a string, and returns it; NULL: it is none. */
static const char *string_property(js_State *J, int idx, const char *name)
{
    js_getproperty(J, idx, name);
    return js_isstring(J, -1) ? js_tostring(J, -1) : NULL;
}

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static char *copy(js_State *J, const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(js_malloc(J, (int)size), text, size);
}

/* A name that does not exist: "'fetch' is not defined". Returns the message to use instead. */
static const char *explain_undefined(js_State *J, struct outcome *outcome, const char *message)
{
    static const char end[] = "' is not defined";
    const struct program_text *text = &outcome->text;
    struct explanation found;
    size_t size = strlen(message);
    char name[EXPLAIN_SIZE];

    if (message[0] != '\'' || !ends_with(message, end) || size - sizeof end >= sizeof name)
        return message;
    size -= sizeof end; /* the quote before the name, and the end without its zero */
    memcpy(name, message + 1, size);
    name[size] = 0;
    explain_name(text->text + text->body, text->body_length, outcome->line, name, &found);
    place(outcome, outcome->line, found.column);
    outcome->subject = copy(J, name);
    js_pushstring(J, name);
    js_pushstring(J, " is not defined");
    js_concat(J);
    return js_tostring(J, -1);
}

/* A call of something else than a function: "undefined is not callable". */
static const char *explain_uncallable(js_State *J, struct outcome *outcome, const char *message)
{
    const struct program_text *text = &outcome->text;
    struct explanation found;

    if (!ends_with(message, " is not callable"))
        return message;
    explain_call(text->text + text->body, text->body_length, outcome->line, vm_of(J)->run, &found);
    if (found.subject[0] == 0)
        return message;
    place(outcome, outcome->line, found.column);
    if (found.is_member || strchr(found.subject, '.') == NULL)
        outcome->subject = copy(J, found.subject);
    js_pushstring(J, found.subject);
    js_pushstring(J, " is not a function");
    js_concat(J);
    return js_tostring(J, -1);
}

/* A failed call, if its line has no other. */
static void place_call(js_State *J, struct outcome *outcome)
{
    const struct program_text *text = &outcome->text;
    struct explanation found;

    explain_call(text->text + text->body, text->body_length, outcome->line, vm_of(J)->run, &found);
    if (!found.is_member)
        place(outcome, outcome->line, found.column);
}

/* libmujs's limits end as strings, and as errors that say little. */
static const char *explain_limit(struct outcome *outcome, const char *message)
{
    if (strcmp(message, "stack overflow") == 0 || strcmp(message, "call stack overflow") == 0 ||
        strcmp(message, "exception stack overflow") == 0)
        return "stack overflow: this engine nests some 49 calls, of few arguments each";
    if (strcmp(message, "regexec failed") == 0)
        return "this engine gave up on a regular expression: it can repeat about 1,000 times in "
               "one match";
    if (strcmp(message, "too much recursion") == 0)
        return "an expression has too many parts for this engine (some 100 operators in a row, or "
               "brackets in brackets): split it, or ask for the language javascript";
    if (strcmp(message, "invalid string length") == 0)
        outcome->kind = "budget_memory";
    return message;
}

static void describe_error_object(js_State *J, struct outcome *outcome, struct buffer *out)
{
    const char *name, *message, *trace;
    int at_load = outcome->stage == LOADING;

    trace = string_property(J, 1, "stackTrace");
    if (trace != NULL && !at_load)
        outcome->line = position_of_trace(trace);
    name = string_property(J, 1, "name");
    message = string_property(J, 1, "message");
    if (message == NULL)
        message = "";
    if (at_load)
        outcome->line = position_of_message(&message);
    if (outcome->call != 0)
        place_call(J, outcome);
    message = explain_limit(outcome, message);
    message = explain_undefined(J, outcome, message);
    message = explain_uncallable(J, outcome, message);
    if (name != NULL && name[0] != 0 && !at_load) {
        text_add_string(J, out, name);
        if (message[0] != 0)
            buffer_add_text(J, out, ": ");
    }
    text_add_string(J, out, message);
}

/* Describes what was thrown, argument 1. */
static void describe(js_State *J)
{
    static const struct json_options options = {.mode = JSON_INSPECT};
    struct outcome *outcome = outcome_of(J);
    struct buffer *out = buffer_push(J);

    outcome->kind = outcome->stage == LOADING ? "syntax" : "runtime";
    outcome->call = bindings_call_of(J, 1);
    if (js_iserror(J, 1))
        describe_error_object(J, outcome, out);
    else if (js_isstring(J, 1))
        text_add_string(J, out, explain_limit(outcome, js_tostring(J, 1)));
    else
        json_write(J, 1, &options, out, NULL);
    if (out->size == 0)
        buffer_add_text(J, out, "an empty string was thrown");
    outcome->message = out->data;
    outcome->message_size = (size_t)out->size;
    out->data = NULL;
    js_pushundefined(J);
}

/* What libmujs could not parse is often newer JavaScript, or a bracket that is missing. */
static void explain_syntax(struct outcome *outcome)
{
    const char *text = outcome->text.text + outcome->text.body, *problem;
    size_t length = outcome->text.body_length;
    struct program_newer newer;
    uint32_t line, column;

    problem = explain_broken(text, length, &line, &column);
    if (problem != NULL) {
        set_message(outcome, "syntax", problem);
        outcome->subject = NULL;
        place(outcome, line, column);
    }
    if (program_find_newer(text, length, &newer)) {
        snprintf(outcome->written, sizeof outcome->written, "%s are newer than javascript-es5",
                 newer.construct);
        set_message(outcome, "syntax", outcome->written);
        outcome->subject = NULL;
        place(outcome, newer.line, newer.column);
    }
}

/* Runs everything; the machine's state is what is left of it. */
static void execute(js_State *J)
{
    struct outcome *outcome = outcome_of(J);

    js_newcfunction(J, run_program, "run", 0);
    js_pushundefined(J);
    if (js_pcall(J, 0) == 0)
        return;
    js_newcfunction(J, describe, "describe", 1);
    js_rot2(J);
    js_pushundefined(J);
    js_rot2(J);
    if (js_pcall(J, 1) != 0)
        set_message(outcome, "runtime", "an error was thrown that cannot be shown");
    if (outcome->stage == LOADING && strcmp(outcome->kind, "syntax") == 0)
        explain_syntax(outcome);
}

/* --- Outside ------------------------------------------------------------------------------- */

/* How long the run may still take; over is what the host says is over. In a signal handler. */
static int64_t remaining(void *context)
{
    const struct pawl_run *run = ((const struct vm *)context)->run;
    struct timespec now;
    int64_t left;

    if (run->cancelled(run->context) != PAWL_END_NONE)
        return 0;
    if (run->deadline == 0)
        return INT64_MAX;
    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (int64_t)(run->deadline - ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec));
    return left > 0 ? left : 1;
}

/* Returns 1 when the program ended, 0 when it was left, or a negative errno. */
static int execute_until_over(struct vm *vm)
{
    int error;

    if (sigsetjmp(vm->preempt.exit, 0) != 0) {
        preempt_end(&vm->preempt);
        return 0;
    }
    error = preempt_begin(&vm->preempt);
    if (error == 0)
        execute(vm->J);
    preempt_end(&vm->preempt);
    return error == 0 ? 1 : error;
}

static int32_t explain_failure(const struct pawl_sink *why, int32_t status, const char *text)
{
    why->write(why->context, text, strlen(text));
    return status;
}

static int32_t state_memory(struct vm *vm, const struct pawl_run *run)
{
    char message[160];
    int size = snprintf(message, sizeof message,
                        "the program needs more than the %zu KiB of memory that it may have",
                        vm->arena->limit / 1024);

    return fail(run, "budget_memory", message, (size_t)size, NULL, 0, 0, 0);
}

static int32_t state_end(struct vm *vm, const struct pawl_run *run, struct outcome *outcome,
                         int ended, const struct pawl_sink *why)
{
    char peak[32];
    int size = snprintf(peak, sizeof peak, "%zu", arena_peak(vm->arena));

    if (ended < 0)
        return explain_failure(why, ended == -EBUSY ? PAWL_E_ALREADY_TAKEN : PAWL_E_SYSTEM,
                               ended == -EBUSY
                                   ? "the host took the signal away that ends programs in time"
                                   : "the timer that ends programs in time cannot be started");
    run->fact(run->context, "peak_memory", peak, (size_t)size);
    if (ended) {
        if (outcome->kind != NULL)
            return fail_with_outcome(run, outcome);
        run->value(run->context, outcome->json, outcome->json_size);
        return PAWL_OK;
    }
    switch (vm->left) {
    case VM_OVER:
        return PAWL_OK;
    case VM_MEMORY:
        return state_memory(vm, run);
    default:
        return explain_failure(why, vm->status != PAWL_OK ? vm->status : PAWL_E_PLUGIN,
                               vm->status != PAWL_OK ? "a service of the host failed"
                                                     : "libmujs gave up");
    }
}

int32_t program_run(struct vm *vm, const struct preempt *preempt, const struct pawl_run *run,
                    const struct pawl_sink *why)
{
    struct outcome outcome = {0};
    int32_t status;

    if (prepare_text(run, &outcome, &status)) {
        vm->run = run;
        vm->outcome = &outcome;
        vm->preempt =
            (struct preempt_run){.preempt = preempt, .remaining = remaining, .context = vm};
        status = state_end(vm, run, &outcome, execute_until_over(vm), why);
        vm->outcome = NULL;
        vm->run = NULL;
    }
    free(outcome.source);
    program_text_release(&outcome.text);
    return status;
}
