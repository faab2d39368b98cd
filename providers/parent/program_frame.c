#include "program_frame.h"

#include <pawl/wire.h>
#include <string.h>

#include "providers/wire/base64.h"

static void append_number(struct text *text, const char *before, uint64_t number)
{
    text_string(text, before);
    text_unsigned(text, number);
}

static void append_optional(struct text *text, const char *name, const char *value)
{
    if (value == NULL)
        return;
    text_string(text, ",\"");
    text_string(text, name);
    text_string(text, "\":");
    text_json_string(text, value, strlen(value));
}

static void append_function(struct text *text, const struct pawl_function *function)
{
    append_number(text, "{\"index\":", function->index);
    text_string(text, ",\"name\":");
    text_json_string(text, function->name, strlen(function->name));
    append_optional(text, "alias", function->alias);
    append_optional(text, "signature", function->signature);
    text_string(text, function->flags & PAWL_FUNCTION_CONCURRENT ? ",\"concurrent\":true}"
                                                                 : ",\"concurrent\":false}");
}

static void append_namespace(struct text *text, const struct pawl_namespace *space)
{
    text_string(text, "{\"name\":");
    text_json_string(text, space->name, strlen(space->name));
    append_optional(text, "error_class", space->error_class);
    append_optional(text, "member_property", space->member_property);
    text_string(text, ",\"functions\":[");
    for (uint32_t i = 0; i < space->function_count; i++) {
        text_string(text, i == 0 ? "" : ",");
        append_function(text, space->functions[i]);
    }
    text_string(text, "]}");
}

static void append_budget(struct text *text, const struct pawl_budget *budget)
{
    static const struct pawl_budget nothing;
    const struct pawl_budget *b = budget == NULL ? &nothing : budget;
    append_number(text, ",\"budget\":{\"wall_clock\":", b->wall_clock);
    append_number(text, ",\"max_calls\":", b->max_calls);
    append_number(text, ",\"max_bytes\":", b->max_bytes);
    append_number(text, ",\"max_memory\":", b->max_memory);
    text_string(text, "}");
}

static void append_policy(struct text *text, const struct pawl_policy *policy)
{
    static const struct pawl_policy nothing;
    const struct pawl_policy *p = policy == NULL ? &nothing : policy;
    append_number(text, ",\"policy\":{\"files\":", p->files);
    append_number(text, ",\"egress\":", p->egress);
    append_optional(text, "working_directory", p->working_directory);
    append_optional(text, "proxy", p->proxy);
    text_string(text, ",\"writable\":[");
    for (size_t i = 0; p->writable != NULL && p->writable[i] != NULL; i++) {
        text_string(text, i == 0 ? "" : ",");
        text_json_string(text, p->writable[i], strlen(p->writable[i]));
    }
    text_string(text, "]}");
}

int32_t program_frame(struct frame_writer *writer, const struct pawl_run *run, uint64_t now,
                      bool record, const struct text *limits)
{
    struct text *text = frame_begin(writer, PAWL_WIRE_PROGRAM);
    text_string(text, "{\"program\":");
    text_json_string(text, run->program.data, run->program.size);
    append_optional(text, "language", run->language);
    text_string(text, ",\"namespaces\":[");
    for (uint32_t i = 0; i < run->namespace_count; i++) {
        text_string(text, i == 0 ? "" : ",");
        append_namespace(text, run->namespaces[i]);
    }
    text_string(text, "]");
    append_budget(text, run->budget);
    append_policy(text, run->policy);
    if (run->deadline != 0) {
        uint64_t left = run->deadline > now ? run->deadline - now : 0;
        append_number(text, ",\"remaining\":", (left + 999999) / 1000000);
    }
    if (limits->size > 0) {
        text_string(text, ",\"limits\":{");
        text_append(text, limits->data, limits->size);
        text_append(text, "}", 1);
    }
    bool ask = record || (run->flags & PAWL_RUN_RECORD) != 0;
    if (run->image.data != NULL) {
        text_string(text, ",\"image\":\"");
        base64_encode(text, run->image.data, run->image.size);
        append_number(text, "\",\"last_call\":", run->last_call);
        append_number(text, ",\"in_flight\":", run->in_flight);
    }
    text_string(text,
                run->flags & PAWL_RUN_DISCOVER ? ",\"discover\":true" : ",\"discover\":false");
    text_string(text, ask ? ",\"ask\":true}" : ",\"ask\":false}");
    return frame_end(writer, PAWL_WIRE_FRAME_MOST);
}

uint64_t program_functions(const struct pawl_run *run)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->namespace_count; i++)
        count += run->namespaces[i]->function_count;
    return count;
}
