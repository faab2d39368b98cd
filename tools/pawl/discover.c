#include "tools/pawl/discover.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <json-c/json.h>

#include "tools/pawl/toolsfile.h"

/* What a match is worth. An exact name outweighs any number of words, as only so many are read. */
enum {
    WORTH_EXACT = 100000,
    WORTH_PREFIX = 50000,
    WORTH_NAME_WORD = 100,
    WORTH_NAME_PART = 40,
    WORTH_DESCRIPTION_WORD = 10,
    WORTH_DESCRIPTION_PART = 4,
};

#define QUERY_WORDS 32

struct word {
    const char *text;
    size_t size;
};

/* Takes the next word of a text: letters and digits, ended also by a step from aB to B, so that
 * getLogs holds `get` and `Logs`. Bytes beyond ASCII are letters. */
static bool next_word(const char **text, const char *end, struct word *word)
{
    const char *p = *text;
    while (p < end && !isalnum((unsigned char)*p) && (unsigned char)*p < 0x80)
        p++;
    word->text = p;
    while (p < end && (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80) &&
           !(p > word->text && isupper((unsigned char)*p) && islower((unsigned char)p[-1])))
        p++;
    word->size = (size_t)(p - word->text);
    *text = p;
    return word->size > 0;
}

/* `whole` when a word of the text is the given one, `part` when one begins with it, or is begun by
 * it as `log` begins `logs`. */
static unsigned find_word(const struct word *wanted, const char *text, unsigned whole,
                          unsigned part)
{
    unsigned best = 0;
    struct word word;
    for (const char *end = text + strlen(text); next_word(&text, end, &word);) {
        size_t shorter = word.size < wanted->size ? word.size : wanted->size;
        if (strncasecmp(word.text, wanted->text, shorter) != 0)
            continue;
        if (word.size == wanted->size)
            return whole;
        if (shorter >= 3 || word.size > wanted->size)
            best = part;
    }
    return best;
}

unsigned discover_score(const char *query, size_t size, const char *name, const char *description)
{
    const char *dot = strchr(name, '.'), *function = dot != NULL ? dot + 1 : name;
    const char *end = query + size;
    while (query < end && isspace((unsigned char)*query))
        query++;
    while (query < end && isspace((unsigned char)end[-1]))
        end--;
    size = (size_t)(end - query);
    if (size == 0)
        return 1;
    unsigned score = 0;
    const char *const names[] = {function, name};
    for (size_t i = 0; i < 2; i++)
        if (strlen(names[i]) >= size && strncasecmp(names[i], query, size) == 0) {
            unsigned worth = names[i][size] == '\0' ? WORTH_EXACT : WORTH_PREFIX;
            score = worth > score ? worth : score;
        }
    struct word word;
    for (int words = 0; words < QUERY_WORDS && next_word(&query, end, &word); words++) {
        score += find_word(&word, function, WORTH_NAME_WORD, WORTH_NAME_PART);
        if (description != NULL)
            score += find_word(&word, description, WORTH_DESCRIPTION_WORD, WORTH_DESCRIPTION_PART);
    }
    return score;
}

struct hit {
    const struct tool *tool;
    unsigned score;
};

/* Best first; those alike in the order of the file. */
static int compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->tool < y->tool ? -1 : x->tool > y->tool;
}

static struct json_object *string_or_null(const char *text)
{
    return text != NULL ? json_object_new_string(text) : NULL;
}

/* The text must have been written whole, or the model would read half a list. */
static int write_hits(const struct hit *hits, size_t count, const struct pawl_sink *answer)
{
    struct json_object *list = json_object_new_array();
    bool good = list != NULL;
    for (size_t i = 0; i < count && good; i++) {
        const struct tool *tool = hits[i].tool;
        struct json_object *item = json_object_new_object();
        good = item != NULL && json_object_array_add(list, item) == 0 &&
               json_object_object_add(item, "name", string_or_null(tool->full_name)) == 0 &&
               json_object_object_add(item, "signature", string_or_null(tool->signature)) == 0 &&
               json_object_object_add(item, "description", string_or_null(tool->description)) == 0;
    }
    size_t size = 0;
    const char *text =
        good ? json_object_to_json_string_length(
                   list, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &size)
             : NULL;
    if (text != NULL)
        answer->write(answer->context, text, size);
    json_object_put(list);
    return text != NULL ? PAWL_OK : PAWL_E_MEMORY;
}

int discover_tools(const char *query, size_t size, const struct pawl_sink *answer, void *data)
{
    const struct toolsfile *file = data;
    struct hit *hits = calloc(file->count + 1, sizeof(*hits));
    if (hits == NULL)
        return PAWL_E_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct tool *tool = &file->tools[i];
        unsigned score = discover_score(query, size, tool->full_name, tool->description);
        if (score > 0)
            hits[count++] = (struct hit){tool, score};
    }
    qsort(hits, count, sizeof(*hits), compare_hits);
    int status = write_hits(hits, count, answer);
    free(hits);
    return status;
}
