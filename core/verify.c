#include "core/verify.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buffer.h"
#include "core/descriptor.h"
#include "core/fields.h"
#include "core/trust.h"
#include "stages/common/sha256.h"

#define RECORDS_MAX 4096

struct record {
    char sha256[SHA256_TEXT];
    enum plugin_kind kind;
    uint32_t level; /* of a provider */
    bool holds;
};

struct verify {
    char *directory;
    struct record *records;
    size_t count;
};

void verify_free(struct verify *verify)
{
    if (verify == NULL)
        return;
    free(verify->directory);
    free(verify->records);
    free(verify);
}

/* --- Reading records ----------------------------------------------------------------------- */

/* Which kind of plugin a record is of; without the member, of a provider. */
static bool read_kind(struct document *document, enum plugin_kind *kind)
{
    const char *word;
    const struct node *node = document_member(document->root, "kind");
    *kind = PLUGIN_PROVIDER;
    if (node == NULL)
        return true;
    if (!document_string(document, node, &word))
        return false;
    if (strcmp(word, plugin_kind_name(PLUGIN_STAGE)) == 0)
        *kind = PLUGIN_STAGE;
    else if (strcmp(word, plugin_kind_name(PLUGIN_PROVIDER)) != 0)
        return document_complain(document, node, "there is no kind of plugin \"%.*s\"",
                                 document_clip(word), word);
    return true;
}

/* The member of that name, if the record has it; otherwise NULL. */
static const struct node *require(struct document *document, const char *key)
{
    const struct node *node = document_member(document->root, key);
    if (node == NULL)
        document_complain(document, document->root,
                          "\"%s\" is missing: this is no record of pawl-harness", key);
    return node;
}

static bool read_hash(struct document *document, const struct node *node, struct record *record)
{
    const char *hash;
    if (!document_string(document, node, &hash))
        return false;
    if (strlen(hash) != SHA256_TEXT - 1 || strspn(hash, "0123456789abcdef") != SHA256_TEXT - 1)
        return document_complain(document, node, "a SHA-256 is 64 lower-case digits");
    memcpy(record->sha256, hash, SHA256_TEXT);
    return true;
}

static bool read_level(struct document *document, const struct node *node, struct record *record)
{
    const char *level;
    if (!document_string(document, node, &level))
        return false;
    if (pawl_level_parse(level, &record->level, NULL) != PAWL_OK)
        return document_complain(document, node, "there is no level \"%.*s\"", document_clip(level),
                                 level);
    return true;
}

static bool read_stage(struct document *document, struct record *record)
{
    const struct node *hash = require(document, "sha256");
    const struct node *holds = hash != NULL ? require(document, "holds") : NULL;
    record->level = PAWL_LEVEL_NONE;
    return holds != NULL && read_hash(document, hash, record) &&
           field_boolean(document, holds, &record->holds);
}

static bool read_provider(struct document *document, struct record *record)
{
    const struct node *hash = require(document, "sha256");
    const struct node *level = hash != NULL ? require(document, "level") : NULL;
    const struct node *holds = level != NULL ? require(document, "level_holds") : NULL;
    return holds != NULL && read_hash(document, hash, record) &&
           read_level(document, level, record) && field_boolean(document, holds, &record->holds);
}

/* What a record must have; it has more, for people. */
static bool read_record(struct document *document, struct record *record)
{
    if (!document_is(document, document->root, NODE_OBJECT) || !read_kind(document, &record->kind))
        return false;
    return record->kind == PLUGIN_STAGE ? read_stage(document, record)
                                        : read_provider(document, record);
}

/* The whole of a file; a record is small. */
static int read_text(int file, const char *path, struct buffer *text, pawl_error **error)
{
    char piece[4096];
    ssize_t size;
    text->limit = DOCUMENT_MAX;
    while ((size = read(file, piece, sizeof(piece))) > 0 && text->failed == PAWL_OK)
        buffer_append(text, piece, (size_t)size);
    if (size < 0)
        return error_set(error, PAWL_E_SYSTEM, "cannot read %s: %m", path);
    if (text->failed == PAWL_E_LIMIT)
        return error_set(error, PAWL_E_CONFIG, "%s is too large for a record", path);
    return text->failed != PAWL_OK ? error_memory(error) : PAWL_OK;
}

