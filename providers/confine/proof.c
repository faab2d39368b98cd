#include "proof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "providers/parent/proc.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* What the child says of itself. */
struct account {
    struct json namespaces, root; /* absent where there are none */
    struct json id, bounding, landlock, canaries, behind_filter;
};

struct proof {
    const struct worker *worker;
    bool namespaces; /* demanded */
    struct account said;
    struct text status, own_status; /* /proc/PID/status of the child, and of this thread */
    struct text *why;
};

static struct json words(const char *text)
{
    return (struct json){text, strlen(text)};
}

/* How much of it goes into a message: the child may have written anything. */
static int shown(struct json value)
{
    return value.size > 80 ? 80 : (int)value.size;
}

/* Both accounts of the same thing; `whose` is the other one. */
static int32_t differ(struct proof *proof, const char *what, struct json child, const char *whose,
                      struct json other)
{
    text_format(proof->why,
                "the child is not confined as it should be: %s: the child says `%.*s`, %s `%.*s`",
                what, shown(child), child.text, whose, shown(other), other.text);
    return PAWL_E_UNAVAILABLE;
}

/* --- The kernel's account -------------------------------------------------------------------- */

/* A line of /proc/PID/status must be this text. `said` is what the child says, in its words. */
static int32_t expect_line(struct proof *proof, const char *label, const char *expected,
                           const char *said)
{
    struct json value = words("nothing");
    if (proc_line(&proof->status, label, &value.text, &value.size) &&
        value.size == strlen(expected) && memcmp(value.text, expected, value.size) == 0)
        return PAWL_OK;
    return differ(proof, label, words(said), "the kernel", value);
}

static unsigned long long number_of(const struct text *status, const char *label)
{
    const char *value;
    size_t size;
    return proc_line(status, label, &value, &size) ? strtoull(value, NULL, 10) : 0;
}

static int32_t expect_capabilities(struct proof *proof)
{
    static const char none[] = "0000000000000000";
    static const char *const labels[] = {"CapInh:", "CapPrm:", "CapEff:", "CapAmb:"};
    int32_t status = PAWL_OK;
    for (size_t i = 0; status == PAWL_OK && i < LENGTH(labels); i++)
        status = expect_line(proof, labels[i], none, "no capability");
    if (status == PAWL_OK && json_equals(proof->said.bounding, "empty"))
        status = expect_line(proof, "CapBnd:", none, "an empty bounding set");
    else if (status == PAWL_OK && (proof->namespaces || geteuid() == 0))
        status = differ(proof, "CapBnd:", proof->said.bounding, "it should be", words("empty"));
    return status;
}

static int32_t expect_ids(struct proof *proof)
{
    char ids[64], said[32];
    uint64_t id = 0;
    json_unsigned(proof->said.id, &id);
    const unsigned group = geteuid() == 0 ? (unsigned)id : (unsigned)getegid();
    snprintf(said, sizeof(said), "%u", (unsigned)id);
    if (id == 0 || (geteuid() != 0 && id != geteuid()))
        return differ(proof, "Uid:", words(said), "it should be", words("not root"));
    snprintf(ids, sizeof(ids), "%u\t%u\t%u\t%u", (unsigned)id, (unsigned)id, (unsigned)id,
             (unsigned)id);
    int32_t status = expect_line(proof, "Uid:", ids, said);
    snprintf(ids, sizeof(ids), "%u\t%u\t%u\t%u", group, group, group, group);
    if (status == PAWL_OK)
        status = expect_line(proof, "Gid:", ids, said);
    if (status == PAWL_OK && geteuid() == 0)
        status = expect_line(proof, "Groups:", "", "no groups");
    return status;
}

/* A filter of its own, on top of those that the host itself has. */
static int32_t expect_filter(struct proof *proof)
{
    int32_t status = expect_line(proof, "Seccomp:", "2", "a filter");
    struct json value = words("");
    /* Since Linux 5.9. */
    if (status != PAWL_OK ||
        !proc_line(&proof->status, "Seccomp_filters:", &value.text, &value.size) ||
        number_of(&proof->status, "Seccomp_filters:") >
            number_of(&proof->own_status, "Seccomp_filters:"))
        return status;
    return differ(proof, "Seccomp_filters:", words("one more than the host"), "the kernel", value);
}

