/* config.h - what pawl.json says, as pawl_config_load read it. */
#ifndef PAWL_CORE_CONFIG_H
#define PAWL_CORE_CONFIG_H

#include <stdbool.h>

#include <pawl/pawl.h>

/* A provider or stage that is named in the file, and where. */
struct config_plugin {
    char *plugin;
    char *id;     /* of a provider */
    char *config; /* JSON object; NULL: none given */
    uint32_t line, column;
};

struct config_plugins {
    struct config_plugin *items;
    size_t count;
    bool given; /* an empty list is not the same as no list */
};

/* A directory to scan, and where it is named. */
struct config_directory {
    char *path;
    uint32_t line, column;
};

struct pawl_config {
    char *path; /* NULL: there was no file */
    struct config_directory *directories;
    size_t directory_count;
    bool require_verified;
    char *verified_dir; /* NULL: the standard one */
    bool has_level;
    uint32_t level;
    struct pawl_budget budget;
    struct pawl_budget caps;
    uint64_t max_output;
    struct config_plugins providers;
    struct config_plugins stages;
};

#endif
