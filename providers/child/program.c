#include "program.h"

#include <stdlib.h>
#include <time.h>

#include "providers/wire/base64.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A reader of the frame. The first thing that is wrong stays, and all further reading yields
 * nothing, so that callers check once, at the end. */
struct reader {
    int32_t status;
    struct text *why;
};

static void *allocate(struct reader *reader, size_t size)
{
    void *memory = reader->status == PAWL_OK ? calloc(1, size) : NULL;
    if (memory == NULL && reader->status == PAWL_OK)
        reader->status = PAWL_E_MEMORY;
    return memory;
}

static bool members(struct reader *reader, struct json object, struct json_member *wanted,
                    size_t count)
{
    if (reader->status == PAWL_OK && !json_members(object, wanted, count, reader->why))
        reader->status = PAWL_E_STATE;
    return reader->status == PAWL_OK;
}

/* The text of a string value; NULL when it is absent. */
static const char *string(struct reader *reader, struct json value, uint32_t *size)
{
    if (reader->status != PAWL_OK || value.text == NULL)
        return NULL;
    /* What it takes with its quotes is enough, and there may be hundreds. */
    struct text text = {.data = malloc(value.size)};
    text.capacity = text.data == NULL ? 0 : value.size;
    json_decode(value, &text);
    const char *data = text_get(&text);
    if (data == NULL || text.size > UINT32_MAX) {
        reader->status = PAWL_E_MEMORY;
        return NULL;
    }
    if (size != NULL)
        *size = (uint32_t)text.size;
    return data;
}

typedef const void *element_reader(struct reader *reader, struct json element);

/* The elements of an array, and NULL behind them. Counting them first would mean to read the array
 * twice. */
static const void *read_elements(struct reader *reader, struct json array, element_reader *read,
                                 uint32_t *count)
{
    struct json_iterator iterator = json_iterate(array);
    struct json element;
    const void **items = NULL;
    size_t capacity = 0, filled = 0;
    for (;;) {
        if (filled + 1 >= capacity) {
            capacity = capacity == 0 ? 8 : 2 * capacity;
            const void **larger = realloc(items, capacity * sizeof(*items));
            if (larger == NULL) {
                reader->status = PAWL_E_MEMORY;
                break;
            }
            items = larger;
        }
        items[filled] = NULL;
        if (reader->status != PAWL_OK || !json_next(&iterator, NULL, &element))
            break;
        items[filled] = read(reader, element);
        if (items[filled] != NULL)
            filled++;
    }
    if (count != NULL)
        *count = (uint32_t)filled;
    return items;
}

static const void *read_function(struct reader *reader, struct json value)
{
    struct json_member m[] = {
        {.name = "index", .type = JSON_UNSIGNED, .required = true},
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "alias", .type = JSON_STRING},
        {.name = "signature", .type = JSON_STRING},
        {.name = "concurrent", .type = JSON_BOOLEAN},
    };
    struct pawl_function *function = allocate(reader, sizeof(*function));
    if (function == NULL || !members(reader, value, m, LENGTH(m)))
        return NULL;
    uint64_t index = 0;
    json_unsigned(m[0].value, &index);
    *function = (struct pawl_function){
        .header = PAWL_HEADER(FUNCTION, *function),
        .index = (uint32_t)index,
        .name = string(reader, m[1].value, NULL),
        .alias = string(reader, m[2].value, NULL),
        .signature = string(reader, m[3].value, NULL),
        .flags = json_is_true(m[4].value) ? PAWL_FUNCTION_CONCURRENT : 0,
    };
    return function;
}

static const void *read_namespace(struct reader *reader, struct json value)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "error_class", .type = JSON_STRING},
        {.name = "member_property", .type = JSON_STRING},
        {.name = "functions", .type = JSON_ARRAY, .required = true},
    };
    struct pawl_namespace *space = allocate(reader, sizeof(*space));
    if (space == NULL || !members(reader, value, m, LENGTH(m)))
        return NULL;
    uint32_t count = 0;
    const struct pawl_function *const *functions =
        read_elements(reader, m[3].value, read_function, &count);
    *space = (struct pawl_namespace){
        .header = PAWL_HEADER(NAMESPACE, *space),
        .name = string(reader, m[0].value, NULL),
        .error_class = string(reader, m[1].value, NULL),
        .member_property = string(reader, m[2].value, NULL),
        .functions = functions,
        .function_count = count,
    };
    return space;
}

static void read_namespaces(struct reader *reader, struct json array, struct pawl_run *run,
                            uint32_t *functions)
{
    run->namespaces = read_elements(reader, array, read_namespace, &run->namespace_count);
    for (uint32_t i = 0; reader->status == PAWL_OK && i < run->namespace_count; i++)
        *functions += run->namespaces[i]->function_count;
}

