/*
 * probe.h - attempts to get out of a jail. Each is native code that does one thing that a program
 * of level `os` must not be able to do; each is to be run in a process of its own, because most of
 * them end it.
 *
 * They serve three times: from inside a jail, where each must end as the table says; outside of
 * one, as the control which shows that the attempt is real (what fails even there is untestable on
 * that machine); and for `pawl-harness`.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <sys/types.h>

/* What a probe is given. */
struct probe_target {
    pid_t victim;     /* a process of the same user, outside of the jail */
    int descriptor;   /* one that the host had open, without close-on-exec */
    const char *file; /* a file that the host can read and write */
};

struct probe {
    const char *name;
    /* 0: it got out. Otherwise the errno that stopped it; if it returns at all. */
    int (*attempt)(const struct probe_target *target);
    /* How it must end behind the filter: SIGSYS, or the name of an errno. NULL: it must only fail.
     */
    const char *end;
    /* How it must end where there is everything but the filter (of several words, one); NULL: there
     * the filter is the only wall. */
    const char *end_without_filter;
};

extern const struct probe probes[];
extern const size_t probe_count;

/* NULL: there is none of that name. */
const struct probe *probe_find(const char *name);

/* Runs a probe in a new process (which `enter`, if not NULL, may first put anywhere; 0: it did) and
 * writes how it ended: "done", the name of an errno or of a signal, or "not entered". */
void probe_run(const struct probe *probe, const struct probe_target *target,
               int (*enter)(void *context), void *context, char *end, size_t size);

/* Whether there is any wall at all for it: runs it, unconfined, in namespaces that are thrown away
 * with it, and writes how it ended. What is not "done" then is untestable. */
void probe_control(const struct probe *probe, char *end, size_t size);

#endif
