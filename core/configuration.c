#include "core/configuration.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/fields.h"

/* --- Reading the file --------------------------------------------------------------------- */

#define BUDGET_FIELDS(object, member)                                    \
    {"wall_clock", field_duration, offsetof(object, member.wall_clock)}, \
        {"max_calls", field_count, offsetof(object, member.max_calls)},  \
        {"max_bytes", field_size, offsetof(object, member.max_bytes)},   \
    {                                                                    \
        "max_memory", field_size, offsetof(object, member.max_memory)    \
    }

static const struct field cap_fields[] = {BUDGET_FIELDS(pawl_config, caps), {NULL, NULL, 0}};
static const struct field budget_fields[] = {
    BUDGET_FIELDS(pawl_config, budget),
    {"max_output", field_size, offsetof(pawl_config, max_output)},
    {NULL, NULL, 0},
};

static bool read_caps(struct document *document, const struct node *node, void *config)
{
    return document_object(document, node, cap_fields, config);
}

static bool read_budget(struct document *document, const struct node *node, void *config)
{
    return document_object(document, node, budget_fields, config);
}

static bool read_level(struct document *document, const struct node *node, void *target)
{
    pawl_config *config = target;
    const char *string;
    pawl_error *error = NULL;
    if (!document_string(document, node, &string))
        return false;
    config->has_level = true;
    if (pawl_level_parse(string, &config->level, &error) == PAWL_OK)
        return true;
    document_complain(document, node, "%s", pawl_error_message(error));
    pawl_error_free(error);
    return false;
}

static bool read_directories(struct document *document, const struct node *node, void *target)
{
    pawl_config *config = target;
    if (!document_is(document, node, NODE_ARRAY))
        return false;
    config->directories = calloc(node->count + 1, sizeof(*config->directories));
    if (config->directories == NULL)
        return field_no_memory(document);
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        struct config_directory *directory = &config->directories[config->directory_count];
        if (!field_name(document, item, &directory->path))
            return false;
        directory->line = item->line;
        directory->column = item->column;
        config->directory_count++;
        if (*directory->path != '/')
            return document_complain(document, item,
                                     "a plugin directory must be an absolute path, not \"%.*s\"",
                                     document_clip(directory->path), directory->path);
    }
    return true;
}

/* What a plugin is configured with is the plugin's to read: it gets the text as it was written,
 * without its comments. */
static bool read_plugin_config(struct document *document, const struct node *node, void *member)
{
    if (!document_is(document, node, NODE_OBJECT))
        return false;
    char *config = strndup(node->text, node->text_size);
    *(char **)member = config;
    return config != NULL || field_no_memory(document);
}

#define PLUGIN_FIELDS                                                        \
    {"plugin", field_name, offsetof(struct config_plugin, plugin)},          \
    {                                                                        \
        "config", read_plugin_config, offsetof(struct config_plugin, config) \
    }

static const struct field stage_fields[] = {PLUGIN_FIELDS, {NULL, NULL, 0}};
static const struct field provider_fields[] = {
    PLUGIN_FIELDS,
    {"id", field_name, offsetof(struct config_plugin, id)},
    {NULL, NULL, 0},
};

static bool read_plugins(struct document *document, const struct node *node,
                         const struct field *fields, struct config_plugins *plugins)
{
    if (!document_is(document, node, NODE_ARRAY))
        return false;
    plugins->given = true;
    plugins->items = calloc(node->count + 1, sizeof(*plugins->items));
    if (plugins->items == NULL)
        return field_no_memory(document);
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        struct config_plugin *plugin = &plugins->items[plugins->count++];
        plugin->line = item->line;
        plugin->column = item->column;
        if (!document_object(document, item, fields, plugin))
            return false;
        if (plugin->plugin == NULL)
            return document_complain(document, item, "\"plugin\" is missing: which one is it?");
    }
    return true;
}

static bool read_stages(struct document *document, const struct node *node, void *stages)
{
    return read_plugins(document, node, stage_fields, stages);
}