bool program_read_budget(struct json object, struct pawl_budget *budget, struct text *why)
{
    struct json_member m[] = {
        {.name = "wall_clock", .type = JSON_UNSIGNED},
        {.name = "max_calls", .type = JSON_UNSIGNED},
        {.name = "max_bytes", .type = JSON_UNSIGNED},
        {.name = "max_memory", .type = JSON_UNSIGNED},
    };
    if (!json_members(object, m, LENGTH(m), why))
        return false;
    *budget = (struct pawl_budget){.header = PAWL_HEADER(BUDGET, *budget)};
    uint64_t *items[] = {&budget->wall_clock, &budget->max_calls, &budget->max_bytes,
                         &budget->max_memory};
    for (size_t i = 0; i < LENGTH(items); i++)
        if (m[i].value.text != NULL)
            json_unsigned(m[i].value, items[i]);
    return true;
}

static void read_budget(struct reader *reader, struct json value, struct pawl_run *run)
{
    struct pawl_budget *budget = allocate(reader, sizeof(*budget));
    if (budget == NULL)
        return;
    if (!program_read_budget(value, budget, reader->why))
        reader->status = PAWL_E_STATE;
    run->budget = budget;
}

static const void *read_path(struct reader *reader, struct json value)
{
    if (json_type(value) == JSON_STRING)
        return string(reader, value, NULL);
    reader->status = PAWL_E_STATE;
    return NULL;
}

static void read_policy(struct reader *reader, struct json value, struct pawl_run *run)
{
    struct json_member m[] = {
        {.name = "files", .type = JSON_UNSIGNED},
        {.name = "egress", .type = JSON_UNSIGNED},
        {.name = "working_directory", .type = JSON_STRING},
        {.name = "proxy", .type = JSON_STRING},
        {.name = "writable", .type = JSON_ARRAY},
    };
    struct pawl_policy *policy = allocate(reader, sizeof(*policy));
    if (policy == NULL || !members(reader, value, m, LENGTH(m)))
        return;
    policy->header = (struct pawl_header)PAWL_HEADER(POLICY, *policy);
    uint64_t files = 0, egress = 0;
    json_unsigned(m[0].value, &files);
    json_unsigned(m[1].value, &egress);
    policy->files = (uint32_t)files;
    policy->egress = (uint32_t)egress;
    policy->working_directory = string(reader, m[2].value, NULL);
    policy->proxy = string(reader, m[3].value, NULL);
    if (m[4].value.text != NULL)
        policy->writable = read_elements(reader, m[4].value, read_path, NULL);
    run->policy = policy;
}

static uint64_t deadline_in(uint64_t milliseconds)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t wait;
    if (__builtin_mul_overflow(milliseconds, UINT64_C(1000000), &wait))
        return 0;
    uint64_t deadline = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return __builtin_add_overflow(deadline, wait, &deadline) ? 0 : deadline;
}

/* The state of a program that goes on, and the two numbers behind it. */
static void read_image(struct reader *reader, const struct json_member m[3], struct pawl_run *run)
{
    struct text image = {0}; /* lives as long as the process */
    uint64_t in_flight = 0;
    if (!base64_decode(&image, m[0].value.text + 1, m[0].value.size - 2) || image.size == 0) {
        reader->status = image.failed ? image.failed : PAWL_E_STATE;
        return;
    }
    run->image = (struct pawl_text){.data = image.data, .size = (uint32_t)image.size};
    json_unsigned(m[1].value, &run->last_call);
    json_unsigned(m[2].value, &in_flight);
    run->in_flight = (uint32_t)in_flight;
}

int32_t program_read(struct json frame, struct pawl_run *run, uint32_t *functions, bool *ask,
                     struct text *why)
{
    struct reader reader = {PAWL_OK, why};
    struct json_member m[] = {
        {.name = "program", .type = JSON_STRING, .required = true},
        {.name = "language", .type = JSON_STRING, .required = true},
        {.name = "namespaces", .type = JSON_ARRAY, .required = true},
        {.name = "budget", .type = JSON_OBJECT, .required = true},
        {.name = "policy", .type = JSON_OBJECT, .required = true},
        {.name = "remaining", .type = JSON_UNSIGNED},
        {.name = "discover", .type = JSON_BOOLEAN},
        {.name = "ask", .type = JSON_BOOLEAN},
        {.name = "image", .type = JSON_STRING},
        {.name = "last_call", .type = JSON_UNSIGNED},
        {.name = "in_flight", .type = JSON_UNSIGNED},
    };
    if (!members(&reader, frame, m, LENGTH(m)))
        return reader.status;
    run->program.data = string(&reader, m[0].value, &run->program.size);
    run->language = string(&reader, m[1].value, NULL);
    *functions = 0;
    read_namespaces(&reader, m[2].value, run, functions);
    read_budget(&reader, m[3].value, run);
    read_policy(&reader, m[4].value, run);
    uint64_t remaining;
    if (m[5].value.text != NULL && json_unsigned(m[5].value, &remaining))
        run->deadline = deadline_in(remaining);
    run->flags = json_is_true(m[6].value) ? PAWL_RUN_DISCOVER : 0;
    *ask = json_is_true(m[7].value);
    if (*ask)
        run->flags |= PAWL_RUN_RECORD;
    if (m[8].value.text != NULL)
        read_image(&reader, &m[8], run);
    return reader.status;
}
