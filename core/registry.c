#include "core/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/descriptor.h"
#include "core/serial.h"
#include "core/trust.h"
#include "core/workers.h"

/* A directory of plugins holds a handful. */
#define CANDIDATES_MAX 1024

#define ID_MAX        128
#define LANGUAGES_MAX 64
#define LANGUAGE_MAX  64

/* --- Making and freeing -------------------------------------------------------------------- */

static int32_t find_provider(void *context, const char *name, const struct pawl_sink *path);

int pawl_registry_new(pawl_registry **registry, pawl_error **error)
{
    pawl_registry *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    pthread_mutex_init(&made->lock, NULL);
    made->defaults = made->caps = pawl_budget_empty();
    made->host = (struct pawl_host){.header = PAWL_HEADER(HOST, made->host),
                                    .context = made,
                                    .version = pawl_version(),
                                    .find_provider = find_provider};
    *registry = made;
    return PAWL_OK;
}

static void provider_free(struct provider_instance *provider)
{
    serial_give_back(provider->plugin_lock);
    pthread_mutex_destroy(&provider->own_lock);
    free(provider->id);
    free(provider);
}

static void provider_destroy(struct provider_instance *provider)
{
    provider_ask(provider);
    provider->descriptor.destroy(provider->instance);
    provider_asked(provider);
    provider_free(provider);
}

static void refused_free(struct refused *refused)
{
    if (refused == NULL)
        return;
    free(refused->id);
    free(refused->plugin);
    free(refused->path);
    free(refused->reason);
    free(refused);
}

void pawl_registry_free(pawl_registry *registry)
{
    if (registry == NULL)
        return;
    if (registry->workers != NULL)
        workers_free(registry->workers);
    for (size_t i = 0; i < registry->provider_count; i++)
        provider_destroy(registry->providers[i]);
    for (size_t i = 0; i < registry->plugin_count; i++)
        plugin_free(registry->plugins[i]);
    for (size_t i = 0; i < registry->refused_count; i++)
        refused_free(registry->refused[i]);
    free(registry->providers);
    free(registry->plugins);
    free(registry->refused);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}

void pawl_registry_set_defaults(pawl_registry *registry, const struct pawl_budget *budget)
{
    registry->defaults = pawl_budget_empty();
    pawl_budget_merge(&registry->defaults, budget);
}

void pawl_registry_set_caps(pawl_registry *registry, const struct pawl_budget *caps)
{
    registry->caps = pawl_budget_empty();
    pawl_budget_merge(&registry->caps, caps);
}

struct workers *registry_workers(pawl_registry *registry)
{
    pthread_mutex_lock(&registry->lock);
    if (registry->workers == NULL)
        registry->workers = workers_new();
    struct workers *workers = registry->workers;
    pthread_mutex_unlock(&registry->lock);
    return workers;
}

/* --- Entering an instance ------------------------------------------------------------------ */

static void lock_if(pthread_mutex_t *lock)
{
    if (lock != NULL)
        pthread_mutex_lock(lock);
}

static void unlock_if(pthread_mutex_t *lock)
{
    if (lock != NULL)
        pthread_mutex_unlock(lock);
}

void provider_enter(struct provider_instance *provider)
{
    lock_if(provider->serial);
}

void provider_leave(struct provider_instance *provider)
{
    unlock_if(provider->serial);
}

void provider_ask(struct provider_instance *provider)
{
    lock_if(provider->plugin_lock);
}

void provider_asked(struct provider_instance *provider)
{
    unlock_if(provider->plugin_lock);
}

bool provider_runs(const struct provider_instance *provider, const char *language)
{
    for (const char *const *own = provider->languages; *own != NULL; own++)
        if (strcmp(*own, language) == 0)
            return true;
    return false;
}

/* --- The lists ----------------------------------------------------------------------------- */

/* Makes room for one more pointer; false: no memory. */
static bool reserve(void *list, size_t count)
{
    void ***items = list;
    void **grown = realloc(*items, (count + 1) * sizeof(*grown));
    if (grown == NULL)
        return false;
    *items = grown;
    return true;
}

/* [locked] */
static struct provider_instance *find_instance(const pawl_registry *registry, const char *id)
{
    for (size_t i = 0; i < registry->provider_count; i++)
        if (strcmp(registry->providers[i]->id, id) == 0)
            return registry->providers[i];
    return NULL;
}

