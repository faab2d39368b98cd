#include "limits.h"

#include <errno.h>
#include <pawl/wire.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* RLIMIT_NPROC counts all processes of a user, so that any positive number would depend on what
 * else that user runs. Zero does not: it forbids every further one. */
static const struct limit {
    int resource;
    rlim_t most;
    const char *name;
} table[] = {
    {RLIMIT_CORE, 0, "core"},      {RLIMIT_FSIZE, 0, "fsize"},       {RLIMIT_NPROC, 0, "nproc"},
    {RLIMIT_NOFILE, 16, "nofile"}, {RLIMIT_MSGQUEUE, 0, "msgqueue"}, {RLIMIT_MEMLOCK, 0, "memlock"},
};

static int32_t refused(struct text *why, const char *what)
{
    text_format(why, "%s: %s", what, strerror(errno));
    return PAWL_E_UNAVAILABLE;
}

int32_t limits_close_descriptors(struct text *why)
{
    if (syscall(SYS_close_range, PAWL_WIRE_FDS, ~0u, 0u) != 0)
        return refused(why, "close_range");
    return PAWL_OK;
}

int32_t limits_apply(struct text *locked, struct text *why)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct limit *limit = &table[i];
        const struct rlimit value = {limit->most, limit->most};
        if (setrlimit((__rlimit_resource_t)limit->resource, &value) != 0) {
            text_format(why, "the limit `%s`: %s", limit->name, strerror(errno));
            return PAWL_E_UNAVAILABLE;
        }
        text_format(locked, "%s\"%s\":%lu", i == 0 ? "" : ",", limit->name,
                    (unsigned long)limit->most);
    }
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return refused(why, "prctl(PR_SET_DUMPABLE)");
    return PAWL_OK;
}
