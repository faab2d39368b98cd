#include "options.h"

#include <string.h>

#include "providers/wire/json.h"

/* Nobody's: neither a distribution nor systemd gives it out. */
#define DEFAULT_ID 65532

static int32_t read_own(struct options *options, struct json object, struct text *why)
{
    struct json_member m[] = {
        {.name = "namespaces", .type = JSON_STRING},
        {.name = "id", .type = JSON_UNSIGNED},
    };
    uint64_t id = DEFAULT_ID;
    if (!json_members(object, m, 2, why))
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
    return PAWL_OK;
}

static void copy_rest(struct options *options, struct json object)
{
    struct json_iterator iterator = json_iterate(object);
    struct json name, value;
    const char *comma = "";
    text_string(&options->rest, "{");
    while (json_next(&iterator, &name, &value)) {
        if (json_equals(name, "namespaces") || json_equals(name, "id"))
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