/* [locked] */
static struct plugin *find_plugin(const pawl_registry *registry, enum plugin_kind kind,
                                  const char *name)
{
    for (size_t i = 0; i < registry->plugin_count; i++)
        if (registry->plugins[i]->kind == kind && strcmp(registry->plugins[i]->name, name) == 0)
            return registry->plugins[i];
    return NULL;
}

/* The candidate of that name that could not be loaded. [locked] */
static struct refused *find_refused(const pawl_registry *registry, enum plugin_kind kind,
                                    const char *name)
{
    for (size_t i = 0; i < registry->refused_count; i++) {
        struct refused *refused = registry->refused[i];
        if (refused->loaded == NULL && refused->kind == kind && strcmp(refused->plugin, name) == 0)
            return refused;
    }
    return NULL;
}

struct provider_instance **registry_providers(pawl_registry *registry, size_t *count)
{
    pthread_mutex_lock(&registry->lock);
    size_t size = registry->provider_count * sizeof(struct provider_instance *);
    struct provider_instance **copy = malloc(size + 1);
    if (copy != NULL && size > 0)
        memcpy(copy, registry->providers, size);
    *count = registry->provider_count;
    pthread_mutex_unlock(&registry->lock);
    return copy;
}

const struct refused *registry_refused(pawl_registry *registry, const char *id)
{
    const struct refused *found = NULL;
    pthread_mutex_lock(&registry->lock);
    for (size_t i = 0; i < registry->refused_count; i++)
        if (registry->refused[i]->id != NULL && strcmp(registry->refused[i]->id, id) == 0)
            found = registry->refused[i];
    pthread_mutex_unlock(&registry->lock);
    return found;
}

/* Remembers what was refused; takes `reason` over. */
static int add_refused(pawl_registry *registry, const struct refused *refused, pawl_error *reason,
                       pawl_error **error)
{
    struct refused *made = calloc(1, sizeof(*made));
    bool complete = made != NULL;
    if (complete) {
        *made = (struct refused){.loaded = refused->loaded,
                                 .kind = refused->kind,
                                 .code = pawl_error_code(reason),
                                 .id = refused->id != NULL ? strdup(refused->id) : NULL,
                                 .plugin = strdup(refused->plugin),
                                 .path = strdup(refused->path),
                                 .reason = strdup(pawl_error_message(reason))};
        complete = (refused->id == NULL || made->id != NULL) && made->plugin != NULL &&
                   made->path != NULL && made->reason != NULL;
    }
    pawl_error_free(reason);
    if (complete) {
        pthread_mutex_lock(&registry->lock);
        complete = reserve(&registry->refused, registry->refused_count);
        if (complete)
            registry->refused[registry->refused_count++] = made;
        pthread_mutex_unlock(&registry->lock);
    }
    if (!complete) {
        refused_free(made);
        return error_memory(error);
    }
    return PAWL_OK;
}

/* --- Scanning ------------------------------------------------------------------------------ */

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
        if (!reserve(&names->items, names->count) ||
            (names->items[names->count] = strdup(entry->d_name)) == NULL)
            return error_memory(error);
        names->count++;
    }
    qsort(names->items, names->count, sizeof(*names->items), compare_names);
    return PAWL_OK;
}

/* Whether a candidate of that kind and name is known, and if so from which path. [locked] */
static const char *known_path(const pawl_registry *registry, enum plugin_kind kind,
                              const char *name)
{
    const struct plugin *plugin = find_plugin(registry, kind, name);
    const struct refused *refused = find_refused(registry, kind, name);
    return plugin != NULL ? plugin->path : refused != NULL ? refused->path : NULL;
}

/* A candidate's name belongs to the first directory that has it, even if it was refused there: a
 * plugin that broke must not be replaced in silence by another. */
static int check_name_free(pawl_registry *registry, enum plugin_kind kind, const char *name,
                           const char *path, bool *scanned, pawl_error **error)
{
    pthread_mutex_lock(&registry->lock);
    const char *known = known_path(registry, kind, name);
    pthread_mutex_unlock(&registry->lock);
    *scanned = known != NULL && strcmp(known, path) == 0;
    if (known != NULL && !*scanned)
        return error_set(error, PAWL_E_DUPLICATE, "the %s plugin '%s' was found before: %s",
                         plugin_kind_name(kind), name, known);
    return PAWL_OK;
}

