#include "prepared.h"

#include <stdlib.h>

#include <pawl/provider.h>

#include "prepared-key.h" /* PREPARED_KEY */

struct prepared {
    char key[sizeof PREPARED_KEY];
    uint32_t data_offset; /* of the pages, from the beginning; a multiple of their size */
    uint32_t pages, stack_pointer, count;
    vm_address runtime, context;
    struct engine_functions functions;
    struct engine_helpers helpers;
    struct json_classes classes;
    JSValue error;
    uint32_t number[]; /* of the pages */
};

static size_t data_offset(uint32_t count)
{
    const size_t size = sizeof(struct prepared) + (size_t)count * sizeof(uint32_t);
    return (size + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
}

const struct prepared *prepared_open(const void *data, size_t size)
{
    const struct prepared *prepared = data;
    if (size < sizeof *prepared || memcmp(prepared->key, PREPARED_KEY, sizeof PREPARED_KEY) != 0 ||
        prepared->data_offset != data_offset(prepared->count) ||
        prepared->data_offset + (uint64_t)prepared->count * IMAGE_PAGE != size)
        return NULL;
    return prepared;
}

int prepared_use(const struct prepared *prepared, struct engine *engine)
{
    if (memcmp(&prepared->functions, &engine->functions, sizeof engine->functions) != 0)
        return PAWL_E_PLUGIN;
    engine->image = malloc(sizeof *engine->image);
    if (!engine->image)
        return PAWL_E_MEMORY;
    *engine->image = (struct box_image){
        .pages = prepared->pages,
        .stack_pointer = prepared->stack_pointer,
        .count = prepared->count,
        .number = prepared->number,
        .data = (const uint8_t *)prepared + prepared->data_offset,
    };
    engine->runtime = prepared->runtime;
    engine->context = prepared->context;
    engine->helpers = prepared->helpers;
    engine->classes = prepared->classes;
    engine->error = prepared->error;
    return PAWL_OK;
}

bool prepared_write(const struct engine *engine, FILE *out)
{
    const struct box_image *image = engine->image;
    const size_t offset = data_offset(image->count);
    struct prepared *prepared = calloc(1, offset); /* whatever is between its members is zero */
    if (!prepared)
        return false;
    memcpy(prepared->key, PREPARED_KEY, sizeof PREPARED_KEY);
    prepared->data_offset = (uint32_t)offset;
    prepared->pages = image->pages;
    prepared->stack_pointer = image->stack_pointer;
    prepared->count = image->count;
    prepared->runtime = engine->runtime;
    prepared->context = engine->context;
    prepared->functions = engine->functions;
    prepared->helpers = engine->helpers;
    prepared->classes = engine->classes;
    prepared->error = engine->error;
    memcpy(prepared->number, image->number, image->count * sizeof *image->number);
    const bool written = fwrite(prepared, offset, 1, out) == 1 &&
                         fwrite(image->data, IMAGE_PAGE, image->count, out) == image->count &&
                         fflush(out) == 0;
    free(prepared);
    return written;
}
