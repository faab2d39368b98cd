/*
 * What a jail costs, beside what this machine charges for a process, for the same child without a
 * jail, and for bubblewrap's, where it is installed. The figures of one run belong together; their
 * ratios are what counts.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/measure.h"
#include "tests/wire/host.h"

#define SAMPLES  200
#define PARALLEL 200 /* runs on two threads */

static char stub_path[4096];

struct subject {
    const struct pawl_provider *provider;
    void *instance;
};

static void run(void *argument)
{
    const struct subject *subject = argument;
    struct host host;
    host_begin(&host, "return 1");
    if (host_run(&host, subject->provider, subject->instance) != PAWL_OK || host.ends != 1) {
        fprintf(stderr, "a run failed: %s\n", text_get(&host.why));
        exit(1);
    }
    host_clear(&host);
}

static struct subject make(const char *plugin, const char *config)
{
    char path[4096];
    const struct pawl_provider *(*entry)(void);
    struct subject subject = {0};
    struct pawl_host services = host_services(stub_path);
    struct text why = {0};
    struct pawl_sink sink = text_sink(&why);
    snprintf(path, sizeof(path), "%s/pawl-%s-provider.so", getenv("PAWL_PLUGIN_DIR"), plugin);
    void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    *(void **)&entry = dlsym(loaded, PAWL_PROVIDER_ENTRY);
    subject.provider = entry();
    if (subject.provider->create(&services, config, &sink, &subject.instance) != PAWL_OK) {
        fprintf(stderr, "%s\n", text_get(&why));
        exit(1);
    }
    return subject;
}

#define NAMESPACES                                                                             \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
     CLONE_NEWCGROUP)

static int leave(void *unused)
{
    (void)unused;
    _exit(0);
}

/* A process in namespaces of its own that does nothing, not even execute a program: what the kernel
 * alone charges for a jail. */
static void enter_namespaces(void *unused)
{
    _Alignas(16) static char stack[16384];
    (void)unused;
    pid_t pid =
        clone(leave, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD | NAMESPACES, NULL);
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

static void *run_many(void *subject)
{
    for (int i = 0; i < PARALLEL; i++)
        run(subject);
    return NULL;
}

/* Runs per second, on so many threads. */
static double throughput(struct subject *subject, int threads)
{
    pthread_t started[8];
    double from = microseconds();
    for (int i = 0; i < threads; i++)
        pthread_create(&started[i], NULL, run_many, subject);
    for (int i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
    return threads * PARALLEL * 1e6 / (microseconds() - from);
}

int main(void)
{
    char *child = getenv("PAWL_CHILD");
    const char *build = getenv("PAWL_BUILD_DIR");
    if (child == NULL || build == NULL) {
        fprintf(stderr, "start it as ./run tests/bench/confine\n");
        return 2;
    }
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so", build);
    char *bare[] = {child, (char *)"--version", NULL};
    char *bubblewrap[] = {(char *)"bwrap",
                          (char *)"--unshare-all",
                          (char *)"--ro-bind",
                          (char *)"/",
                          (char *)"/",
                          (char *)"/bin/true",
                          NULL};
    const bool has_bubblewrap = access("/usr/bin/bwrap", X_OK) == 0;
    static char cold[] = "{\"engine\":\"stub\"}", warm[] = "{\"engine\":\"stub\",\"warm\":2}";
    struct subject open_cold = make("subprocess", cold), jail_cold = make("confine", cold);
    struct subject open_warm = make("subprocess", warm), jail_warm = make("confine", warm);
    enum { SPAWN, NAMESPACES_ALONE, OPEN_COLD, JAIL_COLD, OPEN_WARM, JAIL_WARM, BUBBLEWRAP, COUNT };
    static struct measured all[] = {
        [SPAWN] = {.name = "posix_spawn of pawl-child --version", .work = measure_spawn},
        [NAMESPACES_ALONE] = {.name = "namespaces alone", .work = enter_namespaces},
        [OPEN_COLD] = {.name = "subprocess, cold", .work = run},
        [JAIL_COLD] = {.name = "confine, cold", .work = run},
        [OPEN_WARM] = {.name = "subprocess, warm", .work = run, .rested = true},
        [JAIL_WARM] = {.name = "confine, warm", .work = run, .rested = true},
        [BUBBLEWRAP] = {.name = "bwrap --unshare-all, /bin/true", .work = measure_spawn},
    };
    all[SPAWN].argument = bare;
    all[OPEN_COLD].argument = &open_cold;
    all[JAIL_COLD].argument = &jail_cold;
    all[OPEN_WARM].argument = &open_warm;
    all[JAIL_WARM].argument = &jail_warm;
    all[BUBBLEWRAP].argument = bubblewrap;
    const size_t count = has_bubblewrap ? COUNT : BUBBLEWRAP;
    measure(all, count, SAMPLES);
    for (size_t i = 0; i < count; i++)
        printf("%-36s %8.1f us\n", all[i].name, all[i].median);
    if (has_bubblewrap)
        printf("a cold jail is %.2f of bubblewrap's (target 0.20; its namespaces alone are %.2f)\n",
               all[JAIL_COLD].median / all[BUBBLEWRAP].median,
               all[NAMESPACES_ALONE].median / all[BUBBLEWRAP].median);
    printf("a warm jail is %.2f of a warm subprocess (target 2)\n",
           all[JAIL_WARM].median / all[OPEN_WARM].median);
    double one = throughput(&jail_cold, 1), two = throughput(&jail_cold, 2);
    printf("cold jails: %.0f/s on one thread, %.0f/s on two: %.2f times\n", one, two, two / one);
    open_cold.provider->destroy(open_cold.instance);
    open_warm.provider->destroy(open_warm.instance);
    jail_cold.provider->destroy(jail_cold.instance);
    jail_warm.provider->destroy(jail_warm.instance);
    return 0;
}
