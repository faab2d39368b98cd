#include "core/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"
#include "providers/wire/base64.h"
#include "providers/wire/json.h"

/* White space that all values of a record may have around them. */
#define MAX_PADDING ((size_t)64 << 20)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is wrong with a line. */
static int complain(pawl_error **error, size_t line, const char *what)
{
    return error_set(error, PAWL_E_CONFIG, "line %zu of the record: %s", line, what);
}

/* The same of what the first line asks for; where it stands is added later. */
static int refuse(pawl_error **error, const char *what)
{
    return error_set(error, PAWL_E_CONFIG, "%s", what);
}

/* --- Values -------------------------------------------------------------------------------- */

/* Takes bytes over, with a NUL behind them. NULL: no memory. */
static char *take_bytes(struct text *text, size_t *size)
{
    text_append(text, "", 1);
    if (text->failed != PAWL_OK) {
        text_free(text);
        return NULL;
    }
    if (size != NULL)
        *size = text->size - 1;
    return text->data;
}

/* The bytes of a string. */
static char *copy_string(struct json value, size_t *size)
{
    struct text text = {0};
    json_decode(value, &text);
    return take_bytes(&text, size);
}

/* A value as it stands. */
static char *copy_json(struct json value, size_t *size)
{
    struct text text = {0};
    text_append(&text, value.text, value.size);
    return take_bytes(&text, size);
}

static void free_name(char **name)
{
    free(*name);
}
#define NAME_CLEANUP __attribute__((cleanup(free_name)))

/* A string of the first line that ends in NUL; an absent one is NULL. */
static int copy_name(struct json value, char **name, pawl_error **error)
{
    size_t size;
    *name = NULL;
    if (value.text == NULL)
        return PAWL_OK;
    *name = copy_string(value, &size);
    if (*name == NULL)
        return error_memory(error);
    return strlen(*name) == size ? PAWL_OK
                                 : refuse(error, "a name must not hold the character U+0000");
}

static uint64_t number_of(struct json value)
{
    uint64_t number = 0;
    if (value.text != NULL)
        json_unsigned(value, &number);
    return number;
}

/* --- The first line ------------------------------------------------------------------------ */

static void not_called(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, "a run that is replayed calls nothing");
}

static int not_discovered(const char *query, size_t size, const struct pawl_sink *answer,
                          void *data)
{
    (void)query, (void)size, (void)answer, (void)data;
    return PAWL_E_UNSUPPORTED;
}

static int add_function(pawl_request *request, const char *space, struct json function,
                        struct text *why, pawl_error **error)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "signature", .type = JSON_STRING},
        {.name = "concurrent", .type = JSON_BOOLEAN},
    };
    if (!json_members(function, m, COUNT(m), why))
        return refuse(error, text_get(why));
    char *name NAME_CLEANUP = NULL, *signature NAME_CLEANUP = NULL;
    int status = copy_name(m[0].value, &name, error);
    if (status == PAWL_OK)
        status = copy_name(m[1].value, &signature, error);
    if (status != PAWL_OK)
        return status;
    struct pawl_function_options options = {
        .size = sizeof(options),
        .concurrent = json_is_true(m[2].value),
        .signature = signature,
    };
    return pawl_request_add_function(request, space, name, &options, not_called, NULL, error);
}

static int add_namespace(pawl_request *request, struct json space, struct text *why,
                         pawl_error **error)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "error_class", .type = JSON_STRING},
        {.name = "member_property", .type = JSON_STRING},
        {.name = "functions", .type = JSON_ARRAY, .required = true},
    };
    if (!json_members(space, m, COUNT(m), why))
        return refuse(error, text_get(why));
    char *name NAME_CLEANUP = NULL, *class NAME_CLEANUP = NULL, *property NAME_CLEANUP = NULL;
    int status = copy_name(m[0].value, &name, error);
    if (status == PAWL_OK)
        status = copy_name(m[1].value, &class, error);
    if (status == PAWL_OK)
        status = copy_name(m[2].value, &property, error);
    if (status == PAWL_OK)
        status = pawl_request_add_namespace(request, name, class, property, error);
    struct json_iterator functions = json_iterate(m[3].value);
    struct json function;
    while (status == PAWL_OK && json_next(&functions, NULL, &function))
        status = add_function(request, name, function, why, error);
    return status;
}

