#include "typescript.h"

#include <stdlib.h>
#include <string.h>

/* x->buffer becomes the new text, or is empty. */
static void erase(struct execution *x)
{
    struct vm *vm = &x->vm;
    x->buffer.length = 0;
    const JSValue text = JS_NewStringLen(vm, x->text.text, x->text.length);
    const JSValue result = JS_Call(vm, x->engine->typescript.erase, JS_UNDEFINED, 1, &text);
    if (!JS_IsString(result))
        return;
    uint32_t size;
    vm_address address;
    const char *erased = JS_ToCStringLen(vm, &size, result, &address);
    if (erased)
        program_buffer_append(&x->buffer, erased, size);
}

bool typescript_erase(struct execution *x)
{
    const struct typescript *typescript = engine_typescript(x->engine);
    if (!typescript)
        return false;
    struct box *box = engine_acquire(x->engine, 0);
    if (!box)
        return false;
    enum box_end end = BOX_NO_MEMORY;
    if (box_image_restore(typescript->image, box))
        end = execution_run(x, box, erase);
    engine_release(x->engine, box);

    const size_t around = x->text.length - x->text.body_length;
    char *text =
        end == BOX_RETURNED && x->buffer.length > around ? malloc(x->buffer.length + 1) : NULL;
    if (!text)
        return false;
    memcpy(text, x->buffer.data, x->buffer.length);
    text[x->buffer.length] = '\0';
    x->typed = x->text.text;
    x->text.text = text;
    x->text.length = x->buffer.length;
    x->text.body_length = x->buffer.length - around;
    x->was_erased = true;
    x->failure.kind = NULL;
    x->failure.line = x->failure.column = 0;
    x->failure.subject[0] = '\0';
    return true;
}

static const char *start_of_line(const char *text, uint32_t line)
{
    for (; text && line > 1; line--) {
        text = strchr(text, '\n');
        if (text)
            text++;
    }
    return text;
}

bool typescript_keeps_column(const struct execution *x, struct place place)
{
    const char *now = start_of_line(x->text.text, place.line);
    const char *before = start_of_line(x->typed, place.line);
    if (!now || !before || place.line == 0)
        return false;
    for (uint32_t column = 0; column < place.column; now++, before++) {
        if (*now != *before || *now == '\n' || *now == '\0')
            return false;
        column += ((unsigned char)*now & 0xC0) != 0x80;
    }
    return true;
}
