/*
 * lock.h - confinement: what the child takes away from itself between loading its engine and saying
 * `ready`. It is done in providers/lock; where pawl is built without confinement, lock.c refuses.
 *
 * The demand, `lock` of the launch frame:
 *
 *   namespaces   boolean: with namespaces and an empty root of its own. The process must be the
 *                first one of a pid namespace then.
 *   id           number: the user and group that a process of root becomes; otherwise its own user
 *   command      boolean: it will execute a program, and has a gateway (abi/wire.md); with
 *                namespaces only
 *   visible      array of absolute paths that its root has, read-only; absent: none
 *
 * The account, members of `locked` of the ready frame:
 *
 *   keyring        "new"; "absent" or "forbidden": there are none within reach
 *   id             number: the user that it is now
 *   namespaces     object: the inode number of each, as /proc/PID/ns has it
 *   root           "empty", or "view": the visible paths
 *   bounding       "empty", or "kept" by an ordinary user without a user namespace
 *   capabilities   "none"
 *   no_new_privs   1
 *   landlock       number: the ABI that restricts it; 0: the kernel has none
 *   canaries       object: what was tried before the filter was there, and the name of the errno
 *                  that stopped it, or "done"
 *   seccomp        number: instructions of the filter
 *   behind_filter  object: the same as canaries, after that
 */
#ifndef CHILD_LOCK_H
#define CHILD_LOCK_H

#include "providers/wire/json.h"

/* Locks the process as a launch frame's `lock` demands (absent: not at all). Appends members to
 * the object `locked` of the ready frame. PAWL_OK, or PAWL_E_UNAVAILABLE with the step that failed
 * in `why`; then the process must not go on. */
int32_t lock_down(struct json demand, struct text *locked, struct text *why);

#endif
