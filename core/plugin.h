/* plugin.h - a plugin file: which files are candidates, what is checked before one is loaded, and
 * what of its descriptor before it is used. */
#ifndef PAWL_CORE_PLUGIN_H
#define PAWL_CORE_PLUGIN_H

#include <stdbool.h>

#include "core/buffer.h"
#include "core/error.h"

enum plugin_kind { PLUGIN_PROVIDER, PLUGIN_STAGE };

/* "provider" or "stage". */
const char *plugin_kind_name(enum plugin_kind kind);

/* A loaded plugin. The code itself stays loaded for ever. */
struct plugin {
    enum plugin_kind kind;
    char *name;
    char *path;
    const void *descriptor; /* the plugin's own */
    union {
        struct pawl_provider provider; /* the library's copy, zero where the plugin is older */
        struct pawl_stage stage;
    };
    uint32_t verified; /* the highest level that an instance may have (verify.h) */
};

#define PLUGIN_NAME_MAX 64

/* Whether a name is one that a plugin can have: letters, digits, `_`, `-`, at most PLUGIN_NAME_MAX,
 * beginning with a letter or digit. */
bool plugin_name_valid(const char *name);

/* Whether a file's name is that of a candidate, `pawl-NAME-provider.so` or `pawl-NAME-stage.so`;
 * then its kind and NAME, which need not be a valid one. */
#define PLUGIN_FILE_NAME_MAX 256
bool plugin_file_name(const char *file, enum plugin_kind *kind, char name[PLUGIN_FILE_NAME_MAX]);

struct verify; /* verify.h */

/* Checks and loads a candidate in a trusted directory (trust.h), whose path is `path`; a provider
 * only if it is verified, unless `verify` is NULL. The error is the reason why it is refused:
 * PAWL_E_PLUGIN, or what kept it from being looked at. */
int plugin_load(int directory, const char *path, const char *file, enum plugin_kind kind,
                const char *name, const struct verify *verify, struct plugin **plugin,
                pawl_error **error);
void plugin_free(struct plugin *plugin);

/* Copies what both sides know of a descriptor into a zeroed one, and checks it. `name`: what it
 * must call itself; NULL: anything valid. The error begins with "its". */
int plugin_copy_provider(const struct pawl_provider *from, const char *name,
                         struct pawl_provider *copy, pawl_error **error);
int plugin_copy_stage(const struct pawl_stage *from, const char *name, struct pawl_stage *copy,
                      pawl_error **error);

/* Where a plugin explains itself: a sink that keeps the first PLUGIN_WORDS_MAX bytes in a buffer,
 * and what then makes them one line of valid UTF-8 without control characters. */
#define PLUGIN_WORDS_MAX 4096
struct pawl_sink plugin_words_sink(struct buffer *words);
void plugin_clean_words(struct buffer *words);

/* Sets an error from the status that a plugin's function returned: the context that `format` gives,
 * then what the plugin said in `words` or, when it said nothing, the status. Returns the error's
 * code: the status, or PAWL_E_PLUGIN if it is none. */
int plugin_error(pawl_error **error, int32_t status, struct buffer *words, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
