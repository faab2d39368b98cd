#include "tools/harness/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "stages/common/sha256.h"
#include "tools/harness/gate.h"
#include "tools/harness/subject.h"

struct record {
    char path[PATH_MAX];
    char sha256[SHA256_TEXT];
    struct check identity;  /* its words: members of the JSON object */
    struct buffer lists[3]; /* ids, by outcome */
    const struct settings *settings;
};

static void name_plugin(struct buffer *text, const char *name, const char *version,
                        const struct pawl_header *header)
{
    buffer_string(text, "  \"plugin\": ");
    buffer_json_string(text, name, strlen(name));
    buffer_string(text, ",\n  \"version\": ");
    buffer_json_string(text, version, strlen(version));
    buffer_format(text, ",\n  \"abi\": \"%u.%u\",\n", header->major, header->minor);
}

/* A stage's own members, asked in a process of its own. */
static void identify_stage(struct check *check)
{
    const struct plugin *plugin = gate_load(check);
    struct buffer text BUFFER_CLEANUP = {0};
    if (plugin == NULL)
        return;
    name_plugin(&text, plugin->stage.name, plugin->stage.version, &plugin->stage.header);
    check->words = text;
    text = (struct buffer){0};
}

/* A provider's. */
static void identify(struct check *check)
{
    const struct subject *subject = subject_open(check);
    struct buffer text BUFFER_CLEANUP = {0};
    if (subject == NULL)
        return;
    const struct pawl_provider *provider = &subject->plugin->provider;
    name_plugin(&text, provider->name, provider->version, &provider->header);
    buffer_format(&text, "  \"isolates\": %s,\n  \"level\": \"%s\",\n",
                  (provider->offers_bits & PAWL_OFFERS_ISOLATION) != 0 ? "true" : "false",
                  pawl_level_name(subject->level));
    check->words = text;
    text = (struct buffer){0};
}

struct record *record_new(const struct settings *settings)
{
    static const struct requirement provider = {.id = "", .test = identify};
    static const struct requirement stage = {.id = "", .test = identify_stage};
    struct record *record = calloc(1, sizeof(*record));
    if (record == NULL)
        return NULL;
    record->settings = settings;
    snprintf(record->path, sizeof(record->path), "%s/%s", settings->directory, settings->file);
    int file = open(record->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || sha256_file(file, record->sha256) != 0)
        record->sha256[0] = '\0';
    if (file >= 0)
        close(file);
    record->identity.settings = settings;
    check_apart(settings->is_stage ? &stage : &provider, &record->identity);
    return record;
}

void record_add(struct record *record, const struct requirement *requirement,
                const struct check *check)
{
    struct buffer *list = &record->lists[check->outcome];
    buffer_format(list, "%s\"%s\"", list->size > 0 ? ", " : "", requirement->id);
}

/* Whether an id is in a list. */
static bool is_in(const struct buffer *list, const char *id)
{
    char quoted[16];
    snprintf(quoted, sizeof(quoted), "\"%s\"", id);
    return list->size > 0 && strstr(list->data, quoted) != NULL;
}

/* Whether what the plugin says of its level was tested and found true: nothing that is required of
 * it failed, or went untested. `machine` cannot be looked into from here. */
static bool level_holds(const struct record *record)
{
    static const char *const required[] = {"R65", "R66", "R67", "R68"};
    const char *identity = record->identity.words.data;
    if (record->identity.outcome != OUTCOME_PASSED || identity == NULL)
        return false;
    for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++)
        if (is_in(&record->lists[OUTCOME_FAILED], required[i]))
            return false;
    const struct buffer *passed = &record->lists[OUTCOME_PASSED];
    if (strstr(identity, "\"level\": \"none\"") != NULL)
        return true;
    if (strstr(identity, "\"level\": \"process\"") != NULL)
        return is_in(passed, "R65");
    return strstr(identity, "\"level\": \"os\"") != NULL && is_in(passed, "R65") &&
           is_in(passed, "R67") &&
           (is_in(passed, "R68") || strstr(identity, "\"isolates\": false") != NULL);
}

