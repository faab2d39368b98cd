#include "core/json.h"

#include "providers/program/json_text.h"
#include "providers/program/plain.h"
#include "providers/program/utf8.h"

bool json_is_valid(const char *text, size_t size, struct buffer *why)
{
    if (size > JSON_MAX_BYTES) {
        if (why != NULL)
            buffer_format(why, "it has %zu bytes, and at most %u are accepted", size,
                          JSON_MAX_BYTES);
        return false;
    }
    struct program_json_report report;
    if (program_json_check(text, size, JSON_MAX_DEPTH, &report))
        return true;
    if (why != NULL)
        buffer_format(why, "%s, at byte %zu", report.reason, report.offset);
    return false;
}

char json_first(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
        at++;
    return at < size ? text[at] : '\0';
}

/* Writes a JSON string piece by piece into `out`, or only counts its bytes when that is NULL. */
static size_t write_string(struct buffer *out, const char *text, size_t size)
{
    size_t written = 2;
    if (out != NULL)
        buffer_append(out, "\"", 1);
    for (size_t at = 0; at < size;) {
        size_t plain = json_plain(text + at, size - at);
        if (out != NULL && plain > 0)
            buffer_append(out, text + at, plain);
        written += plain;
        at += plain;
        if (at == size)
            break;
        uint32_t code;
        char escaped[PROGRAM_JSON_CHARACTER_SIZE];
        at += program_utf8_decode_any(text + at, size - at, &code);
        size_t length = program_json_escape(code, escaped);
        if (out != NULL)
            buffer_append(out, escaped, length);
        written += length;
    }
    if (out != NULL)
        buffer_append(out, "\"", 1);
    return written;
}

void buffer_json_string(struct buffer *buffer, const char *text, size_t size)
{
    write_string(buffer, text, size);
}

size_t json_string_size(const char *text, size_t size)
{
    return write_string(NULL, text, size);
}