static int set_policy(pawl_request *request, struct json object, struct text *why,
                      pawl_error **error)
{
    struct json_member m[] = {
        {.name = "egress", .type = JSON_UNSIGNED},
        {.name = "files", .type = JSON_UNSIGNED},
        {.name = "proxy", .type = JSON_STRING},
        {.name = "working_directory", .type = JSON_STRING},
        {.name = "writable", .type = JSON_ARRAY},
    };
    if (!json_members(object, m, COUNT(m), why))
        return refuse(error, text_get(why));
    if (m[4].value.text != NULL)
        return refuse(error, "a policy of files cannot be had again from a record");
    if (number_of(m[0].value) > UINT32_MAX || number_of(m[1].value) > UINT32_MAX)
        return refuse(error, "its policy is unknown");
    char *proxy NAME_CLEANUP = NULL, *directory NAME_CLEANUP = NULL;
    int status = copy_name(m[2].value, &proxy, error);
    if (status == PAWL_OK)
        status = copy_name(m[3].value, &directory, error);
    if (status != PAWL_OK)
        return status;
    struct pawl_policy policy = {
        .header = PAWL_HEADER(POLICY, policy),
        .egress = (uint32_t)number_of(m[0].value),
        .files = (uint32_t)number_of(m[1].value),
        .proxy = proxy,
        .working_directory = directory,
    };
    return pawl_request_set_policy(request, &policy, error);
}

static int add_budget(pawl_request *request, struct json object, struct text *why,
                      pawl_error **error)
{
    struct json_member m[] = {
        {.name = "wall_clock", .type = JSON_UNSIGNED},
        {.name = "max_calls", .type = JSON_UNSIGNED},
        {.name = "max_bytes", .type = JSON_UNSIGNED},
        {.name = "max_memory", .type = JSON_UNSIGNED},
    };
    if (!json_members(object, m, COUNT(m), why))
        return refuse(error, text_get(why));
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = number_of(m[0].value);
    budget.max_calls = number_of(m[1].value);
    budget.max_bytes = number_of(m[2].value);
    budget.max_memory = number_of(m[3].value);
    pawl_request_add_budget(request, &budget);
    return PAWL_OK;
}

enum {
    FORMAT,
    PROGRAM,
    LANGUAGE,
    LEVEL,
    PROVIDER,
    BUDGET,
    OUTPUT,
    POLICY,
    DISCOVER,
    NAMESPACES,
    HOST,
    HEADER_MEMBERS,
};

