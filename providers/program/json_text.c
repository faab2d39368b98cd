#include "json_text.h"

#include <string.h>

#include "plain.h"
#include "utf8.h"

/* ---- writing strings ---- */

size_t program_json_escape(uint32_t code_point, char out[PROGRAM_JSON_CHARACTER_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof named; i += 2) {
        if (code_point == (unsigned char)named[i]) {
            out[0] = '\\';
            out[1] = named[i + 1];
            return 2;
        }
    }
    if (code_point >= 0x20 && (code_point < 0xD800 || code_point > 0xDFFF))
        return program_utf8_encode(code_point, out);
    out[0] = '\\';
    out[1] = 'u';
    for (int i = 0; i < 4; i++)
        out[2 + i] = hex[code_point >> (12 - 4 * i) & 0xF];
    return 6;
}

/* Takes back what was appended since `length` unless all of it was. */
static bool finish_string(struct program_buffer *buffer, size_t length)
{
    if (program_buffer_append(buffer, "\"", 1))
        return true;
    buffer->length = length;
    return false;
}

bool program_json_put_string(struct program_buffer *buffer, const char *text, size_t length)
{
    const size_t before = buffer->length;
    size_t offset = 0;
    program_buffer_append(buffer, "\"", 1);
    while (offset < length) {
        size_t plain = json_plain(text + offset, length - offset);
        if (plain > 0) {
            program_buffer_append(buffer, text + offset, plain);
            offset += plain;
            continue;
        }
        char escaped[PROGRAM_JSON_CHARACTER_SIZE];
        uint32_t code_point;
        offset += program_utf8_decode_any(text + offset, length - offset, &code_point);
        if (!program_buffer_append(buffer, escaped, program_json_escape(code_point, escaped)))
            break;
    }
    return finish_string(buffer, before);
}

bool program_json_put_utf16(struct program_buffer *buffer, const uint16_t *units, size_t length)
{
    const size_t before = buffer->length;
    program_buffer_append(buffer, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        char escaped[PROGRAM_JSON_CHARACTER_SIZE];
        uint32_t code_point = units[i];
        if (code_point >= 0xD800 && code_point < 0xDC00 && i + 1 < length &&
            units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000)
            code_point = 0x10000 + ((code_point - 0xD800) << 10) + (units[++i] - 0xDC00u);
        if (!program_buffer_append(buffer, escaped, program_json_escape(code_point, escaped)))
            break;
    }
    return finish_string(buffer, before);
}

/* ---- checking ---- */

enum expected {
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END, /* behind [ */
    EXPECT_KEY,
    EXPECT_KEY_OR_END, /* behind { */
    EXPECT_COLON,
    EXPECT_COMMA_OR_END,
    EXPECT_NOTHING,
};

struct checker {
    const char *text;
    size_t length, offset;
    const char *reason;
    unsigned depth, depth_max, deepest;
    unsigned char objects[PROGRAM_JSON_DEPTH_MAX / 8]; /* one bit for each level: it is an object */
};

static bool fail(struct checker *c, size_t offset, const char *reason)
{
    c->offset = offset;
    c->reason = reason;
    return false;
}

