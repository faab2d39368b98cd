#include "tools/harness/entry.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "providers/program/utf8.h"

bool entry_is_line(const char *text)
{
    if (text == NULL || *text == '\0')
        return false;
    size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t length = program_utf8_decode(text + i, size - i, &character);
        if (length == 0 || character < ' ')
            return false;
        i += length;
    }
    return true;
}

const void *entry_call(const struct plugin *plugin, const char *name)
{
    void *handle = dlopen(plugin->path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    void *entry = handle != NULL ? dlsym(handle, name) : NULL;
    const void *(*function)(void);
    if (entry == NULL)
        return NULL;
    memcpy(&function, &entry, sizeof(function));
    return function();
}

void entry_judge_refusal(struct check *check, const char *config, int32_t status,
                         const struct buffer *words)
{
    expect(check, status != PAWL_OK, "it makes an instance of the configuration %s", config);
    expect(check, status == PAWL_OK || (status < 0 && status >= PAWL_E_ALREADY_TAKEN),
           "it answers the configuration %s with %d, which is no status", config, status);
    expect(check, status == PAWL_OK || words->size > 0,
           "it refuses the configuration %s without a reason", config);
}
