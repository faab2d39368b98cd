/*
 * launch.h - starting a child and seeing to its end.
 *
 * The child is made as posix_spawn(3) makes one, on the parent's memory until it executes another
 * program, so that the size of the host does not matter; what fails on the way there is known to
 * the parent without a pipe. Signals, threads and descriptors of the host are left alone: no
 * SIGCHLD handler is needed, none is called, and only this child is waited for, through its pidfd.
 */
#ifndef PARENT_LAUNCH_H
#define PARENT_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "providers/wire/text.h"

/* A started child, and the parent's ends of its five channels (abi/wire.md); those that were closed
 * are -1. All but the pidfd do not block. */
struct child {
    pid_t pid;
    int pidfd;
    int launch, report, stderr_tail, calls, answers;
    int gateway; /* only of a confined command */
};

/* Starts a program: `argv[0]` is its absolute path. It has no environment, no descriptors but the
 * channels, its own session, `/` as its directory, default signals, and is killed when the calling
 * thread ends. `namespaces` are further CLONE_NEW* flags; `gateway`: it gets that channel, too.
 * PAWL_OK; otherwise nothing is left behind and `why` names the step: PAWL_E_UNAVAILABLE. [any
 * thread] */
int32_t launch_child(struct child *child, char *const argv[], int namespaces, bool gateway,
                     struct text *why);

/* How a child ended. */
struct child_end {
    bool signaled;
    int code;   /* the signal, or the exit status */
    bool known; /* false: the host has taken the status away (it ignores SIGCHLD, or waits for any
                   child) */
};

/* Whether the child has ended, without waiting, and how. Its process id stays taken. */
bool child_has_ended(const struct child *child, struct child_end *end);

/* Asks it to stop (SIGTERM). */
void child_terminate(const struct child *child);

/* Kills it and what is left of its session's first process group; or it alone, for now. */
void child_kill(const struct child *child);
void child_kill_alone(const struct child *child);

/* Waits for a killed child and frees everything. */
void child_reap(struct child *child);

/* Closes one of its channels. */
void child_close(int *fd);

#endif
