#include "stages/quota/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/common.h>

struct table_entry {
    struct table_entry *chained;
    struct table_entry *older, *newer;
    uint64_t used; /* when it was last: a second */
    size_t holds;
    size_t bucket;
    char *run; /* both after the payload */
    char *name;
    max_align_t payload[];
};

static size_t bucket_of(const char *run, const char *name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a, with the NUL between the two */
    for (const char *p = run;; p++) {
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
        if (*p == '\0')
            break;
    }
    for (const char *p = name; *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    return (hash ^ hash >> 32) % TABLE_BUCKETS;
}

static struct table_entry *entry_of(void *payload)
{
    return (struct table_entry *)((char *)payload - offsetof(struct table_entry, payload));
}

static struct table_entry *find(struct table *table, const char *run, const char *name)
{
    struct table_entry *entry = table->buckets[bucket_of(run, name)];
    while (entry != NULL && (strcmp(entry->run, run) != 0 || strcmp(entry->name, name) != 0))
        entry = entry->chained;
    return entry;
}

/* Takes an entry out of the order of use. */
static void unlink_entry(struct table *table, struct table_entry *entry)
{
    *(entry->older != NULL ? &entry->older->newer : &table->oldest) = entry->newer;
    *(entry->newer != NULL ? &entry->newer->older : &table->newest) = entry->older;
}

static void link_newest(struct table *table, struct table_entry *entry)
{
    entry->older = table->newest;
    entry->newer = NULL;
    *(table->newest != NULL ? &table->newest->newer : &table->oldest) = entry;
    table->newest = entry;
}

static void forget(struct table *table, struct table_entry *entry)
{
    struct table_entry **link = &table->buckets[entry->bucket];
    while (*link != entry)
        link = &(*link)->chained;
    *link = entry->chained;
    unlink_entry(table, entry);
    table->count--;
    free(entry);
}

/* Whether there is room for another entry, now or after one was forgotten. */
static bool make_room(struct table *table, uint64_t second)
{
    if (table->count < table->most)
        return true;
    for (struct table_entry *entry = table->oldest; entry != NULL; entry = entry->newer) {
        if (second - entry->used < table->idle)
            return false; /* and so are all that follow */
        if (entry->holds == 0) {
            forget(table, entry);
            return true;
        }
    }
    return false;
}

static struct table_entry *add(struct table *table, const char *run, const char *name)
{
    size_t run_size = strlen(run) + 1, name_size = strlen(name) + 1;
    struct table_entry *entry = calloc(1, sizeof(*entry) + table->payload + run_size + name_size);
    if (entry == NULL)
        return NULL;
    entry->run = memcpy((char *)entry->payload + table->payload, run, run_size);
    entry->name = memcpy(entry->run + run_size, name, name_size);
    entry->bucket = bucket_of(run, name);
    entry->chained = table->buckets[entry->bucket];
    table->buckets[entry->bucket] = entry;
    link_newest(table, entry);
    table->count++;
    return entry;
}

void *table_find(struct table *table, const char *run, const char *name)
{
    struct table_entry *entry = find(table, run, name);
    return entry != NULL ? entry->payload : NULL;
}

int32_t table_use(struct table *table, const char *run, const char *name, uint64_t second,
                  void **payload)
{
    struct table_entry *entry = find(table, run, name);
    if (entry != NULL) {
        unlink_entry(table, entry);
        link_newest(table, entry);
    } else {
        if (!make_room(table, second))
            return PAWL_E_LIMIT;
        entry = add(table, run, name);
        if (entry == NULL)
            return PAWL_E_MEMORY;
    }
    entry->used = second;
    *payload = entry->payload;
    return PAWL_OK;
}

void table_hold(void *payload)
{
    entry_of(payload)->holds++;
}

void table_release(void *payload)
{
    struct table_entry *entry = entry_of(payload);
    if (entry->holds > 0)
        entry->holds--;
}

void table_clear(struct table *table)
{
    while (table->oldest != NULL)
        forget(table, table->oldest);
}
