#include "config.h"

#include <pawl/wire.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define WARM_MOST 64u

enum { ENGINE, ENGINE_CONFIG, COMMAND, WARM, CGROUP, FRAME_LIMIT, RECORD, CHILD, KEYS };

static int32_t wrong(struct text *why, const char *key, const char *problem)
{
    text_format(why, "\"%s\" %s", key, problem);
    return PAWL_E_CONFIG;
}

/* A copy of a string value that may hold no NUL. */
static char *copy_string(struct json value)
{
    struct text text TEXT_CLEANUP = {0};
    json_decode(value, &text);
    const char *string = text_get(&text);
    return string == NULL || strlen(string) != text.size ? NULL : strdup(string);
}

static int32_t read_string(char **string, const struct json_member *member, struct text *why)
{
    if (member->value.text == NULL)
        return PAWL_OK;
    *string = copy_string(member->value);
    if (*string == NULL || **string == '\0')
        return wrong(why, member->name, "must be a text that is not empty");
    return PAWL_OK;
}

static int32_t read_path(char **path, const struct json_member *member, struct text *why)
{
    int32_t status = read_string(path, member, why);
    if (status == PAWL_OK && *path != NULL && **path != '/')
        return wrong(why, member->name, "must be an absolute path");
    return status;
}

static int32_t read_number(uint64_t *number, const struct json_member *member, uint64_t least,
                           uint64_t most, struct text *why)
{
    if (member->value.text == NULL)
        return PAWL_OK;
    if (json_unsigned(member->value, number) && *number >= least && *number <= most)
        return PAWL_OK;
    text_format(why, "\"%s\" must be %llu to %llu", member->name, (unsigned long long)least,
                (unsigned long long)most);
    return PAWL_E_CONFIG;
}

static int32_t read_command(struct config *config, const struct json_member *member,
                            struct text *why)
{
    static const char problem[] =
        "must be an array of texts, the first one the absolute path of a program";
    if (member->value.text == NULL)
        return PAWL_OK;
    struct json_iterator iterator = json_iterate(member->value);
    struct json element;
    size_t count = 0;
    while (json_next(&iterator, NULL, &element))
        count++;
    config->command = calloc(count + 1, sizeof(*config->command));
    if (config->command == NULL)
        return PAWL_E_MEMORY;
    iterator = json_iterate(member->value);
    for (size_t i = 0; json_next(&iterator, NULL, &element); i++) {
        config->command[i] = json_type(element) == JSON_STRING ? copy_string(element) : NULL;
        if (config->command[i] == NULL)
            return wrong(why, member->name, problem);
    }
    const char *program = config->command[0];
    return program == NULL || *program != '/' ? wrong(why, member->name, problem) : PAWL_OK;
}

static int32_t check_keys(struct json object, const struct json_member *members, struct text *why)
{
    struct json_iterator iterator = json_iterate(object);
    struct json name, value;
    while (json_next(&iterator, &name, &value)) {
        size_t i = 0;
        while (i < KEYS && !json_equals(name, members[i].name))
            i++;
        if (i < KEYS)
            continue;
        text_string(why, "unknown key ");
        text_append(why, name.text, name.size);
        text_string(why, "; there are:");
        for (i = 0; i < KEYS; i++)
            text_format(why, " %s", members[i].name);
        return PAWL_E_CONFIG;
    }
    return PAWL_OK;
}

static int32_t check_whole(const struct config *config, const struct traits *traits,
                           struct text *why)
{
    if (config->command != NULL && !traits->runs_commands)
        return wrong(why, "command", "is nothing that this provider runs");
    if ((config->engine == NULL) == (config->command == NULL)) {
        text_string(why, traits->runs_commands
                             ? "either \"engine\" or \"command\" must say what the children run"
                             : "\"engine\" must say what the children run");
        return PAWL_E_CONFIG;
    }
    if (config->command != NULL && config->engine_config.size > 0)
        return wrong(why, "engine_config", "is for an engine, not for a command");
    return PAWL_OK;
}

int32_t config_read(struct config *config, const struct traits *traits, const char *json,
                    struct text *why)
{
    struct json_member m[KEYS] = {
        [ENGINE] = {.name = "engine", .type = JSON_STRING},
        [ENGINE_CONFIG] = {.name = "engine_config", .type = JSON_OBJECT},
        [COMMAND] = {.name = "command", .type = JSON_ARRAY},
        [WARM] = {.name = "warm", .type = JSON_UNSIGNED},
        [CGROUP] = {.name = "cgroup", .type = JSON_STRING},
        [FRAME_LIMIT] = {.name = "frame_limit", .type = JSON_UNSIGNED},
        [RECORD] = {.name = "record", .type = JSON_BOOLEAN},
        [CHILD] = {.name = "child", .type = JSON_STRING},
    };
    uint64_t warm = 0, frame_limit = PAWL_WIRE_FRAME_DEFAULT;
    struct json object;
    *config = (struct config){0};
    if (!json_check(json, strlen(json), &object) || json_type(object) != JSON_OBJECT) {
        text_string(why, "the configuration is no JSON object");
        return PAWL_E_CONFIG;
    }
    int32_t status = check_keys(object, m, why);
    if (status == PAWL_OK && !json_members(object, m, KEYS, why))
        status = PAWL_E_CONFIG;
    if (status == PAWL_OK)
        status = read_string(&config->engine, &m[ENGINE], why);
    if (status == PAWL_OK)
        status = read_command(config, &m[COMMAND], why);
    if (status == PAWL_OK)
        status = read_number(&warm, &m[WARM], 0, WARM_MOST, why);
    if (status == PAWL_OK)
        status = read_path(&config->cgroup, &m[CGROUP], why);
    if (status == PAWL_OK)
        status = read_number(&frame_limit, &m[FRAME_LIMIT], PAWL_WIRE_FRAME_LEAST,
                             PAWL_WIRE_FRAME_MOST, why);
    if (status == PAWL_OK)
        status = read_path(&config->child, &m[CHILD], why);
    if (status != PAWL_OK)
        return status;
    config->warm = (unsigned)warm;
    config->frame_limit = (size_t)frame_limit;
    config->record = json_is_true(m[RECORD].value);
    if (m[ENGINE_CONFIG].value.text != NULL)
        text_append(&config->engine_config, m[ENGINE_CONFIG].value.text,
                    m[ENGINE_CONFIG].value.size);
    return config->engine_config.failed ? PAWL_E_MEMORY : check_whole(config, traits, why);
}

void config_free(struct config *config)
{
    for (size_t i = 0; config->command != NULL && config->command[i] != NULL; i++)
        free(config->command[i]);
    free(config->command);
    free(config->engine);
    free(config->cgroup);
    free(config->child);
    text_free(&config->engine_config);
    *config = (struct config){0};
}