static int fill_request(pawl_request *request, const struct json_member *m, bool functions,
                        pawl_error **error)
{
    struct text why TEXT_CLEANUP = {0};
    size_t size = 0;
    uint32_t level;
    char *program NAME_CLEANUP = copy_string(m[PROGRAM].value, &size);
    char *language NAME_CLEANUP = NULL, *level_name NAME_CLEANUP = NULL;
    char *provider NAME_CLEANUP = NULL;
    int status =
        program == NULL ? error_memory(error) : copy_name(m[LANGUAGE].value, &language, error);
    if (status == PAWL_OK)
        status = copy_name(m[LEVEL].value, &level_name, error);
    if (status == PAWL_OK)
        status = copy_name(m[PROVIDER].value, &provider, error);
    if (status == PAWL_OK)
        status = pawl_level_parse(level_name, &level, error);
    if (status == PAWL_OK)
        status = pawl_request_set_program(request, program, size, error);
    if (status == PAWL_OK)
        status = pawl_request_set_language(request, language, error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(request, level, error);
    if (status == PAWL_OK && provider != NULL)
        status = pawl_request_set_provider(request, provider, error);
    if (status == PAWL_OK)
        status = add_budget(request, m[BUDGET].value, &why, error);
    if (status == PAWL_OK)
        status = set_policy(request, m[POLICY].value, &why, error);
    pawl_request_set_output_limit(request, number_of(m[OUTPUT].value));
    if (json_is_true(m[DISCOVER].value))
        pawl_request_set_discoverer(request, not_discovered, NULL);
    struct json_iterator spaces = json_iterate(m[NAMESPACES].value);
    struct json space;
    while (status == PAWL_OK && functions && json_next(&spaces, NULL, &space))
        status = add_namespace(request, space, &why, error);
    return status;
}

/* A request as the first line describes it, which was checked to be JSON. */
static int make_request(struct json header, bool functions, pawl_request **request,
                        struct json *host, pawl_error **error)
{
    struct json_member m[HEADER_MEMBERS] = {
        [FORMAT] = {.name = "format", .type = JSON_STRING, .required = true},
        [PROGRAM] = {.name = "program", .type = JSON_STRING, .required = true},
        [LANGUAGE] = {.name = "language", .type = JSON_STRING, .required = true},
        [LEVEL] = {.name = "level", .type = JSON_STRING, .required = true},
        [PROVIDER] = {.name = "asked_provider", .type = JSON_STRING},
        [BUDGET] = {.name = "budget", .type = JSON_OBJECT, .required = true},
        [OUTPUT] = {.name = "max_output", .type = JSON_UNSIGNED},
        [POLICY] = {.name = "policy", .type = JSON_OBJECT, .required = true},
        [DISCOVER] = {.name = "discover", .type = JSON_BOOLEAN},
        [NAMESPACES] = {.name = "namespaces", .type = JSON_ARRAY, .required = true},
        [HOST] = {.name = "host"},
    };
    struct text why TEXT_CLEANUP = {0};
    if (!json_members(header, m, COUNT(m), &why))
        return complain(error, 1, text_get(&why));
    if (!json_equals(m[FORMAT].value, RECORD_FORMAT))
        return complain(error, 1, "it is no record that this version reads (" RECORD_FORMAT ")");
    if (host != NULL)
        *host = m[HOST].value;
    int status = pawl_request_new(request, error);
    if (status != PAWL_OK)
        return status;
    status = fill_request(*request, m, functions, error);
    if (status == PAWL_OK)
        return PAWL_OK;
    pawl_request_free(*request);
    *request = NULL;
    return error_prefix(error, "line 1 of the record");
}

/* --- The others ---------------------------------------------------------------------------- */

enum {
    CALL,
    SETTLED,
    TIMEOUT,
    CLOCK,
    RANDOM,
    DISCOVERED,
    LOG,
    END,
    RESUMED, /* as enum record_type */
    FUNCTION,
    ARGUMENTS,
    STATUS,
    MICROSECONDS,
    LATE,
    BYTES,
    VALUE,
    CODE,
    MESSAGE,
    ANSWER,
    IMAGE,
    LINE_MEMBERS,
};

static const struct json_member line_members[LINE_MEMBERS] = {
    [CALL] = {.name = "call", .type = JSON_UNSIGNED},
    [SETTLED] = {.name = "settled", .type = JSON_UNSIGNED},
    [TIMEOUT] = {.name = "timeout", .type = JSON_BOOLEAN},
    [CLOCK] = {.name = "clock", .type = JSON_NUMBER},
    [RANDOM] = {.name = "random", .type = JSON_STRING},
    [DISCOVERED] = {.name = "discover", .type = JSON_STRING},
    [LOG] = {.name = "log", .type = JSON_STRING},
    [END] = {.name = "end", .type = JSON_STRING},
    [RESUMED] = {.name = "resumed", .type = JSON_BOOLEAN},
    [FUNCTION] = {.name = "function", .type = JSON_STRING},
    [ARGUMENTS] = {.name = "arguments", .type = JSON_ARRAY},
    [STATUS] = {.name = "status"},
    [MICROSECONDS] = {.name = "us", .type = JSON_UNSIGNED},
    [LATE] = {.name = "late", .type = JSON_BOOLEAN},
    [BYTES] = {.name = "bytes", .type = JSON_UNSIGNED},
    [VALUE] = {.name = "value"},
    [CODE] = {.name = "code", .type = JSON_STRING},
    [MESSAGE] = {.name = "message", .type = JSON_STRING},
    [ANSWER] = {.name = "answer", .type = JSON_ARRAY},
    [IMAGE] = {.name = "image", .type = JSON_STRING},
};

/* A line that is not as this version writes it. */
static const char malformed[] = "it is not as pawl writes it";
static const char no_memory[] = "";

/* What is copied into an entry's name and its text, a string or a value as it stands; NULL:
 * nothing.
 */
struct wanted {
    const struct json *name, *text, *json;
};

static const char *read_settled(struct record_entry *entry, const struct json_member *m,
                                struct wanted *wanted)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    static const char *const codes[] = {"tool_error", "stage_denied", "stage_failed",
                                        "bad_arguments"};
    if (m[STATUS].value.text == NULL || json_type(m[STATUS].value) != JSON_STRING)
        return malformed;
    while (entry->status < COUNT(words) && !json_equals(m[STATUS].value, words[entry->status]))
        entry->status++;
    if (entry->status == COUNT(words))
        return malformed;
    entry->microseconds = number_of(m[MICROSECONDS].value);
    entry->late = json_is_true(m[LATE].value);
    if (entry->status == PAWL_SETTLED_OK) {
        return m[VALUE].value.text != NULL ? NULL : malformed;
    }
    for (size_t i = 0; i < COUNT(codes) && m[CODE].value.text != NULL; i++)
        if (json_equals(m[CODE].value, codes[i]))
            entry->code = codes[i];
    wanted->text = &m[MESSAGE].value;
    return m[MESSAGE].value.text != NULL && entry->code != NULL ? NULL : malformed;
}

