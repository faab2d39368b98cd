#include "scan.h"

#include <string.h>

#include "utf8.h"

bool scan_is(const struct program_tokenizer *t, size_t start, size_t end, const char *text)
{
    size_t length = strlen(text);
    return end - start == length && memcmp(t->text + start, text, length) == 0;
}

static bool is_wide_space(uint32_t c)
{
    return c == 0xA0 || c == 0xFEFF || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

/* An approximation of ID_Continue that errs on the side of accepting: the engine is the judge. What
 * it must keep out is what models put in by mistake, such as typographic quotes and arrows. */
static bool is_wide_name(uint32_t c)
{
    static const uint32_t excluded[][2] = {
        {0x80, 0xA9},     {0xAB, 0xB4},       {0xB6, 0xB6},       {0xB8, 0xB9},
        {0xBB, 0xBF},     {0xD7, 0xD7},       {0xF7, 0xF7},       {0x1680, 0x1680},
        {0x2000, 0x200B}, {0x200E, 0x203E},   {0x2041, 0x2053},   {0x2055, 0x2070},
        {0x207A, 0x207E}, {0x2190, 0x2BFF},   {0x2E00, 0x2E7F},   {0x3000, 0x3004},
        {0x3008, 0x3020}, {0xD800, 0xF8FF},   {0xFD3E, 0xFD3F},   {0xFE10, 0xFE1F},
        {0xFE30, 0xFE32}, {0xFEFF, 0xFEFF},   {0xFF01, 0xFF0F},   {0xFF1A, 0xFF20},
        {0xFFE0, 0xFFFF}, {0x1F000, 0x1FBEF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
        if (c < excluded[i][0])
            return true;
        if (c <= excluded[i][1])
            return false;
    }
    return true;
}

size_t scan_line_end(const struct program_tokenizer *t, size_t offset)
{
    switch (scan_at(t, offset)) {
    case '\n':
        return 1;
    case '\r':
        return scan_at(t, offset + 1) == '\n' ? 2 : 1;
    case 0xE2: /* U+2028 and U+2029 */
        return scan_at(t, offset + 1) == 0x80 && (scan_at(t, offset + 2) & 0xFE) == 0xA8 ? 3 : 0;
    default:
        return 0;
    }
}

size_t scan_name_part(const struct program_tokenizer *t, size_t offset)
{
    unsigned char c = scan_at(t, offset);
    if (scan_is_ascii_name(c))
        return offset < t->length ? 1 : 0;
    if (c == '\\' && scan_at(t, offset + 1) == 'u') {
        size_t end = offset + 2;
        if (scan_at(t, end) == '{') {
            while (++end < t->length && scan_is_ascii_name(scan_at(t, end)))
                ;
            return scan_at(t, end) == '}' ? end + 1 - offset : 0;
        }
        while (end < offset + 6 && scan_is_ascii_name(scan_at(t, end)))
            end++;
        return end == offset + 6 ? 6 : 0;
    }
    if (c >= 0x80) {
        uint32_t code_point;
        size_t width = program_utf8_decode(t->text + offset, t->length - offset, &code_point);
        return width > 0 && is_wide_name(code_point) ? width : 0;
    }
    return 0;
}

size_t scan_name_end(const struct program_tokenizer *t, size_t offset)
{
    for (size_t width; (width = scan_name_part(t, offset)) > 0;)
        offset += width;
    return offset;
}

bool scan_begins_name(const struct program_tokenizer *t, size_t offset)
{
    return !scan_is_digit(scan_at(t, offset)) && scan_name_part(t, offset) > 0;
}

size_t scan_space(const struct program_tokenizer *t, size_t offset, bool *newline)
{
    for (;;) {
        unsigned char c = scan_at(t, offset);
        size_t width;
        if (offset >= t->length)
            return t->length;
        if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
            offset++;
        } else if ((width = scan_line_end(t, offset)) > 0) {
            *newline = true;
            offset += width;
        } else if ((c == '/' && scan_at(t, offset + 1) == '/') ||
                   (c == '#' && scan_at(t, offset + 1) == '!' && offset == 0)) {
            while (offset < t->length && scan_line_end(t, offset) == 0)
                offset++;
        } else if (c == '/' && scan_at(t, offset + 1) == '*') {
            size_t end = offset + 2;
            bool lines = false;
            while (end < t->length && !(t->text[end] == '*' && scan_at(t, end + 1) == '/'))
                lines |= scan_line_end(t, end++) > 0;
            if (end >= t->length)
                return offset;
            *newline |= lines;
            offset = end + 2;
        } else if (c >= 0x80) {
            uint32_t code_point;
            width = program_utf8_decode(t->text + offset, t->length - offset, &code_point);
            if (width == 0 || !is_wide_space(code_point))
                return offset;
            offset += width;
        } else {
            return offset;
        }
    }
}
