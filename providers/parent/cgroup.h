/* cgroup.h - a control group (v2) for one child, in a directory that was delegated to the host. */
#ifndef PARENT_CGROUP_H
#define PARENT_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "providers/wire/text.h"

struct cgroup {
    int parent;    /* the delegated directory; -1: there is no group */
    int directory; /* the group's */
    char name[64];
};

#define CGROUP_NONE                   \
    {                                 \
        .parent = -1, .directory = -1 \
    }

/* Whether groups with a memory limit can be made there now: makes one and removes it. PAWL_OK, or
 * PAWL_E_UNAVAILABLE with the step that failed. [any thread] */
int32_t cgroup_probe(const char *parent, struct text *why);

/* Makes a group whose processes may hold `memory` bytes (0: no limit) and of which there may be
 * `processes` (0: no limit). `number` must differ from that of every other group which this process
 * has there now. On failure there is none. */
int32_t cgroup_make(struct cgroup *group, const char *parent, pid_t number, uint64_t memory,
                    unsigned processes, struct text *why);

/* Moves a process into it. */
int32_t cgroup_enter(const struct cgroup *group, pid_t pid, struct text *why);

/* Whether the kernel killed a process of it because of its memory limit. */
bool cgroup_ran_out_of_memory(const struct cgroup *group);

/* Kills every process in it. */
void cgroup_kill(const struct cgroup *group);

/* Removes it, once its processes were waited for. */
void cgroup_remove(struct cgroup *group);

#endif
