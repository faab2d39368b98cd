/* The whole result as one JSON object, pawl-result(3). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/result.h"

static const char *const statuses[] = {
    [PAWL_SETTLED_OK] = "ok",
    [PAWL_SETTLED_ERROR] = "error",
    [PAWL_SETTLED_DENIED] = "denied",
    [PAWL_SETTLED_FAILED] = "error",
};

static const char *const file_modes[] = {
    [PAWL_FILES_UNSPECIFIED] = NULL,          [PAWL_FILES_NONE] = "none",
    [PAWL_FILES_READ_ONLY] = "read-only",     [PAWL_FILES_WORKSPACE_WRITE] = "workspace-write",
    [PAWL_FILES_FULL_ACCESS] = "full-access",
};

static const char *const egress_modes[] = {
    [PAWL_EGRESS_ANY] = "any",
    [PAWL_EGRESS_PROXY] = "proxy",
    [PAWL_EGRESS_NONE] = "none",
};

static void string(struct buffer *out, const char *text)
{
    if (text == NULL)
        buffer_string(out, "null");
    else
        buffer_json_string(out, text, strlen(text));
}

static void key(struct buffer *out, const char *name)
{
    string(out, name);
    buffer_string(out, ":");
}

/* Milliseconds with three digits, so that short runs are not all 0. */
static void milliseconds(struct buffer *out, uint64_t microseconds)
{
    buffer_format(out, "%" PRIu64 ".%03" PRIu64, microseconds / 1000, microseconds % 1000);
}

static void write_error(struct buffer *out, const pawl_result *result)
{
    buffer_string(out, ",\"error\":{\"kind\":");
    string(out, result->kind);
    buffer_string(out, ",\"message\":");
    buffer_json_string(out, result->message.data, result->message.size);
    if (result->line != 0)
        buffer_format(out, ",\"line\":%" PRIu32, result->line);
    if (result->column != 0)
        buffer_format(out, ",\"column\":%" PRIu32, result->column);
    buffer_string(out, ",\"suggestions\":[");
    for (size_t i = 0; i < result->suggestion_count; i++) {
        buffer_string(out, i > 0 ? "," : "");
        string(out, result->suggestions[i]);
    }
    buffer_string(out, "]}");
}

static void write_logs(struct buffer *out, const pawl_result *result)
{
    buffer_string(out, ",\"logs\":[");
    for (size_t i = 0; i < result->log_count; i++) {
        buffer_string(out, i > 0 ? "," : "");
        buffer_json_string(out, result->logs[i].data, result->logs[i].size);
    }
    buffer_string(out, "]");
}

