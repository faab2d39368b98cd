/* What a registry holds, at one moment: providers, stages, and what was refused. */
#include <stdlib.h>
#include <string.h>

#include "core/registry.h"

/* The entries point into the registry, whose contents are never changed or freed while it lives;
 * the texts are copied all the same, so that a listing can outlive it. */
struct pawl_listing {
    struct pawl_listed *entries;
    size_t count;
    void **copies;
    size_t copy_count;
    bool failed;
};

static void *keep(pawl_listing *listing, void *copy)
{
    void **copies =
        copy == NULL ? NULL : realloc(listing->copies, (listing->copy_count + 1) * sizeof(*copies));
    if (copies == NULL) {
        free(copy);
        listing->failed = true;
        return NULL;
    }
    listing->copies = copies;
    return copies[listing->copy_count++] = copy;
}

static const char *copy_text(pawl_listing *listing, const char *text)
{
    return text == NULL ? NULL : keep(listing, strdup(text));
}

static const char *const *copy_languages(pawl_listing *listing, const char *const *languages)
{
    size_t count = 0;
    while (languages[count] != NULL)
        count++;
    const char **copy = keep(listing, calloc(count + 1, sizeof(*copy)));
    for (size_t i = 0; copy != NULL && i < count; i++)
        copy[i] = copy_text(listing, languages[i]);
    return copy;
}

static void copy_plugin(pawl_listing *listing, struct pawl_listed *entry,
                        const struct plugin *plugin)
{
    bool provider = plugin->kind == PLUGIN_PROVIDER;
    entry->plugin = copy_text(listing, plugin->name);
    entry->path = copy_text(listing, plugin->path);
    entry->version =
        copy_text(listing, provider ? plugin->provider.version : plugin->stage.version);
    entry->description =
        copy_text(listing, provider ? plugin->provider.description : plugin->stage.description);
    entry->threads = provider ? plugin->provider.threads : plugin->stage.threads;
}

static void list_provider(pawl_listing *listing, const struct provider_instance *provider)
{
    struct pawl_listed *entry = &listing->entries[listing->count++];
    entry->what = PAWL_LISTED_PROVIDER;
    entry->id = copy_text(listing, provider->id);
    entry->level = provider->level;
    entry->egress = provider->egress;
    entry->languages = copy_languages(listing, provider->languages);
    if (provider->plugin != NULL) {
        copy_plugin(listing, entry, provider->plugin);
        return;
    }
    entry->version = copy_text(listing, provider->descriptor.version);
    entry->description = copy_text(listing, provider->descriptor.description);
    entry->threads = provider->descriptor.threads;
}

static void list_stage(pawl_listing *listing, const struct plugin *plugin)
{
    struct pawl_listed *entry = &listing->entries[listing->count++];
    entry->what = PAWL_LISTED_STAGE;
    copy_plugin(listing, entry, plugin);
}

static void list_refused(pawl_listing *listing, const struct refused *refused)
{
    struct pawl_listed *entry = &listing->entries[listing->count++];
    entry->what = PAWL_LISTED_REFUSED;
    if (refused->loaded != NULL) {
        copy_plugin(listing, entry, refused->loaded);
    } else {
        entry->plugin = copy_text(listing, refused->plugin);
        entry->path = copy_text(listing, refused->path);
    }
    entry->id = copy_text(listing, refused->id);
    entry->reason = copy_text(listing, refused->reason);
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int compare(const void *left, const void *right)
{
    const struct pawl_listed *a = left, *b = right;
    if (a->what != b->what)
        return a->what < b->what ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    int order = a->what == PAWL_LISTED_PROVIDER ? compare_texts(a->id, b->id)
                : a->what == PAWL_LISTED_STAGE  ? compare_texts(a->plugin, b->plugin)
                                                : compare_texts(a->path, b->path);
    return order != 0 ? order : compare_texts(a->id, b->id);
}

/* [locked] */
static void fill(pawl_listing *listing, const pawl_registry *registry)
{
    for (size_t i = 0; i < registry->provider_count; i++)
        list_provider(listing, registry->providers[i]);
    for (size_t i = 0; i < registry->plugin_count; i++)
        if (registry->plugins[i]->kind == PLUGIN_STAGE)
            list_stage(listing, registry->plugins[i]);
    for (size_t i = 0; i < registry->refused_count; i++)
        list_refused(listing, registry->refused[i]);
}

int pawl_registry_list(pawl_registry *registry, pawl_listing **listing, pawl_error **error)
{
    pawl_listing *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    pthread_mutex_lock(&registry->lock);
    size_t most = registry->provider_count + registry->plugin_count + registry->refused_count;
    made->entries = calloc(most + 1, sizeof(*made->entries));
    made->failed = made->entries == NULL;
    if (!made->failed)
        fill(made, registry);
    pthread_mutex_unlock(&registry->lock);
    if (made->failed) {
        pawl_listing_free(made);
        return error_memory(error);
    }
    qsort(made->entries, made->count, sizeof(*made->entries), compare);
    *listing = made;
    return PAWL_OK;
}

size_t pawl_listing_size(const pawl_listing *listing)
{
    return listing->count;
}

const struct pawl_listed *pawl_listing_at(const pawl_listing *listing, size_t index)
{
    return index < listing->count ? &listing->entries[index] : NULL;
}

void pawl_listing_free(pawl_listing *listing)
{
    if (listing == NULL)
        return;
    for (size_t i = 0; i < listing->copy_count; i++)
        free(listing->copies[i]);
    free(listing->copies);
    free(listing->entries);
    free(listing);
}
