#include "forin.h"
#include "builtins.h"
#include "keys.h"

#include "providers/program/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The text ------------------------------------------------------------------------------ */

#define NESTED_MAX   32 /* loop heads inside of loop heads */
#define TARGET_MAX   100
#define INSERTED_MAX (TARGET_MAX + 100) /* for each loop */

/* The head of a loop that is being read. */
struct head {
    size_t depth;  /* of its parenthesis */
    size_t target; /* where the text that names the target begins */
    size_t output; /* where it begins in what was written */
    int declares;  /* `var` stands before the target */
    int in;        /* the word `in` was read */
    int number;    /* of the loop */
    char name[TARGET_MAX + 1];
};

struct rewriter {
    const char *text;
    char *out;
    size_t size;   /* of what was written */
    size_t copied; /* up to where the text was copied */
    size_t depth;
    struct head head[NESTED_MAX];
    int heads, loops;
};

static void copy_up_to(struct rewriter *r, size_t offset)
{
    memcpy(r->out + r->size, r->text + r->copied, offset - r->copied);
    r->size += offset - r->copied;
    r->copied = offset;
}

static void insert(struct rewriter *r, const char *text)
{
    size_t size = strlen(text);

    memcpy(r->out + r->size, text, size);
    r->size += size;
}

/* Keeps the text of the target, if it can be written a second time. */
static int keep_target(struct rewriter *r, struct head *head, size_t end)
{
    size_t size = end - head->target;
    const char *from = r->text + head->target;

    if (size > TARGET_MAX || memchr(from, '\n', size) != NULL || memchr(from, '/', size) != NULL ||
        (head->declares && memchr(from, '=', size) != NULL))
        return 0;
    memcpy(head->name, from, size);
    head->name[size] = 0;
    return 1;
}

static void read_in(struct rewriter *r, const struct program_token *token)
{
    struct head *head = &r->head[r->heads - 1];
    char text[INSERTED_MAX];

    if (!keep_target(r, head, token->start)) {
        r->heads--;
        return;
    }
    head->in = 1;
    head->number = ++r->loops;
    copy_up_to(r, token->start);
    if (!head->declares)
        r->size = head->output; /* the target is named later */
    r->copied = token->end;
    snprintf(text, sizeof text, "%s__keys_%d__ = __keys__((", head->declares ? ", " : "var ",
             head->number);
    insert(r, text);
}

static void close_head(struct rewriter *r, const struct program_token *token)
{
    const struct head *head = &r->head[--r->heads];
    char text[INSERTED_MAX];

    if (!head->in)
        return;
    copy_up_to(r, token->start);
    snprintf(text, sizeof text, ")); __next__(__keys_%d__) && (%s = __keys_%d__[0], true);",
             head->number, head->name, head->number);
    insert(r, text);
}

static void open_head(struct rewriter *r, const struct program_token *token)
{
    if (r->heads == NESTED_MAX)
        return;
    copy_up_to(r, token->end);
    r->head[r->heads++] = (struct head){.depth = r->depth, .target = token->end, .output = r->size};
}

static int is_mark(const struct rewriter *r, const struct program_token *token, char mark)
{
    return token->type == PROGRAM_TOKEN_PUNCTUATOR && token->end - token->start == 1 &&
           r->text[token->start] == mark;
}

static void read_token(struct rewriter *r, const struct program_tokenizer *t,
                       const struct program_token *before, const struct program_token *token)
{
    struct head *head = r->heads > 0 ? &r->head[r->heads - 1] : NULL;
    int in_head = head != NULL && head->depth == r->depth && !head->in;

    if (is_mark(r, token, '(') || is_mark(r, token, '[') || is_mark(r, token, '{')) {
        r->depth++;
        if (is_mark(r, token, '(') && program_token_is_word(t, before, "for"))
            open_head(r, token);
    } else if (is_mark(r, token, ')') || is_mark(r, token, ']') || is_mark(r, token, '}')) {
        if (head != NULL && head->depth == r->depth)
            close_head(r, token);
        r->depth -= r->depth > 0;
    } else if (in_head && is_mark(r, token, ';')) {
        r->heads--; /* it is no such loop */
    } else if (in_head && program_token_is_word(t, token, "var") && is_mark(r, before, '(')) {
        head->declares = 1;
        head->target = token->end;
    } else if (in_head && program_token_is_word(t, token, "in")) {
        read_in(r, token);
    }
}

