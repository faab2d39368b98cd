#include <string.h>

#include "core/error.h"

static const char *const names[] = {
    [PAWL_LEVEL_NONE] = "none",
    [PAWL_LEVEL_PROCESS] = "process",
    [PAWL_LEVEL_OS] = "os",
    [PAWL_LEVEL_MACHINE] = "machine",
};

#define COUNT (sizeof(names) / sizeof(names[0]))

const char *pawl_level_name(uint32_t level)
{
    return level < COUNT ? names[level] : NULL;
}

int pawl_level_parse(const char *name, uint32_t *level, pawl_error **error)
{
    for (uint32_t i = 0; i < COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *level = i;
            return PAWL_OK;
        }
    return error_set(error, PAWL_E_UNKNOWN,
                     "'%.64s' is not a level: the levels are none, process, os and machine", name);
}