static bool read_providers(struct document *document, const struct node *node, void *member)
{
    struct config_plugins *providers = member;
    if (!read_plugins(document, node, provider_fields, providers))
        return false;
    const struct node *node_item = node->first;
    for (size_t i = 0; i < providers->count; i++, node_item = node_item->next) {
        const struct config_plugin *item = &providers->items[i];
        if (item->id == NULL)
            return document_complain(document, node_item,
                                     "\"id\" is missing: what is this provider to be called?");
        for (size_t j = 0; j < i; j++)
            if (strcmp(item->id, providers->items[j].id) == 0)
                return document_complain(
                    document, document_member(node_item, "id"),
                    "the id \"%.*s\" was given before, to the provider on line %u",
                    document_clip(item->id), item->id, providers->items[j].line);
    }
    return true;
}

static bool read_verified_dir(struct document *document, const struct node *node, void *member)
{
    char **path = member;
    if (!field_name(document, node, path))
        return false;
    return **path == '/' ||
           document_complain(document, node, "this must be an absolute path, not \"%.*s\"",
                             document_clip(*path), *path);
}

static const struct field config_fields[] = {
    {"plugin_dirs", read_directories, 0},
    {"require_verified", field_boolean, offsetof(pawl_config, require_verified)},
    {"verified_dir", read_verified_dir, offsetof(pawl_config, verified_dir)},
    {"level", read_level, 0},
    {"caps", read_caps, 0},
    {"budget", read_budget, 0},
    {"providers", read_providers, offsetof(pawl_config, providers)},
    {"stages", read_stages, offsetof(pawl_config, stages)},
    {NULL, NULL, 0},
};

/* --- Which file --------------------------------------------------------------------------- */

#define SYSTEM_CONFIG "/etc/pawl/pawl.json"

/* $XDG_CONFIG_HOME/pawl/pawl.json. As its specification has it, that variable means ~/.config when
 * it is unset or empty and is ignored when it is relative. "" when there is no such path, NULL when
 * there is no memory. */
static char *user_path(void)
{
    const char *base = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
    char *path = NULL;
    int made = 0;
    if (base != NULL && *base == '/')
        made = asprintf(&path, "%s/pawl/pawl.json", base);
    else if ((base == NULL || *base == '\0') && home != NULL && *home == '/')
        made = asprintf(&path, "%s/.config/pawl/pawl.json", home);
    else
        path = strdup("");
    return made < 0 ? NULL : path;
}

/* Sets *path to the file to read, NULL when there is none. A file that is there but cannot be read
 * is the one to read: its limits must not be lost in silence. */
static int find_file(char **path)
{
    const char *named = secure_getenv("PAWL_CONFIG");
    if (named != NULL && *named != '\0') {
        *path = strdup(named);
        return *path != NULL ? PAWL_OK : PAWL_E_MEMORY;
    }
    *path = user_path();
    if (*path == NULL)
        return PAWL_E_MEMORY;
    if (**path != '\0' && (access(*path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)))
        return PAWL_OK;
    free(*path);
    *path = NULL;
    if (access(SYSTEM_CONFIG, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return PAWL_OK;
    *path = strdup(SYSTEM_CONFIG);
    return *path != NULL ? PAWL_OK : PAWL_E_MEMORY;
}

int pawl_config_load(const char *path, pawl_config **config, pawl_error **error)
{
    *config = NULL;
    pawl_config *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->budget = made->caps = pawl_budget_empty();
    made->path = path != NULL ? strdup(path) : NULL;
    if ((path != NULL && made->path == NULL) ||
        (path == NULL && find_file(&made->path) == PAWL_E_MEMORY)) {
        pawl_config_free(made);
        return error_memory(error);
    }
    if (made->path != NULL) {
        DOCUMENT_CLEANUP struct document document;
        if (!document_read(&document, made->path) ||
            !document_object(&document, document.root, config_fields, made)) {
            pawl_config_free(made);
            return error_set(error, PAWL_E_CONFIG, "%s", document.error);
        }
    }
    *config = made;
    return PAWL_OK;
}

static void free_plugins(struct config_plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++) {
        free(plugins->items[i].plugin);
        free(plugins->items[i].id);
        free(plugins->items[i].config);
    }
    free(plugins->items);
}

void pawl_config_free(pawl_config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < config->directory_count; i++)
        free(config->directories[i].path);
    free(config->directories);
    free(config->verified_dir);
    free_plugins(&config->providers);
    free_plugins(&config->stages);
    free(config->path);
    free(config);
}