/* Adds a plugin, unless another thread has added one of its name meanwhile. */
static int add_plugin(pawl_registry *registry, struct plugin *plugin, pawl_error **error)
{
    pthread_mutex_lock(&registry->lock);
    const char *known = known_path(registry, plugin->kind, plugin->name);
    bool added = known == NULL && reserve(&registry->plugins, registry->plugin_count);
    if (added)
        registry->plugins[registry->plugin_count++] = plugin;
    pthread_mutex_unlock(&registry->lock);
    if (added)
        return PAWL_OK;
    plugin_free(plugin);
    return known != NULL ? PAWL_OK : error_memory(error);
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
    if (full.failed != PAWL_OK)
        return error_memory(error);

    bool scanned;
    struct plugin *plugin = NULL;
    pawl_error *reason = NULL;
    int code = check_name_free(registry, kind, name, full.data, &scanned, &reason);
    if (scanned)
        return PAWL_OK;
    if (code == PAWL_OK)
        code = plugin_load(directory, path, file, kind, name, &plugin, &reason);
    if (code == PAWL_OK)
        return add_plugin(registry, plugin, error);
    struct refused refused = {.plugin = name, .path = full.data, .kind = kind};
    return add_refused(registry, &refused, reason, error);
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

/* --- Finding a plugin ---------------------------------------------------------------------- */

/* The loaded plugin of that kind and name, or NULL and why there is none. */
static const struct plugin *get_plugin(pawl_registry *registry, enum plugin_kind kind,
                                       const char *name, pawl_error **error)
{
    pthread_mutex_lock(&registry->lock);
    const struct plugin *plugin = find_plugin(registry, kind, name);
    const struct refused *refused = find_refused(registry, kind, name);
    pthread_mutex_unlock(&registry->lock);
    if (plugin != NULL)
        return plugin;
    if (refused != NULL)
        error_set(error, PAWL_E_PLUGIN, "the %s plugin '%s' (%s) was refused: %s",
                  plugin_kind_name(kind), name, refused->path, refused->reason);
    else
        error_set(error, PAWL_E_UNKNOWN,
                  "there is no %s plugin '%.64s': no file pawl-%.64s-%s.so in the plugin "
                  "directories",
                  plugin_kind_name(kind), name, name, plugin_kind_name(kind));
    return NULL;
}

int registry_find_stage(pawl_registry *registry, const char *plugin,
                        const struct pawl_stage **stage, pthread_mutex_t **serial,
                        pawl_error **error)
{
    pawl_error *reason = NULL;
    const struct plugin *found = get_plugin(registry, PLUGIN_STAGE, plugin, &reason);
    if (found == NULL) {
        int code = pawl_error_code(reason);
        if (error != NULL)
            *error = reason;
        else
            pawl_error_free(reason);
        return code;
    }
    *stage = &found->stage;
    *serial = found->serial;
    return PAWL_OK;
}

static int32_t find_provider(void *context, const char *name, const struct pawl_sink *path)
{
    pawl_error *reason = NULL;
    const struct plugin *plugin = get_plugin(context, PLUGIN_PROVIDER, name, &reason);
    const char *text = plugin != NULL ? plugin->path : pawl_error_message(reason);
    path->write(path->context, text, strlen(text));
    pawl_error_free(reason);
    return plugin != NULL ? PAWL_OK : PAWL_E_UNKNOWN;
}

/* --- Opening an instance ------------------------------------------------------------------- */

static int check_id(const char *id, pawl_error **error)
{
    size_t length = strlen(id);
    bool printable = length > 0 && length <= ID_MAX;
    for (size_t i = 0; printable && i < length; i++)
        printable = id[i] > ' ' && id[i] < 0x7f && id[i] != '"' && id[i] != '\\';
    if (printable)
        return PAWL_OK;
    return error_set(error, PAWL_E_NAME,
                     "a provider's id is 1 to %d visible ASCII characters without quotation mark "
                     "and backslash",
                     ID_MAX);
}

static int duplicate_id(const char *id, pawl_error **error)
{
    return error_set(error, PAWL_E_DUPLICATE, "there is a provider with the id '%s' already", id);
}

static int check_languages(const char *const *languages, pawl_error **error)
{
    if (languages == NULL || languages[0] == NULL)
        return error_set(error, PAWL_E_PLUGIN, "it lists no language");
    for (size_t i = 0; languages[i] != NULL; i++) {
        size_t length = strnlen(languages[i], LANGUAGE_MAX + 1);
        if (i == LANGUAGES_MAX)
            return error_set(error, PAWL_E_PLUGIN, "it lists more than %d languages",
                             LANGUAGES_MAX);
        if (length == 0 || length > LANGUAGE_MAX)
            return error_set(error, PAWL_E_PLUGIN,
                             "it lists a language whose name does not have 1 to %d bytes",
                             LANGUAGE_MAX);
    }
    return PAWL_OK;
}

/* Asks a new instance what it is. [asking] */
static int ask_identity(struct provider_instance *provider, pawl_error **error)
{
    const struct pawl_provider *descriptor = &provider->descriptor;
    provider->level = descriptor->level(provider->instance);
    if (pawl_level_name(provider->level) == NULL)
        return error_set(error, PAWL_E_PLUGIN, "its level is %u, which does not exist",
                         provider->level);
    provider->languages = descriptor->languages(provider->instance);
    int code = check_languages(provider->languages, error);
    if (code != PAWL_OK)
        return code;
    if (descriptor->egress != NULL)
        provider->egress = descriptor->egress(provider->instance);
    if (provider->egress > PAWL_EGRESS_NONE)
        return error_set(error, PAWL_E_PLUGIN, "it enforces the egress %u, which does not exist",
                         provider->egress);
    return PAWL_OK;
}

/* Has the plugin make the instance and checks what it says of itself. */
static int create(pawl_registry *registry, struct provider_instance *provider, const char *config,
                  pawl_error **error)
{
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    provider_ask(provider);
    int32_t status =
        provider->descriptor.create(&registry->host, config, &why, &provider->instance);
    int code = PAWL_OK;
    if (status == PAWL_OK) {
        code = ask_identity(provider, error);
        if (code != PAWL_OK)
            provider->descriptor.destroy(provider->instance);
    }
    provider_asked(provider);
    if (status != PAWL_OK)
        return plugin_error(error, status, &words, "it could not be created");
    return code;
}

/* Puts an instance in its place in the list. */
static int insert(pawl_registry *registry, struct provider_instance *provider, pawl_error **error)
{
    int code = PAWL_OK;
    pthread_mutex_lock(&registry->lock);
    if (find_instance(registry, provider->id) != NULL)
        code = PAWL_E_DUPLICATE;
    else if (!reserve(&registry->providers, registry->provider_count))
        code = PAWL_E_MEMORY;
    if (code == PAWL_OK) {
        size_t place = registry->provider_count++;
        for (; place > 0; place--) {
            struct provider_instance *before = registry->providers[place - 1];
            if (before->level < provider->level ||
                (before->level == provider->level && strcmp(before->id, provider->id) < 0))
                break;
            registry->providers[place] = before;
        }
        registry->providers[place] = provider;
    }
    pthread_mutex_unlock(&registry->lock);
    return code == PAWL_E_DUPLICATE ? duplicate_id(provider->id, error)
           : code == PAWL_E_MEMORY  ? error_memory(error)
                                    : PAWL_OK;
}

/* Opens an instance through a checked descriptor; `own` is the one that the lock belongs to. */
static int open_instance(pawl_registry *registry, const struct plugin *plugin,
                         const struct pawl_provider *descriptor, const void *own, const char *id,
                         const char *config, pawl_error **error)
{
    struct provider_instance *provider = calloc(1, sizeof(*provider));
    if (provider == NULL)
        return error_memory(error);
    pthread_mutex_init(&provider->own_lock, NULL);
    provider->id = strdup(id);
    provider->plugin = plugin;
    provider->descriptor = *descriptor;
    bool complete = provider->id != NULL;
    if (complete && descriptor->threads == PAWL_THREADS_SERIAL) {
        provider->serial = provider->plugin_lock = serial_take(own);
        complete = provider->serial != NULL;
    } else if (descriptor->threads == PAWL_THREADS_INSTANCE) {
        provider->serial = &provider->own_lock;
    }
    int code = complete ? create(registry, provider, config != NULL ? config : "{}", error)
                        : error_memory(error);
    if (code != PAWL_OK) {
        provider_free(provider);
        return code;
    }
    code = insert(registry, provider, error);
    if (code != PAWL_OK)
        provider_destroy(provider);
    return code;
}

/* What can be said before a plugin is troubled. */
static int check_new(pawl_registry *registry, const char *id, pawl_error **error)
{
    int code = check_id(id, error);
    if (code != PAWL_OK)
        return code;
    pthread_mutex_lock(&registry->lock);
    bool exists = find_instance(registry, id) != NULL;
    pthread_mutex_unlock(&registry->lock);
    return exists ? duplicate_id(id, error) : PAWL_OK;
}

int pawl_registry_open(pawl_registry *registry, const char *plugin, const char *id,
                       const char *config, pawl_error **error)
{
    int code = check_new(registry, id, error);
    if (code != PAWL_OK)
        return code;
    pawl_error *reason = NULL;
    const struct plugin *found = get_plugin(registry, PLUGIN_PROVIDER, plugin, &reason);
    if (found != NULL) {
        code = open_instance(registry, found, &found->provider, found->descriptor, id, config,
                             &reason);
        if (code == PAWL_OK)
            return PAWL_OK;
        error_prefix(&reason, "the provider '%s' (%s)", id, found->path);
    }
    code = pawl_error_code(reason);
    if (error != NULL)
        *error = reason;
    else
        pawl_error_free(reason);
    return code;
}

int pawl_registry_add(pawl_registry *registry, const struct pawl_provider *provider, const char *id,
                      const char *config, pawl_error **error)
{
    struct pawl_provider descriptor;
    int code = check_new(registry, id, error);
    if (code != PAWL_OK)
        return code;
    code = plugin_copy_provider(provider, NULL, &descriptor, error);
    if (code == PAWL_OK)
        code = open_instance(registry, NULL, &descriptor, provider, id, config, error);
    if (code != PAWL_OK && code != PAWL_E_DUPLICATE && error != NULL)
        error_prefix(error, "the provider '%s'", id);
    return code;
}

/* --- Opening what there is ----------------------------------------------------------------- */

/* Opens one instance; what cannot be opened is remembered with its reason. */
static int open_default(pawl_registry *registry, const struct plugin *plugin, const char *id,
                        const char *config, pawl_error **error)
{
    pthread_mutex_lock(&registry->lock);
    const struct provider_instance *known = find_instance(registry, id);
    pthread_mutex_unlock(&registry->lock);
    if ((known != NULL && known->plugin == plugin) || registry_refused(registry, id) != NULL)
        return PAWL_OK; /* opened, or refused, before */
    pawl_error *reason = NULL;
    int code = check_new(registry, id, &reason);
    if (code == PAWL_OK)
        code = open_instance(registry, plugin, &plugin->provider, plugin->descriptor, id, config,
                             &reason);
    if (code == PAWL_OK)
        return PAWL_OK;
    struct refused refused = {.id = (char *)id,
                              .plugin = plugin->name,
                              .path = plugin->path,
                              .loaded = plugin,
                              .kind = PLUGIN_PROVIDER};
    return add_refused(registry, &refused, reason, error);
}

static bool isolates(const struct plugin *plugin)
{
    return (plugin->provider.offers_bits & PAWL_OFFERS_ISOLATION) != 0;
}

/* An isolating provider is opened once for each engine, as ISOLATOR-ENGINE. */
static int open_isolator(pawl_registry *registry, const struct plugin *isolator,
                         struct plugin *const *plugins, size_t count, pawl_error **error)
{
    for (size_t i = 0; i < count; i++) {
        if (plugins[i]->kind != PLUGIN_PROVIDER || isolates(plugins[i]))
            continue;
        /* A plugin's name needs no escaping in JSON (plugin_name_valid). */
        char id[2 * PLUGIN_NAME_MAX + 2], config[PLUGIN_NAME_MAX + 16];
        snprintf(id, sizeof(id), "%s-%s", isolator->name, plugins[i]->name);
        snprintf(config, sizeof(config), "{\"engine\":\"%s\"}", plugins[i]->name);
        int code = open_default(registry, isolator, id, config, error);
        if (code != PAWL_OK)
            return code;
    }
    return PAWL_OK;
}

int pawl_registry_open_defaults(pawl_registry *registry, pawl_error **error)
{
    pthread_mutex_lock(&registry->lock);
    size_t count = registry->plugin_count;
    struct plugin **plugins = malloc(count * sizeof(*plugins) + 1);
    if (plugins != NULL && count > 0)
        memcpy(plugins, registry->plugins, count * sizeof(*plugins));
    pthread_mutex_unlock(&registry->lock);
    if (plugins == NULL)
        return error_memory(error);
    int code = PAWL_OK;
    for (size_t i = 0; code == PAWL_OK && i < count; i++) {
        if (plugins[i]->kind != PLUGIN_PROVIDER)
            continue;
        code = isolates(plugins[i])
                   ? open_isolator(registry, plugins[i], plugins, count, error)
                   : open_default(registry, plugins[i], plugins[i]->name, NULL, error);
    }
    free(plugins);
    return code;
}