static bool read_integer(struct json value, int64_t *number)
{
    char digits[24], *end;
    errno = 0;
    if (value.text == NULL || json_type(value) != JSON_NUMBER || value.size >= sizeof(digits))
        return false;
    memcpy(digits, value.text, value.size);
    digits[value.size] = '\0';
    *number = strtoll(digits, &end, 10);
    return *end == '\0' && errno == 0;
}

/* A status code, with which an answer stands if it is PAWL_OK. */
static bool read_answer(struct record_entry *entry, const struct json_member *m)
{
    return read_integer(m[STATUS].value, &entry->number) && entry->number >= INT32_MIN &&
           entry->number <= INT32_MAX &&
           (entry->number == PAWL_OK) == (m[ANSWER].value.text != NULL);
}

/* NULL, or what is wrong. */
static const char *read_bytes(struct record_entry *entry, struct json value)
{
    struct text bytes TEXT_CLEANUP = {0};
    if (!base64_decode(&bytes, value.text + 1, value.size - 2) && bytes.failed == PAWL_OK)
        return malformed;
    entry->text = take_bytes(&bytes, &entry->text_size);
    bytes = (struct text){0};
    return entry->text != NULL ? NULL : no_memory;
}

/* Finds what a line is, and what of it is kept. NULL, or what is wrong. */
static const char *read_members(pawl_record *record, struct record_entry *entry,
                                const struct json_member *m, struct wanted *wanted)
{
    unsigned types = 0;
    for (unsigned type = CALL; type <= RESUMED; type++)
        if (m[type].value.text != NULL) {
            entry->type = (enum record_type)type;
            types++;
        }
    if (types != 1)
        return malformed;
    switch (entry->type) {
    case RECORD_CALL:
        entry->id = number_of(m[CALL].value);
        *wanted = (struct wanted){.name = &m[FUNCTION].value, .json = &m[ARGUMENTS].value};
        return wanted->name->text != NULL && wanted->json->text != NULL ? NULL : malformed;
    case RECORD_SETTLED:
        entry->id = number_of(m[SETTLED].value);
        return read_settled(entry, m, wanted);
    case RECORD_CLOCK:
        return read_integer(m[CLOCK].value, &entry->number) ? NULL : malformed;
    case RECORD_RANDOM:
        return read_bytes(entry, m[RANDOM].value);
    case RECORD_DISCOVER:
        *wanted = (struct wanted){.name = &m[DISCOVERED].value, .json = &m[ANSWER].value};
        return read_answer(entry, m) ? NULL : malformed;
    case RECORD_LOG:
        wanted->text = &m[LOG].value;
        return NULL;
    case RECORD_END:
        *wanted = (struct wanted){.name = &m[END].value, .text = &m[MESSAGE].value};
        text_clear(&record->image); /* only the last one counts */
        if (m[IMAGE].value.text != NULL &&
            !base64_decode(&record->image, m[IMAGE].value.text + 1, m[IMAGE].value.size - 2))
            return "its image is malformed";
        return NULL;
    default:
        return NULL;
    }
}

