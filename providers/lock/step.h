/*
 * step.h - inside the lock-down: its steps, in the order in which lock.c takes them.
 *
 * Each one does one thing, looks whether it was done, and returns PAWL_OK; or PAWL_E_UNAVAILABLE,
 * and `why` names the call and its error. None is merely tried.
 */
#ifndef LOCK_STEP_H
#define LOCK_STEP_H

#include <stdbool.h>
#include <sys/types.h>

#include "providers/wire/json.h"

struct lock {
    bool namespaces;     /* with namespaces and a root of its own */
    bool command;        /* it will execute a program, and has a gateway */
    struct json visible; /* array of paths that are in its root, read-only; absent: none */
    bool privileged;     /* the process began as root, and takes on `id` */
    uid_t id;            /* the user and group that it ends as */
    struct text *locked; /* the account of what was done: members of a JSON object */
    struct text *why;
};

/* There is one thread, and no descriptor but pipes and events. (inspect.c) */
int32_t lock_inspect(struct lock *lock);

/* A session keyring of its own. (keyring.c) */
int32_t lock_keyring(struct lock *lock);

/* Another user than root outside, without groups. (identity.c) */
int32_t lock_identity(struct lock *lock);

/* User, mount, net, ipc, uts and cgroup namespaces; the pid namespace is there from the start.
 * (namespaces.c) */
int32_t lock_namespaces(struct lock *lock);

/* The root is a read-only directory with nothing in it but what is to be visible, and the old one
 * is gone. (root.c) */
int32_t lock_root(struct lock *lock);

/* Puts the visible paths where the root is being made. (view.c) */
int32_t lock_view(struct lock *lock, const char *root);

/* The next visible path. False: there are no more; or no memory, and then `path` has failed.
 * (view.c) */
bool lock_next_visible(struct json_iterator *iterator, struct text *path);

/* No capability, and none to be had; no new privileges by executing. (capabilities.c) */
int32_t lock_bounding_set(struct lock *lock);
int32_t lock_capabilities(struct lock *lock);

/* No file but the visible ones, no TCP port, no signal and no abstract socket outside, as far as
 * this kernel's Landlock goes. (landlock.c) */
int32_t lock_landlock(struct lock *lock);

/* It dies with its parent, and nobody can look into it. (process.c) */
int32_t lock_process(struct lock *lock);

/* Tries what must no longer work, and puts down how it ended. (canary.c) */
int32_t lock_canaries_before_filter(struct lock *lock);
int32_t lock_canaries_behind_filter(struct lock *lock);

/* The filter on system calls; the last step. (seccomp.c) */
int32_t lock_seccomp(struct lock *lock);

/* Says that a call failed, with errno. Returns PAWL_E_UNAVAILABLE. */
int32_t lock_failed(struct lock *lock, const char *call);

/* Says that a call succeeded and yet changed nothing. Returns PAWL_E_UNAVAILABLE. */
int32_t lock_unproven(struct lock *lock, const char *what);

#endif
