/* engine.h - the one engine plugin that the child loads. */
#ifndef CHILD_ENGINE_H
#define CHILD_ENGINE_H

#include <pawl/provider.h>

#include "providers/wire/json.h"

struct engine {
    void *plugin;                  /* never unloaded */
    struct pawl_provider provider; /* the child's own copy, zero where the plugin is older */
    void *instance;
    uint32_t level;
    uint32_t egress;
    bool bounds_memory; /* it keeps max_memory itself */
};

/* Loads the plugin that a launch frame's `engine` names and makes its instance. PAWL_OK, or a
 * status code with the explanation in `why`. */
int32_t engine_load(struct engine *engine, struct json description, struct text *why);

/* Whether the engine keeps a budget: PAWL_OK, or another status with what is missing and why. */
int32_t engine_supports(struct engine *engine, const struct pawl_budget *budget, uint32_t *missing,
                        struct text *why);

#endif