static int32_t expect_namespace(struct proof *proof, const char *name)
{
    struct json_member said = {.name = name, .type = JSON_UNSIGNED, .required = true};
    char path[64], number[32];
    struct stat child, own;
    uint64_t inode = 0;
    if (!json_members(proof->said.namespaces, &said, 1, proof->why))
        return PAWL_E_UNAVAILABLE;
    json_unsigned(said.value, &inode);
    snprintf(path, sizeof(path), "/proc/thread-self/ns/%s", name);
    int failed = stat(path, &own);
    if (failed == 0) {
        snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)proof->worker->child.pid, name);
        failed = stat(path, &child);
    }
    if (failed != 0) {
        text_format(proof->why, "%s cannot be read: %s", path, strerror(errno));
        return PAWL_E_UNAVAILABLE;
    }
    if (child.st_ino == inode && child.st_ino != own.st_ino)
        return PAWL_OK;
    snprintf(number, sizeof(number), "%llu", (unsigned long long)child.st_ino);
    return differ(proof, path, said.value,
                  child.st_ino == own.st_ino ? "but it is the host's own," : "the kernel",
                  words(number));
}

static int32_t expect_namespaces(struct proof *proof)
{
    static const char *const names[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    char pids[32];
    int32_t status = PAWL_OK;
    for (size_t i = 0; status == PAWL_OK && i < LENGTH(names); i++)
        status = expect_namespace(proof, names[i]);
    snprintf(pids, sizeof(pids), "%d\t1", (int)proof->worker->child.pid);
    return status == PAWL_OK ? expect_line(proof, "NSpid:", pids, "1") : status;
}

static int32_t check_kernel(struct proof *proof)
{
    const pid_t pid = proof->worker->child.pid;
    int32_t status = proc_read(pid, "status", &proof->status, proof->why);
    if (status == PAWL_OK)
        status = proc_read(0, "status", &proof->own_status, proof->why);
    if (status == PAWL_OK)
        status = expect_ids(proof);
    if (status == PAWL_OK)
        status = expect_line(proof, "Threads:", "1", "1");
    if (status == PAWL_OK)
        status = expect_line(proof, "NoNewPrivs:", "1", "1");
    if (status == PAWL_OK)
        status = expect_capabilities(proof);
    if (status == PAWL_OK)
        status = expect_filter(proof);
    if (status == PAWL_OK && proof->namespaces)
        status = expect_namespaces(proof);
    return status;
}

/* --- The child's account --------------------------------------------------------------------- */

#define FAILED "" /* with whatever error */

/* How each canary must have ended; NULL: that depends on the host. */
static const struct expectation {
    const char *canary;
    const char *inside;  /* with namespaces */
    const char *without; /* in none */
} before_filter[] = {
    {"open", "ENOENT", NULL},          {"create", "EROFS", NULL}, {"route", "ENETUNREACH", NULL},
    {"process", "ESRCH", NULL},        {"root", FAILED, FAILED},  {"mount", "EPERM", "EPERM"},
    {"raise_limit", "EPERM", "EPERM"},
};

static const struct expectation behind_filter[] = {
    {"filtered_open", "EACCES", "EACCES"},
    {"filtered_clone3", "ENOSYS", "ENOSYS"},
};

/* The filter of a command lets it open files, and its root does not have that one. */
static const struct expectation behind_command_filter[] = {
    {"filtered_open", "ENOENT", "EACCES"},
    {"filtered_clone3", "ENOSYS", "ENOSYS"},
};

static int32_t expect_canaries(struct proof *proof, struct json canaries,
                               const struct expectation *expectations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct expectation *expected = &expectations[i];
        const char *end = proof->namespaces ? expected->inside : expected->without;
        struct json_member canary = {
            .name = expected->canary, .type = JSON_STRING, .required = true};
        if (!json_members(canaries, &canary, 1, proof->why))
            return PAWL_E_UNAVAILABLE;
        if (end == NULL)
            continue;
        if (*end == '\0' ? json_equals(canary.value, "done") : !json_equals(canary.value, end))
            return differ(proof, expected->canary, canary.value, "it should be",
                          words(*end == '\0' ? "an error" : end));
    }
    return PAWL_OK;
}

