#include "core/recorder.h"

#include <inttypes.h>
#include <string.h>

#include "core/calls.h"
#include "core/record.h"
#include "providers/wire/base64.h"

static const char note[] = "Everything that a program and its functions told each other stands "
                           "here: keep it as secret as that.";

/* --- Lines --------------------------------------------------------------------------------- */

static struct text *begin(struct recorder *recorder)
{
    text_clear(&recorder->line);
    return &recorder->line;
}

/* Hands out the line that was begun. */
static void finish(struct recorder *recorder)
{
    text_string(&recorder->line, "}\n");
    if (recorder->line.failed == PAWL_OK &&
        recorder->write(recorder->line.data, recorder->line.size, recorder->data) == PAWL_OK)
        return;
    recorder->failed = true;
    calls_set_end(recorder->calls, PAWL_END_FAULT);
}

/* Nothing is written behind a line that could not be. */
static bool is_idle(const struct recorder *recorder)
{
    return recorder->write == NULL || recorder->failed;
}

static void add_string(struct text *line, const char *key, const char *text, size_t size)
{
    text_format(line, "\"%s\":", key);
    text_json_string(line, text, size);
}

/* A member that may be absent. */
static void add_optional(struct text *line, const char *key, const char *text)
{
    if (text == NULL)
        return;
    text_string(line, ",");
    add_string(line, key, text, strlen(text));
}

