/* libFuzzer: a record. What can be read is replayed, resumed if it was suspended, and its program
 * run for real: its own record can be read again, and replayed it comes to the same. Input: the
 * record; its program is steps of one character each, for the provider below. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "core/buffer.h"
#include "core/record.h"
#include "core/request.h"
#include "tests/unit/scripted.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* --- The provider ---------------------------------------------------------------------------- */

#define MAX_STEPS 200

static uint32_t provider_level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_MACHINE;
}

static void keep(void *context, const char *text, size_t size)
{
    (void)context;
    require(size == 0 || (text[0] == '[' || text[0] == ' ' || text[0] == '\t'));
}

static uint32_t count_functions(const struct pawl_run *run)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->namespace_count; i++)
        count += run->namespaces[i]->function_count;
    return count;
}

static int32_t call(const struct pawl_run *run, uint32_t function)
{
    static const char *const arguments[] = {"[]", "[1]", "[{\"a\":1}]", "[\n\"x\"]"};
    const char *chosen = arguments[function % 4];
    uint64_t id;
    uint32_t count = count_functions(run);
    return count == 0 ? PAWL_OK
                      : run->call(run->context, function % count, chosen, strlen(chosen), &id);
}

static int32_t next(const struct pawl_run *run, int32_t timeout)
{
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    int32_t status = run->next(run->context, timeout, &settled);
    if (status == PAWL_OK)
        require(settled.id != 0 && settled.status <= PAWL_SETTLED_FAILED &&
                (settled.code == NULL) == (settled.status == PAWL_SETTLED_OK));
    return status == PAWL_E_ENDED ? status : PAWL_OK;
}

static int32_t step(const struct pawl_run *run, char what)
{
    struct pawl_sink sink = {.header = PAWL_HEADER(SINK, sink), .write = keep};
    unsigned char bytes[4];
    int64_t time;
    switch (what) {
    case 'n':
        return next(run, -1);
    case 'p':
        return next(run, 0);
    case 't':
        return next(run, 1);
    case 'k':
        return run->clock(run->context, &time);
    case 'r':
        return run->random(run->context, bytes, sizeof(bytes));
    case 'd':
        return run->discover(run->context, "q", 1, &sink) == PAWL_E_ENDED ? PAWL_E_ENDED : PAWL_OK;
    case 'l':
        return run->log(run->context, "l\0\xff", 3);
    case 's':
        return run->settled_fd(run->context) >= 0 ? PAWL_OK : PAWL_E_SYSTEM;
    default:
        return call(run, (unsigned char)what);
    }
}

static int32_t run_steps(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    uint32_t at = 0;
    if (run->image.data != NULL) {
        if (run->image.size != sizeof(at))
            return PAWL_E_UNSUPPORTED;
        memcpy(&at, run->image.data, sizeof(at));
    }
    int32_t status = PAWL_OK;
    uint32_t end = run->program.size < MAX_STEPS ? run->program.size : MAX_STEPS;
    for (; at < end && status == PAWL_OK; at += status == PAWL_OK)
        status = step(run, run->program.data[at]);
    if (status == PAWL_OK)
        status = run->value(run->context, "1", 1);
    if (status == PAWL_E_ENDED && run->cancelled(run->context) == PAWL_END_SUSPEND)
        run->suspend(run->context, &at, sizeof(at));
    return status == PAWL_E_ENDED ? PAWL_OK : status;
}

/* --- The host -------------------------------------------------------------------------------- */

static pawl_registry *registry;

static int write_line(const char *line, size_t size, void *data)
{
    require(size > 1 && line[size - 1] == '\n' && memchr(line, '\n', size - 1) == NULL);
    buffer_append(data, line, size);
    return PAWL_OK;
}

/* NULL: no provider runs it. */
static pawl_result *run(pawl_request *request)
{
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int status = pawl_execute(registry, request, &result, &error);
    require((status == PAWL_OK) == (result != NULL) && (status == PAWL_OK) == (error == NULL));
    if (result != NULL)
        require(pawl_result_json(result, NULL) != NULL);
    pawl_error_free(error);
    return result;
}

