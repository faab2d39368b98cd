#include "limits.h"

#include <errno.h>
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

int32_t limits_close_descriptors(unsigned first, struct text *why)
{
    if (syscall(SYS_close_range, first, ~0u, 0u) != 0)
        return refused(why, "close_range");
    return PAWL_OK;
}

int32_t limits_apply(bool executes, struct text *locked, struct text *why)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct limit *limit = &table[i];
        const struct rlimit value = {limit->most, limit->most};
        if (executes && limit->resource == RLIMIT_NPROC)
            continue;
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

int32_t limits_of_run(struct json program, struct text *why)
{
    static const __rlimit_resource_t resources[] = {RLIMIT_DATA, RLIMIT_AS, RLIMIT_CPU};
    struct json_member limits = {.name = "limits", .type = JSON_OBJECT};
    struct json_member m[] = {
        {.name = "data", .type = JSON_UNSIGNED},
        {.name = "as", .type = JSON_UNSIGNED},
        {.name = "cpu", .type = JSON_UNSIGNED},
    };
    if (!json_members(program, &limits, 1, why))
        return PAWL_E_STATE;
    if (limits.value.text == NULL)
        return PAWL_OK;
    if (!json_members(limits.value, m, 3, why))
        return PAWL_E_STATE;
    for (size_t i = 0; i < 3; i++) {
        uint64_t most;
        if (m[i].value.text == NULL || !json_unsigned(m[i].value, &most))
            continue;
        const struct rlimit value = {most, most};
        if (setrlimit(resources[i], &value) != 0) {
            text_format(why, "the limit `%s` of the run: %s", m[i].name, strerror(errno));
            return PAWL_E_UNAVAILABLE;
        }
    }
    return PAWL_OK;
}
