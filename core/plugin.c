#include "core/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/descriptor.h"
#include "core/elf.h"
#include "core/trust.h"
#include "core/verify.h"
#include "providers/program/utf8.h"

/* The `requires` bits that this library knows: none yet. */
#define KNOWN_REQUIRES UINT64_C(0)

/* No descriptor that this major can describe is larger. */
#define DESCRIPTOR_MAX 65536

#define END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* What version 1.0 of each descriptor held: one that is smaller lacks what was always required. */
#define PROVIDER_SIZE_1_0 END_OF(struct pawl_provider, get_extension)
#define STAGE_SIZE_1_0    END_OF(struct pawl_stage, get_extension)

const char *plugin_kind_name(enum plugin_kind kind)
{
    return kind == PLUGIN_PROVIDER ? "provider" : "stage";
}

/* --- Names --------------------------------------------------------------------------------- */

bool plugin_name_valid(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(name);
    if (length == 0 || length > PLUGIN_NAME_MAX || strchr(first, name[0]) == NULL)
        return false;
    return strspn(name, "_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
           length;
}

bool plugin_file_name(const char *file, enum plugin_kind *kind, char name[PLUGIN_FILE_NAME_MAX])
{
    static const char prefix[] = "pawl-";
    static const char *const suffix[] = {
        [PLUGIN_PROVIDER] = "-provider.so",
        [PLUGIN_STAGE] = "-stage.so",
    };
    size_t length = strlen(file);
    if (length >= PLUGIN_FILE_NAME_MAX || strncmp(file, prefix, sizeof(prefix) - 1) != 0)
        return false;
    for (int i = PLUGIN_PROVIDER; i <= PLUGIN_STAGE; i++) {
        size_t around = sizeof(prefix) - 1 + strlen(suffix[i]);
        if (length <= around || strcmp(file + length - strlen(suffix[i]), suffix[i]) != 0)
            continue;
        *kind = (enum plugin_kind)i;
        memcpy(name, file + sizeof(prefix) - 1, length - around);
        name[length - around] = '\0';
        return true;
    }
    return false;
}

/* --- Words --------------------------------------------------------------------------------- */

static void words_write(void *context, const char *text, size_t size)
{
    struct buffer *words = context;
    size_t room = PLUGIN_WORDS_MAX - words->size;
    buffer_append(words, text, size < room ? size : room);
}

struct pawl_sink plugin_words_sink(struct buffer *words)
{
    struct pawl_sink sink = {.context = words, .write = words_write};
    sink.header = (struct pawl_header)PAWL_HEADER(SINK, sink);
    return sink;
}

void plugin_clean_words(struct buffer *words)
{
    for (size_t i = 0; i < words->size;) {
        uint32_t character;
        size_t length = program_utf8_decode(words->data + i, words->size - i, &character);
        if (length == 0)
            words->data[i++] = '?';
        else if (character < ' ' || character == 0x7f)
            words->data[i++] = ' ';
        else
            i += length;
    }
    while (words->size > 0 && words->data[words->size - 1] == ' ')
        words->data[--words->size] = '\0';
}

static const char *status_name(int32_t status)
{
    static const char *const names[] = {
        [-PAWL_E_MEMORY] = "PAWL_E_MEMORY",
        [-PAWL_E_ARGUMENT] = "PAWL_E_ARGUMENT",
        [-PAWL_E_STATE] = "PAWL_E_STATE",
        [-PAWL_E_UNSUPPORTED] = "PAWL_E_UNSUPPORTED",
        [-PAWL_E_UNAVAILABLE] = "PAWL_E_UNAVAILABLE",
        [-PAWL_E_ENDED] = "PAWL_E_ENDED",
        [-PAWL_E_TIMEOUT] = "PAWL_E_TIMEOUT",
        [-PAWL_E_SYSTEM] = "PAWL_E_SYSTEM",
        [-PAWL_E_CONFIG] = "PAWL_E_CONFIG",
        [-PAWL_E_PLUGIN] = "PAWL_E_PLUGIN",
        [-PAWL_E_DUPLICATE] = "PAWL_E_DUPLICATE",
        [-PAWL_E_UNKNOWN] = "PAWL_E_UNKNOWN",
        [-PAWL_E_NAME] = "PAWL_E_NAME",
        [-PAWL_E_SIGNATURE] = "PAWL_E_SIGNATURE",
        [-PAWL_E_COLLISION] = "PAWL_E_COLLISION",
        [-PAWL_E_LIMIT] = "PAWL_E_LIMIT",
        [-PAWL_E_NO_PROVIDER] = "PAWL_E_NO_PROVIDER",
        [-PAWL_E_NOT_ENFORCED] = "PAWL_E_NOT_ENFORCED",
        [-PAWL_E_ALREADY_TAKEN] = "PAWL_E_ALREADY_TAKEN",
    };
    const int32_t count = sizeof(names) / sizeof(names[0]);
    return status < 0 && status > -count ? names[-status] : NULL;
}

int plugin_error(pawl_error **error, int32_t status, struct buffer *words, const char *format, ...)
{
    const char *name = status_name(status);
    int code = name != NULL ? status : PAWL_E_PLUGIN;
    char *context = NULL;
    va_list arguments;
    va_start(arguments, format);
    int size = vasprintf(&context, format, arguments);
    va_end(arguments);
    if (size < 0)
        return error_memory(error);
    plugin_clean_words(words);
    if (name == NULL)
        error_set(error, code, "%s: it returned %d, which is no status%s%s", context, status,
                  words->size > 0 ? ": " : "", words->size > 0 ? words->data : "");
    else if (words->size > 0)
        error_set(error, code, "%s: %s", context, words->data);
    else
        error_set(error, code, "%s: it returned %s and gave no reason", context, name);
    free(context);
    return code;
}

/* --- Descriptors --------------------------------------------------------------------------- */

/* What is the same for both kinds. */
struct expectation {
    uint32_t magic;
    size_t minimum;
    enum plugin_kind kind;
};

static int check_header(const struct pawl_header *header, const struct expectation *expected,
                        pawl_error **error)
{
    if (header->magic != expected->magic)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor is not a %s's: the magic number is 0x%08x, not 0x%08x",
                         plugin_kind_name(expected->kind), header->magic, expected->magic);
    if (header->major != PAWL_ABI_MAJOR)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor is of version %u.%u of the interface, this pawl has "
                         "version %u.%u: rebuild the plugin",
                         header->major, header->minor, PAWL_ABI_MAJOR, PAWL_ABI_MINOR);
    if (header->size < expected->minimum || header->size > DESCRIPTOR_MAX)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor has %u bytes, which is too %s: version 1.0 has %zu",
                         header->size, header->size < expected->minimum ? "small" : "large",
                         expected->minimum);
    return PAWL_OK;
}

