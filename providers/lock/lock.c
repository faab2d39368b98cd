#include "providers/child/lock.h"

#include <unistd.h>

#include "step.h"

typedef int32_t step(struct lock *lock);

static int32_t take(struct lock *lock, step *const *steps)
{
    for (; *steps != NULL; steps++) {
        int32_t status = (*steps)(lock);
        if (status != PAWL_OK)
            return status;
    }
    return PAWL_OK;
}

/* The order matters. What needs privileges comes before they are given up; the bounding set is the
 * user namespace's, so it is emptied inside; Landlock forbids mounting, so it comes behind the new
 * root; the filter forbids all of it. */
static step *const with_namespaces[] = {
    lock_inspect,
    lock_keyring,
    lock_identity,
    lock_namespaces,
    lock_root,
    lock_bounding_set,
    lock_capabilities,
    lock_landlock,
    lock_process,
    lock_canaries_before_filter,
    lock_seccomp,
    lock_canaries_behind_filter,
    NULL,
};

/* Where user namespaces are forbidden: a process that can do nothing but compute and talk to its
 * parent, on the host's file system and network of which it sees nothing. */
static step *const without_namespaces[] = {
    lock_inspect,
    lock_keyring,
    lock_bounding_set,
    lock_identity,
    lock_capabilities,
    lock_landlock,
    lock_process,
    lock_canaries_before_filter,
    lock_seccomp,
    lock_canaries_behind_filter,
    NULL,
};

int32_t lock_down(struct json demand, struct text *locked, struct text *why)
{
    if (demand.text == NULL)
        return PAWL_OK;
    struct json_member m[] = {
        {.name = "namespaces", .type = JSON_BOOLEAN, .required = true},
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "command", .type = JSON_BOOLEAN},
        {.name = "visible", .type = JSON_ARRAY},
    };
    uint64_t id;
    if (!json_members(demand, m, 4, why))
        return PAWL_E_STATE;
    if (!json_unsigned(m[1].value, &id) || id == 0 || id >= UINT32_MAX) {
        text_string(why, "the launch frame's lock has an unusable \"id\"");
        return PAWL_E_STATE;
    }
    if (json_is_true(m[2].value) && !json_is_true(m[0].value)) {
        text_string(why, "the launch frame's lock has a command without namespaces");
        return PAWL_E_STATE;
    }
    struct lock lock = {
        .namespaces = json_is_true(m[0].value),
        .command = json_is_true(m[2].value),
        .visible = m[3].value,
        .privileged = geteuid() == 0,
        .id = (uid_t)id,
        .locked = locked,
        .why = why,
    };
    return take(&lock, lock.namespaces ? with_namespaces : without_namespaces);
}
