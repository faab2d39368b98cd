#include "image.h"

#include <sys/mman.h>

static bool is_zero(const uint8_t *page)
{
    return page[0] == 0 && memcmp(page, page + 1, IMAGE_PAGE - 1) == 0;
}

struct box_image *box_image_take(struct box *box)
{
    const uint32_t pages = box->instance.w2c_memory.pages * (BOX_PAGE / IMAGE_PAGE);
    uint32_t count = 0;
    for (uint32_t i = 0; i < pages; i++)
        count += !is_zero(box_at(box, i * IMAGE_PAGE));
    struct box_image *image = calloc(1, sizeof *image);
    uint8_t *owned = malloc((size_t)count * (IMAGE_PAGE + sizeof(uint32_t)) + 1);
    if (!image || !owned) {
        free(image);
        free(owned);
        return NULL;
    }
    uint8_t *data = owned;
    uint32_t *number = (uint32_t *)(void *)(owned + (size_t)count * IMAGE_PAGE);
    *image = (struct box_image){
        .pages = box->instance.w2c_memory.pages,
        .stack_pointer = box->instance.w2c___stack_pointer,
        .count = count,
        .number = number,
        .data = data,
        .owned = owned,
    };
    for (uint32_t i = 0; i < pages; i++) {
        if (is_zero(box_at(box, i * IMAGE_PAGE)))
            continue;
        *number++ = i;
        memcpy(data, box_at(box, i * IMAGE_PAGE), IMAGE_PAGE);
        data += IMAGE_PAGE;
    }
    return image;
}

void box_image_free(struct box_image *image)
{
    if (!image)
        return;
    free(image->owned);
    free(image);
}

uint64_t box_image_size(const struct box_image *image)
{
    return (uint64_t)image->pages * BOX_PAGE;
}

/* Makes `count` host pages from the number `from` on zero. `resident` says which of them the kernel
 * had to provide; the others are zero already. Many at once are given back instead, or every later
 * run would have to clear them again; but not those behind the image (from the number `end` on),
 * which only runs that need them clear. */
static void clear(struct box *box, uint32_t end, uint32_t from, const unsigned char *resident,
                  uint32_t count)
{
    enum { MANY = 16 };
    for (uint32_t i = 0; i < count;) {
        uint32_t run = 0;
        while (i + run < count && (resident[i + run] & 1))
            run++;
        uint8_t *dirty = box_at(box, 0) + (size_t)(from + i) * IMAGE_PAGE;
        if (run > 0 && (run < MANY || from + i >= end ||
                        madvise(dirty, (size_t)run * IMAGE_PAGE, MADV_DONTNEED) != 0))
            memset(dirty, 0, (size_t)run * IMAGE_PAGE);
        i += run + 1;
    }
}

/* The pages of the image are compared, because few differ and reading is cheaper than writing. Of
 * the others, mincore tells much faster than looking which can be anything but zero. */
bool box_image_restore(const struct box_image *image, struct box *box)
{
    enum { WINDOW = 4096 };
    unsigned char resident[WINDOW];
    wasm_rt_memory_t *memory = &box->instance.w2c_memory;
    if (!box_commit(box, box_image_size(image)))
        return false;
    /* What the last run did not reach is as it was. */
    const uint64_t reached = (box->peak > memory->size ? box->peak : memory->size) + BOX_MARGIN;
    const uint64_t least = box_image_size(image) + BOX_MARGIN;
    const uint32_t pages = (uint32_t)((reached > least ? reached : least) / IMAGE_PAGE);
    const uint32_t end_of_image = image->pages * (BOX_PAGE / IMAGE_PAGE);
    uint32_t page = 0; /* of the image */
    for (uint32_t start = 0; start < pages; start += WINDOW) {
        const uint32_t end = pages - start < WINDOW ? pages : start + WINDOW;
        if (mincore(box_at(box, 0) + (size_t)start * IMAGE_PAGE, (size_t)(end - start) * IMAGE_PAGE,
                    resident) != 0)
            memset(resident, 1, sizeof resident);
        uint32_t next = start;
        for (; page < image->count && image->number[page] < end; page++) {
            const uint32_t number = image->number[page];
            const uint8_t *data = image->data + (size_t)page * IMAGE_PAGE;
            uint8_t *to = box_at(box, number * IMAGE_PAGE);
            clear(box, end_of_image, next, resident + (next - start), number - next);
            /* To look at a page that is not there would only make it one that must be copied. */
            if (!(resident[number - start] & 1) || memcmp(to, data, IMAGE_PAGE) != 0)
                memcpy(to, data, IMAGE_PAGE);
            next = number + 1;
        }
        clear(box, end_of_image, next, resident + (next - start), end - next);
    }
    memory->pages = image->pages;
    memory->size = box_image_size(image);
    box->peak = memory->size;
    box->instance.w2c___stack_pointer = image->stack_pointer;
    return true;
}