static int check_identity(uint64_t requires_bits, uint32_t threads, const char *own_name,
                          const char *name, pawl_error **error)
{
    if ((requires_bits & ~KNOWN_REQUIRES) != 0)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor requires features that this pawl, version %u.%u of the "
                         "interface, does not have (bits 0x%llx): a newer pawl is needed",
                         PAWL_ABI_MAJOR, PAWL_ABI_MINOR,
                         (unsigned long long)(requires_bits & ~KNOWN_REQUIRES));
    if (threads > PAWL_THREADS_PARALLEL)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor names the thread model %u, which does not exist", threads);
    if (own_name == NULL)
        return error_set(error, PAWL_E_PLUGIN, "its descriptor has no name");
    if (name == NULL && !plugin_name_valid(own_name))
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor's name '%.64s' is not letters, digits, '-' and '_'",
                         own_name);
    if (name != NULL && strcmp(own_name, name) != 0)
        return error_set(error, PAWL_E_PLUGIN,
                         "its descriptor says that its name is '%.64s', its file says '%s'",
                         own_name, name);
    return PAWL_OK;
}

static int no_callback(const char *callback, pawl_error **error)
{
    return error_set(error, PAWL_E_PLUGIN,
                     "its descriptor has no function '%s' (NULL), which is required", callback);
}

