#include "tests/unit/recorded.h"

#include <inttypes.h>
#include <poll.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/scripted.h"
#include "tests/unit/test.h"

atomic_int recorded_made[RECORDED_FUNCTIONS];
atomic_int recorded_judged;
atomic_int recorded_discovered;
atomic_int recorded_undecided;
struct buffer recorded_trace;

static sem_t let_go;
static pawl_cancel *token;
static enum recorded_images images;

void recorded_go(int count)
{
    for (; count > 0; count--)
        sem_post(&let_go);
}

/* --- The provider ---------------------------------------------------------------------------- */

/* Notes what the script was told; line ends between the tokens of JSON are not kept. */
static void note(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buffer_append(&recorded_trace, text[i] == '\n' ? " " : &text[i], 1);
    buffer_string(&recorded_trace, "\n");
}

static uint64_t last_taken;

/* PAWL_OK also when nothing was to be taken. */
static int32_t take(const struct pawl_run *run, int32_t timeout, bool *taken)
{
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    int32_t status = run->next(run->context, timeout, &settled);
    *taken = status == PAWL_OK;
    if (status != PAWL_OK) {
        buffer_format(&recorded_trace, "next: %" PRId32 "\n", status);
        return status == PAWL_E_ENDED ? status : PAWL_OK;
    }
    last_taken = settled.id;
    buffer_format(&recorded_trace, "next: %" PRIu64 " %" PRIu32 " %s ", settled.id, settled.status,
                  settled.code != NULL ? settled.code : "-");
    note(settled.text.data, settled.text.size);
    return PAWL_OK;
}

static int32_t poll_and_take(const struct pawl_run *run)
{
    struct pollfd fd = {.fd = run->settled_fd(run->context), .events = POLLIN};
    int32_t status;
    bool taken = false;
    do {
        if (poll(&fd, 1, 20000) != 1) {
            CU_FAIL("nobody says that the run goes on");
            return PAWL_E_TIMEOUT;
        }
        status = take(run, 0, &taken);
    } while (status == PAWL_OK && !taken);
    return status;
}

static int32_t read_random(const struct pawl_run *run, size_t size)
{
    unsigned char bytes[64] = {0};
    int32_t status = run->random(run->context, size > 0 ? bytes : NULL, size);
    buffer_format(&recorded_trace, "random: %" PRId32 " ", status);
    for (size_t i = 0; i < size; i++)
        buffer_format(&recorded_trace, "%02x", bytes[i]);
    buffer_string(&recorded_trace, "\n");
    return status;
}

static int32_t read_clock(const struct pawl_run *run)
{
    int64_t time = 0;
    int32_t status = run->clock(run->context, &time);
    buffer_format(&recorded_trace, "clock: %" PRId32 " %" PRId64 "\n", status, time);
    return status;
}

static int32_t find(const struct pawl_run *run, const char *query, size_t size)
{
    struct buffer found BUFFER_CLEANUP = {0};
    struct pawl_sink sink = buffer_sink(&found);
    int32_t status = run->discover(run->context, query, size, &sink);
    buffer_format(&recorded_trace, "discover: %" PRId32 " ", status);
    note(found.data, found.size);
    return status == PAWL_E_ENDED ? status : PAWL_OK;
}

static int32_t fail(const struct pawl_run *run, const char *kind, const char *message, size_t size)
{
    struct pawl_failure failure = {
        .kind = kind,
        .message = {.data = message, .size = (uint32_t)size},
        .call = last_taken,
        .line = 1,
        .column = 2,
    };
    failure.header = (struct pawl_header)PAWL_HEADER(FAILURE, failure);
    return run->fail(run->context, &failure);
}

static int32_t begin_call(const struct pawl_run *run, const char *text, size_t size)
{
    uint64_t id = 0;
    int32_t status = run->call(run->context, (uint32_t)(text[0] - '0'), text + 1, size - 1, &id);
    buffer_format(&recorded_trace, "call: %" PRId32 " %" PRIu64 "\n", status, id);
    return status;
}

