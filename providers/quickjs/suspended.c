#include "suspended.h"

#include <stdlib.h>

#include "prepared-key.h" /* PREPARED_KEY */

#define MAGIC "pawl-quickjs-1"

/* The beginning. The arrays follow in this order, then the pages. */
struct head {
    char magic[sizeof MAGIC + 1];
    char key[sizeof PREPARED_KEY + (8 - sizeof PREPARED_KEY % 8) % 8];
    uint64_t template; /* hash of what the pages differ from */
    uint32_t pages;    /* of WebAssembly */
    uint32_t stack_pointer;
    uint32_t was_erased;
    uint32_t is_inner;
    JSValue awaited;
    uint64_t random[2];
    uint64_t timer_order;
    uint32_t last_timer;
    uint32_t bindings, calls, call_errors, timers, rejections;
    uint32_t dirty; /* pages of the host's size that differ */
    int32_t wait;
};

/* Elements of the arrays, as they are stored. Functions are named by their place among the
 * bindings. */
struct stored_call {
    uint64_t id, function;
    JSValue resolve, reject, error;
};
struct stored_error {
    uint64_t id, function;
    JSValue error;
};
struct stored_timer {
    uint64_t id, due, interval, order;
    JSValue function, arguments;
};

#define WORDS (IMAGE_PAGE / sizeof(uint64_t))

static uint64_t hash(uint64_t state, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        state = (state ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        state ^= state >> 32;
    }
    return state;
}

static uint64_t hash_template(const struct box_image *image)
{
    uint64_t state = hash(image->pages, image->data, (size_t)image->count * IMAGE_PAGE);
    return hash(state, (const uint8_t *)image->number, image->count * sizeof *image->number);
}

/* The template's page of that number; *next is the first that may be it, and moves on. */
static const uint8_t *page_of(const struct box_image *image, uint32_t number, uint32_t *next)
{
    static const uint8_t zero[IMAGE_PAGE];
    while (*next < image->count && image->number[*next] < number)
        ++*next;
    return *next < image->count && image->number[*next] == number
               ? image->data + (size_t)*next * IMAGE_PAGE
               : zero;
}

/* --- Writing -------------------------------------------------------------------------------- */

/* What was put together so far goes to the host. False: it takes no more. */
static bool hand_over(struct execution *x)
{
    const bool taken = !x->buffer.has_no_memory && x->run->suspend(x->run->context, x->buffer.data,
                                                                   x->buffer.length) == PAWL_OK;
    x->buffer.length = 0;
    return taken;
}

static void put(struct execution *x, const void *data, size_t size)
{
    program_buffer_append(&x->buffer, data, size);
}

static uint64_t place_of(const struct execution *x, const struct pawl_function *function)
{
    uint64_t i = 0;
    while (x->bindings[i].function != function)
        i++;
    return i;
}

static void put_arrays(struct execution *x)
{
    for (uint32_t i = 0; i < x->binding_count; i++)
        put(x, &x->bindings[i].error_class, sizeof(JSValue));
    for (size_t i = 0; i < x->call_count; i++) {
        const struct pending_call *call = &x->calls[i];
        const struct stored_call stored = {call->id, place_of(x, call->function), call->resolve,
                                           call->reject, call->error};
        put(x, &stored, sizeof stored);
    }
    for (size_t i = 0; i < x->call_error_count; i++) {
        const struct call_error *error = &x->call_errors[i];
        const struct stored_error stored = {error->id, place_of(x, error->function), error->error};
        put(x, &stored, sizeof stored);
    }
    for (size_t i = 0; i < x->timer_count; i++) {
        const struct timer *timer = &x->timers[i];
        const struct stored_timer stored = {timer->id,    timer->due,      timer->interval,
                                            timer->order, timer->function, timer->arguments};
        put(x, &stored, sizeof stored);
    }
    put(x, x->rejections, x->rejection_count * sizeof *x->rejections);
}

