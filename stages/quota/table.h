/*
 * table.h - what is counted, by the run and the function, in limited memory.
 *
 * Nobody says when a run is over. So a full table forgets the entry that was used least recently,
 * provided that it has been idle for long and that no call which it counts is under way. When there
 * is none, there is no room, and the caller must refuse.
 */
#ifndef PAWL_QUOTA_TABLE_H
#define PAWL_QUOTA_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_BUCKETS 1024

struct table_entry;

struct table {
    size_t payload; /* bytes of each entry, zero at first */
    size_t most;    /* entries */
    uint64_t idle;  /* seconds after which one may be forgotten */

    size_t count;
    struct table_entry *oldest, *newest;
    struct table_entry *buckets[TABLE_BUCKETS];
};

/* The payload for a run and a function, or NULL. */
void *table_find(struct table *table, const char *run, const char *name);

/* The same, which is made if it must be, and is the last one to be forgotten. PAWL_OK,
 * PAWL_E_MEMORY, or PAWL_E_LIMIT: there is no room. */
int32_t table_use(struct table *table, const char *run, const char *name, uint64_t second,
                  void **payload);

/* As long as it is held, it is not forgotten. */
void table_hold(void *payload);
void table_release(void *payload);

void table_clear(struct table *table);

#endif