static pawl_record *read_record(const char *text, size_t size)
{
    pawl_record *record = NULL;
    pawl_error *error = NULL;
    int status = pawl_record_read(text, size, &record, &error);
    require((status == PAWL_OK) == (record != NULL) && (status == PAWL_OK) == (error == NULL));
    require(error == NULL || strstr(pawl_error_message(error), "of the record") != NULL);
    pawl_error_free(error);
    return record;
}

static pawl_request *request_of(const pawl_record *record)
{
    pawl_request *request = NULL;
    require(pawl_record_request(record, 1, &request, NULL) == PAWL_OK);
    return request;
}

static pawl_result *replay(const pawl_record *record)
{
    pawl_request *request = request_of(record);
    pawl_request_set_replay(request, record);
    pawl_result *result = run(request);
    pawl_request_free(request);
    return result;
}

/* What is added to a record belongs behind it. */
static void check_resume(const pawl_record *record, const char *text, size_t size)
{
    struct buffer tape BUFFER_CLEANUP = {0};
    pawl_request *request = request_of(record);
    buffer_append(&tape, text, size);
    if (pawl_request_set_resume(request, record, NULL) == PAWL_OK && text[size - 1] == '\n') {
        pawl_request_set_recorder(request, NULL, write_line, &tape, NULL);
        pawl_result *result = run(request);
        pawl_record *whole = read_record(tape.data, tape.size);
        require(whole != NULL && (result == NULL || pawl_record_end(whole) != NULL));
        pawl_record_free(whole);
        pawl_result_free(result);
    }
    pawl_request_free(request);
}

static void check_same(const pawl_result *a, const pawl_result *b)
{
    require(pawl_result_ok(a) == pawl_result_ok(b));
    require(pawl_result_logs(a) == pawl_result_logs(b));
    if (!pawl_result_ok(a))
        require(strcmp(pawl_result_kind(a), pawl_result_kind(b)) == 0 &&
                strcmp(pawl_result_message(a, NULL), pawl_result_message(b, NULL)) == 0);
}

/* The program is run, recorded and replayed. */
static void check_run(const pawl_record *of)
{
    struct buffer tape BUFFER_CLEANUP = {0};
    if (of->request->budget.wall_clock != 0)
        return; /* a replay may be as slow */
    pawl_request *request = request_of(of);
    pawl_request_set_recorder(request, "[1]", write_line, &tape, NULL);
    pawl_result *result = run(request);
    pawl_request_free(request);
    if (result == NULL)
        return;
    pawl_record *record = read_record(tape.data, tape.size);
    require(record != NULL && pawl_record_end(record) != NULL);
    size_t size, was_size;
    const char *program = pawl_record_program(record, &size);
    const char *was = pawl_record_program(of, &was_size);
    require(size == was_size && memcmp(program, was, size) == 0);
    pawl_result *again = replay(record);
    require(again != NULL);
    check_same(result, again);
    pawl_result_free(again);
    pawl_result_free(result);
    pawl_record_free(record);
}

static void open_registry(void)
{
    static struct pawl_provider provider;
    provider = scripted_provider;
    provider.offers_bits = PAWL_OFFERS_IMAGE;
    provider.level = provider_level;
    scripted_program = run_steps;
    require(pawl_registry_new(&registry, NULL) == PAWL_OK &&
            pawl_registry_add(registry, &provider, "fuzz", NULL, NULL) == PAWL_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (registry == NULL)
        open_registry();
    /* The text need not end in NUL: a reader that goes too far reads what is not its own. */
    char *text = malloc(size > 0 ? size : 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    pawl_record *record = read_record(text, size);
    if (record != NULL) {
        pawl_result_free(replay(record));
        check_resume(record, text, size);
        check_run(record);
    }
    pawl_record_free(record);
    free(text);
    return 0;
}