/* A page as runs: so many words as in the template, so many others, and those. */
static void put_page(struct execution *x, uint32_t number, const uint8_t *page, const uint8_t *was)
{
    put(x, &number, sizeof number);
    for (size_t at = 0; at < WORDS;) {
        size_t same = at;
        while (same < WORDS && memcmp(page + same * 8, was + same * 8, 8) == 0)
            same++;
        size_t end = same;
        while (end < WORDS && memcmp(page + end * 8, was + end * 8, 8) != 0)
            end++;
        const uint16_t run[2] = {(uint16_t)(same - at), (uint16_t)(end - same)};
        put(x, run, sizeof run);
        put(x, page + same * 8, (end - same) * 8);
        at = end;
    }
}

static uint32_t count_dirty(struct box *box, const struct box_image *image)
{
    const uint32_t pages = box->instance.w2c_memory.pages * (BOX_PAGE / IMAGE_PAGE);
    uint32_t dirty = 0, next = 0;
    for (uint32_t i = 0; i < pages; i++)
        dirty += memcmp(box_at(box, i * IMAGE_PAGE), page_of(image, i, &next), IMAGE_PAGE) != 0;
    return dirty;
}

void suspended_write(struct execution *x)
{
    enum { PIECE = 256 * 1024 };
    struct box *box = x->vm.box;
    const struct box_image *image = x->engine->image;
    const uint32_t pages = box->instance.w2c_memory.pages * (BOX_PAGE / IMAGE_PAGE);
    struct head head = {
        .magic = MAGIC,
        .key = PREPARED_KEY,
        .template = hash_template(image),
        .pages = box->instance.w2c_memory.pages,
        .stack_pointer = box->instance.w2c___stack_pointer,
        .was_erased = x->was_erased,
        .is_inner = x->is_inner,
        .awaited = x->awaited,
        .random = {x->random[0], x->random[1]},
        .timer_order = x->timer_order,
        .last_timer = x->last_timer,
        .bindings = x->binding_count,
        .calls = (uint32_t)x->call_count,
        .call_errors = (uint32_t)x->call_error_count,
        .timers = (uint32_t)x->timer_count,
        .rejections = (uint32_t)x->rejection_count,
        .dirty = count_dirty(box, image),
        .wait = x->wait,
    };
    x->buffer.length = 0;
    put(x, &head, sizeof head);
    put_arrays(x);
    uint32_t next = 0;
    for (uint32_t i = 0; i < pages; i++) {
        const uint8_t *page = box_at(box, i * IMAGE_PAGE), *was = page_of(image, i, &next);
        if (memcmp(page, was, IMAGE_PAGE) == 0)
            continue;
        put_page(x, i, page, was);
        if (x->buffer.length >= PIECE && !hand_over(x))
            return;
    }
    hand_over(x);
}

/* --- Reading -------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at;
    size_t left;
};

static bool get(struct reader *reader, void *into, size_t size)
{
    if (reader->left < size)
        return false;
    memcpy(into, reader->at, size);
    reader->at += size;
    reader->left -= size;
    return true;
}

static bool get_head(const struct pawl_text *image, struct reader *reader, struct head *head)
{
    *reader = (struct reader){(const uint8_t *)image->data, image->size};
    return get(reader, head, sizeof *head);
}

bool suspended_is_known(const struct engine *engine, const struct pawl_text *image)
{
    const struct head mine = {.magic = MAGIC, .key = PREPARED_KEY};
    struct reader reader;
    struct head head;
    return get_head(image, &reader, &head) &&
           memcmp(head.magic, mine.magic, sizeof mine.magic) == 0 &&
           memcmp(head.key, mine.key, sizeof mine.key) == 0 &&
           head.template == hash_template(engine->image);
}

bool suspended_was_erased(const struct pawl_text *image)
{
    struct reader reader;
    struct head head;
    return get_head(image, &reader, &head) && head.was_erased != 0;
}

/* Memory for an array of which `left` bytes of elements are still to come; what cannot be is none.
 */
static void *array_of(uint32_t count, size_t size, size_t stored, const struct reader *reader)
{
    return count <= reader->left / stored ? calloc((size_t)count + 1, size) : NULL;
}

static bool get_calls(struct execution *x, struct reader *reader, uint32_t count)
{
    x->calls = array_of(count, sizeof *x->calls, sizeof(struct stored_call), reader);
    x->call_capacity = x->calls ? count : 0;
    for (struct stored_call stored; x->call_count < count; x->call_count++) {
        if (!x->calls || !get(reader, &stored, sizeof stored) ||
            stored.function >= x->binding_count)
            return false;
        x->calls[x->call_count] =
            (struct pending_call){stored.id, x->bindings[stored.function].function, stored.resolve,
                                  stored.reject, stored.error};
    }
    return x->calls != NULL;
}