/* One step. PAWL_OK: go on. */
static int32_t step(const struct pawl_run *run, const char *text, size_t size)
{
    bool taken;
    char kind = *text++;
    size--;
    switch (kind) {
    case 'c':
        return begin_call(run, text, size);
    case 'n':
        return take(run, size > 0 ? atoi(text) : -1, &taken);
    case 'p':
        return poll_and_take(run);
    case 'k':
        return read_clock(run);
    case 'r':
        return read_random(run, (size_t)atoi(text));
    case 'd':
        return find(run, text, size);
    case 'l':
        return run->log(run->context, text, size);
    case 'g':
        recorded_go(atoi(text));
        return PAWL_OK;
    case 'x':
        pawl_cancel_now(token);
        return PAWL_OK;
    case 'v':
        return run->value(run->context, size > 0 ? text : NULL, size);
    case 'f':
        return fail(run, "runtime", text, size);
    case 'e':
        return fail(run, "worker_exit", text, size);
    default:
        return PAWL_E_ARGUMENT;
    }
}

static void state_image(const struct pawl_run *run, size_t at)
{
    char image[64];
    int size = snprintf(image, sizeof(image), "at %zu", at);
    if (images == IMAGES_HUGE) {
        size_t piece = 1 << 20;
        char *much = calloc(1, piece);
        int32_t status = PAWL_OK;
        for (int i = 0; i < 65 && status == PAWL_OK && much != NULL; i++)
            status = run->suspend(run->context, much, piece);
        CU_ASSERT(status == PAWL_E_LIMIT || status == PAWL_E_STATE); /* nobody records */
        CU_ASSERT_EQUAL(run->suspend(run->context, "x", 1), status);
        free(much);
    } else if (images != IMAGES_NONE) {
        run->suspend(run->context, image, 3);
        run->suspend(run->context, image + 3, (size_t)size - 3);
    }
}

static int32_t run_script(const struct pawl_run *run, const struct pawl_sink *why)
{
    const char *begin = run->program.data, *at = begin, *end = at + run->program.size;
    last_taken = 0;
    if (run->image.data != NULL) {
        if (images == IMAGES_REFUSED) {
            why->write(why->context, "of another build", 16);
            return PAWL_E_UNSUPPORTED;
        }
        char image[64];
        snprintf(image, sizeof(image), "%.*s", (int)run->image.size, run->image.data);
        at += strtoul(image + 3, NULL, 10);
        buffer_format(&recorded_trace, "image: %.*s, last %" PRIu64 ", in flight %" PRIu32 "\n",
                      (int)run->image.size, run->image.data, run->last_call, run->in_flight);
    }
    int32_t status = PAWL_OK;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        if (stop == NULL)
            break;
        status = step(run, at, (size_t)(stop - at));
        if (status != PAWL_OK)
            break;
        at = stop + 1;
    }
    if (status == PAWL_E_ENDED && run->cancelled(run->context) == PAWL_END_SUSPEND)
        state_image(run, (size_t)(at - begin));
    return status == PAWL_E_ENDED ? PAWL_OK : status;
}

/* --- The stage ------------------------------------------------------------------------------- */

static int32_t stage_create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void stage_destroy(void *instance)
{
    (void)instance;
}

static int32_t stage_judge(void *instance, const struct pawl_stage_call *call,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    int undecided = atomic_load(&recorded_undecided);
    atomic_fetch_add(&recorded_judged, 1);
    *verdict = PAWL_VERDICT_ALLOW;
    if (memmem(call->arguments.data, call->arguments.size, "hesitate", 8) != NULL) {
        sem_wait(&let_go);
        *verdict = PAWL_VERDICT_PENDING;
    } else if (strcmp(call->function, "denied") == 0)
        *verdict = PAWL_VERDICT_DENY;
    else if ((strcmp(call->function, "later") == 0 || strcmp(call->function, "constant") == 0) &&
             undecided != 0 &&
             memchr(call->arguments.data, undecided, call->arguments.size) != NULL)
        *verdict = PAWL_VERDICT_PENDING;
    if (*verdict != PAWL_VERDICT_ALLOW)
        why->write(why->context, "so it is", 8);
    return strcmp(call->function, "broken") == 0 ? PAWL_E_SYSTEM : PAWL_OK;
}

