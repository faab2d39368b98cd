#include "core/result.h"

#include <stdlib.h>
#include <string.h>

#include "providers/program/number.h"

/* Suggestions come from the engine, too, which may be in hostile hands. */
#define MAX_SUGGESTION_BYTES 4096

const char *const fact_names[FACT_COUNT] = {
    [FACT_FILES] = "files",   [FACT_NETWORK] = "network",         [FACT_SYSCALLS] = "syscalls",
    [FACT_MEMORY] = "memory", [FACT_PEAK_MEMORY] = "peak_memory", [FACT_SETUP_MS] = "setup_ms",
    [FACT_DENIED] = "denied", [FACT_WORKER] = "worker",
};

enum fact fact_find(const char *name)
{
    for (int i = 0; i < FACT_COUNT; i++)
        if (strcmp(name, fact_names[i]) == 0)
            return (enum fact)i;
    return FACT_COUNT;
}

bool fact_fits(enum fact fact, char first)
{
    switch (fact) {
    case FACT_PEAK_MEMORY:
    case FACT_SETUP_MS:
        return first >= '0' && first <= '9';
    case FACT_DENIED:
        return first == 't' || first == 'f';
    default:
        return first == '{';
    }
}

uint64_t fact_setup_us(const pawl_result *result)
{
    const char *text = result->facts[FACT_SETUP_MS];
    double milliseconds = 0;
    if (text != NULL)
        program_number_parse(text, strlen(text), &milliseconds);
    /* No run is set up for days, whatever its provider says. */
    return milliseconds > 0 && milliseconds < 1e9 ? (uint64_t)(milliseconds * 1000) : 0;
}

void result_suggest(pawl_result *result, const char *text)
{
    char **grown = realloc(result->suggestions, (result->suggestion_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return;
    result->suggestions = grown;
    char *copy = strndup(text, MAX_SUGGESTION_BYTES);
    if (copy != NULL)
        grown[result->suggestion_count++] = copy;
}

void pawl_result_free(pawl_result *result)
{
    if (result == NULL)
        return;
    free(result->value);
    free(result->message.data);
    for (size_t i = 0; i < result->suggestion_count; i++)
        free(result->suggestions[i]);
    free(result->suggestions);
    free(result->note);
    for (size_t i = 0; i < result->log_count; i++)
        free(result->logs[i].data);
    free(result->logs);
    for (size_t i = 0; i < result->call_count; i++)
        free(result->calls[i].error);
    free(result->calls);
    for (size_t i = 0; i < result->name_count; i++)
        free(result->names[i]);
    free(result->names);
    free(result->provider);
    free(result->language);
    policy_clear(&result->policy);
    free(result->egress_by);
    for (int i = 0; i < FACT_COUNT; i++)
        free(result->facts[i]);
    buffer_clear(&result->json);
    buffer_clear(&result->description);
    free(result);
}

int pawl_result_ok(const pawl_result *result)
{
    return result->ok;
}

int pawl_result_has_value(const pawl_result *result)
{
    return result->has_value;
}

const char *pawl_result_value(const pawl_result *result, size_t *size)
{
    const char *value = !result->ok ? NULL : result->has_value ? result->value : "null";
    if (size != NULL)
        *size = value == NULL ? 0 : result->has_value ? result->value_size : strlen(value);
    return value;
}

const char *pawl_result_kind(const pawl_result *result)
{
    return result->kind;
}

const char *pawl_result_message(const pawl_result *result, size_t *size)
{
    if (size != NULL)
        *size = result->message.size;
    return result->message.data;
}

uint32_t pawl_result_line(const pawl_result *result)
{
    return result->line;
}

uint32_t pawl_result_column(const pawl_result *result)
{
    return result->column;
}

size_t pawl_result_suggestions(const pawl_result *result)
{
    return result->suggestion_count;
}

const char *pawl_result_suggestion(const pawl_result *result, size_t index)
{
    return index < result->suggestion_count ? result->suggestions[index] : NULL;
}

size_t pawl_result_logs(const pawl_result *result)
{
    return result->log_count;
}

const char *pawl_result_log(const pawl_result *result, size_t index, size_t *size)
{
    const struct owned_text *entry = index < result->log_count ? &result->logs[index] : NULL;
    if (size != NULL)
        *size = entry != NULL ? entry->size : 0;
    return entry != NULL ? entry->data : NULL;
}

size_t pawl_result_calls(const pawl_result *result)
{
    return result->call_count;
}

const struct pawl_call_record *pawl_result_call(const pawl_result *result, size_t index)
{
    return index < result->call_count ? &result->calls[index].record : NULL;
}

const char *pawl_result_provider(const pawl_result *result)
{
    return result->provider;
}

uint32_t pawl_result_level(const pawl_result *result)
{
    return result->level;
}

const char *pawl_result_fact(const pawl_result *result, const char *name)
{
    enum fact fact = fact_find(name);
    return fact == FACT_COUNT ? NULL : result->facts[fact];
}
