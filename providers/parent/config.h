/* config.h - the configuration of an isolating provider (instance.h), read and checked. */
#ifndef PARENT_CONFIG_H
#define PARENT_CONFIG_H

#include "instance.h"

struct config {
    char *engine;              /* NULL: a command */
    struct text engine_config; /* JSON; empty: none */
    char **command;            /* ends in NULL */
    unsigned warm;
    char *cgroup;
    size_t frame_limit;
    bool record;
    char *child;
};

/* Reads a configuration. PAWL_OK; PAWL_E_MEMORY, or PAWL_E_CONFIG with the key and the reason in
 * `why`. What was read is to be freed in any case. */
int32_t config_read(struct config *config, const struct traits *traits, const char *json,
                    struct text *why);
void config_free(struct config *config);

#endif