const char *pawl_config_path(const pawl_config *config)
{
    return config->path;
}

uint32_t pawl_config_level(const pawl_config *config, uint32_t otherwise)
{
    return config->has_level ? config->level : otherwise;
}

uint64_t pawl_config_max_output(const pawl_config *config)
{
    return config->max_output;
}

/* --- Doing what it says ------------------------------------------------------------------- */

static int scan(const pawl_config *config, pawl_registry *registry, pawl_error **error)
{
    for (size_t i = 0; i < config->directory_count; i++) {
        const struct config_directory *directory = &config->directories[i];
        pawl_error *cause = NULL;
        if (pawl_registry_scan(registry, directory->path, &cause) == PAWL_OK)
            continue;
        /* Whatever keeps it from being read: the configuration names it, and that is to correct. */
        error_set(error, PAWL_E_CONFIG, "%s:%u:%u: plugin directory %s: %s", config->path,
                  directory->line, directory->column, directory->path, pawl_error_message(cause));
        pawl_error_free(cause);
        return PAWL_E_CONFIG;
    }
    /* A library without its own plugin directory is a library without plugins, and that is no
     * fault of the configuration. One that is there must be sound. */
    const char *standard = pawl_plugin_directory();
    if (access(standard, F_OK) < 0 && errno == ENOENT)
        return PAWL_OK;
    return pawl_registry_scan(registry, standard, error);
}

/* One that cannot be opened is named as a refused provider, too. */
static int open_provider(const pawl_config *config, const struct config_plugin *provider,
                         pawl_registry *registry, pawl_error **error)
{
    pawl_error *reason = NULL;
    struct refusals refusals = {0};
    int status =
        pawl_registry_open(registry, provider->plugin, provider->id, provider->config, &reason);
    if (status == PAWL_OK)
        return PAWL_OK;
    const char *why = pawl_error_message(reason);
    if (refusals_add(&refusals, provider->id, PAWL_LEVEL_UNKNOWN, why) == PAWL_OK)
        error_set_refused(error, status, &refusals, "%s:%u:%u: provider \"%s\": %s", config->path,
                          provider->line, provider->column, provider->id, why);
    else
        status = error_memory(error);
    pawl_error_free(reason);
    return status;
}

int pawl_config_apply(const pawl_config *config, pawl_registry *registry, pawl_ring *ring,
                      pawl_error **error)
{
    int status = PAWL_OK;
    if (config->require_verified)
        status = pawl_registry_require_verified(registry, config->verified_dir, error);
    if (status != PAWL_OK) {
        error_prefix(error, "%s: \"require_verified\"", config->path);
        return status;
    }
    status = scan(config, registry, error);
    if (status != PAWL_OK)
        return status;
    if (!config->providers.given)
        status = pawl_registry_open_defaults(registry, error);
    for (size_t i = 0; i < config->providers.count && status == PAWL_OK; i++)
        status = open_provider(config, &config->providers.items[i], registry, error);
    for (size_t i = 0; i < config->stages.count && status == PAWL_OK; i++) {
        const struct config_plugin *stage = &config->stages.items[i];
        status = pawl_ring_open(ring, registry, stage->plugin, stage->config, error);
        if (status != PAWL_OK)
            error_prefix(error, "%s:%u:%u: stage \"%s\"", config->path, stage->line, stage->column,
                         stage->plugin);
    }
    if (status != PAWL_OK)
        return status;
    pawl_registry_set_defaults(registry, &config->budget);
    pawl_registry_set_caps(registry, &config->caps);
    return PAWL_OK;
}
