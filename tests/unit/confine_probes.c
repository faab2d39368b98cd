/*
 * Attempts to get out of the confine provider's jail, by native code inside of it: an engine that
 * has been taken over. Every attempt has a control, unconfined; where even that fails, this machine
 * cannot tell, and the attempt is named as untestable.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/probes/probe.h"
#include "tests/unit/environment.h"
#include "tests/unit/test.h"
#include "tests/wire/host.h"

#define MARKER 5000 /* a descriptor of the host's that no child may have */

static const struct pawl_provider *provider;
static void *jail;
static struct probe_target target;

/* How the probe that runs in this test ended in the jail. */
static void attempt(const struct probe *probe, char *end, size_t size)
{
    struct host host;
    char program[512];
    snprintf(program, sizeof(program), "%s %d %d %s", probe->name, (int)target.victim,
             target.descriptor, target.file);
    host_begin(&host, program);
    host.budget.max_memory = 64u << 20;
    host_set_deadline(&host, 20000);
    int32_t status = host_run(&host, provider, jail);
    const char *value = text_get(&host.value), *message = text_get(&host.message);
    const char *signal = strstr(message, "signal: ");
    if (status == PAWL_OK && host.has_value)
        snprintf(end, size, "%.*s", (int)strlen(value) - 2, value + 1);
    else if (strcmp(host.kind, "worker_exit") == 0 && signal != NULL)
        snprintf(end, size, "%.*s", (int)strspn(signal + 8, "SIGABCDEFGHKLNOPQRTUVXYZ"),
                 signal + 8);
    else
        snprintf(end, size, "%s %s %s", host.kind, message, text_get(&host.why));
    host_clear(&host);
}

static bool ends_as_it_should(const struct probe *probe)
{
    char end[512];
    attempt(probe, end, sizeof(end));
    if (strcmp(end, probe->end) == 0)
        return true;
    printf("# %s: ended with %s, should end with %s\n", probe->name, end, probe->end);
    return false;
}

static void all_probes(void)
{
    size_t untestable = 0;
    for (size_t i = 0; i < probe_count; i++) {
        const struct probe *probe = &probes[i];
        char control[64];
        CU_ASSERT(ends_as_it_should(probe));
        probe_control(probe, control, sizeof(control));
        if (strcmp(control, "done") != 0) {
            printf("# %s: untestable here: it fails with %s even unconfined\n", probe->name,
                   control);
            untestable++;
        }
    }
    printf("# %zu probes, of which %zu are untestable here\n", probe_count, untestable);
    CU_ASSERT(untestable < probe_count / 4);
}

static int32_t make_jail(const char *config, struct text *why)
{
    static char plugin[4096];
    struct pawl_sink sink = text_sink(why);
    snprintf(plugin, sizeof(plugin), "%s/tests/plugins/.libs/pawl-compromised-provider.so",
             test_build_directory());
    struct pawl_host services = host_services(plugin);
    return provider->create(&services, config, &sink, &jail);
}

/* The weakest jail that calls itself one: no namespaces, no Landlock, on the host's own files and
 * network. The filter alone must hold everything. */
static void seccomp_alone(void)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct text why = {0};
        size_t escaped = 0;
        const char *missing = environment_seccomp_alone();
        if (missing != NULL)
            _exit(77);
        if (make_jail("{\"engine\":\"stub\",\"namespaces\":\"optional\"}", &why) != PAWL_OK) {
            printf("# %s\n", text_get(&why));
            escaped = 1;
        }
        for (size_t i = 0; escaped == 0 && i < probe_count; i++)
            escaped += !ends_as_it_should(&probes[i]);
        fflush(stdout);
        _exit(escaped > 0);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        test_skip("user namespaces cannot be forbidden here");
    else
        CU_ASSERT_EQUAL(status, 0);
}

/* Nothing of what the probes did is to be seen. */
static void host_is_whole(void)
{
    struct stat stat_;
    CU_ASSERT_EQUAL(kill(target.victim, 0), 0);
    CU_ASSERT_EQUAL(stat(target.file, &stat_), 0);
    CU_ASSERT_NOT_EQUAL(stat("/tmp/pawl-probe", &stat_), 0);
    CU_ASSERT_NOT_EQUAL(stat("/tmp/pawl-probe-directory", &stat_), 0);
    CU_ASSERT_NOT_EQUAL(stat("/dev/shm/pawl-probe", &stat_), 0);
}

static int set_up(void)
{
    static char file[] = "/tmp/pawl-probed-XXXXXX";
    struct text why TEXT_CLEANUP = {0};
    provider = pawl_provider_entry_v1();
    if (make_jail("{\"engine\":\"stub\"}", &why) != PAWL_OK) {
        printf("# %s\n", text_get(&why));
        return 0;
    }
    int fd = mkstemp(file);
    target.file = file;
    target.descriptor = dup2(fd, MARKER);
    target.victim = fork();
    if (target.victim == 0) {
        if (geteuid() == 0 && setuid(65532) != 0)
            _exit(1);
        for (;;)
            pause();
    }
    return fd < 0 || target.victim < 0;
}

static int tear_down(void)
{
    if (jail == NULL)
        return 0;
    provider->destroy(jail);
    kill(target.victim, SIGKILL);
    waitpid(target.victim, NULL, 0);
    unlink(target.file);
    return 0;
}

static void unavailable(void)
{
    test_skip("the confine provider cannot be created here");
}

int main(void)
{
    static CU_TestInfo tests[] = {{"every probe ends as it should", all_probes},
                                  {"by the filter alone, too", seccomp_alone},
                                  {"the host is whole", host_is_whole},
                                  CU_TEST_INFO_NULL};
    static CU_TestInfo skipped[] = {{"escape probes", unavailable}, CU_TEST_INFO_NULL};
    if (set_up() != 0)
        return 99;
    int failed = test_suite("probes", jail == NULL ? skipped : tests);
    tear_down();
    return failed;
}