static size_t count_loops(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i + 3 <= length; i++)
        count += memcmp(text + i, "for", 3) == 0;
    return count;
}

char *forin_rewrite(const char *text, size_t length, size_t *rewritten_length)
{
    struct program_tokenizer t;
    struct program_token before, token = {0};
    struct rewriter r = {.text = text};

    r.out = malloc(length + count_loops(text, length) * 2 * INSERTED_MAX + 1);
    if (r.out == NULL)
        return NULL;
    program_tokenizer_start(&t, text, length);
    do {
        before = token;
        program_tokenizer_next(&t, &token);
        read_token(&r, &t, &before, &token);
    } while (token.type != PROGRAM_TOKEN_END);
    copy_up_to(&r, length);
    r.out[r.size] = 0;
    *rewritten_length = r.size;
    return r.out;
}

/* --- The enumeration ----------------------------------------------------------------------- */

/* An enumeration is an array: the current key, the object, and the position and the keys. */
enum { CURRENT, OBJECT, POSITION, KEYS };

/* Adds the keys of the object at the top that are not among the first `count`. */
static int add_missing(js_State *J, struct buffer *keys, int count)
{
    int start = count, added;

    keys->size = count * (int)sizeof(struct key);
    added = keys_add(J, -1, keys);
    for (int i = start; i < start + added; i++) {
        struct key *all = (struct key *)keys->data;
        int seen = 0;

        for (int k = 0; k < start && !seen; k++)
            seen = all[k].name == all[i].name;
        if (!seen)
            all[count++] = all[i];
    }
    return count;
}

static int list_all_keys(js_State *J, struct buffer *keys)
{
    int count = 0;

    js_copy(J, 1);
    js_toobject(J, -1);
    for (;;) {
        count = add_missing(J, keys, count);
        js_getregistry(J, "Object.getPrototypeOf");
        js_pushundefined(J);
        js_copy(J, -3);
        js_call(J, 1);
        js_rot2pop1(J);
        if (!js_isobject(J, -1))
            break;
    }
    js_pop(J, 1);
    return count;
}

static void keys_of(js_State *J)
{
    struct buffer *keys = buffer_push(J);
    int count = 0;

    if (js_iscoercible(J, 1))
        count = list_all_keys(J, keys);
    js_newarray(J);
    js_pushundefined(J);
    js_setindex(J, -2, CURRENT);
    js_copy(J, 1);
    js_setindex(J, -2, OBJECT);
    js_pushnumber(J, KEYS);
    js_setindex(J, -2, POSITION);
    for (int i = 0; i < count; i++) {
        js_pushliteral(J, ((const struct key *)keys->data)[i].name);
        js_setindex(J, -2, KEYS + i);
    }
    buffer_clear(J, keys);
}

/* Whether the object of the enumeration still has the property at the top. */
static int still_exists(js_State *J)
{
    int exists;

    js_getindex(J, 1, OBJECT);
    exists = js_hasproperty(J, -1, js_tostring(J, -2));
    js_pop(J, 1 + exists);
    return exists;
}

static void next_key(js_State *J)
{
    int position, count = js_getlength(J, 1);

    js_getindex(J, 1, POSITION);
    position = js_tointeger(J, -1);
    for (; position < count; position++) {
        js_getindex(J, 1, position);
        if (still_exists(J)) {
            js_setindex(J, 1, CURRENT);
            js_pushnumber(J, position + 1);
            js_setindex(J, 1, POSITION);
            js_pushboolean(J, 1);
            return;
        }
        js_pop(J, 1);
    }
    js_pushboolean(J, 0);
}

void forin_install(js_State *J)
{
    js_newcfunction(J, keys_of, "__keys__", 1);
    js_defglobal(J, "__keys__", JS_DONTENUM | JS_READONLY | JS_DONTCONF);
    js_newcfunction(J, next_key, "__next__", 1);
    js_defglobal(J, "__next__", JS_DONTENUM | JS_READONLY | JS_DONTCONF);
}