/* The next entry, all zero. NULL: no memory. */
static struct record_entry *add_entry(pawl_record *record)
{
    if (record->count == record->capacity) {
        size_t capacity = record->capacity == 0 ? 64 : record->capacity * 2;
        struct record_entry *grown = realloc(record->entries, capacity * sizeof(*grown));
        if (grown == NULL)
            return NULL;
        record->entries = grown;
        record->capacity = capacity;
    }
    struct record_entry *entry = &record->entries[record->count++];
    *entry = (struct record_entry){0};
    return entry;
}

/* A value, with white space behind it so that it has as many bytes as it had: they are counted. */
static int copy_answer(pawl_record *record, struct record_entry *entry, size_t line,
                       const struct json_member *m, pawl_error **error)
{
    const struct json value = m[VALUE].value;
    uint64_t bytes = m[BYTES].value.text != NULL ? number_of(m[BYTES].value) : value.size;
    if (bytes < value.size || bytes - value.size > MAX_PADDING - record->padding)
        return complain(error, line, malformed);
    record->padding += (size_t)bytes - value.size;
    entry->text = malloc((size_t)bytes + 1);
    if (entry->text == NULL)
        return error_memory(error);
    memcpy(entry->text, value.text, value.size);
    memset(entry->text + value.size, ' ', (size_t)bytes - value.size);
    entry->text[bytes] = '\0';
    entry->text_size = (size_t)bytes;
    return PAWL_OK;
}

static int read_line(pawl_record *record, size_t line, struct json object, pawl_error **error)
{
    struct text why TEXT_CLEANUP = {0};
    struct json_member m[LINE_MEMBERS];
    struct wanted wanted = {0};
    memcpy(m, line_members, sizeof(m));
    if (!json_members(object, m, COUNT(m), &why))
        return complain(error, line, text_get(&why));
    struct record_entry *entry = add_entry(record);
    if (entry == NULL)
        return error_memory(error);
    const char *wrong = read_members(record, entry, m, &wanted);
    if (record->image.failed == PAWL_E_MEMORY || wrong == no_memory)
        return error_memory(error);
    if (wrong != NULL)
        return complain(error, line, wrong);
    if (wanted.name != NULL && (entry->name = copy_string(*wanted.name, &entry->name_size)) == NULL)
        return error_memory(error);
    if (entry->type == RECORD_SETTLED && entry->status == PAWL_SETTLED_OK)
        return copy_answer(record, entry, line, m, error);
    if (wanted.text != NULL && wanted.text->text != NULL &&
        (entry->text = copy_string(*wanted.text, &entry->text_size)) == NULL)
        return error_memory(error);
    if (wanted.json != NULL && wanted.json->text != NULL &&
        (entry->text = copy_json(*wanted.json, &entry->text_size)) == NULL)
        return error_memory(error);
    bool ends_in_nul = entry->type == RECORD_CALL || entry->type == RECORD_END;
    if (ends_in_nul && strlen(entry->name) != entry->name_size)
        return complain(error, line, malformed);
    return PAWL_OK;
}

/* --- Records ------------------------------------------------------------------------------- */

static int read_header(pawl_record *record, struct json header, pawl_error **error)
{
    struct json host = {0};
    int status = make_request(header, true, &record->request, &host, error);
    if (status != PAWL_OK)
        return status;
    record->header = copy_json(header, NULL);
    record->host = host.text != NULL ? copy_json(host, NULL) : NULL;
    if (record->header == NULL || (host.text != NULL && record->host == NULL))
        return error_memory(error);
    return PAWL_OK;
}

int pawl_record_read(const char *text, size_t size, pawl_record **record, pawl_error **error)
{
    const char *end = text + size;
    pawl_record *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    int status = size > 0 ? PAWL_OK : complain(error, 1, "there is none");
    for (size_t line = 1; status == PAWL_OK && text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        struct json object;
        if (stop == NULL && line > 1)
            break; /* what was being written when its host died */
        size_t length = (size_t)((stop != NULL ? stop : end) - text);
        if (!json_check(text, length, &object) || json_type(object) != JSON_OBJECT)
            status = complain(error, line, "it is no JSON object");
        else
            status =
                line == 1 ? read_header(made, object, error) : read_line(made, line, object, error);
        text += length + 1;
    }
    if (status != PAWL_OK) {
        pawl_record_free(made);
        return status;
    }
    *record = made;
    return PAWL_OK;
}

