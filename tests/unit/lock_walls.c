/*
 * The lock-down without its last wall: what namespaces, the empty root, the missing capabilities
 * and the limits stop by themselves, should a hole in the filter ever be found.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "providers/child/limits.h"
#include "providers/lock/idmap.h"
#include "providers/lock/step.h"
#include "tests/probes/probe.h"
#include "tests/unit/test.h"

/* The steps of lock.c but for the filter. */
static int enter(void *context)
{
    struct text locked = {0}, why = {0};
    (void)context;
    struct lock lock = {
        .namespaces = true,
        .privileged = geteuid() == 0,
        .id = geteuid() == 0 ? 65532 : geteuid(),
        .locked = &locked,
        .why = &why,
    };
    if (limits_apply(false, &locked, &why) == PAWL_OK && lock_keyring(&lock) == PAWL_OK &&
        lock_identity(&lock) == PAWL_OK && lock_namespaces(&lock) == PAWL_OK &&
        lock_root(&lock) == PAWL_OK && lock_bounding_set(&lock) == PAWL_OK &&
        lock_capabilities(&lock) == PAWL_OK && lock_landlock(&lock) == PAWL_OK &&
        lock_process(&lock) == PAWL_OK)
        return 0;
    printf("# %s\n", text_get(&why));
    fflush(stdout);
    return -1;
}

/* A new pid namespace serves one process: the first one takes it with it when it ends. */
static void run_in_new_namespace(const struct probe *probe, const struct probe_target *target,
                                 char *end, size_t size)
{
    pid_t child = fork();
    if (child == 0) {
        const uid_t user = geteuid();
        const gid_t group = getegid();
        if (unshare(user == 0 ? CLONE_NEWPID : CLONE_NEWUSER | CLONE_NEWPID) != 0 ||
            (user != 0 && idmap_keep(user, group) != NULL))
            _exit(1);
        probe_run(probe, target, enter, NULL, end, size);
        _exit(0);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void walls_stand_alone(void)
{
    char *end = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct probe_target target = {.victim = getppid(), .descriptor = 5000, .file = "/etc/passwd"};
    size_t tried = 0;
    for (size_t i = 0; i < probe_count; i++) {
        const struct probe *probe = &probes[i];
        if (probe->end_without_filter == NULL)
            continue;
        strcpy(end, "not run");
        run_in_new_namespace(probe, &target, end, 64);
        if (tried++ == 0 && (strcmp(end, "not run") == 0 || strcmp(end, "not entered") == 0)) {
            test_skip("no namespaces can be made here");
            return;
        }
        /* ENOSYS: this kernel was built without it. */
        if (strstr(probe->end_without_filter, end) != NULL || strcmp(end, "ENOSYS") == 0)
            continue;
        printf("# %s: ended with %s, should end with %s\n", probe->name, end,
               probe->end_without_filter);
        CU_FAIL("a wall did not stand");
    }
    CU_ASSERT(tried > 30);
}

int main(void)
{
    static CU_TestInfo tests[] = {{"without the filter", walls_stand_alone}, CU_TEST_INFO_NULL};
    return test_suite("walls", tests);
}
