/*
 * arena.h - the heap of one VM.
 *
 * A heap lies in one mapping of its own, bookkeeping included, and holds nothing outside of it. So
 * it is bounded, it is dropped as a whole whatever state it was left in, and a copy of its first
 * arena_extent() bytes is a complete image of it that can be put back at the same address.
 *
 * Blocks are found in constant time by two levels of size classes and joined when they are freed
 * (as in Masmano et al., "TLSF: a new dynamic memory allocator for real-time systems").
 *
 * [one thread at a time]
 */
#ifndef MUJS_ARENA_H
#define MUJS_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define ARENA_UNIT        ((size_t)8) /* bytes; the alignment of blocks */
#define ARENA_MAX         ((size_t)4 << 30)
#define ARENA_FIRST_LEVEL 28
#define ARENA_SECOND_BITS 4

struct arena {
    size_t limit;    /* the largest extent, in bytes */
    size_t capacity; /* the mapping's size, in bytes */

    /* Called when the heap may grow no further, or for a size that no block can have. Must not
     * return. */
    void (*exhausted)(void *context);
    void *context;

    /* The engine's own count of allocations since its last garbage collection. Raised when many
     * bytes were allocated since, so that a few large strings also lead to a collection. May be
     * NULL. */
    uint32_t *collect;

    /* The rest is the allocator's. */
    uint32_t end, peak; /* the extent, in units */
    uint32_t in_use;    /* units in blocks that are not free */
    uint32_t fresh;     /* units allocated since the last request to collect */
    uint32_t serial;    /* of the next block */
    uint32_t first_level;
    uint16_t second_level[ARENA_FIRST_LEVEL];
    uint32_t free[ARENA_FIRST_LEVEL][1 << ARENA_SECOND_BITS]; /* heads, in units; 0: none */
};

/* Maps an empty heap of at most `capacity` bytes. NULL and errno when that cannot be had. */
struct arena *arena_map(size_t capacity);

void arena_unmap(struct arena *arena);

/* How many bytes from the start of the arena are in use, now and at most. */
size_t arena_extent(const struct arena *arena);
size_t arena_peak(const struct arena *arena);

/* Allocates, reallocates or frees (`size` 0), as js_Alloc does. */
void *arena_alloc(void *arena, void *block, int size);

/* A number that is higher the later the block was allocated (or last moved). */
uint32_t arena_serial(const void *block);

/* Gives the memory beyond the first `keep` bytes back to the system; its contents are lost. */
void arena_trim(struct arena *arena, size_t keep);

#endif