static bool get_call_errors(struct execution *x, struct reader *reader, uint32_t count)
{
    x->call_errors = array_of(count, sizeof *x->call_errors, sizeof(struct stored_error), reader);
    x->call_error_capacity = x->call_errors ? count : 0;
    for (struct stored_error stored; x->call_error_count < count; x->call_error_count++) {
        if (!x->call_errors || !get(reader, &stored, sizeof stored) ||
            stored.function >= x->binding_count)
            return false;
        x->call_errors[x->call_error_count] =
            (struct call_error){stored.id, x->bindings[stored.function].function, stored.error};
    }
    return x->call_errors != NULL;
}

static bool get_timers(struct execution *x, struct reader *reader, uint32_t count)
{
    x->timers = array_of(count, sizeof *x->timers, sizeof(struct stored_timer), reader);
    x->timer_capacity = x->timers ? count : 0;
    for (struct stored_timer stored; x->timer_count < count; x->timer_count++) {
        if (!x->timers || !get(reader, &stored, sizeof stored))
            return false;
        x->timers[x->timer_count] = (struct timer){
            .id = (uint32_t)stored.id,
            .due = stored.due,
            .interval = stored.interval,
            .order = stored.order,
            .function = stored.function,
            .arguments = stored.arguments,
        };
    }
    return x->timers != NULL;
}

static bool get_rejections(struct execution *x, struct reader *reader, uint32_t count)
{
    x->rejections = array_of(count, sizeof *x->rejections, sizeof *x->rejections, reader);
    if (!x->rejections || !get(reader, x->rejections, count * sizeof *x->rejections))
        return false;
    x->rejection_count = x->rejection_capacity = count;
    return true;
}

/* The box has the template's page of that number. */
static bool get_page(struct reader *reader, uint8_t *page)
{
    for (size_t at = 0; at < WORDS;) {
        uint16_t run[2];
        if (!get(reader, run, sizeof run) || run[0] + run[1] == 0 || run[0] + run[1] > WORDS - at ||
            !get(reader, page + (at + run[0]) * 8, run[1] * 8u))
            return false;
        at += run[0] + run[1];
    }
    return true;
}

static bool get_pages(struct reader *reader, struct box *box, const struct head *head)
{
    const uint32_t pages = head->pages * (BOX_PAGE / IMAGE_PAGE);
    uint32_t first = 0;
    for (uint32_t i = 0; i < head->dirty; i++) {
        uint32_t number;
        if (!get(reader, &number, sizeof number) || number < first || number >= pages ||
            !get_page(reader, box_at(box, number * IMAGE_PAGE)))
            return false;
        first = number + 1;
    }
    return true;
}

bool suspended_read(struct execution *x, struct box *box, const struct pawl_text *image)
{
    wasm_rt_memory_t *memory = &box->instance.w2c_memory;
    struct reader reader;
    struct head head;
    if (!get_head(image, &reader, &head) || head.pages < memory->pages ||
        head.pages > memory->max_pages || head.bindings != x->binding_count)
        return false;
    for (uint32_t i = 0; i < head.bindings; i++)
        if (!get(&reader, &x->bindings[i].error_class, sizeof(JSValue)))
            return false;
    if (!get_calls(x, &reader, head.calls) || !get_call_errors(x, &reader, head.call_errors) ||
        !get_timers(x, &reader, head.timers) || !get_rejections(x, &reader, head.rejections) ||
        !box_commit(box, (uint64_t)head.pages * BOX_PAGE))
        return false;
    memory->pages = head.pages;
    memory->size = (uint64_t)head.pages * BOX_PAGE;
    box->peak = memory->size;
    box->instance.w2c___stack_pointer = head.stack_pointer;
    x->awaited = head.awaited;
    x->is_inner = head.is_inner != 0;
    x->random[0] = head.random[0];
    x->random[1] = head.random[1];
    x->timer_order = head.timer_order;
    x->last_timer = head.last_timer;
    x->wait = head.wait;
    return get_pages(&reader, box, &head) && reader.left == 0;
}
