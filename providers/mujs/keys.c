#include "keys.h"
#include "arena.h"
#include "sort.h"

#include <string.h>

#define NOT_AN_INDEX ((uint64_t)1 << 32)

static void add(js_State *J, js_Object *object, const char *name, struct buffer *keys)
{
    struct key key = {.name = name};
    int index;

    if (js_isarrayindex(J, name, &index)) {
        key.rank = (uint64_t)index;
    } else {
        js_Property *property = jsV_getownproperty(J, object, name);

        /* What is no property in the tree is built in, such as the length of an array. */
        key.rank = NOT_AN_INDEX + (property != NULL ? 1 + (uint64_t)arena_serial(property) : 0);
    }
    buffer_add(J, keys, &key, sizeof key);
}

static int compare_ranks(void *context, int a, int b)
{
    const struct key *keys = context;

    return keys[a].rank < keys[b].rank ? -1 : keys[a].rank > keys[b].rank;
}

static void sort_keys(js_State *J, struct key *keys, int count)
{
    int sorted = 1, *order;
    struct key *copy;
    struct buffer *work;

    for (int i = 1; i < count && sorted; i++)
        sorted = keys[i - 1].rank <= keys[i].rank;
    if (sorted)
        return;
    work = buffer_push(J);
    copy =
        (struct key *)buffer_reserve(J, work, (size_t)count * (sizeof *copy + 2 * sizeof *order));
    order = (int *)(copy + count);
    memcpy(copy, keys, (size_t)count * sizeof *copy);
    for (int i = 0; i < count; i++)
        order[i] = i;
    sort_indices(order, order + count, (size_t)count, compare_ranks, copy);
    for (int i = 0; i < count; i++)
        keys[i] = copy[order[i]];
    buffer_clear(J, work);
    js_pop(J, 1);
}

static int finish(js_State *J, struct buffer *keys, int start)
{
    int count = (keys->size - start) / (int)sizeof(struct key);

    sort_keys(J, (struct key *)(keys->data + start), count);
    return count;
}

int keys_add(js_State *J, int idx, struct buffer *keys)
{
    js_Object *object = js_toobject(J, idx);
    int start = keys->size;
    const char *name;

    js_pushiterator(J, idx, 1);
    while ((name = js_nextiterator(J, -1)) != NULL)
        /* The names of elements are in a scratch buffer, those of properties interned already. */
        add(J, object, js_intern(J, name), keys);
    js_pop(J, 1);
    return finish(J, keys, start);
}

int keys_add_names(js_State *J, int idx, int names, struct buffer *keys)
{
    js_Object *object = js_toobject(J, idx);
    int start = keys->size, count = js_getlength(J, names);

    for (int i = 0; i < count; i++) {
        js_getindex(J, names, i);
        add(J, object, js_intern(J, js_tostring(J, -1)), keys);
        js_pop(J, 1);
    }
    return finish(J, keys, start);
}
