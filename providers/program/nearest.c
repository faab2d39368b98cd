#include "nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LETTERS_MAX 64
#define WORDS_MAX   12

/* A name in lower case and without separators, and where its words begin. */
struct folded {
    char letters[LETTERS_MAX];
    unsigned length;
    unsigned words[WORDS_MAX + 1]; /* offsets; the last is the length */
    unsigned word_count;
};

/* How far apart two names are; the first member that differs decides. */
struct score {
    enum { SCORE_EQUAL, SCORE_SLIPS, SCORE_WORDS, SCORE_FAR } relation;
    unsigned distance;
    bool other_space;
    unsigned length_difference;
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || is_upper(c) || (c >= '0' && c <= '9') || (c & 0x80);
}

/* False if the name has no letters, or too many to be compared. */
static bool fold(const char *name, struct folded *folded)
{
    bool begins = true;
    folded->length = folded->word_count = 0;
    for (const char *at = name; *at != 0; at++) {
        if (!is_letter(*at)) {
            begins = true;
            continue;
        }
        /* getLogs, HTTPServer: a capital behind a small letter, or before one, begins a word. */
        bool small_before = at > name && is_letter(at[-1]) && !is_upper(at[-1]);
        bool small_behind = at[1] >= 'a' && at[1] <= 'z';
        begins = begins || (is_upper(*at) && (small_before || small_behind));
        if (begins && folded->word_count < WORDS_MAX)
            folded->words[folded->word_count++] = folded->length;
        begins = false;
        if (folded->length == LETTERS_MAX)
            return false;
        folded->letters[folded->length++] = is_upper(*at) ? (char)(*at - 'A' + 'a') : *at;
    }
    folded->words[folded->word_count] = folded->length;
    return folded->length > 0;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How many letters to change, insert, leave out or swap with their neighbour. */
static unsigned slips(const char *a, unsigned a_length, const char *b, unsigned b_length)
{
    unsigned rows[3][LETTERS_MAX + 1];
    unsigned *before = rows[0], *previous = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b_length; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *reused = before;
        before = previous;
        previous = row;
        row = reused;
        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            unsigned change = previous[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(change, 1 + smaller(previous[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
    }
    return row[b_length];
}

static unsigned slips_allowed(unsigned length)
{
    return length < 3 ? 0 : length < 6 ? 1 : length < 10 ? 2 : 3;
}

/* Words that say what is done, not to what, and so relate nothing. */
static bool is_common(const char *word, unsigned length)
{
    static const char *const common[] = {
        "add",    "all",     "by",    "call", "count",  "create", "data", "delete", "do",
        "exec",   "execute", "fetch", "find", "for",    "from",   "get",  "in",     "info",
        "insert", "is",      "list",  "load", "lookup", "make",   "new",  "of",     "on",
        "post",   "put",     "query", "read", "remove", "run",    "save", "search", "send",
        "set",    "show",    "the",   "to",   "tool",   "update", "use",  "with",   "write",
    };
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (strlen(common[i]) == length && memcmp(common[i], word, length) == 0)
            return true;
    return length < 2;
}

/* user and users are the same; longer words may have a slip. */
static bool same_word(const char *a, unsigned a_length, const char *b, unsigned b_length)
{
    const unsigned shorter = smaller(a_length, b_length);
    const unsigned longer = a_length + b_length - shorter;
    if (longer - shorter > 1)
        return false;
    if (memcmp(a, b, shorter) == 0)
        return longer == shorter || (a_length > b_length ? a : b)[shorter] == 's';
    return shorter >= 5 && slips(a, a_length, b, b_length) <= 1;
}

static unsigned word_length(const struct folded *name, unsigned index)
{
    return name->words[index + 1] - name->words[index];
}

/* How many words that are not common `a` has, and how many of them `b` has too. */
static unsigned shared_words(const struct folded *a, const struct folded *b, unsigned *words)
{
    unsigned shared = 0;
    *words = 0;
    for (unsigned i = 0; i < a->word_count; i++) {
        const char *word = a->letters + a->words[i];
        bool found = false;
        if (is_common(word, word_length(a, i)))
            continue;
        for (unsigned j = 0; j < b->word_count && !found; j++)
            found = same_word(word, word_length(a, i), b->letters + b->words[j], word_length(b, j));
        shared += found;
        ++*words;
    }
    return shared;
}

static struct score compare(const struct folded *wanted, const struct folded *name)
{
    const unsigned longer = wanted->length > name->length ? wanted->length : name->length;
    const unsigned shorter = smaller(wanted->length, name->length);
    struct score score = {.relation = SCORE_FAR, .length_difference = longer - shorter};
    unsigned shared, words, other_words;
    score.distance = slips(wanted->letters, wanted->length, name->letters, name->length);
    if (score.distance == 0) {
        score.relation = SCORE_EQUAL;
    } else if (score.distance <= slips_allowed(longer)) {
        score.relation = SCORE_SLIPS;
    } else {
        shared = shared_words(wanted, name, &words);
        shared_words(name, wanted, &other_words);
        if (other_words > words)
            words = other_words;
        if (shared > 0 && 2 * shared >= words) {
            score.relation = SCORE_WORDS;
            score.distance = shared < words ? words - shared : 0;
        }
    }
    return score;
}

static int order(const struct score *a, const struct program_name *a_name, const struct score *b,
                 const struct program_name *b_name)
{
    int difference;
    if (a->relation != b->relation)
        return a->relation < b->relation ? -1 : 1;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->other_space != b->other_space)
        return b->other_space ? -1 : 1;
    if (a->length_difference != b->length_difference)
        return a->length_difference < b->length_difference ? -1 : 1;
    difference = strcmp(a_name->member, b_name->member);
    return difference != 0 ? difference : strcmp(a_name->space, b_name->space);
}

size_t program_nearest(const char *wanted, const char *space, const struct program_name *names,
                       size_t count, size_t nearest[PROGRAM_NEAREST_MAX])
{
    struct folded wanted_folded, folded;
    struct score scores[PROGRAM_NEAREST_MAX];
    size_t found = 0;
    if (!fold(wanted, &wanted_folded))
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct score score;
        size_t place;
        if (!fold(names[i].member, &folded))
            continue;
        score = compare(&wanted_folded, &folded);
        if (score.relation == SCORE_FAR)
            continue;
        score.other_space = space != NULL && strcmp(space, names[i].space) != 0;
        for (place = found; place > 0; place--)
            if (order(&score, &names[i], &scores[place - 1], &names[nearest[place - 1]]) >= 0)
                break;
        if (place == PROGRAM_NEAREST_MAX)
            continue;
        if (found < PROGRAM_NEAREST_MAX)
            found++;
        for (size_t j = found - 1; j > place; j--) {
            scores[j] = scores[j - 1];
            nearest[j] = nearest[j - 1];
        }
        scores[place] = score;
        nearest[place] = i;
    }
    return found;
}