static void copy_known(void *copy, size_t size, const void *from, size_t from_size)
{
    memset(copy, 0, size);
    memcpy(copy, from, from_size < size ? from_size : size);
}

int plugin_copy_provider(const struct pawl_provider *from, const char *name,
                         struct pawl_provider *copy, pawl_error **error)
{
    static const struct expectation expected = {PAWL_MAGIC_PROVIDER, PROVIDER_SIZE_1_0,
                                                PLUGIN_PROVIDER};
    int code = check_header(&from->header, &expected, error);
    if (code != PAWL_OK)
        return code;
    copy_known(copy, sizeof(*copy), from, from->header.size);
    code = check_identity(copy->requires_bits, copy->threads, copy->name, name, error);
    if (code != PAWL_OK)
        return code;
    if (copy->create == NULL)
        return no_callback("create", error);
    if (copy->destroy == NULL)
        return no_callback("destroy", error);
    if (copy->level == NULL)
        return no_callback("level", error);
    if (copy->languages == NULL)
        return no_callback("languages", error);
    if (copy->run == NULL)
        return no_callback("run", error);
    return PAWL_OK;
}

int plugin_copy_stage(const struct pawl_stage *from, const char *name, struct pawl_stage *copy,
                      pawl_error **error)
{
    static const struct expectation expected = {PAWL_MAGIC_STAGE, STAGE_SIZE_1_0, PLUGIN_STAGE};
    int code = check_header(&from->header, &expected, error);
    if (code != PAWL_OK)
        return code;
    copy_known(copy, sizeof(*copy), from, from->header.size);
    code = check_identity(copy->requires_bits, copy->threads, copy->name, name, error);
    if (code != PAWL_OK)
        return code;
    if (copy->create == NULL)
        return no_callback("create", error);
    if (copy->destroy == NULL)
        return no_callback("destroy", error);
    if (copy->judge == NULL)
        return no_callback("judge", error);
    return PAWL_OK;
}

/* --- Loading ------------------------------------------------------------------------------- */

/* What the file exports decides whether any of its code may run. */
static int check_entries(int file, enum plugin_kind kind, pawl_error **error)
{
    struct elf_entries found;
    int code = elf_read_entries(file, &found, error);
    if (code != PAWL_OK)
        return code;
    const char *wanted = kind == PLUGIN_PROVIDER ? PAWL_PROVIDER_ENTRY : PAWL_STAGE_ENTRY;
    if (found.count == 0)
        return error_set(error, PAWL_E_PLUGIN, "it does not export %s: it is no %s plugin", wanted,
                         plugin_kind_name(kind));
    if (found.count > 1)
        return error_set(error, PAWL_E_PLUGIN,
                         "it exports %zu entry functions, among them pawl_%s_entry_v%u and "
                         "pawl_%s_entry_v%u: a plugin has exactly one",
                         found.count, found.entry[0].stage ? "stage" : "provider",
                         found.entry[0].major, found.entry[1].stage ? "stage" : "provider",
                         found.entry[1].major);
    enum plugin_kind found_kind = found.entry[0].stage ? PLUGIN_STAGE : PLUGIN_PROVIDER;
    if (found_kind != kind)
        return error_set(error, PAWL_E_PLUGIN,
                         "its file is named as a %s plugin, but it exports pawl_%s_entry_v%u",
                         plugin_kind_name(kind), plugin_kind_name(found_kind),
                         found.entry[0].major);
    if (found.entry[0].major != PAWL_ABI_MAJOR)
        return error_set(error, PAWL_E_PLUGIN,
                         "it is for version %u of the %s interface, this pawl has version %u: "
                         "rebuild the plugin or use another pawl",
                         found.entry[0].major, plugin_kind_name(kind), PAWL_ABI_MAJOR);
    return PAWL_OK;
}

/* Whether the path still names the file that was checked. Only root and the caller could have
 * replaced it (trust.h), by an upgrade for example. */
