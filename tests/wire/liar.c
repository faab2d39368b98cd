/*
 * The lock-down of a pawl-child that lies: it leaves out the step that the name of its file says
 * (liar-seccomp), and says that it took it. The parent must not believe it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "providers/child/lock.h"
#include "providers/lock/step.h"

static int32_t claim_identity(struct lock *lock)
{
    text_format(lock->locked, ",\"id\":%u", (unsigned)lock->id);
    return PAWL_OK;
}

static int32_t claim_namespaces(struct lock *lock)
{
    text_string(lock->locked, ",\"namespaces\":{\"user\":1,\"mnt\":2,\"pid\":3,\"net\":4,\"ipc\":5,"
                              "\"uts\":6,\"cgroup\":7}");
    return PAWL_OK;
}

static int32_t claim_root(struct lock *lock)
{
    text_string(lock->locked, ",\"root\":\"empty\"");
    return PAWL_OK;
}

static int32_t claim_bounding_set(struct lock *lock)
{
    text_string(lock->locked, ",\"bounding\":\"empty\"");
    return PAWL_OK;
}

static int32_t claim_capabilities(struct lock *lock)
{
    text_string(lock->locked, ",\"capabilities\":\"none\",\"no_new_privs\":1");
    return PAWL_OK;
}

static int32_t claim_landlock(struct lock *lock)
{
    text_string(lock->locked, ",\"landlock\":7");
    return PAWL_OK;
}

static int32_t claim_canaries_before(struct lock *lock)
{
    text_string(lock->locked,
                ",\"canaries\":{\"open\":\"ENOENT\",\"create\":\"EROFS\",\"route\":"
                "\"ENETUNREACH\",\"process\":\"ESRCH\",\"root\":\"EINVAL\",\"mount\":\"EPERM\","
                "\"raise_limit\":\"EPERM\"}");
    return PAWL_OK;
}

static int32_t claim_seccomp(struct lock *lock)
{
    text_string(lock->locked, ",\"seccomp\":176");
    return PAWL_OK;
}

static int32_t claim_canaries_behind(struct lock *lock)
{
    text_string(lock->locked, ",\"behind_filter\":{\"filtered_open\":\"EACCES\","
                              "\"filtered_clone3\":\"ENOSYS\"}");
    return PAWL_OK;
}

static const struct {
    const char *name;
    int32_t (*take)(struct lock *lock);
    int32_t (*claim)(struct lock *lock);
} steps[] = {
    {"keyring", lock_keyring, NULL},
    {"identity", lock_identity, claim_identity},
    {"namespaces", lock_namespaces, claim_namespaces},
    {"root", lock_root, claim_root},
    {"bounding", lock_bounding_set, claim_bounding_set},
    {"capabilities", lock_capabilities, claim_capabilities},
    {"landlock", lock_landlock, claim_landlock},
    {"process", lock_process, NULL},
    {"canaries", lock_canaries_before_filter, claim_canaries_before},
    {"seccomp", lock_seccomp, claim_seccomp},
    {"canaries", lock_canaries_behind_filter, claim_canaries_behind},
};

int32_t lock_down(struct json demand, struct text *locked, struct text *why)
{
    struct json_member id = {.name = "id", .type = JSON_UNSIGNED, .required = true};
    uint64_t number = 0;
    const char *omitted = strstr(program_invocation_short_name, "liar-");
    omitted = omitted == NULL ? "" : omitted + strlen("liar-");
    if (strcmp(omitted, "everything") == 0)
        return PAWL_OK;
    if (!json_members(demand, &id, 1, why) || !json_unsigned(id.value, &number))
        return PAWL_E_STATE;
    struct lock lock = {
        .namespaces = true,
        .privileged = geteuid() == 0,
        .id = (uid_t)number,
        .locked = locked,
        .why = why,
    };
    /* The canaries would give it away. */
    const bool honest = strcmp(omitted, "root") == 0;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        bool omit = strcmp(omitted, steps[i].name) == 0 ||
                    (strcmp(omitted, "identity") == 0 && steps[i].take == lock_capabilities) ||
                    (strcmp(omitted, "all-but-words") == 0 && steps[i].claim != NULL) ||
                    (!honest && strcmp(steps[i].name, "canaries") == 0);
        int32_t status = (omit && steps[i].claim != NULL ? steps[i].claim : steps[i].take)(&lock);
        if (status != PAWL_OK)
            return status;
    }
    return PAWL_OK;
}
