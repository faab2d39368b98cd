#include "core/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify.h"
#include "core/workers.h"

/* Where the records of verified plugins are when nothing else is said. */
#define VERIFIED_DIRECTORY "/etc/pawl/verified"

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
    verify_free(registry->verify);
    free(registry->providers);
    free(registry->plugins);
    free(registry->refused);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}

int pawl_registry_require_verified(pawl_registry *registry, const char *directory,
                                   pawl_error **error)
{
    struct verify *verify = NULL;
    if (registry->plugin_count > 0 || registry->refused_count > 0)
        return error_set(error, PAWL_E_STATE,
                         "plugins were looked for before it was said that they must be verified");
    int code = verify_new(directory != NULL ? directory : VERIFIED_DIRECTORY, &verify, error);
    if (code != PAWL_OK)
        return code;
    verify_free(registry->verify);
    registry->verify = verify;
    return PAWL_OK;
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

int registry_explain_refused(pawl_registry *registry, struct refusals *refusals)
{
    int code = PAWL_OK;
    pthread_mutex_lock(&registry->lock);
    for (size_t i = 0; code == PAWL_OK && i < registry->refused_count; i++) {
        const struct refused *refused = registry->refused[i];
        struct buffer why BUFFER_CLEANUP = {0};
        if (refused->id == NULL || refused->kind != PLUGIN_PROVIDER)
            continue;
        buffer_format(&why, "it cannot be used: %s", refused->reason);
        code = why.failed != PAWL_OK
                   ? why.failed
                   : refusals_add(refusals, refused->id, PAWL_LEVEL_UNKNOWN, why.data);
    }
    pthread_mutex_unlock(&registry->lock);
    return code;
}

/* Whether that candidate or instance is among the refused. [locked] */
static bool is_refused(const pawl_registry *registry, const struct refused *sought)
{
    for (size_t i = 0; i < registry->refused_count; i++) {
        const struct refused *refused = registry->refused[i];
        if (strcmp(refused->path, sought->path) == 0 &&
            (refused->id == NULL) == (sought->id == NULL) &&
            (sought->id == NULL || strcmp(refused->id, sought->id) == 0))
            return true;
    }
    return false;
}

static char *copy_text(const char *text)
{
    return text != NULL ? strdup(text) : NULL;
}

int registry_add_refused(pawl_registry *registry, const struct refused *refused, pawl_error *reason,
                         pawl_error **error)
{
    struct refused *made = calloc(1, sizeof(*made));
    bool complete = made != NULL;
    if (complete) {
        *made = (struct refused){.loaded = refused->loaded,
                                 .kind = refused->kind,
                                 .code = pawl_error_code(reason),
                                 .id = copy_text(refused->id),
                                 .plugin = copy_text(refused->plugin),
                                 .path = copy_text(refused->path),
                                 .reason = copy_text(pawl_error_message(reason))};
        complete = (refused->id == NULL || made->id != NULL) && made->plugin != NULL &&
                   made->path != NULL && made->reason != NULL;
    }
    pawl_error_free(reason);
    if (complete) {
        pthread_mutex_lock(&registry->lock);
        bool known = is_refused(registry, made);
        complete = known || reserve(&registry->refused, registry->refused_count);
        if (complete && !known)
            registry->refused[registry->refused_count++] = made;
        pthread_mutex_unlock(&registry->lock);
        if (known)
            refused_free(made);
    }
    if (!complete) {
        refused_free(made);
        return error_memory(error);
    }
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

const char *registry_plugin_path(pawl_registry *registry, enum plugin_kind kind, const char *name)
{
    pthread_mutex_lock(&registry->lock);
    const char *path = known_path(registry, kind, name);
    pthread_mutex_unlock(&registry->lock);
    return path;
}

int registry_add_plugin(pawl_registry *registry, struct plugin *plugin, pawl_error **error)
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
                        const struct pawl_stage **stage, const void **identity, pawl_error **error)
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
    *identity = found->descriptor;
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

static int duplicate_id(const char *id, pawl_error **error)
{
    return error_set(error, PAWL_E_DUPLICATE, "there is a provider with the id '%s' already", id);
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

/* Makes an instance and adds it. */
static int open_instance(pawl_registry *registry, const struct provider_origin *origin,
                         const char *id, const char *config, pawl_error **error)
{
    struct provider_instance *provider;
    int code = provider_new(origin, id, &registry->host, config, &provider, error);
    if (code != PAWL_OK)
        return code;
    code = insert(registry, provider, error);
    if (code != PAWL_OK)
        provider_destroy(provider);
    return code;
}

static struct provider_origin origin_of(const struct plugin *plugin)
{
    return (struct provider_origin){
        .plugin = plugin, .descriptor = &plugin->provider, .identity = plugin->descriptor};
}

/* What can be said before a plugin is troubled. */
static int check_new(pawl_registry *registry, const char *id, pawl_error **error)
{
    int code = provider_check_id(id, error);
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
        struct provider_origin origin = origin_of(found);
        code = open_instance(registry, &origin, id, config, &reason);
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
    struct provider_origin origin = {.descriptor = &descriptor, .identity = provider};
    int code = check_new(registry, id, error);
    if (code != PAWL_OK)
        return code;
    code = plugin_copy_provider(provider, NULL, &descriptor, error);
    if (code == PAWL_OK)
        code = open_instance(registry, &origin, id, config, error);
    if (code != PAWL_OK && code != PAWL_E_DUPLICATE && error != NULL)
        error_prefix(error, "the provider '%s'", id);
    return code;
}
/* --- Opening what there is ----------------------------------------------------------------- */

/* Whether an instance of that plugin has the id. */
static bool is_open(pawl_registry *registry, const struct plugin *plugin, const char *id)
{
    pthread_mutex_lock(&registry->lock);
    const struct provider_instance *known = find_instance(registry, id);
    pthread_mutex_unlock(&registry->lock);
    return known != NULL && known->plugin == plugin;
}

/* Opens one instance; what cannot be opened is remembered with its reason. */
static int open_default(pawl_registry *registry, const struct plugin *plugin, const char *id,
                        const char *config, pawl_error **error)
{
    if (is_open(registry, plugin, id) || registry_refused(registry, id) != NULL)
        return PAWL_OK;
    pawl_error *reason = NULL;
    struct provider_origin origin = origin_of(plugin);
    int code = check_new(registry, id, &reason);
    if (code == PAWL_OK)
        code = open_instance(registry, &origin, id, config, &reason);
    if (code == PAWL_E_DUPLICATE && is_open(registry, plugin, id)) {
        pawl_error_free(reason); /* another thread was faster */
        return PAWL_OK;
    }
    if (code == PAWL_OK)
        return PAWL_OK;
    struct refused refused = {.id = (char *)id,
                              .plugin = plugin->name,
                              .path = plugin->path,
                              .loaded = plugin,
                              .kind = PLUGIN_PROVIDER};
    return registry_add_refused(registry, &refused, reason, error);
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
