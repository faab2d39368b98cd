#include "word.h"

#include <string.h>

#include "scan.h"

static const struct {
    const char *text;
    enum word word;
} words[] = {
    {"as", WORD_AS},           {"async", WORD_ASYNC},
    {"await", WORD_AWAIT},     {"case", WORD_OPERAND},
    {"catch", WORD_CATCH},     {"class", WORD_CLASS},
    {"const", WORD_DECLARE},   {"default", WORD_DEFAULT},
    {"delete", WORD_OPERAND},  {"do", WORD_STATEMENT},
    {"else", WORD_STATEMENT},  {"export", WORD_EXPORT},
    {"extends", WORD_OPERAND}, {"finally", WORD_STATEMENT},
    {"for", WORD_FOR},         {"function", WORD_FUNCTION},
    {"if", WORD_HEADER},       {"import", WORD_OPERAND},
    {"in", WORD_BINARY},       {"instanceof", WORD_BINARY},
    {"let", WORD_LET},         {"new", WORD_OPERAND},
    {"of", WORD_OF},           {"return", WORD_RETURN},
    {"satisfies", WORD_AS},    {"switch", WORD_SWITCH},
    {"throw", WORD_OPERAND},   {"try", WORD_STATEMENT},
    {"typeof", WORD_OPERAND},  {"var", WORD_DECLARE},
    {"void", WORD_OPERAND},    {"while", WORD_HEADER},
    {"with", WORD_HEADER},     {"yield", WORD_YIELD},
};

/* Words that stand before a member's name. The second half is TypeScript's. */
static const char *const modifiers[] = {"get",     "set",      "async",     "static",
                                        "public",  "private",  "protected", "readonly",
                                        "declare", "abstract", "override",  "accessor"};

enum word word_find(const struct program_tokenizer *t, size_t start, size_t end)
{
    size_t low = 0, high = sizeof words / sizeof *words;
    if (end - start < 2 || end - start > 10)
        return WORD_OTHER;
    while (low < high) {
        size_t middle = (low + high) / 2, length = strlen(words[middle].text);
        size_t common = length < end - start ? length : end - start;
        int order = memcmp(t->text + start, words[middle].text, common);
        if (order == 0)
            order = end - start < length ? -1 : end - start > length;
        if (order == 0)
            return words[middle].word;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return WORD_OTHER;
}

bool word_is_modifier(const struct program_tokenizer *t, size_t start, size_t end)
{
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (scan_is(t, start, end, modifiers[i]))
            return true;
    return false;
}

bool word_begins_operand(const struct program_tokenizer *t, size_t offset)
{
    unsigned char c = scan_at(t, offset), next = scan_at(t, offset + 1);
    if (offset >= t->length)
        return false;
    if (scan_begins_name(t, offset)) {
        size_t end = scan_name_end(t, offset);
        enum word word = word_find(t, offset, end);
        return word != WORD_BINARY && word != WORD_OF && word != WORD_AS;
    }
    switch (c) {
    case '+':
    case '-':
        return next != c && next != '=';
    case '/':
        return next != '=';
    case '!':
        return next != '=';
    case '.':
        return scan_is_digit(next);
    case '"':
    case '\'':
    case '`':
    case '(':
    case '[':
    case '{':
    case '~':
    case '#':
        return true;
    default:
        return scan_is_digit(c);
    }
}
