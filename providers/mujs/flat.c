#include "flat.h"
#include "vm.h"

#include <string.h>

#define OBJECT_SIZE 104 /* at least that much of an object can be looked at */

/* Whether the pointer at that offset is to three elements that hold these numbers. */
static int points_to(const struct arena *arena, const char *object, int offset,
                     const double numbers[3])
{
    const char *elements;

    memcpy(&elements, object + offset, sizeof elements);
    if (elements < (const char *)arena ||
        elements + 3 * FLAT_ELEMENT_SIZE > (const char *)arena + arena_extent(arena))
        return 0;
    for (size_t i = 0; i < 3; i++) {
        double number;

        memcpy(&number, elements + i * FLAT_ELEMENT_SIZE, sizeof number);
        if (number != numbers[i])
            return 0;
    }
    return 1;
}

int flat_find_offset(js_State *J)
{
    static const double numbers[3] = {1234.5, -67.25, 8e9};
    const char *object;
    int found = 0;

    js_newarray(J);
    for (int i = 0; i < 3; i++) {
        js_pushnumber(J, numbers[i]);
        js_setindex(J, -2, i);
    }
    object = (const char *)js_toobject(J, -1);
    for (int offset = 8; offset + (int)sizeof(void *) <= OBJECT_SIZE && found == 0; offset += 8)
        if (points_to(vm_of(J)->arena, object, offset, numbers))
            found = offset;
    js_pop(J, 1);
    return found;
}

char *flat_elements(js_State *J, int idx)
{
    int offset = vm_of(J)->elements_offset;
    char *elements;

    if (offset == 0 || !js_isarray(J, idx))
        return NULL;
    memcpy(&elements, (const char *)js_toobject(J, idx) + offset, sizeof elements);
    return elements;
}