const struct pawl_stage recorded_stage = {
    .header = PAWL_HEADER(STAGE, recorded_stage),
    .name = "gate",
    .version = "1",
    .offers_bits = PAWL_STAGE_PROMPT,
    .threads = PAWL_THREADS_PARALLEL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
};

/* --- The functions --------------------------------------------------------------------------- */

static void echo(pawl_call *call, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    struct buffer text BUFFER_CLEANUP = {0};
    buffer_format(&text, "[\n%s]", pawl_call_arguments(call, NULL));
    pawl_call_return(call, text.data, text.size);
}

static void fail_always(pawl_call *call, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    pawl_call_fail(call, "token=abcdefghijklmnop is wrong");
}

static void return_one(pawl_call *call, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    pawl_call_return(call, "1", 1);
}

static void stay(pawl_call *call, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    struct pollfd told = {.fd = pawl_call_cancel_fd(call), .events = POLLIN};
    while (!pawl_call_cancelled(call))
        poll(&told, told.fd >= 0, 10);
}

static void hold(pawl_call *call, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    sem_wait(&let_go);
    pawl_call_return(call, "\"held\"", 6);
}

static int32_t discover(const char *query, size_t size, const struct pawl_sink *answer, void *data)
{
    (void)data;
    atomic_fetch_add(&recorded_discovered, 1);
    if (size == 4 && memcmp(query, "none", 4) == 0)
        return PAWL_E_SYSTEM;
    answer->write(answer->context, "[{\"name\":\n1}]", 13);
    return PAWL_OK;
}

int recorded_add_functions(struct recorded *host, pawl_request *request)
{
    static const struct {
        const char *name, *signature;
        pawl_host_function function;
        uint64_t timeout;
        uint32_t concurrent;
    } functions[RECORDED_FUNCTIONS] = {
        [ECHO] = {"echo", "echo(x?)", echo, 0, 1},
        [FAIL] = {"fail", NULL, fail_always, 0, 1},
        [DENIED] = {"denied", NULL, return_one, 0, 1},
        [BROKEN] = {"broken", NULL, return_one, 0, 1},
        [CONSTANT] = {"constant", NULL, NULL, 0, 1},
        [SLOW] = {"slow", NULL, stay, 5, 1},
        [LATER] = {"later", NULL, return_one, 0, 1},
        [HOLD] = {"hold", NULL, hold, 0, 1},
        [ALONE] = {"alone", NULL, return_one, 0, 0},
    };
    int status = pawl_request_add_namespace(request, "tools", "ToolError", "tool", &host->error);
    for (int i = 0; status == PAWL_OK && i < RECORDED_FUNCTIONS; i++) {
        struct pawl_function_options options = {
            .size = sizeof(options),
            .signature = functions[i].signature,
            .concurrent = functions[i].concurrent,
            .timeout = functions[i].timeout,
        };
        status =
            functions[i].function != NULL
                ? pawl_request_add_function(request, "tools", functions[i].name, &options,
                                            functions[i].function, &recorded_made[i], &host->error)
                : pawl_request_add_value(request, "tools", functions[i].name, &options, "[1,\n2]",
                                         &host->error);
    }
    pawl_request_set_ring(request, host->ring);
    pawl_request_set_cancel(request, host->cancel);
    pawl_request_set_discoverer(request, discover, NULL);
    return status;
}

/* --- The host -------------------------------------------------------------------------------- */

void recorded_forget(void)
{
    for (int i = 0; i < RECORDED_FUNCTIONS; i++)
        atomic_store(&recorded_made[i], 0);
    atomic_store(&recorded_judged, 0);
    atomic_store(&recorded_discovered, 0);
    buffer_clear(&recorded_trace);
}

