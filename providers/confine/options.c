#include "options.h"

#include <string.h>

#include "providers/wire/json.h"

/* Nobody's: neither a distribution nor systemd gives it out. */
#define DEFAULT_ID 65532

#define VISIBLE_MOST 64

/* Not what the kernel makes up, some of which can be written whoever mounts it, nor everything. */
static bool may_be_visible(const char *path)
{
    static const char *const never[] = {"/proc", "/sys", "/dev"};
    if (*path != '/' || path[1] == '\0' || strstr(path, "/../") != NULL ||
        strstr(path, "//") != NULL ||
        (strlen(path) >= 3 && strcmp(path + strlen(path) - 3, "/..") == 0))
        return false;
    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
        size_t size = strlen(never[i]);
        if (strncmp(path, never[i], size) == 0 && (path[size] == '/' || path[size] == '\0'))
            return false;
    }
    return true;
}

static int32_t read_visible(struct options *options, struct json array, struct text *why)
{
    struct json_iterator iterator = json_iterate(array);
    struct json element;
    for (size_t count = 0; json_next(&iterator, NULL, &element); count++) {
        struct text path TEXT_CLEANUP = {0};
        if (json_type(element) == JSON_STRING)
            json_decode(element, &path);
        const char *text = text_get(&path);
        if (text == NULL)
            return PAWL_E_MEMORY;
        if (count < VISIBLE_MOST && strlen(text) == path.size && may_be_visible(text))
            continue;
        text_format(why,
                    "\"visible\" must be at most %u absolute paths, not / nor in /proc, /sys or "
                    "/dev: `%.200s`",
                    VISIBLE_MOST, text);
        return PAWL_E_CONFIG;
    }
    text_append(&options->visible, array.text, array.size);
    return options->visible.failed;
}

static int32_t check_command(const struct options *options, struct text *why)
{
    if (!options->command && options->visible.size > 0)
        text_string(why, "\"visible\" is for a command; an engine sees no file");
    else if (options->command && options->visible.size == 0)
        text_string(why, "\"visible\" must say which files the command sees, at least itself");
    else if (options->command && options->namespaces_optional)
        text_string(why, "a command is confined in namespaces only: \"namespaces\" must be "
                         "\"required\"");
    else
        return PAWL_OK;
    return PAWL_E_CONFIG;
}

static int32_t read_own(struct options *options, struct json object, struct text *why)
{
    struct json_member m[] = {
        {.name = "namespaces", .type = JSON_STRING},
        {.name = "id", .type = JSON_UNSIGNED},
        {.name = "visible", .type = JSON_ARRAY},
        {.name = "command"},
    };
    uint64_t id = DEFAULT_ID;
    if (!json_members(object, m, 4, why))
        return PAWL_E_CONFIG;
    options->namespaces_optional = m[0].value.text != NULL && json_equals(m[0].value, "optional");
    if (m[0].value.text != NULL && !options->namespaces_optional &&
        !json_equals(m[0].value, "required")) {
        text_string(why, "\"namespaces\" must be \"required\" or \"optional\"");
        return PAWL_E_CONFIG;
    }
    if (m[1].value.text != NULL)
        json_unsigned(m[1].value, &id);
    if (id == 0 || id >= UINT32_MAX) {
        text_string(why, "\"id\" must be the number of a user who is not root");
        return PAWL_E_CONFIG;
    }
    options->id = (uid_t)id;
    options->command = m[3].value.text != NULL;
    int32_t status = m[2].value.text == NULL ? PAWL_OK : read_visible(options, m[2].value, why);
    return status == PAWL_OK ? check_command(options, why) : status;
}

static void copy_rest(struct options *options, struct json object)
{
    struct json_iterator iterator = json_iterate(object);
    struct json name, value;
    const char *comma = "";
    text_string(&options->rest, "{");
    while (json_next(&iterator, &name, &value)) {
        if (json_equals(name, "namespaces") || json_equals(name, "id") ||
            json_equals(name, "visible"))
            continue;
        text_string(&options->rest, comma);
        text_append(&options->rest, name.text, name.size);
        text_string(&options->rest, ":");
        text_append(&options->rest, value.text, value.size);
        comma = ",";
    }
    text_string(&options->rest, "}");
}

int32_t options_read(struct options *options, const char *config, struct text *why)
{
    struct json object;
    *options = (struct options){0};
    if (!json_check(config, strlen(config), &object) || json_type(object) != JSON_OBJECT) {
        text_string(why, "the configuration is no JSON object");
        return PAWL_E_CONFIG;
    }
    int32_t status = read_own(options, object, why);
    if (status == PAWL_OK)
        copy_rest(options, object);
    return options->rest.failed ? options->rest.failed : status;
}

void options_free(struct options *options)
{
    text_free(&options->rest);
    text_free(&options->visible);
}