static int at(const struct checker *c, size_t offset)
{
    return offset < c->length ? (unsigned char)c->text[offset] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static void skip_space(struct checker *c)
{
    for (int byte = at(c, c->offset); byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
         byte = at(c, c->offset))
        c->offset++;
}

static bool check_escape(struct checker *c, size_t *offset)
{
    int kind = at(c, *offset + 1);
    if (kind == -1)
        return fail(c, c->length, "the text ends inside a string");
    if (kind == 'u') {
        for (size_t i = 2; i < 6; i++) {
            int digit = at(c, *offset + i);
            if (digit == -1)
                return fail(c, c->length, "the text ends inside a string");
            if (!is_hex(digit))
                return fail(c, *offset + i, "\\u is not followed by four hexadecimal digits");
        }
        *offset += 6;
        return true;
    }
    if (kind == 0 || strchr("\"\\/bfnrt", kind) == NULL)
        return fail(c, *offset + 1, "there is no such escape in JSON");
    *offset += 2;
    return true;
}

static bool check_string(struct checker *c)
{
    size_t offset = c->offset + 1;
    for (;;) {
        offset += json_plain(c->text + offset, c->length - offset);
        int byte = at(c, offset);
        if (byte == -1)
            return fail(c, c->length, "the text ends inside a string");
        if (byte == '"')
            break;
        if (byte < 0x20)
            return fail(c, offset, "a control character in a string must be escaped");
        if (byte == '\\') {
            if (!check_escape(c, &offset))
                return false;
        } else {
            uint32_t code_point;
            size_t width = program_utf8_decode(c->text + offset, c->length - offset, &code_point);
            if (width == 0)
                return fail(c, offset, "this is not valid UTF-8");
            offset += width;
        }
    }
    c->offset = offset + 1;
    return true;
}

/* Reads at least one digit. */
static bool check_digits(struct checker *c, size_t *offset)
{
    if (!is_digit(at(c, *offset)))
        return fail(c, *offset, "a digit is missing in a number");
    while (is_digit(at(c, *offset)))
        ++*offset;
    return true;
}

static bool check_number(struct checker *c)
{
    size_t offset = c->offset;
    if (at(c, offset) == '-')
        offset++;
    if (at(c, offset) == '0') {
        offset++;
        if (is_digit(at(c, offset)))
            return fail(c, offset, "a number must not begin with 0");
    } else if (!check_digits(c, &offset)) {
        return false;
    }
    if (at(c, offset) == '.') {
        offset++;
        if (!check_digits(c, &offset))
            return false;
    }
    if (at(c, offset) == 'e' || at(c, offset) == 'E') {
        offset++;
        if (at(c, offset) == '+' || at(c, offset) == '-')
            offset++;
        if (!check_digits(c, &offset))
            return false;
    }
    c->offset = offset;
    return true;
}

static bool check_literal(struct checker *c)
{
    static const char *const literals[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
        size_t length = strlen(literals[i]);
        if (length <= c->length - c->offset &&
            memcmp(c->text + c->offset, literals[i], length) == 0) {
            c->offset += length;
            return true;
        }
    }
    return fail(c, c->offset, "a value is expected");
}

static bool in_object(const struct checker *c)
{
    return c->objects[(c->depth - 1) / 8] >> ((c->depth - 1) % 8) & 1;
}

static bool open_container(struct checker *c, bool is_object)
{
    unsigned bit;
    if (c->depth == c->depth_max)
        return fail(c, c->offset, "it is nested too deeply");
    bit = 1u << (c->depth % 8);
    if (is_object)
        c->objects[c->depth / 8] |= (unsigned char)bit;
    else
        c->objects[c->depth / 8] &= (unsigned char)~bit;
    c->depth++;
    if (c->depth > c->deepest)
        c->deepest = c->depth;
    c->offset++;
    return true;
}

static enum expected after_value(const struct checker *c)
{
    return c->depth > 0 ? EXPECT_COMMA_OR_END : EXPECT_NOTHING;
}

static enum expected close_container(struct checker *c)
{
    c->depth--;
    c->offset++;
    return after_value(c);
}

static bool check_value(struct checker *c, enum expected *expected)
{
    int byte = at(c, c->offset);
    bool valid;
    if (byte == '{' || byte == '[') {
        *expected = byte == '{' ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
        return open_container(c, byte == '{');
    }
    if (byte == '"')
        valid = check_string(c);
    else if (byte == '-' || is_digit(byte))
        valid = check_number(c);
    else
        valid = check_literal(c);
    *expected = after_value(c);
    return valid;
}

/* One step from one token to the next. False when the text is no JSON. */
static bool check_token(struct checker *c, enum expected *expected)
{
    int byte = at(c, c->offset);
    if (byte == -1)
        return fail(c, c->length,
                    c->depth == 0 ? "there is no value" : "the text ends before the value does");
    switch (*expected) {
    case EXPECT_VALUE_OR_END:
        if (byte == ']') {
            *expected = close_container(c);
            return true;
        }
        return check_value(c, expected);
    case EXPECT_VALUE:
        return check_value(c, expected);
    case EXPECT_KEY_OR_END:
        if (byte == '}') {
            *expected = close_container(c);
            return true;
        }
        /* fall through */
    case EXPECT_KEY:
        if (byte != '"')
            return fail(c, c->offset, "a key in quotes is expected");
        *expected = EXPECT_COLON;
        return check_string(c);
    case EXPECT_COLON:
        if (byte != ':')
            return fail(c, c->offset, "a colon is expected");
        c->offset++;
        *expected = EXPECT_VALUE;
        return true;
    case EXPECT_COMMA_OR_END:
        if (byte == (in_object(c) ? '}' : ']')) {
            *expected = close_container(c);
            return true;
        }
        if (byte != ',')
            return fail(c, c->offset,
                        in_object(c) ? "a comma or } is expected" : "a comma or ] is expected");
        c->offset++;
        *expected = in_object(c) ? EXPECT_KEY : EXPECT_VALUE;
        return true;
    case EXPECT_NOTHING:
        break;
    }
    return fail(c, c->offset, "nothing may follow the value");
}

bool program_json_check(const char *text, size_t length, unsigned depth_max,
                        struct program_json_report *report)
{
    enum expected expected = EXPECT_VALUE;
    struct program_json_report result = {0};
    struct checker c;
    /* Not the bits: each is set when its level is opened. */
    memset(&c, 0, offsetof(struct checker, objects));
    c.text = text;
    c.length = length;
    c.depth_max = depth_max < PROGRAM_JSON_DEPTH_MAX ? depth_max : PROGRAM_JSON_DEPTH_MAX;
    skip_space(&c);
    result.start = c.offset;
    while (c.reason == NULL && expected != EXPECT_NOTHING) {
        if (check_token(&c, &expected) && expected != EXPECT_NOTHING)
            skip_space(&c);
    }
    if (c.reason == NULL) {
        result.length = c.offset - result.start;
        skip_space(&c);
        if (c.offset < length)
            fail(&c, c.offset, "nothing may follow the value");
    }
    result.reason = c.reason;
    result.offset = c.offset;
    result.depth = c.deepest;
    if (report != NULL)
        *report = result;
    return c.reason == NULL;
}
