#include "prepared.h"

#include <stdlib.h>

#include <pawl/provider.h>

#include "prepared-key.h" /* PREPARED_KEY */

/* An image in the file. Both places are counted from the file's beginning. */
struct stored_image {
    uint32_t pages, stack_pointer, count;
    uint32_t numbers; /* where the numbers of its pages stand */
    uint32_t data;    /* where the pages stand; a multiple of their size */
};

/* The beginning of the file. Behind it come the numbers of the pages, then the pages. */
struct prepared {
    char key[sizeof PREPARED_KEY];
    uint32_t size; /* of the file */
    struct stored_image image, typescript;
    vm_address runtime, context;
    struct engine_functions functions;
    struct engine_helpers helpers;
    struct json_classes classes;
    JSValue error, erase;
};

const struct prepared *prepared_open(const void *data, size_t size)
{
    const struct prepared *prepared = data;
    if (size < sizeof *prepared || memcmp(prepared->key, PREPARED_KEY, sizeof PREPARED_KEY) != 0 ||
        prepared->size != size)
        return NULL;
    return prepared;
}

static struct box_image *open_image(const struct prepared *prepared,
                                    const struct stored_image *stored)
{
    const uint8_t *start = (const uint8_t *)prepared;
    struct box_image *image = malloc(sizeof *image);
    if (image)
        *image = (struct box_image){
            .pages = stored->pages,
            .stack_pointer = stored->stack_pointer,
            .count = stored->count,
            .number = (const uint32_t *)(const void *)(start + stored->numbers),
            .data = start + stored->data,
        };
    return image;
}

int prepared_use(const struct prepared *prepared, struct engine *engine)
{
    if (memcmp(&prepared->functions, &engine->functions, sizeof engine->functions) != 0)
        return PAWL_E_PLUGIN;
    engine->image = open_image(prepared, &prepared->image);
    engine->typescript.image = open_image(prepared, &prepared->typescript);
    if (!engine->image || !engine->typescript.image)
        return PAWL_E_MEMORY;
    engine->runtime = prepared->runtime;
    engine->context = prepared->context;
    engine->helpers = prepared->helpers;
    engine->classes = prepared->classes;
    engine->error = prepared->error;
    engine->typescript.erase = prepared->erase;
    return PAWL_OK;
}

/* Describes an image whose numbers and pages come next. */
static struct stored_image place_image(const struct box_image *image, uint32_t *numbers,
                                       uint32_t *data)
{
    const struct stored_image stored = {
        .pages = image->pages,
        .stack_pointer = image->stack_pointer,
        .count = image->count,
        .numbers = *numbers,
        .data = *data,
    };
    *numbers += image->count * (uint32_t)sizeof *image->number;
    *data += image->count * IMAGE_PAGE;
    return stored;
}

static void copy_image(uint8_t *file, const struct stored_image *stored,
                       const struct box_image *image)
{
    memcpy(file + stored->numbers, image->number, image->count * sizeof *image->number);
    memcpy(file + stored->data, image->data, (size_t)image->count * IMAGE_PAGE);
}

bool prepared_write(const struct engine *engine, FILE *out)
{
    const struct box_image *image = engine->image;
    const struct box_image *typescript = engine->typescript.image;
    uint32_t numbers = sizeof(struct prepared);
    uint32_t data = numbers + (image->count + typescript->count) * (uint32_t)sizeof(uint32_t);
    data = (data + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
    const struct stored_image stored = place_image(image, &numbers, &data);
    const struct stored_image stored_typescript = place_image(typescript, &numbers, &data);

    uint8_t *file = calloc(1, data); /* whatever is between members is zero */
    if (!file)
        return false;
    struct prepared *prepared = (struct prepared *)(void *)file;
    memcpy(prepared->key, PREPARED_KEY, sizeof PREPARED_KEY);
    prepared->size = data;
    prepared->image = stored;
    prepared->typescript = stored_typescript;
    prepared->runtime = engine->runtime;
    prepared->context = engine->context;
    prepared->functions = engine->functions;
    prepared->helpers = engine->helpers;
    prepared->classes = engine->classes;
    prepared->error = engine->error;
    prepared->erase = engine->typescript.erase;
    copy_image(file, &stored, image);
    copy_image(file, &stored_typescript, typescript);
    const bool written = fwrite(file, data, 1, out) == 1 && fflush(out) == 0;
    free(file);
    return written;
}