/* Without an empty root it is Landlock, where there is one, that must have stopped the first. */
static int32_t check_landlock(struct proof *proof)
{
    struct json_member open = {.name = "open", .type = JSON_STRING, .required = true};
    uint64_t abi = 0;
    json_unsigned(proof->said.landlock, &abi);
    if (proof->namespaces || abi == 0)
        return PAWL_OK;
    if (!json_members(proof->said.canaries, &open, 1, proof->why))
        return PAWL_E_UNAVAILABLE;
    return json_equals(open.value, "EACCES")
               ? PAWL_OK
               : differ(proof, "open", open.value, "with Landlock it should be", words("EACCES"));
}

static int32_t check_canaries(struct proof *proof)
{
    int32_t status =
        expect_canaries(proof, proof->said.canaries, before_filter, LENGTH(before_filter));
    if (status == PAWL_OK)
        status = expect_canaries(proof, proof->said.behind_filter,
                                 proof->worker->recipe->is_command ? behind_command_filter
                                                                   : behind_filter,
                                 LENGTH(behind_filter));
    return status == PAWL_OK ? check_landlock(proof) : status;
}

static bool read_account(const struct worker *worker, struct account *said, struct text *why)
{
    struct json_member m[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "bounding", .type = JSON_STRING, .required = true},
        {.name = "landlock", .type = JSON_UNSIGNED, .required = true},
        {.name = "canaries", .type = JSON_OBJECT, .required = true},
        {.name = "behind_filter", .type = JSON_OBJECT, .required = true},
        {.name = "namespaces", .type = JSON_OBJECT},
        {.name = "root", .type = JSON_STRING},
    };
    struct json locked = worker_locked(worker);
    struct text problem TEXT_CLEANUP = {0};
    if (locked.text == NULL || !json_members(locked, m, LENGTH(m), &problem)) {
        text_string(why, "the child does not say that it is locked: ");
        text_append(why, problem.data, problem.size);
        return false;
    }
    *said = (struct account){
        .id = m[0].value,
        .bounding = m[1].value,
        .landlock = m[2].value,
        .canaries = m[3].value,
        .behind_filter = m[4].value,
        .namespaces = m[5].value,
        .root = m[6].value,
    };
    return true;
}

int32_t proof_check(void *context, const struct worker *worker, struct text *why)
{
    (void)context;
    struct proof proof = {
        .worker = worker, .namespaces = worker->recipe->namespaces != 0, .why = why};
    if (!read_account(worker, &proof.said, why))
        return PAWL_E_UNAVAILABLE;
    int32_t status = PAWL_OK;
    if (proof.namespaces && (proof.said.namespaces.text == NULL || proof.said.root.text == NULL)) {
        text_string(why, "the child does not say that it is in namespaces of its own");
        status = PAWL_E_UNAVAILABLE;
    }
    if (status == PAWL_OK)
        status = check_canaries(&proof);
    if (status == PAWL_OK)
        status = check_kernel(&proof);
    text_free(&proof.status);
    text_free(&proof.own_status);
    return status;
}

/* --- Facts ----------------------------------------------------------------------------------- */

static void state(const struct pawl_run *run, const char *name, const char *grade, const char *by,
                  bool landlock)
{
    char fact[192];
    int size = snprintf(fact, sizeof(fact), "{\"grade\":\"%s\",\"by\":\"%s%s\"}", grade,
                        landlock ? "Landlock, " : "", by);
    run->fact(run->context, name, fact, (size_t)size);
}

void proof_state_facts(void *context, const struct worker *worker, const struct pawl_run *run)
{
    (void)context;
    struct account said;
    struct text why TEXT_CLEANUP = {0};
    uint64_t landlock = 0;
    if (!read_account(worker, &said, &why))
        return;
    json_unsigned(said.landlock, &landlock);
    if (worker->recipe->is_command) {
        const bool proxy = run->policy != NULL && run->policy->egress == PAWL_EGRESS_PROXY;
        state(run, "files", "full", "read-only root of what is visible, seccomp", landlock > 0);
        state(run, "network", "full",
              proxy ? "network namespace, seccomp; the parent connects to the proxy"
                    : "network namespace, seccomp",
              landlock >= 4);
    } else if (worker->recipe->namespaces != 0) {
        state(run, "files", "full", "empty root, seccomp", landlock > 0);
        state(run, "network", "full", "network namespace, seccomp", landlock >= 4);
    } else {
        state(run, "files", "partial", "seccomp; no mount namespace", landlock > 0);
        state(run, "network", "partial", "seccomp; no network namespace", landlock >= 4);
    }
    state(run, "syscalls", "full", "seccomp", false);
}