/* JSON that was checked. Line ends can stand only between its tokens. */
static void add_json(struct text *line, const char *key, const char *json, size_t size)
{
    text_format(line, "\"%s\":", key);
    size_t from = line->size;
    text_append(line, json, size);
    if (line->failed != PAWL_OK)
        return;
    for (char *at = line->data + from, *end = at + size; at < end; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

/* --- The first line ------------------------------------------------------------------------ */

static void add_budget(struct text *line, const struct pawl_budget *budget)
{
    text_format(line,
                ",\"budget\":{\"wall_clock\":%" PRIu64 ",\"max_calls\":%" PRIu64
                ",\"max_bytes\":%" PRIu64 ",\"max_memory\":%" PRIu64 "}",
                budget->wall_clock, budget->max_calls, budget->max_bytes, budget->max_memory);
}

static void add_policy(struct text *line, const struct pawl_policy *policy)
{
    text_format(line, ",\"policy\":{\"egress\":%" PRIu32 ",\"files\":%" PRIu32, policy->egress,
                policy->files);
    add_optional(line, "proxy", policy->proxy);
    add_optional(line, "working_directory", policy->working_directory);
    if (policy->writable != NULL && policy->writable[0] != NULL) {
        text_string(line, ",\"writable\":");
        for (size_t i = 0; policy->writable[i] != NULL; i++) {
            text_string(line, i == 0 ? "[" : ",");
            text_json_string(line, policy->writable[i], strlen(policy->writable[i]));
        }
        text_string(line, "]");
    }
    text_string(line, "}");
}

static void add_binding(struct text *line, const struct binding *binding)
{
    text_string(line, "{");
    add_string(line, "name", binding->name, strlen(binding->name));
    add_optional(line, "signature", binding->signature_text);
    text_format(line, ",\"concurrent\":%s}", binding->concurrent ? "true" : "false");
}

static void add_namespaces(struct text *line, const pawl_request *request)
{
    text_string(line, ",\"namespaces\":[");
    for (size_t i = 0; i < request->namespace_count; i++) {
        const struct binding_namespace *space = request->namespaces[i];
        text_string(line, i == 0 ? "{" : ",{");
        add_string(line, "name", space->name, strlen(space->name));
        add_optional(line, "error_class", space->error_class);
        add_optional(line, "member_property", space->member_property);
        text_string(line, ",\"functions\":[");
        for (size_t j = 0; j < space->count; j++) {
            text_string(line, j == 0 ? "" : ",");
            add_binding(line, space->bindings[j]);
        }
        text_string(line, "]}");
    }
    text_string(line, "]");
}

void recorder_begin(struct recorder *recorder, const pawl_request *request, const pawl_spec *spec)
{
    if (is_idle(recorder))
        return;
    const char *level = pawl_level_name(request->level);
    struct text *line = begin(recorder);
    text_format(line, "{\"format\":\"%s\",\"version\":\"%s\",\"note\":\"%s\"", RECORD_FORMAT,
                pawl_version(), note);
    if (request->record_host != NULL) {
        text_string(line, ",");
        add_json(line, "host", request->record_host, strlen(request->record_host));
    }
    text_string(line, ",");
    add_string(line, "program", request->program, request->program_size);
    add_optional(line, "language", spec->language);
    add_optional(line, "level", level);
    add_optional(line, "provider", spec->provider->id);
    add_optional(line, "asked_provider", request->provider);
    add_budget(line, &spec->budget);
    text_format(line, ",\"max_output\":%" PRIu64, request->output_limit);
    add_policy(line, &spec->policy.view);
    text_format(line, ",\"discover\":%s", request->discoverer != NULL ? "true" : "false");
    add_namespaces(line, request);
    finish(recorder);
}

void recorder_resume(struct recorder *recorder)
{
    if (is_idle(recorder))
        return;
    text_string(begin(recorder), "{\"resumed\":true");
    finish(recorder);
}

/* --- What happens -------------------------------------------------------------------------- */

void recorder_call(struct recorder *recorder, uint64_t id, const struct binding *binding,
                   const char *arguments, size_t size)
{
    if (is_idle(recorder))
        return;
    struct text *line = begin(recorder);
    text_format(line, "{\"call\":%" PRIu64 ",", id);
    add_string(line, "function", binding->full_name, strlen(binding->full_name));
    text_string(line, ",");
    add_json(line, "arguments", arguments, size);
    finish(recorder);
}

static void add_settled(struct recorder *recorder, const struct pawl_settlement *settlement,
                        uint64_t microseconds, bool late)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    if (is_idle(recorder))
        return;
    struct text *line = begin(recorder);
    text_format(line, "{\"settled\":%" PRIu64 ",\"status\":\"%s\",\"us\":%" PRIu64 ",",
                settlement->id, words[settlement->status], microseconds);
    if (late)
        text_string(line, "\"late\":true,");
    if (settlement->status == PAWL_SETTLED_OK) {
        text_format(line, "\"bytes\":%" PRIu32 ",", settlement->text.size);
        add_json(line, "value", settlement->text.data, settlement->text.size);
    } else {
        add_string(line, "code", settlement->code, strlen(settlement->code));
        text_string(line, ",");
        add_string(line, "message", settlement->text.data, settlement->text.size);
    }
    finish(recorder);
}

void recorder_settled(struct recorder *recorder, const struct pawl_settlement *settlement,
                      uint64_t microseconds)
{
    add_settled(recorder, settlement, microseconds, false);
}

void recorder_late(struct recorder *recorder, const struct pawl_settlement *settlement,
                   uint64_t microseconds)
{
    add_settled(recorder, settlement, microseconds, true);
}

void recorder_timeout(struct recorder *recorder)
{
    if (is_idle(recorder))
        return;
    text_string(begin(recorder), "{\"timeout\":true");
    finish(recorder);
}

void recorder_clock(struct recorder *recorder, int64_t nanoseconds)
{
    if (is_idle(recorder))
        return;
    text_format(begin(recorder), "{\"clock\":%" PRId64, nanoseconds);
    finish(recorder);
}

void recorder_random(struct recorder *recorder, const void *bytes, size_t size)
{
    if (is_idle(recorder))
        return;
    struct text *line = begin(recorder);
    text_string(line, "{\"random\":\"");
    base64_encode(line, bytes, size);
    text_string(line, "\"");
    finish(recorder);
}

void recorder_discover(struct recorder *recorder, const char *query, size_t query_size,
                       int32_t status, const struct buffer *answer)
{
    if (is_idle(recorder))
        return;
    struct text *line = begin(recorder);
    text_string(line, "{");
    add_string(line, "discover", query, query_size);
    text_format(line, ",\"status\":%" PRId32, status);
    if (status == PAWL_OK) {
        text_string(line, ",");
        add_json(line, "answer", answer->data, answer->size);
    }
    finish(recorder);
}

void recorder_log(struct recorder *recorder, const char *text, size_t size)
{
    if (is_idle(recorder))
        return;
    struct text *line = begin(recorder);
    text_string(line, "{");
    add_string(line, "log", text, size);
    finish(recorder);
}

void recorder_end(struct recorder *recorder, const pawl_result *result, const struct buffer *image)
{
    if (is_idle(recorder))
        return;
    const char *kind = result->ok ? "ok" : result->kind;
    struct text *line = begin(recorder);
    text_string(line, "{");
    add_string(line, "end", kind, strlen(kind));
    if (result->ok && result->has_value) {
        text_string(line, ",");
        add_json(line, "value", result->value, result->value_size);
    } else if (!result->ok) {
        text_string(line, ",");
        add_string(line, "message", result->message.data, result->message.size);
    }
    if (image->size > 0) {
        text_string(line, ",\"image\":\"");
        base64_encode(line, image->data, image->size);
        text_string(line, "\"");
    }
    finish(recorder);
}

void recorder_clear(struct recorder *recorder)
{
    text_free(&recorder->line);
}
