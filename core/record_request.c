/* Records and requests: what the first line of a record asks for, and requests that go by one. */
#include "core/record_read.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is wrong with the first line; that it is that line is added later. */
static int refuse(pawl_error **error, const char *what)
{
    return error_set(error, PAWL_E_CONFIG, "%s", what);
}

static void free_name(char **name)
{
    free(*name);
}
#define NAME_CLEANUP __attribute__((cleanup(free_name)))

/* A string of the first line that ends in NUL; an absent one is NULL. */
static int copy_name(struct json value, char **name, pawl_error **error)
{
    size_t size;
    *name = NULL;
    if (value.text == NULL)
        return PAWL_OK;
    *name = record_copy_string(value, &size);
    if (*name == NULL)
        return error_memory(error);
    return strlen(*name) == size ? PAWL_OK
                                 : refuse(error, "a name must not hold the character U+0000");
}

/* --- The first line ------------------------------------------------------------------------ */

static void not_called(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, "a run that is replayed calls nothing");
}

static int not_discovered(const char *query, size_t size, const struct pawl_sink *answer,
                          void *data)
{
    (void)query, (void)size, (void)answer, (void)data;
    return PAWL_E_UNSUPPORTED;
}

static int add_function(pawl_request *request, const char *space, struct json function,
                        struct text *why, pawl_error **error)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "signature", .type = JSON_STRING},
        {.name = "concurrent", .type = JSON_BOOLEAN},
    };
    if (!json_members(function, m, COUNT(m), why))
        return refuse(error, text_get(why));
    char *name NAME_CLEANUP = NULL, *signature NAME_CLEANUP = NULL;
    int status = copy_name(m[0].value, &name, error);
    if (status == PAWL_OK)
        status = copy_name(m[1].value, &signature, error);
    if (status != PAWL_OK)
        return status;
    struct pawl_function_options options = {
        .size = sizeof(options),
        .concurrent = json_is_true(m[2].value),
        .signature = signature,
    };
    return pawl_request_add_function(request, space, name, &options, not_called, NULL, error);
}

static int add_namespace(pawl_request *request, struct json space, struct text *why,
                         pawl_error **error)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "error_class", .type = JSON_STRING},
        {.name = "member_property", .type = JSON_STRING},
        {.name = "functions", .type = JSON_ARRAY, .required = true},
    };
    if (!json_members(space, m, COUNT(m), why))
        return refuse(error, text_get(why));
    char *name NAME_CLEANUP = NULL, *class NAME_CLEANUP = NULL, *property NAME_CLEANUP = NULL;
    int status = copy_name(m[0].value, &name, error);
    if (status == PAWL_OK)
        status = copy_name(m[1].value, &class, error);
    if (status == PAWL_OK)
        status = copy_name(m[2].value, &property, error);
    if (status == PAWL_OK)
        status = pawl_request_add_namespace(request, name, class, property, error);
    struct json_iterator functions = json_iterate(m[3].value);
    struct json function;
    while (status == PAWL_OK && json_next(&functions, NULL, &function))
        status = add_function(request, name, function, why, error);
    return status;
}

static int set_policy(pawl_request *request, struct json object, struct text *why,
                      pawl_error **error)
{
    struct json_member m[] = {
        {.name = "egress", .type = JSON_UNSIGNED},
        {.name = "files", .type = JSON_UNSIGNED},
        {.name = "proxy", .type = JSON_STRING},
        {.name = "working_directory", .type = JSON_STRING},
        {.name = "writable", .type = JSON_ARRAY},
    };
    if (!json_members(object, m, COUNT(m), why))
        return refuse(error, text_get(why));
    if (m[4].value.text != NULL)
        return refuse(error, "a policy of files cannot be had again from a record");
    if (record_number(m[0].value) > UINT32_MAX || record_number(m[1].value) > UINT32_MAX)
        return refuse(error, "its policy is unknown");
    char *proxy NAME_CLEANUP = NULL, *directory NAME_CLEANUP = NULL;
    int status = copy_name(m[2].value, &proxy, error);
    if (status == PAWL_OK)
        status = copy_name(m[3].value, &directory, error);
    if (status != PAWL_OK)
        return status;
    struct pawl_policy policy = {
        .header = PAWL_HEADER(POLICY, policy),
        .egress = (uint32_t)record_number(m[0].value),
        .files = (uint32_t)record_number(m[1].value),
        .proxy = proxy,
        .working_directory = directory,
    };
    return pawl_request_set_policy(request, &policy, error);
}

