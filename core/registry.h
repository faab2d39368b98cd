/* registry.h - inside the registry: instances, what a request demands of one, and entering one. */
#ifndef PAWL_CORE_REGISTRY_H
#define PAWL_CORE_REGISTRY_H

#include <pthread.h>

#include "core/error.h"
#include "core/plugin.h"
#include "core/request.h"

/* --- Instances (instance.c) ---------------------------------------------------------------- */

/* An open provider. It lives as long as its registry, and nothing of it changes. */
struct provider_instance {
    char *id;
    const struct plugin *plugin;     /* NULL: the host built it */
    struct pawl_provider descriptor; /* the library's own copy, zero where the plugin is older */
    void *instance;
    uint32_t level;
    uint32_t egress; /* the strictest that it enforces itself */
    const char *const *languages;
    pthread_mutex_t own_lock;     /* one run at a time for each instance */
    pthread_mutex_t *plugin_lock; /* one call at a time for the plugin (serial.h); NULL: several */
    pthread_mutex_t *serial;      /* the one of them that a run holds; NULL: neither */
};

/* Holds the instance for one run, as its thread model demands. Waits for its turn until the run is
 * `over`; false: it is, and nothing is held. */
bool provider_enter(struct provider_instance *provider, bool (*over)(void *context), void *context);
void provider_leave(struct provider_instance *provider);

/* Holds it for a question (supports, egress, files), which only a plugin that takes one call at a
 * time must not be asked during a run. */
void provider_ask(struct provider_instance *provider);
void provider_asked(struct provider_instance *provider);

bool provider_runs(const struct provider_instance *provider, const char *language);

/* Where an instance comes from. */
struct provider_origin {
    const struct plugin *plugin;            /* NULL: the host built it */
    const struct pawl_provider *descriptor; /* the checked copy */
    const void *identity;                   /* the original: what the plugin's lock belongs to */
};

int provider_check_id(const char *id, pawl_error **error);

/* Has the plugin make an instance, and checks what it says of itself. */
int provider_new(const struct provider_origin *origin, const char *id, const struct pawl_host *host,
                 const char *config, struct provider_instance **made, pawl_error **error);
void provider_destroy(struct provider_instance *provider);

/* --- The registry -------------------------------------------------------------------------- */

/* A candidate or an instance that cannot be used, and why. Members that do not apply are NULL. */
struct refused {
    char *id;
    char *plugin;
    char *path;
    char *reason;
    const struct plugin *loaded; /* NULL: it could not be loaded */
    enum plugin_kind kind;
    int code;
};

/* What a registry holds. Everything that the lists point to lives as long as the registry and does
 * not change: the lock is for the lists, and is never held while a plugin is called. */
struct pawl_registry {
    pthread_mutex_t lock;
    struct provider_instance **providers; /* by level, then id */
    size_t provider_count;
    struct plugin **plugins;
    size_t plugin_count;
    struct refused **refused;
    size_t refused_count;
    struct workers *workers;
    struct pawl_host host;
    struct pawl_budget defaults;
    struct pawl_budget caps;
    struct verify *verify; /* NULL: plugins need not be verified */
};

/* A copy of the list of providers as it is now, to be freed; NULL: no memory. */
struct provider_instance **registry_providers(pawl_registry *registry, size_t *count);

/* The refused instance with that id, or NULL. */
const struct refused *registry_refused(pawl_registry *registry, const char *id);

/* Adds every refused instance of a provider, without a level. PAWL_OK or PAWL_E_MEMORY. */
int registry_explain_refused(pawl_registry *registry, struct refusals *refusals);

/* The path of the candidate of that kind and name, refused or not; NULL: there was none. */
const char *registry_plugin_path(pawl_registry *registry, enum plugin_kind kind, const char *name);

/* Adds a plugin, which the registry takes over, and a refused candidate or instance, of which it
 * takes `reason` over - unless another thread has added the same meanwhile. */
int registry_add_plugin(pawl_registry *registry, struct plugin *plugin, pawl_error **error);
int registry_add_refused(pawl_registry *registry, const struct refused *refused, pawl_error *reason,
                         pawl_error **error);

/* What pawl_registry_resolve found. */
struct pawl_spec {
    struct provider_instance *provider;
    char *language;
    struct pawl_budget budget;
    uint32_t capped; /* PAWL_BUDGET_* */
    struct policy policy;
    char *egress_by; /* who enforces the egress that was asked for: the provider's id, or the name
                        of the request's enforcer, which the run has to call; NULL: none was */
    struct refusals refusals;
};

/* Finds a scanned stage plugin: its descriptor, as the library copied it, and the plugin's own one,
 * which its lock belongs to (serial.h). PAWL_E_UNKNOWN, or PAWL_E_PLUGIN with the reason why a
 * candidate of that name was refused. [any thread] */
int registry_find_stage(pawl_registry *registry, const char *plugin,
                        const struct pawl_stage **stage, const void **identity, pawl_error **error);

struct workers; /* workers.h: the threads that host functions run on */

/* The registry's worker threads, made when first asked for; NULL: no memory. [any thread] */
struct workers *registry_workers(pawl_registry *registry);

#endif
