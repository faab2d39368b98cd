/* registry.h - inside the registry: instances, what a request demands of one, and entering one. */
#ifndef PAWL_CORE_REGISTRY_H
#define PAWL_CORE_REGISTRY_H

#include <pthread.h>

#include "core/error.h"
#include "core/request.h"

struct plugin; /* plugin.h */

/* An open provider. It lives as long as its registry. */
struct provider_instance {
    char *id;
    const struct plugin *plugin;     /* NULL: the host built it */
    struct pawl_provider descriptor; /* the library's own copy, zero where the plugin is older */
    void *instance;
    uint32_t level;
    const char *const *languages;
    pthread_mutex_t *serial; /* held during calls that the thread model serialises; NULL: none */
};

/* Holds the instance for one run (or one question), as its thread model demands. */
void provider_enter(struct provider_instance *provider);
void provider_leave(struct provider_instance *provider);

/* What pawl_registry_resolve found. */
struct pawl_spec {
    struct provider_instance *provider;
    char *language;
    struct pawl_budget budget;
    uint32_t capped; /* PAWL_BUDGET_* */
    struct policy policy;
    const char *egress_by; /* who enforces the egress: the provider's id or the enforcer's name */
    struct refusals refusals;
};

/* Finds a scanned stage plugin: its descriptor, as the library copied it, and the lock that calls
 * into it are serialised by (NULL: none). PAWL_E_UNKNOWN, or PAWL_E_PLUGIN with the reason why a
 * candidate of that name was refused. [any thread] */
int registry_find_stage(pawl_registry *registry, const char *plugin,
                        const struct pawl_stage **stage, pthread_mutex_t **serial,
                        pawl_error **error);

struct workers; /* workers.h: the threads that host functions run on */

/* The registry's worker threads, made when first asked for; NULL: no memory. [any thread] */
struct workers *registry_workers(pawl_registry *registry);

#endif
