/*
 * libFuzzer: any bytes as the frames of a channel, cut into pieces as the first byte says, and what
 * both sides take out of a frame.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/wire.h>

#include "providers/wire/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is taken out of a frame must be JSON again, and lie inside it. */
static void look_into(const struct frame *frame)
{
    struct json value, name, element;
    struct json_member members[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "text", .type = JSON_STRING},
        {.name = "value"},
        {.name = "suggestions", .type = JSON_ARRAY},
    };
    struct text text TEXT_CLEANUP = {0}, why TEXT_CLEANUP = {0}, again TEXT_CLEANUP = {0};
    if (!json_check(frame->text, frame->size, &value))
        return;
    if (value.text < frame->text || value.text + value.size > frame->text + frame->size)
        abort();
    if (json_type(value) == JSON_STRING) {
        /* Decoded and written again it reads back as the same bytes. */
        struct json written;
        struct text back TEXT_CLEANUP = {0};
        json_decode(value, &text);
        text_json_string(&again, text.data, text.size);
        if (!json_check(again.data, again.size, &written))
            abort();
        json_decode(written, &back);
        if (back.size != text.size ||
            (text.size > 0 && memcmp(back.data, text.data, text.size) != 0))
            abort();
    }
    if (json_type(value) != JSON_OBJECT && json_type(value) != JSON_ARRAY)
        return;
    struct json_iterator iterator = json_iterate(value);
    while (json_next(&iterator, &name, &element))
        if (!json_check(element.text, element.size, NULL))
            abort();
    if (json_members(value, members, 4, &why)) {
        uint64_t id;
        if (!json_unsigned(members[0].value, &id))
            abort();
    } else if (why.size == 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame_reader reader = {.limit = 4096};
    struct frame frame;
    size_t piece = size > 0 ? data[0] + 1u : 1;
    for (size_t at = 1; at < size; at += piece) {
        if (frame_feed(&reader, data + at, size - at < piece ? size - at : piece) != PAWL_OK)
            abort();
        int32_t taken;
        while ((taken = frame_take(&reader, &frame)) == 1)
            look_into(&frame);
        if (taken < 0)
            break;
        if (reader.end - reader.start > reader.limit + PAWL_WIRE_HEADER + 256)
            abort(); /* it holds more than one frame and one piece */
    }
    frame_reader_free(&reader);
    /* And the whole as one frame, which reaches deeper. */
    if (size > 1)
        look_into(&(struct frame){.text = (const char *)data + 1, .size = size - 1});
    return 0;
}