static int check_same_file(int file, const char *path, pawl_error **error)
{
    struct stat checked, named;
    if (fstat(file, &checked) != 0 || stat(path, &named) != 0)
        return error_set(error, PAWL_E_SYSTEM, "it cannot be looked at: %m");
    if (checked.st_dev != named.st_dev || checked.st_ino != named.st_ino ||
        checked.st_size != named.st_size || checked.st_mtim.tv_sec != named.st_mtim.tv_sec ||
        checked.st_mtim.tv_nsec != named.st_mtim.tv_nsec)
        return error_set(error, PAWL_E_PLUGIN, "it was replaced while it was being loaded");
    return PAWL_OK;
}

/* Loads the code and returns its descriptor. It is loaded by its path and not by the descriptor of
 * the checked file, so that a vendor's own libraries are found beside it ($ORIGIN), and a debugger
 * finds the file. */
static int load(int file, const char *path, enum plugin_kind kind, const void **descriptor,
                pawl_error **error)
{
    int code = check_same_file(file, path, error);
    if (code != PAWL_OK)
        return code;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL)
        return error_set(error, PAWL_E_PLUGIN, "it cannot be loaded: %s", dlerror());
    code = check_same_file(file, path, error);
    if (code != PAWL_OK)
        return code;
    void *entry = dlsym(handle, kind == PLUGIN_PROVIDER ? PAWL_PROVIDER_ENTRY : PAWL_STAGE_ENTRY);
    if (entry == NULL)
        return error_set(error, PAWL_E_PLUGIN, "its entry function cannot be found: %s", dlerror());
    const void *(*function)(void);
    memcpy(&function, &entry, sizeof(function)); /* C has no cast from object to function */
    *descriptor = function();
    if (*descriptor == NULL)
        return error_set(error, PAWL_E_PLUGIN, "its entry function returned NULL");
    return PAWL_OK;
}

/* Held while code is loaded and its entry function called, so that a plugin never is on two threads
 * at once before its thread model is known. Like the code, it belongs to the process. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static int fill(struct plugin *plugin, int file, const char *name, pawl_error **error)
{
    int code = load(file, plugin->path, plugin->kind, &plugin->descriptor, error);
    if (code != PAWL_OK)
        return code;
    if (plugin->kind == PLUGIN_PROVIDER)
        return plugin_copy_provider(plugin->descriptor, name, &plugin->provider, error);
    return plugin_copy_stage(plugin->descriptor, name, &plugin->stage, error);
}

int plugin_load(int directory, const char *path, const char *file, enum plugin_kind kind,
                const char *name, const struct verify *verify, struct plugin **plugin,
                pawl_error **error)
{
    if (!plugin_name_valid(name))
        return error_set(error, PAWL_E_PLUGIN,
                         "a plugin's name is letters, digits, '-' and '_', at most %d, and begins "
                         "with a letter or digit",
                         PLUGIN_NAME_MAX);
    DESCRIPTOR_CLEANUP int descriptor = trust_open_file(directory, path, file, error);
    if (descriptor < 0)
        return descriptor;
    uint32_t verified = PAWL_LEVEL_MACHINE;
    int code = check_entries(descriptor, kind, error);
    if (code == PAWL_OK && verify != NULL)
        code = verify_file(verify, descriptor, kind, &verified, error);
    if (code != PAWL_OK)
        return code;
    struct plugin *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->kind = kind;
    made->verified = verified;
    made->name = strdup(name);
    if (asprintf(&made->path, "%s/%s", path, file) < 0)
        made->path = NULL;
    if (made->name != NULL && made->path != NULL) {
        pthread_mutex_lock(&loading);
        code = fill(made, descriptor, name, error);
        pthread_mutex_unlock(&loading);
    } else {
        code = error_memory(error);
    }
    if (code != PAWL_OK) {
        plugin_free(made);
        return code;
    }
    *plugin = made;
    return PAWL_OK;
}

void plugin_free(struct plugin *plugin)
{
    if (plugin == NULL)
        return;
    free(plugin->name);
    free(plugin->path);
    free(plugin);
}
