#include "json.h"

#include <pawl/wire.h>
#include <string.h>

#include "providers/program/plain.h"

struct scanner {
    const char *at, *end;
};

static inline bool is_space(char c)
{
    return c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static inline void skip_space(struct scanner *s)
{
    while (s->at < s->end && is_space(*s->at))
        s->at++;
}

static bool take(struct scanner *s, char c)
{
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static bool scan_word(struct scanner *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool scan_digits(struct scanner *s)
{
    const char *from = s->at;
    while (s->at < s->end && is_digit(*s->at))
        s->at++;
    return s->at > from;
}

static bool scan_number(struct scanner *s)
{
    take(s, '-');
    if (!take(s, '0') && !scan_digits(s))
        return false;
    if (take(s, '.') && !scan_digits(s))
        return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '-'))
            take(s, '+');
        return scan_digits(s);
    }
    return true;
}

static bool scan_escape(struct scanner *s)
{
    if (s->at == s->end)
        return false;
    char c = *s->at++;
    if (c != 'u')
        return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
    if (s->end - s->at < 4)
        return false;
    for (int i = 0; i < 4; i++)
        if (hex_digit(*s->at++) < 0)
            return false;
    return true;
}

static bool scan_string(struct scanner *s)
{
    if (!take(s, '"'))
        return false;
    while ((s->at += json_plain(s->at, (size_t)(s->end - s->at))) < s->end) {
        unsigned char c = (unsigned char)*s->at;
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c < 0x20)
            return false;
        if (c == '\\') {
            s->at++;
            if (!scan_escape(s))
                return false;
            continue;
        }
        size_t length = text_utf8(s->at, (size_t)(s->end - s->at));
        if (length == 0)
            return false;
        s->at += length;
    }
    return false;
}

static bool scan_scalar(struct scanner *s)
{
    if (s->at == s->end)
        return false;
    switch (*s->at) {
    case '"':
        return scan_string(s);
    case 't':
        return scan_word(s, "true");
    case 'f':
        return scan_word(s, "false");
    case 'n':
        return scan_word(s, "null");
    default:
        return scan_number(s);
    }
}

/* The brackets that are open: one bit each, not a call on the stack. */
struct nesting {
    uint8_t objects[PAWL_WIRE_DEPTH / 8 + 1]; /* bit set: an object; only the first `depth` count */
    size_t depth;
};

static bool open_bracket(struct nesting *nesting, bool object)
{
    if (nesting->depth == PAWL_WIRE_DEPTH)
        return false;
    uint8_t *byte = &nesting->objects[nesting->depth / 8];
    unsigned bit = nesting->depth % 8;
    unsigned below = bit == 0 ? 0 : *byte & ((1u << bit) - 1);
    *byte = (uint8_t)(below | (unsigned)object << bit);
    nesting->depth++;
    return true;
}

static bool in_object(const struct nesting *nesting)
{
    size_t top = nesting->depth - 1;
    return (nesting->objects[top / 8] >> top % 8 & 1) != 0;
}

/* The name of a member and its colon. */
static bool scan_name(struct scanner *s)
{
    skip_space(s);
    if (!scan_string(s))
        return false;
    skip_space(s);
    return take(s, ':');
}

/* Behind a complete value: closes the brackets that end here. True: another value must follow, or
 * `depth` is 0 and the outermost one is complete. */
static bool scan_behind_value(struct scanner *s, struct nesting *nesting)
{
    while (nesting->depth > 0) {
        bool object = in_object(nesting);
        skip_space(s);
        if (take(s, ','))
            return !object || scan_name(s);
        if (!take(s, object ? '}' : ']'))
            return false;
        nesting->depth--;
    }
    return true;
}

/* Moves behind one value. */
static bool scan_value(struct scanner *s)
{
    struct nesting nesting;
    nesting.depth = 0;
    do {
        skip_space(s);
        bool object = s->at < s->end && *s->at == '{';
        if (object || (s->at < s->end && *s->at == '[')) {
            s->at++;
            if (!open_bracket(&nesting, object))
                return false;
            skip_space(s);
            if (!take(s, object ? '}' : ']')) {
                if (object && !scan_name(s))
                    return false;
                continue;
            }
            nesting.depth--;
        } else if (!scan_scalar(s)) {
            return false;
        }
        if (!scan_behind_value(s, &nesting))
            return false;
    } while (nesting.depth > 0);
    return true;
}

bool json_check(const char *text, size_t size, struct json *value)
{
    struct scanner s = {text, text + size};
    skip_space(&s);
    const char *from = s.at;
    if (!scan_value(&s))
        return false;
    if (value != NULL)
        *value = (struct json){from, (size_t)(s.at - from)};
    skip_space(&s);
    return s.at == s.end;
}

enum json_type json_type(struct json value)
{
    switch (value.text[0]) {
    case 'n':
        return JSON_NULL;
    case 't':
    case 'f':
        return JSON_BOOLEAN;
    case '"':
        return JSON_STRING;
    case '[':
        return JSON_ARRAY;
    case '{':
        return JSON_OBJECT;
    default:
        return JSON_NUMBER;
    }
}

/* --- Values that were checked ---------------------------------------------------------------- */

