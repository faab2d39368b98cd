#include "arena.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/*
 * A block is a header and a payload of whole units. A free block has its list links at the start of
 * its payload and its own position in the last word, where the block after it finds it. Positions
 * are in units from the start of the arena. The last block below `end` is never free.
 */
struct block {
    uint32_t size;   /* of the payload, in units; and flags */
    uint32_t serial; /* of a block in use */
    uint32_t next, prev;
};

#define FREE      0x80000000u
#define PREV_FREE 0x40000000u
#define FLAGS     (FREE | PREV_FREE)

#define HEADER      1u /* units */
#define MIN_PAYLOAD 2u /* units: the links and the footer of a free block */
#define MIN_SPLIT   (HEADER + MIN_PAYLOAD)
#define FIRST_BLOCK ((uint32_t)((sizeof(struct arena) + ARENA_UNIT - 1) / ARENA_UNIT))

#define SECOND_COUNT (1u << ARENA_SECOND_BITS)

#define COLLECT_REQUEST 0x7fffffffu
#define COLLECT_MIN     ((2u << 20) / ARENA_UNIT) /* never collect more often than that */

static struct block *block_at(const struct arena *arena, uint32_t position)
{
    return (struct block *)((char *)arena + (size_t)position * ARENA_UNIT);
}

static uint32_t position_of(const struct arena *arena, const struct block *block)
{
    return (uint32_t)(((const char *)block - (const char *)arena) / ARENA_UNIT);
}

static struct block *block_of(void *payload)
{
    return (struct block *)((char *)payload - HEADER * ARENA_UNIT);
}

static void *payload_of(struct block *block)
{
    return (char *)block + HEADER * ARENA_UNIT;
}

static uint32_t size_of(const struct block *block)
{
    return block->size & ~FLAGS;
}

static struct block *block_after(const struct arena *arena, const struct block *block)
{
    return block_at(arena, position_of(arena, block) + HEADER + size_of(block));
}

static uint32_t *footer_before(struct block *block)
{
    return (uint32_t *)block - 1;
}

/* --- Size classes -------------------------------------------------------------------------- */

static void class_of(uint32_t units, unsigned *first, unsigned *second)
{
    unsigned log;

    if (units < SECOND_COUNT) {
        *first = 0;
        *second = units;
        return;
    }
    log = 31u - (unsigned)__builtin_clz(units);
    *first = log - ARENA_SECOND_BITS + 1;
    *second = (units >> (log - ARENA_SECOND_BITS)) & (SECOND_COUNT - 1);
}

static void list_add(struct arena *arena, struct block *block)
{
    unsigned first, second;
    uint32_t position = position_of(arena, block);

    class_of(size_of(block), &first, &second);
    block->prev = 0;
    block->next = arena->free[first][second];
    if (block->next != 0)
        block_at(arena, block->next)->prev = position;
    arena->free[first][second] = position;
    arena->first_level |= 1u << first;
    arena->second_level[first] |= (uint16_t)(1u << second);
}

static void list_remove(struct arena *arena, struct block *block)
{
    unsigned first, second;

    class_of(size_of(block), &first, &second);
    if (block->next != 0)
        block_at(arena, block->next)->prev = block->prev;
    if (block->prev != 0) {
        block_at(arena, block->prev)->next = block->next;
        return;
    }
    arena->free[first][second] = block->next;
    if (block->next == 0) {
        arena->second_level[first] &= (uint16_t) ~(1u << second);
        if (arena->second_level[first] == 0)
            arena->first_level &= ~(1u << first);
    }
}

/* A free block of at least that size, or NULL: the first of a class whose every block fits. */
static struct block *list_find(const struct arena *arena, uint32_t units)
{
    unsigned first, second;
    uint32_t classes;

    if (units >= SECOND_COUNT)
        units += (1u << (31u - (unsigned)__builtin_clz(units) - ARENA_SECOND_BITS)) - 1;
    class_of(units, &first, &second);
    if (first >= ARENA_FIRST_LEVEL)
        return NULL;
    classes = arena->second_level[first] & (~0u << second);
    if (classes == 0) {
        uint32_t larger = first + 1 < 32 ? arena->first_level & (~0u << (first + 1)) : 0;

        if (larger == 0)
            return NULL;
        first = (unsigned)__builtin_ctz(larger);
        classes = arena->second_level[first];
    }
    return block_at(arena, arena->free[first][__builtin_ctz(classes)]);
}

/* --- Blocks -------------------------------------------------------------------------------- */

_Noreturn static void exhausted(struct arena *arena)
{
    arena->exhausted(arena->context);
    __builtin_unreachable();
}

static void raise_end(struct arena *arena, uint64_t end)
{
    if (end * ARENA_UNIT > arena->limit)
        exhausted(arena);
    arena->end = (uint32_t)end;
    if (arena->end > arena->peak)
        arena->peak = arena->end;
}

/* Makes a stretch of units, joined with its free neighbours, a free block again. */
static void release(struct arena *arena, struct block *block)
{
    struct block *after = block_after(arena, block);

    if (position_of(arena, after) < arena->end && (after->size & FREE)) {
        list_remove(arena, after);
        block->size += HEADER + size_of(after);
        after = block_after(arena, block);
    }
    if (block->size & PREV_FREE) {
        struct block *before = block_at(arena, *footer_before(block));

        list_remove(arena, before);
        before->size += HEADER + size_of(block);
        block = before;
    }
    if (position_of(arena, after) == arena->end) {
        arena->end = position_of(arena, block);
        return;
    }
    block->size |= FREE;
    *footer_before(after) = position_of(arena, block);
    after->size |= PREV_FREE;
    list_add(arena, block);
}

