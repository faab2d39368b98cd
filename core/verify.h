/*
 * verify.h - which plugins were found to hold what they claim, by their bytes.
 *
 * pawl-harness --lock writes a record of what it found. Where an operator requires it, a plugin is
 * loaded only if a record of its very bytes says that its claim held: of a provider, its level; of
 * a stage, all that was checked.
 */
#ifndef PAWL_CORE_VERIFY_H
#define PAWL_CORE_VERIFY_H

#include "core/error.h"
#include "core/plugin.h"

struct verify;

/* Reads every record, NAME.json, of a directory that is trusted as one of plugins is (trust.h), and
 * so must every record be. PAWL_E_CONFIG when one is malformed. */
int verify_new(const char *directory, struct verify **verify, pawl_error **error);
void verify_free(struct verify *verify);

/* Whether there is a record of that file's bytes as a plugin of that kind, and the highest level
 * that was found to hold. Otherwise PAWL_E_PLUGIN, and the error says what is missing. [any thread]
 */
int verify_file(const struct verify *verify, int file, enum plugin_kind kind, uint32_t *level,
                pawl_error **error);

#endif