/* Moves behind a string. A quote ends it unless an odd number of backslashes stands before it. */
static void skip_string(struct scanner *s)
{
    const char *quote = s->at;
    size_t backslashes;
    do {
        quote = memchr(quote + 1, '"', (size_t)(s->end - quote - 1));
        if (quote == NULL) {
            s->at = s->end;
            return;
        }
        for (backslashes = 0; quote[-1 - (ptrdiff_t)backslashes] == '\\';)
            backslashes++;
    } while (backslashes % 2 != 0);
    s->at = quote + 1;
}

static bool ends_scalar(char c)
{
    return c == ',' || c == ':' || c == ']' || c == '}' || is_space(c);
}

/* Moves behind a value: it matters only where strings and brackets end. */
static void skip_value(struct scanner *s)
{
    size_t depth = 0;
    do {
        const char c = *s->at;
        if (c == '"') {
            skip_string(s);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        s->at++;
        while (depth == 0 && c != '}' && c != ']' && s->at < s->end && !ends_scalar(*s->at))
            s->at++;
    } while (depth > 0 && s->at < s->end);
}

struct json_iterator json_iterate(struct json container)
{
    return (struct json_iterator){container.text + 1, container.text + container.size - 1};
}

bool json_next(struct json_iterator *iterator, struct json *name, struct json *value)
{
    struct scanner s = {iterator->at, iterator->end};
    skip_space(&s);
    take(&s, ',');
    skip_space(&s);
    if (s.at == s.end)
        return false;
    const char *from = s.at;
    skip_value(&s);
    struct json first = {from, (size_t)(s.at - from)};
    skip_space(&s);
    if (take(&s, ':')) {
        if (name != NULL)
            *name = first;
        skip_space(&s);
        from = s.at;
        skip_value(&s);
        first = (struct json){from, (size_t)(s.at - from)};
    }
    *value = first;
    iterator->at = s.at;
    return true;
}

static bool has_type(struct json value, enum json_type type)
{
    uint64_t number;
    return type == JSON_ANY || json_type(value) == type ||
           (type == JSON_UNSIGNED && json_unsigned(value, &number));
}

static bool complain(struct text *why, const char *member, const char *problem)
{
    if (why != NULL)
        text_format(why, "member \"%s\" %s", member, problem);
    return false;
}

bool json_members(struct json object, struct json_member *members, size_t count, struct text *why)
{
    for (size_t i = 0; i < count; i++)
        members[i].value = (struct json){NULL, 0};
    if (json_type(object) != JSON_OBJECT) {
        if (why != NULL)
            text_string(why, "it is no object");
        return false;
    }
    struct json_iterator iterator = json_iterate(object);
    struct json name, value;
    while (json_next(&iterator, &name, &value)) {
        for (size_t i = 0; i < count; i++) {
            if (!json_equals(name, members[i].name))
                continue;
            if (members[i].value.text != NULL)
                return complain(why, members[i].name, "stands there twice");
            if (!has_type(value, members[i].type))
                return complain(why, members[i].name, "has the wrong type");
            members[i].value = value;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (members[i].required && members[i].value.text == NULL)
            return complain(why, members[i].name, "is missing");
    return true;
}

bool json_unsigned(struct json value, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < value.size; i++) {
        if (!is_digit(value.text[i]) || __builtin_mul_overflow(n, (uint64_t)10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(value.text[i] - '0'), &n))
            return false;
    }
    *number = n;
    return value.size > 0;
}

bool json_is_true(struct json value)
{
    return value.text != NULL && value.text[0] == 't';
}

/* The code unit of an escape `\uXXXX` at `at`, or -1. */
static int32_t code_unit(const char *at, const char *end)
{
    int32_t unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static void append_code_point(struct text *into, uint32_t code)
{
    char bytes[4];
    size_t size;
    if (code < 0x80) {
        bytes[0] = (char)code;
        size = 1;
    } else if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        size = 2;
    } else if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        size = 3;
    } else {
        bytes[0] = (char)(0xf0 | code >> 18);
        bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[3] = (char)(0x80 | (code & 0x3f));
        size = 4;
    }
    text_append(into, bytes, size);
}

/* Appends what the escape at `at` stands for; returns its length. */
static size_t decode_escape(const char *at, const char *end, struct text *into)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    if (at[1] != 'u') {
        const char *found = strchr(from, at[1]);
        text_append(into, found != NULL ? to + (found - from) : at + 1, 1);
        return 2;
    }
    int32_t unit = code_unit(at, end);
    int32_t next = code_unit(at + 6, end);
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
        append_code_point(into,
                          0x10000u + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(next - 0xdc00));
        return 12;
    }
    if (unit >= 0xdc80 && unit <= 0xdcff)
        text_append(into, &(char){(char)(unit & 0xff)}, 1);
    else
        append_code_point(into, (uint32_t)unit);
    return 6;
}

void json_decode(struct json string, struct text *into)
{
    const char *at = string.text + 1, *end = string.text + string.size - 1;
    while (at < end) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        const char *plain = escape == NULL ? end : escape;
        text_append(into, at, (size_t)(plain - at));
        at = plain;
        if (at < end)
            at += decode_escape(at, end, into);
    }
}

bool json_equals(struct json string, const char *text)
{
    size_t size = strlen(text);
    return string.size == size + 2 && memcmp(string.text + 1, text, size) == 0;
}
