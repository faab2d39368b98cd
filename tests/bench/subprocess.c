/*
 * What it costs to run a program in a process of its own, beside what this machine charges for a
 * process and for a pipe. The figures of one run belong together; their ratios are what counts.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/wire/host.h"

#define SAMPLES 200

static char stub_path[4096];
static const struct pawl_provider *subprocess;

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of SAMPLES measurements, in microseconds. `rested`: with pauses between them, so that
 * whoever answers has gone to sleep, and a pool has had time to make a child ready. */
static double median(void (*measured)(void *), void *argument, bool rested)
{
    double samples[SAMPLES];
    for (int i = 0; i < 10; i++)
        measured(argument);
    for (int i = 0; i < SAMPLES; i++) {
        if (rested)
            nanosleep(&(const struct timespec){0, 15000000}, NULL);
        double from = microseconds();
        measured(argument);
        samples[i] = microseconds() - from;
    }
    qsort(samples, SAMPLES, sizeof(samples[0]), compare);
    return samples[SAMPLES / 2];
}

static void spawn_version(void *argument)
{
    char *const argv[] = {argument, (char *)"--version", NULL};
    char *const environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    if (posix_spawn(&pid, argument, &actions, NULL, argv, environment) == 0)
        waitpid(pid, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
}

struct pipes {
    int to[2], from[2];
};

static void round_trip(void *argument)
{
    struct pipes *pipes = argument;
    char byte = 0;
    if (write(pipes->to[1], &byte, 1) != 1 || read(pipes->from[0], &byte, 1) != 1)
        exit(1);
}

static void thousand_round_trips(void *argument)
{
    for (int i = 0; i < 1000; i++)
        round_trip(argument);
}

static void measure_round_trips(double *busy, double *rested)
{
    struct pipes pipes;
    if (pipe2(pipes.to, O_CLOEXEC) != 0 || pipe2(pipes.from, O_CLOEXEC) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        setsid(); /* as a child of the provider's: the scheduler groups processes by session */
        close(pipes.to[1]);
        while (read(pipes.to[0], &byte, 1) == 1 && write(pipes.from[1], &byte, 1) == 1)
            ;
        _exit(0);
    }
    *busy = median(thousand_round_trips, &pipes, true) / 1000;
    *rested = median(round_trip, &pipes, true);
    close(pipes.to[1]);
    waitpid(pid, NULL, 0);
}

struct subject {
    const struct pawl_provider *provider;
    void *instance;
    const char *program;
};

static void run(void *argument)
{
    const struct subject *subject = argument;
    struct host host;
    host_begin(&host, subject->program);
    if (host_run(&host, subject->provider, subject->instance) != PAWL_OK || host.ends != 1)
        exit(1);
    host_clear(&host);
}

static void *make(const struct pawl_provider *provider, const char *config)
{
    struct pawl_host services = host_services(stub_path);
    struct text why = {0};
    struct pawl_sink sink = text_sink(&why);
    void *instance;
    if (provider->create(&services, config, &sink, &instance) != PAWL_OK) {
        fprintf(stderr, "%s\n", text_get(&why));
        exit(1);
    }
    return instance;
}

/* Kilobytes that an idle child has to itself. */
static long idle_memory(void)
{
    char path[64], line[256];
    long pid = 0, dirty = 0, kilobytes;
    FILE *file = popen("pgrep -n -x pawl-child", "r");
    if (file == NULL || fscanf(file, "%ld", &pid) != 1)
        pid = 0;
    if (file != NULL)
        pclose(file);
    snprintf(path, sizeof(path), "/proc/%ld/smaps_rollup", pid);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "Private_Dirty: %ld", &kilobytes) == 1 ||
            sscanf(line, "Private_Clean: %ld", &kilobytes) == 1)
            dirty += kilobytes;
    if (file != NULL)
        fclose(file);
    return dirty;
}

static const struct pawl_provider *load_stub(void)
{
    static void *plugin; /* never unloaded */
    plugin = dlopen(stub_path, RTLD_NOW | RTLD_LOCAL);
    const struct pawl_provider *(*entry)(void);
    if (plugin == NULL)
        return NULL;
    *(void **)&entry = dlsym(plugin, PAWL_PROVIDER_ENTRY);
    return entry();
}

int main(void)
{
    static const char empty[] = "return 1";
    char *child = getenv("PAWL_CHILD");
    const char *build = getenv("PAWL_BUILD_DIR");
    if (child == NULL || build == NULL) {
        fprintf(stderr, "start it as ./run tests/bench/subprocess\n");
        return 2;
    }
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so", build);
    subprocess = pawl_provider_entry_v1();
    const struct pawl_provider *stub = load_stub();

    double busy, rested, spawned = median(spawn_version, child, false);
    measure_round_trips(&busy, &rested);
    struct subject within = {stub, make(stub, "{}"), empty};
    struct subject cold = {subprocess, make(subprocess, "{\"engine\":\"stub\"}"), empty};
    double in_process = median(run, &within, false), cold_run = median(run, &cold, false);
    struct subject warm = {subprocess, make(subprocess, "{\"engine\":\"stub\",\"warm\":1}"), empty};
    double warm_run = median(run, &warm, true);
    long memory = idle_memory();
    warm.program = "sequence 1000\nreturn 1";
    double call = (median(run, &warm, true) - warm_run) / 1000;
    subprocess->destroy(warm.instance);
    subprocess->destroy(cold.instance);

    printf("round trip through two pipes, busy   %8.1f us\n", busy);
    printf("round trip to a process that slept   %8.1f us\n", rested);
    printf("posix_spawn of pawl-child --version  %8.1f us\n", spawned);
    printf("run in process                       %8.1f us\n", in_process);
    printf("cold run                             %8.1f us  %5.2f of that spawn (target 2)\n",
           cold_run, cold_run / spawned);
    printf("warm run                             %8.1f us  %5.2f round trips to a sleeper more than"
           " in process (target 4)\n",
           warm_run, (warm_run - in_process) / rested);
    printf("a call on a warm child               %8.1f us  %5.2f busy round trips (target 1.5)\n",
           call, call / busy);
    printf("memory of an idle child alone        %8ld KiB\n", memory);
    return 0;
}