int recorded_begin_with(struct recorded *host, const struct pawl_provider *added)
{
    *host = (struct recorded){0};
    recorded_forget();
    atomic_store(&recorded_undecided, 0);
    sem_init(&let_go, 0, 0);
    int status = pawl_registry_new(&host->registry, &host->error);
    if (status == PAWL_OK)
        status = pawl_registry_add(host->registry, added, added->name, NULL, &host->error);
    if (status == PAWL_OK)
        status = pawl_ring_new(&host->ring, &host->error);
    if (status == PAWL_OK)
        status = pawl_ring_add(host->ring, &recorded_stage, NULL, &host->error);
    if (status == PAWL_OK)
        status = pawl_cancel_new(&host->cancel, &host->error);
    token = host->cancel;
    return status;
}

int recorded_begin(struct recorded *host, enum recorded_images kind)
{
    static struct pawl_provider provider; /* lives as long as any registry */
    provider = scripted_provider;
    provider.name = "script";
    if (kind != IMAGES_NONE) {
        provider.offers_bits = PAWL_OFFERS_IMAGE;
        provider.threads = PAWL_THREADS_SERIAL;
    }
    images = kind;
    scripted_program = run_script;
    return recorded_begin_with(host, &provider);
}

void recorded_end(struct recorded *host)
{
    pawl_registry_free(host->registry);
    pawl_ring_free(host->ring);
    pawl_cancel_free(host->cancel);
    pawl_error_free(host->error);
    buffer_clear(&host->tape.text);
    buffer_clear(&recorded_trace);
}

static int keep(const char *line, size_t size, void *data)
{
    struct tape *tape = data;
    if (++tape->lines == tape->fail_at)
        return PAWL_E_SYSTEM;
    buffer_append(&tape->text, line, size);
    return tape->text.failed;
}

int recorded_set_tape(struct recorded *host, pawl_request *request)
{
    return pawl_request_set_recorder(request, "{\"by\":\n\"a test\"}", keep, &host->tape,
                                     &host->error);
}

int recorded_request(struct recorded *host, const char *script, size_t size, pawl_request **request)
{
    int status = pawl_request_new(request, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_program(*request, script, size, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(*request, PAWL_LEVEL_PROCESS, &host->error);
    if (status == PAWL_OK)
        status = recorded_add_functions(host, *request);
    return status == PAWL_OK ? recorded_set_tape(host, *request) : status;
}

/* --- Results --------------------------------------------------------------------------------- */

char *recorded_summary(pawl_result *result)
{
    struct buffer out BUFFER_CLEANUP = {0};
    size_t size = 0;
    const char *text = pawl_result_value(result, &size);
    if (pawl_result_ok(result)) {
        buffer_format(&out, "ok %d ", pawl_result_has_value(result));
        buffer_json_string(&out, text, size);
    } else {
        text = pawl_result_message(result, &size);
        buffer_format(&out, "%s %u:%u ", pawl_result_kind(result), pawl_result_line(result),
                      pawl_result_column(result));
        buffer_json_string(&out, text, size);
    }
    for (size_t i = 0; i < pawl_result_logs(result); i++) {
        text = pawl_result_log(result, i, &size);
        buffer_string(&out, "\nlog ");
        buffer_json_string(&out, text, size);
    }
    for (size_t i = 0; i < pawl_result_calls(result); i++) {
        const struct pawl_call_record *call = pawl_result_call(result, i);
        buffer_format(&out, "\n%s %u %" PRIu64 " bytes, %" PRIu64 " us: %s", call->name,
                      call->status, call->bytes, call->microseconds,
                      call->error != NULL ? call->error : "-");
    }
    const char *json = pawl_result_json(result, NULL);
    const char *calls = json != NULL ? strstr(json, ",\"calls\":") : NULL;
    const char *end = calls != NULL ? strstr(calls, ",\"call_log\"") : NULL;
    if (end != NULL)
        buffer_format(&out, "\n%.*s", (int)(end - calls - 1), calls + 1);
    return buffer_take(&out);
}
