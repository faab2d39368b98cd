/* Looking for plugins in directories. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/descriptor.h"
#include "core/registry.h"
#include "core/trust.h"

/* A directory of plugins holds a handful. */
#define CANDIDATES_MAX 1024

const char *pawl_plugin_directory(void)
{
    const char *directory = secure_getenv("PAWL_PLUGIN_DIR");
    return directory != NULL && directory[0] != '\0' ? directory : PLUGIN_DIRECTORY;
}

struct names {
    char **items;
    size_t count;
};

static void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

static bool add_name(struct names *names, const char *name)
{
    char **grown = realloc(names->items, (names->count + 1) * sizeof(*grown));
    if (grown == NULL)
        return false;
    names->items = grown;
    if ((grown[names->count] = strdup(name)) == NULL)
        return false;
    names->count++;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void close_directory(DIR **directory)
{
    if (*directory != NULL)
        closedir(*directory);
}

/* The files of a directory that are named like plugins, in order. */
static int read_candidates(int directory, const char *path, struct names *names, pawl_error **error)
{
    DESCRIPTOR_CLEANUP int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries __attribute__((cleanup(close_directory))) = copy < 0 ? NULL : fdopendir(copy);
    if (entries == NULL)
        return error_set(error, PAWL_E_UNAVAILABLE, "cannot read the directory %s: %m", path);
    descriptor_keep(&copy);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        char name[PLUGIN_FILE_NAME_MAX];
        enum plugin_kind kind;
        if (!plugin_file_name(entry->d_name, &kind, name))
            continue;
        if (names->count == CANDIDATES_MAX)
            return error_set(error, PAWL_E_LIMIT, "%s has more than %d plugins", path,
                             CANDIDATES_MAX);
        if (!add_name(names, entry->d_name))
            return error_memory(error);
    }
    if (names->count > 0)
        qsort(names->items, names->count, sizeof(*names->items), compare_names);
    return PAWL_OK;
}

/* A candidate's name belongs to the first directory that has it, even if it was refused there: a
 * plugin that broke must not be replaced in silence by another. */
static int check_name_free(pawl_registry *registry, enum plugin_kind kind, const char *name,
                           const char *path, bool *scanned, pawl_error **error)
{
    const char *known = registry_plugin_path(registry, kind, name);
    *scanned = known != NULL && strcmp(known, path) == 0;
    if (known != NULL && !*scanned)
        return error_set(error, PAWL_E_DUPLICATE, "the %s plugin '%s' was found before: %s",
                         plugin_kind_name(kind), name, known);
    return PAWL_OK;
}

static int scan_candidate(pawl_registry *registry, int directory, const char *path,
                          const char *file, pawl_error **error)
{
    enum plugin_kind kind;
    char name[PLUGIN_FILE_NAME_MAX];
    struct buffer full BUFFER_CLEANUP = {0};
    if (!plugin_file_name(file, &kind, name))
        return PAWL_OK;
    buffer_format(&full, "%s/%s", path, file);
    if (full.data == NULL || full.failed != PAWL_OK)
        return error_memory(error);

    bool scanned;
    struct plugin *plugin = NULL;
    pawl_error *reason = NULL;
    int code = check_name_free(registry, kind, name, full.data, &scanned, &reason);
    if (scanned)
        return PAWL_OK;
    if (code == PAWL_OK)
        code = plugin_load(directory, path, file, kind, name, registry->verify, &plugin, &reason);
    if (code == PAWL_OK)
        return registry_add_plugin(registry, plugin, error);
    struct refused refused = {.plugin = name, .path = full.data, .kind = kind};
    return registry_add_refused(registry, &refused, reason, error);
}

/* A path without needless slashes, so that a directory is known by one name. */
static void normalise(const char *path, struct buffer *normal)
{
    while (*path != '\0') {
        size_t slashes = strspn(path, "/");
        size_t name = strcspn(path + slashes, "/");
        if (name > 0 && slashes > 0)
            buffer_append(normal, "/", 1);
        buffer_append(normal, path + slashes, name);
        path += slashes + name;
    }
}

int pawl_registry_scan(pawl_registry *registry, const char *directory, pawl_error **error)
{
    DESCRIPTOR_CLEANUP int opened = trust_open_directory(directory, error);
    if (opened < 0)
        return opened;
    struct buffer path BUFFER_CLEANUP = {0};
    normalise(directory, &path);
    if (path.failed != PAWL_OK)
        return error_memory(error);
    struct names names __attribute__((cleanup(names_clear))) = {0};
    const char *shown = path.size > 0 ? path.data : "";
    int code = read_candidates(opened, shown, &names, error);
    for (size_t i = 0; code == PAWL_OK && i < names.count; i++)
        code = scan_candidate(registry, opened, shown, names.items[i], error);
    return code;
}
