/* idmap.h - a new user namespace in which the process keeps its own ids, and has no others. */
#ifndef LOCK_IDMAP_H
#define LOCK_IDMAP_H

#include <sys/types.h>

/* Maps the calling process's user and group, as they were before it entered the new namespace, to
 * themselves. NULL, or the step that failed, with errno. Safe between vfork and exec. */
const char *idmap_keep(uid_t user, gid_t group);

#endif
