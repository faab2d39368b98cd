#include "json.h"
#include "text.h"

#include "providers/program/number.h"

#include <string.h>

/*
 * Containers that are being filled. The VM sees them in an array on its stack (`holder`), so that
 * they are not collected; a key waits here until its value is there.
 */
struct frame {
    const char *key; /* of the member that is being read; NULL: an array */
    int count;       /* members so far */
};

struct reader {
    js_State *J;
    const char *start, *at, *end;
    struct json_error *error;
    struct buffer *string, *frames;
    int holder; /* absolute stack index */
    int depth;
    int is_utf8; /* not a string of the VM */
};

static int fail(struct reader *r, const char *message)
{
    r->error->message = message;
    r->error->offset = (size_t)(r->at - r->start);
    return 0;
}

static struct frame *top(struct reader *r)
{
    return (struct frame *)r->frames->data + r->depth - 1;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static int accept(struct reader *r, char c)
{
    skip_space(r);
    if (r->at == r->end || *r->at != c)
        return 0;
    r->at++;
    return 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static int read_escape(struct reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    unsigned unit = 0;
    const char *found;

    if (r->at == r->end)
        return fail(r, "the text ends inside a string");
    found = *r->at != 0 ? strchr(from, *r->at) : NULL;
    if (found != NULL) {
        buffer_add_char(r->J, r->string, to[found - from]);
        r->at++;
        return 1;
    }
    if (*r->at != 'u')
        return fail(r, "a bad escape in a string");
    r->at++;
    for (int i = 0; i < 4; i++, r->at++) {
        int digit = r->at < r->end ? hex_digit(*r->at) : -1;

        if (digit < 0)
            return fail(r, "\\u is not followed by four hexadecimal digits");
        unit = unit << 4 | (unsigned)digit;
    }
    text_add_unit(r->J, r->string, unit);
    return 1;
}

/* Reads a string, whose opening quote was read, into r->string. */
static int read_string(struct reader *r)
{
    r->string->size = 0;
    for (;;) {
        const char *plain = r->at;

        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
            r->at++;
        if (r->is_utf8)
            text_add_utf8(r->J, r->string, plain, (size_t)(r->at - plain));
        else
            buffer_add(r->J, r->string, plain, (size_t)(r->at - plain));
        if (r->at == r->end)
            return fail(r, "the text ends inside a string");
        if (*r->at == '"') {
            r->at++;
            return 1;
        }
        if (*r->at != '\\')
            return fail(r, "a control character in a string");
        r->at++;
        if (!read_escape(r))
            return 0;
    }
}

static const char *string_text(struct reader *r)
{
    *buffer_reserve(r->J, r->string, 1) = 0;
    return r->string->data;
}

static int read_digits(struct reader *r)
{
    if (r->at == r->end || !is_digit(*r->at))
        return fail(r, "a number lacks a digit");
    while (r->at < r->end && is_digit(*r->at))
        r->at++;
    return 1;
}

static int read_number(struct reader *r)
{
    const char *from = r->at;
    double number;

    if (*r->at == '-')
        r->at++;
    if (r->at < r->end && *r->at == '0')
        r->at++;
    else if (!read_digits(r))
        return 0;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        if (!read_digits(r))
            return 0;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        if (!read_digits(r))
            return 0;
    }
    program_number_parse(from, (size_t)(r->at - from), &number);
    js_pushnumber(r->J, number);
    return 1;
}

static int read_word(struct reader *r, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return fail(r, "an unexpected character");
    r->at += length;
    return 1;
}

/* Reads a key and its colon. */
static int read_key(struct reader *r)
{
    if (!accept(r, '"'))
        return fail(r, "a property name in double quotes is missing");
    if (!read_string(r))
        return 0;
    top(r)->key = js_intern(r->J, string_text(r));
    if (!accept(r, ':'))
        return fail(r, "a colon is missing");
    return 1;
}

/* Pushes a new container, and makes it the one that is being filled. */
static int open_container(struct reader *r, int is_object)
{
    const struct frame frame = {.key = is_object ? "" : NULL};

    if (r->depth == JSON_MAX_DEPTH)
        return fail(r, "it is nested too deeply");
    if (is_object)
        js_newobject(r->J);
    else
        js_newarray(r->J);
    js_copy(r->J, -1);
    js_setindex(r->J, r->holder, r->depth);
    r->frames->size = r->depth * (int)sizeof frame;
    buffer_add(r->J, r->frames, &frame, sizeof frame);
    r->depth++;
    return 1;
}

/* Reads a value as far as it can be pushed: a primitive, or an empty container, which is then open.
 */
static int read_start(struct reader *r)
{
    skip_space(r);
    if (r->at == r->end)
        return fail(r, "the text ends too early");
    switch (*r->at) {
    case '{':
    case '[':
        return open_container(r, *r->at++ == '{');
    case '"':
        r->at++;
        if (!read_string(r))
            return 0;
        js_pushlstring(r->J, r->string->data != NULL ? r->string->data : "", r->string->size);
        return 1;
    case 't':
        js_pushboolean(r->J, 1);
        return read_word(r, "true");
    case 'f':
        js_pushboolean(r->J, 0);
        return read_word(r, "false");
    case 'n':
        js_pushnull(r->J);
        return read_word(r, "null");
    default:
        return *r->at == '-' || is_digit(*r->at) ? read_number(r)
                                                 : fail(r, "an unexpected character");
    }
}

/* Reads up to the start of the next member of the innermost container, or its end. 1: a member
 * follows; 0: it is closed; -1: an error. */
static int next_member(struct reader *r)
{
    struct frame *frame = top(r);
    int is_object = frame->key != NULL;

    if (accept(r, is_object ? '}' : ']')) {
        r->depth--;
        return 0;
    }
    if (frame->count > 0 && !accept(r, ',')) {
        fail(r, is_object ? "a comma or } is missing" : "a comma or ] is missing");
        return -1;
    }
    if (is_object && !read_key(r))
        return -1;
    if (frame->count > 0 && !is_object) {
        skip_space(r);
        if (r->at < r->end && *r->at == ']') {
            fail(r, "a comma before ]");
            return -1;
        }
    }
    return 1;
}

/* Puts the value on the stack into the container that it was read for, number `depth`. */
static void attach(struct reader *r, int depth)
{
    struct frame *frame = (struct frame *)r->frames->data + depth - 1;

    js_getindex(r->J, r->holder, depth - 1);
    js_rot2(r->J);
    if (frame->key != NULL)
        js_defproperty(r->J, -2, frame->key, 0);
    else
        js_setindex(r->J, -2, frame->count);
    js_pop(r->J, 1);
    frame->count++;
}

static int read_all(struct reader *r)
{
    if (!read_start(r))
        return 0;
    while (r->depth > 0) {
        int parent = r->depth, member = next_member(r);

        if (member < 0)
            return 0;
        if (member > 0) {
            if (!read_start(r))
                return 0;
            attach(r, parent);
        }
    }
    skip_space(r);
    return r->at == r->end ? 1 : fail(r, "more text follows the value");
}

static int read_whole(js_State *J, const char *text, size_t size, int is_utf8,
                      struct json_error *error)
{
    struct reader r = {
        .J = J, .start = text, .at = text, .end = text + size, .error = error, .is_utf8 = is_utf8};
    int base = js_gettop(J), ok;

    js_newarray(J);
    r.holder = base;
    r.string = buffer_push(J);
    r.frames = buffer_push(J);
    ok = read_all(&r);
    buffer_clear(J, r.string);
    buffer_clear(J, r.frames);
    if (ok)
        js_replace(J, base);
    js_pop(J, js_gettop(J) - base - ok);
    return ok;
}

int json_read_utf8(js_State *J, const char *text, size_t size, struct json_error *error)
{
    return read_whole(J, text, size, 1, error);
}

int json_read_string(js_State *J, const char *text, struct json_error *error)
{
    return read_whole(J, text, strlen(text), 0, error);
}