static int add_record(struct verify *verify, int directory, const char *name, pawl_error **error)
{
    DESCRIPTOR_CLEANUP int file = trust_open_file(directory, verify->directory, name, error);
    if (file < 0)
        return file;
    struct buffer path BUFFER_CLEANUP = {0}, text BUFFER_CLEANUP = {0};
    buffer_format(&path, "%s/%s", verify->directory, name);
    if (path.failed != PAWL_OK)
        return error_memory(error);
    int code = read_text(file, path.data, &text, error);
    if (code != PAWL_OK)
        return code;
    struct record *grown = realloc(verify->records, (verify->count + 1) * sizeof(*verify->records));
    if (grown == NULL)
        return error_memory(error);
    verify->records = grown;
    DOCUMENT_CLEANUP struct document document = {0};
    if (!document_parse(&document, path.data, text.data != NULL ? text.data : "", text.size) ||
        !read_record(&document, &grown[verify->count]))
        return error_set(error, PAWL_E_CONFIG, "%s", document.error);
    verify->count++;
    return PAWL_OK;
}

static bool is_record(const char *name)
{
    size_t length = strlen(name);
    return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static void close_directory(DIR **directory)
{
    if (*directory != NULL)
        closedir(*directory);
}

static int read_records(struct verify *verify, int directory, pawl_error **error)
{
    DESCRIPTOR_CLEANUP int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries __attribute__((cleanup(close_directory))) = copy < 0 ? NULL : fdopendir(copy);
    if (entries == NULL)
        return error_set(error, PAWL_E_UNAVAILABLE, "cannot read the directory %s: %m",
                         verify->directory);
    descriptor_keep(&copy);
    const struct dirent *entry;
    int code = PAWL_OK;
    while (code == PAWL_OK && (entry = readdir(entries)) != NULL) {
        if (!is_record(entry->d_name))
            continue;
        if (verify->count == RECORDS_MAX)
            return error_set(error, PAWL_E_LIMIT, "%s has more than %d records", verify->directory,
                             RECORDS_MAX);
        code = add_record(verify, directory, entry->d_name, error);
    }
    return code;
}

int verify_new(const char *directory, struct verify **verify, pawl_error **error)
{
    DESCRIPTOR_CLEANUP int opened = trust_open_directory(directory, error);
    if (opened < 0)
        return opened;
    struct verify *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->directory = strdup(directory);
    int code = made->directory != NULL ? read_records(made, opened, error) : error_memory(error);
    if (code != PAWL_OK) {
        verify_free(made);
        return code;
    }
    *verify = made;
    return PAWL_OK;
}

/* --- Looking a file up --------------------------------------------------------------------- */

int verify_file(const struct verify *verify, int file, enum plugin_kind kind, uint32_t *level,
                pawl_error **error)
{
    char sha256[SHA256_TEXT];
    bool known = false, holds = false;
    if (sha256_file(file, sha256) != 0)
        return error_set(error, PAWL_E_SYSTEM, "it cannot be read: %m");
    *level = PAWL_LEVEL_NONE;
    for (size_t i = 0; i < verify->count; i++) {
        const struct record *record = &verify->records[i];
        if (record->kind != kind || strcmp(record->sha256, sha256) != 0)
            continue;
        known = true;
        holds = holds || record->holds;
        if (record->holds && record->level > *level)
            *level = record->level;
    }
    if (holds)
        return PAWL_OK;
    if (known)
        return error_set(error, PAWL_E_PLUGIN,
                         "it must be verified, and what is recorded of it in %s is that it does "
                         "not hold what it claims, or that this was not checked",
                         verify->directory);
    return error_set(error, PAWL_E_PLUGIN,
                     "it must be verified, and no record in %s is of its bytes (SHA-256 %s): run "
                     "pawl-harness --lock",
                     verify->directory, sha256);
}