static void write_calls(struct buffer *out, const pawl_result *result)
{
    buffer_format(out, ",\"calls\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"call_log\":[",
                  result->calls_counted, result->bytes);
    for (size_t i = 0; i < result->call_count; i++) {
        const struct pawl_call_record *record = &result->calls[i].record;
        buffer_string(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        string(out, record->name);
        buffer_string(out, ",\"status\":");
        string(out, statuses[record->status]);
        buffer_format(out, ",\"bytes\":%" PRIu64 ",\"ms\":", record->bytes);
        milliseconds(out, record->microseconds);
        if (record->error != NULL) {
            buffer_string(out, ",\"error\":");
            string(out, record->error);
        }
        if (record->abandoned)
            buffer_string(out, ",\"abandoned\":true");
        buffer_string(out, "}");
    }
    buffer_string(out, "]");
}

/* An axis that nobody stated is not enforced. */
static void write_enforcement(struct buffer *out, const pawl_result *result)
{
    buffer_string(out, ",\"enforcement\":{");
    for (int i = FACT_FILES; i <= FACT_MEMORY; i++) {
        buffer_string(out, i > FACT_FILES ? "," : "");
        key(out, fact_names[i]);
        buffer_string(out, result->facts[i] != NULL ? result->facts[i]
                                                    : "{\"grade\":\"none\",\"by\":null}");
    }
    buffer_string(out, "}");
}

static void write_sandbox(struct buffer *out, const pawl_result *result)
{
    buffer_string(out, ",\"sandbox\":{\"provider\":");
    string(out, result->provider);
    buffer_string(out, ",\"level\":");
    string(out, pawl_level_name(result->level));
    buffer_string(out, ",\"language\":");
    string(out, result->language);
    write_enforcement(out, result);
    buffer_string(out, ",\"egress\":{\"mode\":");
    string(out, egress_modes[result->policy.view.egress]);
    buffer_string(out, ",\"by\":");
    string(out, result->egress_by);
    buffer_string(out, "},\"files\":{\"mode\":");
    string(out, file_modes[result->policy.view.files]);
    buffer_string(out, "},\"denied\":");
    buffer_string(out, result->facts[FACT_DENIED] != NULL ? result->facts[FACT_DENIED] : "false");
    buffer_string(out, "}");
}

/* One item of the budget; a limit of 0 is none. */
static void write_budget_item(struct buffer *out, const pawl_result *result, uint32_t item,
                              const char *name, uint64_t limit, const char *used)
{
    key(out, name);
    if (limit == 0)
        buffer_string(out, "{\"limit\":null");
    else
        buffer_format(out, "{\"limit\":%" PRIu64, limit);
    buffer_format(out, ",\"used\":%s", used);
    buffer_string(out, (result->capped & item) != 0 ? ",\"capped\":true}" : "}");
}

static void write_budget(struct buffer *out, const pawl_result *result)
{
    const struct pawl_budget *budget = &result->budget;
    char used[32];
    buffer_string(out, ",\"budget\":{");
    uint64_t counted = result->total_us - result->waiting_us;
    snprintf(used, sizeof(used), "%" PRIu64 ".%03" PRIu64, counted / 1000, counted % 1000);
    write_budget_item(out, result, PAWL_BUDGET_WALL_CLOCK, "wall_clock_ms", budget->wall_clock,
                      used);
    buffer_string(out, ",");
    snprintf(used, sizeof(used), "%" PRIu64, result->calls_counted);
    write_budget_item(out, result, PAWL_BUDGET_MAX_CALLS, "max_calls", budget->max_calls, used);
    buffer_string(out, ",");
    snprintf(used, sizeof(used), "%" PRIu64, result->bytes);
    write_budget_item(out, result, PAWL_BUDGET_MAX_BYTES, "max_bytes", budget->max_bytes, used);
    buffer_string(out, ",");
    write_budget_item(out, result, PAWL_BUDGET_MAX_MEMORY, "max_memory", budget->max_memory,
                      result->facts[FACT_PEAK_MEMORY] != NULL ? result->facts[FACT_PEAK_MEMORY]
                                                              : "null");
    buffer_string(out, "}");
}

static void write_timing(struct buffer *out, const pawl_result *result)
{
    buffer_string(out, ",\"timing\":{\"setup_ms\":");
    buffer_string(out, result->facts[FACT_SETUP_MS] != NULL ? result->facts[FACT_SETUP_MS] : "0");
    buffer_string(out, ",\"program_ms\":");
    milliseconds(out, result->program_us);
    buffer_string(out, ",\"calls_ms\":");
    milliseconds(out, result->calls_us);
    buffer_string(out, ",\"waiting_ms\":");
    milliseconds(out, result->waiting_us);
    buffer_string(out, ",\"total_ms\":");
    milliseconds(out, result->total_us);
    buffer_string(out, "}");
}

static void write_result(struct buffer *out, const pawl_result *result)
{
    buffer_format(out, "{\"ok\":%s,\"has_value\":%s,\"value\":", result->ok ? "true" : "false",
                  result->has_value ? "true" : "false");
    if (result->has_value)
        buffer_append(out, result->value, result->value_size);
    else
        buffer_string(out, "null");
    if (result->note != NULL) {
        buffer_string(out, ",\"note\":");
        string(out, result->note);
    }
    if (!result->ok)
        write_error(out, result);
    write_logs(out, result);
    write_calls(out, result);
    write_sandbox(out, result);
    write_budget(out, result);
    if (result->kind != NULL && strcmp(result->kind, "worker_exit") == 0 &&
        result->facts[FACT_WORKER] != NULL) {
        buffer_string(out, ",\"worker\":");
        buffer_string(out, result->facts[FACT_WORKER]);
    }
    write_timing(out, result);
    buffer_string(out, "}");
}

const char *pawl_result_json(pawl_result *result, size_t *size)
{
    if (result->json.data == NULL)
        write_result(&result->json, result);
    if (result->json.failed != PAWL_OK)
        buffer_clear(&result->json);
    if (size != NULL)
        *size = result->json.size;
    return result->json.data;
}
