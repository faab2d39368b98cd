/*
 * audit - the stage that writes down every call; see pawl-audit(7).
 *
 *     {"file": "/var/log/pawl/audit.jsonl", "arguments": "hashed", "fsync": true}
 *
 * A call whose line could not be written does not happen. It denies nothing of its own.
 */
#include <pawl/stage.h>

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "stages/audit/file.h"
#include "stages/common/fields.h"
#include "stages/common/say.h"
#include "stages/common/sha256.h"
#include "stages/common/text.h"

/* A line at most: the rest of long arguments is left out, that of a name is not. */
#define MAX_LINE_BYTES     65536
#define MAX_ARGUMENT_BYTES 49152
#define MAX_NAME_BYTES     4096

enum arguments { ARGUMENTS_FULL, ARGUMENTS_HASHED, ARGUMENTS_NONE };

struct audit {
    char *path;
    enum arguments arguments;
    struct file file;
    atomic_ullong lost; /* lines of calls that had been made already, since the last good line */
};

/* --- Configuration ------------------------------------------------------------------------ */

static int32_t read_path(void *member, const char *place, struct json_object *value,
                         const struct pawl_sink *why)
{
    int32_t status = field_text(member, place, value, why);
    if (status == PAWL_OK && **(char **)member != '/') {
        say(why, "%s must be an absolute path", place);
        return PAWL_E_CONFIG;
    }
    return status;
}

static int32_t read_arguments(void *member, const char *place, struct json_object *value,
                              const struct pawl_sink *why)
{
    static const char *const words[] = {"full", "hashed", "none"};
    const char *word = json_object_get_string(value);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (json_object_is_type(value, json_type_string) && strcmp(word, words[i]) == 0) {
            *(enum arguments *)member = (enum arguments)i;
            return PAWL_OK;
        }
    say(why, "%s must be \"full\", \"hashed\" or \"none\"", place);
    return PAWL_E_CONFIG;
}

static const struct field fields[] = {
    {"file", read_path, offsetof(struct audit, path), "it says where to write"},
    {"arguments", read_arguments, offsetof(struct audit, arguments), NULL},
    {"fsync", field_flag, offsetof(struct audit, file.sync), NULL},
    {NULL, NULL, 0, NULL},
};

static void destroy(void *instance)
{
    struct audit *audit = instance;
    file_close(&audit->file);
    free(audit->path);
    free(audit);
}

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    struct audit *audit = calloc(1, sizeof(*audit));
    if (audit == NULL)
        return PAWL_E_MEMORY;
    audit->file.fd = -1;
    int32_t status =
        fields_parse(config, fields, "{\"file\": \"/var/log/pawl/audit.jsonl\"}", audit, why);
    if (status == PAWL_OK)
        status = file_open(&audit->file, audit->path, why);
    if (status == PAWL_OK)
        *instance = audit;
    else
        destroy(audit);
    return status;
}

/* --- Lines -------------------------------------------------------------------------------- */

/* Whole, or the text is full. */
static void add_name(struct text *line, const char *key, const char *name)
{
    size_t size = strlen(name);
    text_format(line, ",\"%s\":", key);
    if (text_json(line, name, size, MAX_NAME_BYTES) != size)
        line->full = true;
}

static void begin_line(struct text *line, const char *event, const struct pawl_stage_call *call)
{
    struct timespec now;
    struct tm calendar;
    char seconds[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &calendar);
    strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &calendar);
    text_format(line, "{\"time\":\"%s.%06ldZ\",\"event\":\"%s\"", seconds, now.tv_nsec / 1000,
                event);
    add_name(line, "run", call->run);
    text_format(line, ",\"number\":%" PRIu64, call->number);
    add_name(line, "name", call->name);
}

/* As a string with JSON in it: so it can be cut, and stays one line whatever it is. */
static void add_arguments(struct text *line, const struct audit *audit,
                          const struct pawl_text *arguments)
{
    text_format(line, ",\"argument_bytes\":%" PRIu32, arguments->size);
    if (audit->arguments == ARGUMENTS_HASHED) {
        struct sha256 hash;
        char text[SHA256_TEXT];
        sha256_init(&hash);
        sha256_add(&hash, arguments->data, arguments->size);
        sha256_end(&hash, text);
        text_format(line, ",\"argument_sha256\":\"%s\"", text);
    } else if (audit->arguments == ARGUMENTS_FULL) {
        text_format(line, ",\"arguments\":");
        if (text_json(line, arguments->data, arguments->size, MAX_ARGUMENT_BYTES) < arguments->size)
            text_format(line, ",\"arguments_cut\":true");
    }
}

/* Ends a line and writes it, with the number of those that were lost before. Returns an errno. */
static int write_line(struct audit *audit, struct text *line)
{
    unsigned long long lost = atomic_exchange(&audit->lost, 0);
    if (lost > 0)
        text_format(line, ",\"lost\":%llu", lost);
    text_format(line, "}\n");
    int error = line->full ? E2BIG : file_append(&audit->file, line->data, line->size);
    if (error != 0)
        atomic_fetch_add(&audit->lost, lost);
    return error;
}

/* --- Calls -------------------------------------------------------------------------------- */

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    struct audit *audit = instance;
    struct text line = {.data = malloc(MAX_LINE_BYTES), .capacity = MAX_LINE_BYTES};
    if (line.data == NULL) {
        say(why, "there is no memory for its line");
        return PAWL_E_MEMORY;
    }
    begin_line(&line, "call", call);
    add_arguments(&line, audit, &call->arguments);
    int error = write_line(audit, &line);
    free(line.data);
    if (error != 0) {
        say(why, "the line for the call cannot be written: %s",
            error == E2BIG ? "its name is too long" : strerror(error));
        return PAWL_E_SYSTEM;
    }
    *verdict = PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

static void settled(void *instance, const struct pawl_stage_call *call, uint32_t outcome,
                    uint64_t bytes, uint64_t microseconds)
{
    static const char *const outcomes[] = {
        [PAWL_OUTCOME_OK] = "ok",
        [PAWL_OUTCOME_ERROR] = "error",
        [PAWL_OUTCOME_STOPPED] = "stopped",
        [PAWL_OUTCOME_ABANDONED] = "abandoned",
    };
    struct audit *audit = instance;
    char memory[3 * MAX_NAME_BYTES];
    struct text line = {.data = memory, .capacity = sizeof(memory)};
    begin_line(&line, "settled", call);
    text_format(&line, ",\"outcome\":\"%s\",\"bytes\":%" PRIu64 ",\"ms\":%" PRIu64 ".%03" PRIu64,
                outcome < sizeof(outcomes) / sizeof(outcomes[0]) ? outcomes[outcome] : "unknown",
                bytes, microseconds / 1000, microseconds % 1000);
    /* The call has been made; all that can be done is to say later that its line is missing. */
    if (write_line(audit, &line) != 0)
        atomic_fetch_add(&audit->lost, 1);
}

static const struct pawl_stage stage = {
    .header = PAWL_HEADER(STAGE, stage),
    .name = "audit",
    .version = "1.0",
    .description = "writes down every call, before it is made and after",
    .threads = 2, /* any number of calls at once: a line is one write */
    .create = create,
    .destroy = destroy,
    .judge = judge,
    .settled = settled,
};

PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return &stage;
}
