#include "core/record_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"
#include "providers/wire/base64.h"

/* White space that all values of a record may have around them. */
#define MAX_PADDING ((size_t)64 << 20)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is wrong with a line. */
static int complain(pawl_error **error, size_t line, const char *what)
{
    return error_set(error, PAWL_E_CONFIG, "line %zu of the record: %s", line, what);
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
char *record_copy_string(struct json value, size_t *size)
{
    struct text text = {0};
    json_decode(value, &text);
    return take_bytes(&text, size);
}

/* A value as it stands. */
char *record_copy_json(struct json value, size_t *size)
{
    struct text text = {0};
    text_append(&text, value.text, value.size);
    return take_bytes(&text, size);
}

/* --- Lines after the first
 * ---------------------------------------------------------------------------- */

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
    entry->microseconds = record_number(m[MICROSECONDS].value);
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
        entry->id = record_number(m[CALL].value);
        *wanted = (struct wanted){.name = &m[FUNCTION].value, .json = &m[ARGUMENTS].value};
        return wanted->name->text != NULL && wanted->json->text != NULL ? NULL : malformed;
    case RECORD_SETTLED:
        entry->id = record_number(m[SETTLED].value);
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
    uint64_t bytes = m[BYTES].value.text != NULL ? record_number(m[BYTES].value) : value.size;
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
    if (wanted.name != NULL &&
        (entry->name = record_copy_string(*wanted.name, &entry->name_size)) == NULL)
        return error_memory(error);
    if (entry->type == RECORD_SETTLED && entry->status == PAWL_SETTLED_OK)
        return copy_answer(record, entry, line, m, error);
    if (wanted.text != NULL && wanted.text->text != NULL &&
        (entry->text = record_copy_string(*wanted.text, &entry->text_size)) == NULL)
        return error_memory(error);
    if (wanted.json != NULL && wanted.json->text != NULL &&
        (entry->text = record_copy_json(*wanted.json, &entry->text_size)) == NULL)
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
    int status = record_make_request(header, true, &record->request, &host, error);
    if (status != PAWL_OK)
        return status;
    record->header = record_copy_json(header, NULL);
    record->host = host.text != NULL ? record_copy_json(host, NULL) : NULL;
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