void pawl_record_free(pawl_record *record)
{
    if (record == NULL)
        return;
    for (size_t i = 0; i < record->count; i++) {
        free(record->entries[i].name);
        free(record->entries[i].text);
    }
    free(record->entries);
    pawl_request_free(record->request);
    free(record->header);
    free(record->host);
    text_free(&record->image);
    free(record);
}

const struct record_entry *record_end(const pawl_record *record)
{
    const struct record_entry *last =
        record->count > 0 ? &record->entries[record->count - 1] : NULL;
    return last != NULL && last->type == RECORD_END ? last : NULL;
}

const char *pawl_record_end(const pawl_record *record)
{
    const struct record_entry *end = record_end(record);
    return end != NULL ? end->name : NULL;
}

const char *pawl_record_host(const pawl_record *record)
{
    return record->host;
}

const char *pawl_record_program(const pawl_record *record, size_t *size)
{
    if (size != NULL)
        *size = record->request->program_size;
    return record->request->program;
}

int pawl_record_request(const pawl_record *record, int functions, pawl_request **request,
                        pawl_error **error)
{
    struct json header;
    json_check(record->header, strlen(record->header), &header); /* as it was before */
    return make_request(header, functions != 0, request, NULL, error);
}

/* --- Requests that go by a record ---------------------------------------------------------- */

static int is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Calls are known by the number of their function, and errors by their class. */
static int check_bindings(const pawl_request *request, const pawl_request *recorded,
                          pawl_error **error)
{
    for (size_t i = 0; i < recorded->binding_count || i < request->binding_count; i++) {
        const struct binding *was = i < recorded->binding_count ? recorded->bindings[i] : NULL;
        const struct binding *is = i < request->binding_count ? request->bindings[i] : NULL;
        if (was == NULL || is == NULL || strcmp(was->full_name, is->full_name) != 0 ||
            !is_same_text(was->signature_text, is->signature_text))
            return error_set(error, PAWL_E_ARGUMENT,
                             "the functions are not those of the record: number %zu is %s, and was "
                             "%s",
                             i + 1, is != NULL ? is->full_name : "missing",
                             was != NULL ? was->full_name : "missing");
    }
    for (size_t i = 0; i < recorded->namespace_count && i < request->namespace_count; i++) {
        const struct binding_namespace *was = recorded->namespaces[i], *is = request->namespaces[i];
        if (strcmp(was->name, is->name) != 0 || !is_same_text(was->error_class, is->error_class) ||
            !is_same_text(was->member_property, is->member_property))
            return error_set(error, PAWL_E_ARGUMENT,
                             "the namespace %s is not as it was in the record", was->name);
    }
    return PAWL_OK;
}

void pawl_request_set_replay(pawl_request *request, const pawl_record *record)
{
    request->record = record;
    request->resumes = false;
}

int pawl_request_set_resume(pawl_request *request, const pawl_record *record, pawl_error **error)
{
    const struct record_entry *end = record_end(record);
    const pawl_request *recorded = record->request;
    if (end == NULL)
        return error_set(error, PAWL_E_STATE,
                         "the record was cut off while the run went on: it cannot be resumed");
    if (strcmp(end->name, "suspended") != 0)
        return error_set(error, PAWL_E_STATE,
                         "the run in the record was not suspended, it ended: %s", end->name);
    if (request->program_size != recorded->program_size ||
        memcmp(request->program, recorded->program, recorded->program_size) != 0)
        return error_set(error, PAWL_E_ARGUMENT, "the program is not that of the record");
    int status = check_bindings(request, recorded, error);
    if (status != PAWL_OK)
        return status;
    request->record = record;
    request->resumes = true;
    return PAWL_OK;
}

int pawl_request_set_recorder(pawl_request *request, const char *host, pawl_recorder write,
                              void *data, pawl_error **error)
{
    char *copy = host != NULL ? strdup(host) : NULL;
    if (host != NULL && copy == NULL)
        return error_memory(error);
    if (host != NULL && !json_is_valid(host, strlen(host), NULL)) {
        free(copy);
        return error_set(error, PAWL_E_ARGUMENT, "what is added to the record is not JSON");
    }
    free(request->record_host);
    request->record_host = copy;
    request->recorder = write;
    request->recorder_data = data;
    return PAWL_OK;
}