/* Cuts a block in use down to `units` and frees the rest, if that is worth a block. */
static void cut(struct arena *arena, struct block *block, uint32_t units)
{
    uint32_t rest = size_of(block) - units;
    struct block *tail;

    if (rest < MIN_SPLIT)
        return;
    block->size -= rest;
    tail = block_after(arena, block);
    tail->size = rest - HEADER;
    release(arena, tail);
}

/* Takes a free block out of its list for use, whole. */
static void claim(struct arena *arena, struct block *block)
{
    struct block *after = block_after(arena, block);

    list_remove(arena, block);
    block->size &= ~FREE;
    if (position_of(arena, after) < arena->end)
        after->size &= ~PREV_FREE;
}

/* Asks the engine to collect garbage when about as much as is in use was allocated since. */
static void count_allocation(struct arena *arena, uint32_t units)
{
    uint32_t room = (uint32_t)(arena->limit / ARENA_UNIT) - arena->in_use;
    uint32_t threshold = arena->in_use < room / 2 ? arena->in_use : room / 2;

    arena->fresh += units;
    if (arena->fresh > (threshold > COLLECT_MIN ? threshold : COLLECT_MIN) &&
        arena->collect != NULL) {
        *arena->collect = COLLECT_REQUEST;
        arena->fresh = 0;
    }
}

static void *allocate(struct arena *arena, uint32_t units)
{
    struct block *block = list_find(arena, units);

    if (block != NULL) {
        claim(arena, block);
        cut(arena, block, units);
    } else {
        uint32_t position = arena->end;

        raise_end(arena, (uint64_t)position + HEADER + units);
        block = block_at(arena, position);
        block->size = units;
    }
    block->serial = arena->serial++;
    arena->in_use += size_of(block);
    count_allocation(arena, units);
    return payload_of(block);
}

static void deallocate(struct arena *arena, struct block *block)
{
    arena->in_use -= size_of(block);
    release(arena, block);
}

/* Grows a block where it is, if what follows is free. */
static int grow(struct arena *arena, struct block *block, uint32_t units)
{
    struct block *after = block_after(arena, block);
    uint32_t before = size_of(block);

    if (position_of(arena, after) == arena->end) {
        raise_end(arena, (uint64_t)position_of(arena, block) + HEADER + units);
        block->size += units - before;
    } else if ((after->size & FREE) && before + HEADER + size_of(after) >= units) {
        claim(arena, after);
        block->size += HEADER + size_of(after);
        cut(arena, block, units);
    } else {
        return 0;
    }
    arena->in_use += size_of(block) - before;
    count_allocation(arena, units - before);
    return 1;
}

static void *reallocate(struct arena *arena, struct block *block, uint32_t units)
{
    uint32_t before = size_of(block);
    void *moved;

    if (units <= before) {
        cut(arena, block, units);
        arena->in_use -= before - size_of(block);
        return payload_of(block);
    }
    if (grow(arena, block, units))
        return payload_of(block);
    moved = allocate(arena, units);
    memcpy(moved, payload_of(block), (size_t)before * ARENA_UNIT);
    deallocate(arena, block);
    return moved;
}

void *arena_alloc(void *context, void *payload, int size)
{
    struct arena *arena = context;
    uint32_t units;

    if (size == 0) {
        if (payload != NULL)
            deallocate(arena, block_of(payload));
        return NULL;
    }
    if (size < 0) /* the engine's arithmetic overflowed */
        exhausted(arena);
    units = ((uint32_t)size + ARENA_UNIT - 1) / ARENA_UNIT;
    if (units < MIN_PAYLOAD)
        units = MIN_PAYLOAD;
    return payload == NULL ? allocate(arena, units) : reallocate(arena, block_of(payload), units);
}

/* --- The arena ----------------------------------------------------------------------------- */

struct arena *arena_map(size_t capacity)
{
    struct arena *arena;

    if (capacity < sizeof *arena || capacity > ARENA_MAX) {
        errno = EINVAL;
        return NULL;
    }
    arena = mmap(NULL, capacity, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED)
        return NULL;
    arena->limit = arena->capacity = capacity;
    arena->end = arena->peak = FIRST_BLOCK;
    return arena;
}

void arena_unmap(struct arena *arena)
{
    if (arena != NULL)
        munmap(arena, arena->capacity);
}

size_t arena_extent(const struct arena *arena)
{
    return (size_t)arena->end * ARENA_UNIT;
}

size_t arena_peak(const struct arena *arena)
{
    return (size_t)arena->peak * ARENA_UNIT;
}

uint32_t arena_serial(const void *payload)
{
    return ((const struct block *)((const char *)payload - HEADER * ARENA_UNIT))->serial;
}

void arena_trim(struct arena *arena, size_t keep)
{
    const size_t page = 65536; /* a multiple of every page size in use */
    size_t from = (keep + page - 1) / page * page;

    if (from < arena->capacity)
        madvise((char *)arena + from, arena->capacity - from, MADV_DONTNEED);
}
