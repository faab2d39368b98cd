/*
 * subject.h - the plugin that is checked: loaded as the library loads plugins, and opened in a
 * registry as the provider "subject" with a spy (spy.h) between the library and it.
 */
#ifndef HARNESS_SUBJECT_H
#define HARNESS_SUBJECT_H

#include <pawl/pawl.h>

#include "core/plugin.h"
#include "tools/harness/check.h"

struct subject {
    struct plugin *plugin;
    pawl_registry *registry;
    uint32_t level;
    uint32_t egress;
    const char *const *languages;
    const char *language; /* that its programs are in; NULL: it runs none that there are programs in
                           */
};

/* The plugin, or NULL after the requirement has failed because it cannot be loaded. */
struct plugin *subject_load(struct check *check);
struct plugin *subject_load_kind(struct check *check, enum plugin_kind kind);

/* The subject of a requirement, opened when first asked for. NULL: it cannot be opened, and the
 * requirement has failed. */
struct subject *subject_open(struct check *check);

/* Opens one more instance, as the provider `id`. */
bool subject_open_another(struct check *check, const char *id);

/* Closes it, with everything in it; it can be opened again. */
void subject_close(struct check *check);

/* Whether the instance says that it keeps a budget; the subject is open. */
bool subject_supports(const struct check *check, const struct pawl_budget *budget);

#endif
