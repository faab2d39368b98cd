/*
 * trust.h - opening what may be loaded into this process.
 *
 * A file or directory is trusted when nobody but root and the caller (the effective user) can
 * change it: both own it, and neither its group nor the rest of the world may write it. A file is
 * only as safe as the way to it, so the same is asked of every directory above, each opened from
 * the one before without following a link. (An access control list that lets somebody else write
 * shows in the group's bits.)
 *
 * A sticky directory such as /tmp may stand above, because nobody can replace what another user
 * owns there and whatever is below is checked as well; plugins directly inside one are not trusted,
 * because anybody could link somebody's old file into it under a new name.
 */
#ifndef PAWL_CORE_TRUST_H
#define PAWL_CORE_TRUST_H

#include "core/error.h"

/* Opens a trusted directory by its absolute path. Returns a descriptor, or PAWL_E_ARGUMENT
 * (malformed path), PAWL_E_UNAVAILABLE (absent or unreadable) or PAWL_E_PLUGIN (not trusted). */
int trust_open_directory(const char *path, pawl_error **error);

/* Opens the trusted regular file `name` in a directory that trust_open_directory opened; `path` is
 * the directory's, for messages. Returns a descriptor or a status as above. */
int trust_open_file(int directory, const char *path, const char *name, pawl_error **error);

#endif