static int add_budget(pawl_request *request, struct json object, struct text *why,
                      pawl_error **error)
{
    struct json_member m[] = {
        {.name = "wall_clock", .type = JSON_UNSIGNED},
        {.name = "max_calls", .type = JSON_UNSIGNED},
        {.name = "max_bytes", .type = JSON_UNSIGNED},
        {.name = "max_memory", .type = JSON_UNSIGNED},
    };
    if (!json_members(object, m, COUNT(m), why))
        return refuse(error, text_get(why));
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = record_number(m[0].value);
    budget.max_calls = record_number(m[1].value);
    budget.max_bytes = record_number(m[2].value);
    budget.max_memory = record_number(m[3].value);
    pawl_request_add_budget(request, &budget);
    return PAWL_OK;
}

enum {
    FORMAT,
    PROGRAM,
    LANGUAGE,
    LEVEL,
    PROVIDER,
    BUDGET,
    OUTPUT,
    POLICY,
    DISCOVER,
    NAMESPACES,
    HOST,
    HEADER_MEMBERS,
};

static int fill_request(pawl_request *request, const struct json_member *m, bool functions,
                        pawl_error **error)
{
    struct text why TEXT_CLEANUP = {0};
    size_t size = 0;
    uint32_t level;
    char *program NAME_CLEANUP = record_copy_string(m[PROGRAM].value, &size);
    char *language NAME_CLEANUP = NULL, *level_name NAME_CLEANUP = NULL;
    char *provider NAME_CLEANUP = NULL;
    int status =
        program == NULL ? error_memory(error) : copy_name(m[LANGUAGE].value, &language, error);
    if (status == PAWL_OK)
        status = copy_name(m[LEVEL].value, &level_name, error);
    if (status == PAWL_OK)
        status = copy_name(m[PROVIDER].value, &provider, error);
    if (status == PAWL_OK)
        status = pawl_level_parse(level_name, &level, error);
    if (status == PAWL_OK)
        status = pawl_request_set_program(request, program, size, error);
    if (status == PAWL_OK)
        status = pawl_request_set_language(request, language, error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(request, level, error);
    if (status == PAWL_OK && provider != NULL)
        status = pawl_request_set_provider(request, provider, error);
    if (status == PAWL_OK)
        status = add_budget(request, m[BUDGET].value, &why, error);
    if (status == PAWL_OK)
        status = set_policy(request, m[POLICY].value, &why, error);
    pawl_request_set_output_limit(request, record_number(m[OUTPUT].value));
    if (json_is_true(m[DISCOVER].value))
        pawl_request_set_discoverer(request, not_discovered, NULL);
    struct json_iterator spaces = json_iterate(m[NAMESPACES].value);
    struct json space;
    while (status == PAWL_OK && functions && json_next(&spaces, NULL, &space))
        status = add_namespace(request, space, &why, error);
    return status;
}

/* A request as the first line describes it, which was checked to be JSON. */
int record_make_request(struct json header, bool functions, pawl_request **request,
                        struct json *host, pawl_error **error)
{
    struct json_member m[HEADER_MEMBERS] = {
        [FORMAT] = {.name = "format", .type = JSON_STRING, .required = true},
        [PROGRAM] = {.name = "program", .type = JSON_STRING, .required = true},
        [LANGUAGE] = {.name = "language", .type = JSON_STRING, .required = true},
        [LEVEL] = {.name = "level", .type = JSON_STRING, .required = true},
        [PROVIDER] = {.name = "asked_provider", .type = JSON_STRING},
        [BUDGET] = {.name = "budget", .type = JSON_OBJECT, .required = true},
        [OUTPUT] = {.name = "max_output", .type = JSON_UNSIGNED},
        [POLICY] = {.name = "policy", .type = JSON_OBJECT, .required = true},
        [DISCOVER] = {.name = "discover", .type = JSON_BOOLEAN},
        [NAMESPACES] = {.name = "namespaces", .type = JSON_ARRAY, .required = true},
        [HOST] = {.name = "host"},
    };
    struct text why TEXT_CLEANUP = {0};
    if (!json_members(header, m, COUNT(m), &why))
        return error_set(error, PAWL_E_CONFIG, "line 1 of the record: %s", text_get(&why));
    if (!json_equals(m[FORMAT].value, RECORD_FORMAT))
        return error_set(error, PAWL_E_CONFIG,
                         "line 1 of the record: it is no record that this version reads (%s)",
                         RECORD_FORMAT);
    if (host != NULL)
        *host = m[HOST].value;
    int status = pawl_request_new(request, error);
    if (status != PAWL_OK)
        return status;
    status = fill_request(*request, m, functions, error);
    if (status == PAWL_OK)
        return PAWL_OK;
    pawl_request_free(*request);
    *request = NULL;
    return error_prefix(error, "line 1 of the record");
}

int pawl_record_request(const pawl_record *record, int functions, pawl_request **request,
                        pawl_error **error)
{
    struct json header;
    json_check(record->header, strlen(record->header), &header); /* as it was before */
    return record_make_request(header, functions != 0, request, NULL, error);
}

/* --- Requests that go by a record ---------------------------------------------------------- */

static int is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Calls are known by the number of their function, and errors by their class. */
static int check_bindings(const pawl_request *request, const pawl_request *recorded,
                          pawl_error **error)
{
    for (size_t i = 0; i < recorded->binding_count || i < request->binding_count; i++) {
        const struct binding *was = i < recorded->binding_count ? recorded->bindings[i] : NULL;
        const struct binding *is = i < request->binding_count ? request->bindings[i] : NULL;
        if (was == NULL || is == NULL || strcmp(was->full_name, is->full_name) != 0 ||
            !is_same_text(was->signature_text, is->signature_text))
            return error_set(error, PAWL_E_ARGUMENT,
                             "the functions are not those of the record: number %zu is %s, and was "
                             "%s",
                             i + 1, is != NULL ? is->full_name : "missing",
                             was != NULL ? was->full_name : "missing");
    }
    for (size_t i = 0; i < recorded->namespace_count && i < request->namespace_count; i++) {
        const struct binding_namespace *was = recorded->namespaces[i], *is = request->namespaces[i];
        if (strcmp(was->name, is->name) != 0 || !is_same_text(was->error_class, is->error_class) ||
            !is_same_text(was->member_property, is->member_property))
            return error_set(error, PAWL_E_ARGUMENT,
                             "the namespace %s is not as it was in the record", was->name);
    }
    return PAWL_OK;
}

void pawl_request_set_replay(pawl_request *request, const pawl_record *record)
{
    request->record = record;
    request->resumes = false;
}

int pawl_request_set_resume(pawl_request *request, const pawl_record *record, pawl_error **error)
{
    const struct record_entry *end = record_end(record);
    const pawl_request *recorded = record->request;
    if (end == NULL)
        return error_set(error, PAWL_E_STATE,
                         "the record was cut off while the run went on: it cannot be resumed");
    if (strcmp(end->name, "suspended") != 0)
        return error_set(error, PAWL_E_STATE,
                         "the run in the record was not suspended, it ended: %s", end->name);
    if (request->program_size != recorded->program_size ||
        memcmp(request->program, recorded->program, recorded->program_size) != 0)
        return error_set(error, PAWL_E_ARGUMENT, "the program is not that of the record");
    int status = check_bindings(request, recorded, error);
    if (status != PAWL_OK)
        return status;
    request->record = record;
    request->resumes = true;
    return PAWL_OK;
}

int pawl_request_set_recorder(pawl_request *request, const char *host, pawl_recorder write,
                              void *data, pawl_error **error)
{
    char *copy = host != NULL ? strdup(host) : NULL;
    if (host != NULL && copy == NULL)
        return error_memory(error);
    if (host != NULL && !json_is_valid(host, strlen(host), NULL)) {
        free(copy);
        return error_set(error, PAWL_E_ARGUMENT, "what is added to the record is not JSON");
    }
    free(request->record_host);
    request->record_host = copy;
    request->recorder = write;
    request->recorder_data = data;
    return PAWL_OK;
}