/* Whether a stage holds all that was checked. What its verdicts are worth is for those to say who
 * configure it. */
static bool stage_holds(const struct record *record)
{
    return record->identity.outcome == OUTCOME_PASSED && record->lists[OUTCOME_FAILED].size == 0 &&
           is_in(&record->lists[OUTCOME_PASSED], "S07");
}

/* The first line of a file of the kernel's as a JSON string. */
static void add_kernel_file(struct buffer *text, const char *name, const char *path)
{
    char line[256] = "";
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fgets(line, sizeof(line), file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    buffer_format(text, ", \"%s\": ", name);
    buffer_json_string(text, line, strcspn(line, "\n"));
}

static void print_record(const struct record *record, struct buffer *text)
{
    struct utsname kernel;
    uname(&kernel);
    buffer_format(text, "{\n  \"pawl_harness\": 1,\n  \"pawl\": \"%s\",\n", pawl_version());
    if (record->identity.outcome == OUTCOME_PASSED)
        buffer_append(text, record->identity.words.data, record->identity.words.size);
    buffer_string(text, "  \"file\": ");
    buffer_json_string(text, record->path, strlen(record->path));
    buffer_format(text, ",\n  \"sha256\": \"%s\",\n", record->sha256);
    if (record->settings->is_stage)
        buffer_format(text, "  \"kind\": \"stage\",\n  \"holds\": %s,\n",
                      stage_holds(record) ? "true" : "false");
    else
        buffer_format(text, "  \"kind\": \"provider\",\n  \"level_holds\": %s,\n",
                      level_holds(record) ? "true" : "false");
    buffer_string(text, "  \"config\": ");
    const char *config = record->settings->config != NULL ? record->settings->config : "{}";
    buffer_json_string(text, config, strlen(config));
    static const char *const names[] = {"passed", "skipped", "failed"};
    for (int i = OUTCOME_PASSED; i <= OUTCOME_FAILED; i++)
        buffer_format(text, ",\n  \"%s\": [%s]", names[i],
                      record->lists[i].data != NULL ? record->lists[i].data : "");
    buffer_string(text, ",\n  \"kernel\": {\"release\": ");
    buffer_json_string(text, kernel.release, strlen(kernel.release));
    buffer_string(text, ", \"machine\": ");
    buffer_json_string(text, kernel.machine, strlen(kernel.machine));
    add_kernel_file(text, "lsm", "/sys/kernel/security/lsm");
    add_kernel_file(text, "max_user_namespaces", "/proc/sys/user/max_user_namespaces");
    buffer_string(text, "}\n}\n");
}

/* Writes the text beside the file and puts it in its place, readable by all: it is no secret. */
static bool replace(const char *path, const struct buffer *text)
{
    char *beside = NULL;
    if (asprintf(&beside, "%s.XXXXXX", path) < 0)
        return false;
    int file = mkostemp(beside, O_CLOEXEC);
    bool written = file >= 0 && write(file, text->data, text->size) == (ssize_t)text->size &&
                   fchmod(file, 0644) == 0 && fsync(file) == 0;
    if (file >= 0) {
        written = close(file) == 0 && written && rename(beside, path) == 0;
        if (!written) {
            int error = errno;
            unlink(beside);
            errno = error;
        }
    }
    free(beside);
    return written;
}

bool record_write(struct record *record, const char *path)
{
    struct buffer text BUFFER_CLEANUP = {0};
    print_record(record, &text);
    errno = text.failed == PAWL_OK ? 0 : ENOMEM;
    bool written = text.failed == PAWL_OK && replace(path, &text);
    if (!written)
        fprintf(stderr, "pawl-harness: %s: the record cannot be written: %s\n", path,
                strerror(errno));
    buffer_clear(&record->identity.words);
    for (int i = OUTCOME_PASSED; i <= OUTCOME_FAILED; i++)
        buffer_clear(&record->lists[i]);
    free(record);
    return written;
}
