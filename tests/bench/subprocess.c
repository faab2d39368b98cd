/*
 * What it costs to run a program in a process of its own, beside what this machine charges for a
 * process and for a pipe. The figures of one run belong together; their ratios are what counts.
 *
 * What a pipe costs depends on where its ends are: on one processor an eighth of what it is across
 * two. So everything is measured in both places, beside the pipe there. Where the scheduler puts
 * host and child is shown, too, but a call has nothing to be compared with there: the scheduler
 * parts the two as soon as anything else starts, such as the child's successor, and leaves the ends
 * of a lone pipe together.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/measure.h"
#include "tests/wire/host.h"

/* Rounds of what takes microseconds, and of what takes milliseconds. */
#define SAMPLES      200
#define LONG_SAMPLES 30

/* Of a program that calls, one after the other, and round trips to compare them with. */
#define CALLS 5000

static char stub_path[4096];
static const struct pawl_provider *subprocess;

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

static void some_round_trips(void *argument)
{
    for (int i = 0; i < CALLS; i++)
        round_trip(argument);
}

/* --- Places ---------------------------------------------------------------------------------- */

/* Processors of this thread, and of the children; -1: whichever the scheduler likes. */
struct place {
    const char *name;
    int own, childs;
};

static cpu_set_t anywhere;

static void go_to(int processor)
{
    cpu_set_t set = anywhere;
    if (processor >= 0) {
        CPU_ZERO(&set);
        CPU_SET(processor, &set);
    }
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        exit(1);
}

/* Starts a process that answers. */
static pid_t open_pipes(struct pipes *pipes, const struct place *place)
{
    if (pipe2(pipes->to, O_CLOEXEC) != 0 || pipe2(pipes->from, O_CLOEXEC) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        setsid(); /* as a child of the provider's: the scheduler groups processes by session */
        go_to(place->childs);
        close(pipes->to[1]);
        while (read(pipes->to[0], &byte, 1) == 1 && write(pipes->from[1], &byte, 1) == 1)
            ;
        _exit(0);
    }
    return pid;
}

static void close_pipes(struct pipes *pipes, pid_t pid)
{
    close(pipes->to[1]);
    waitpid(pid, NULL, 0);
    close(pipes->to[0]);
    close(pipes->from[0]);
    close(pipes->from[1]);
}

/* --- Runs ------------------------------------------------------------------------------------ */

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

static const char empty[] = "return 1", calling[] = "sequence 5000\nreturn 1";

static void measure_warm(const struct place *place, const struct pawl_provider *stub)
{
    struct pipes pipes;
    pid_t pid = open_pipes(&pipes, place);
    struct subject within = {stub, make(stub, "{}"), empty}, within_calling = within;
    /* The pool's thread, and whom it starts, stay where they are made. */
    go_to(place->childs);
    struct subject warm = {subprocess, make(subprocess, "{\"engine\":\"stub\",\"warm\":1}"), empty},
                   warm_calling = warm;
    go_to(place->own);
    within_calling.program = warm_calling.program = calling;
    enum { PIPE, WITHIN, WARM, KINDS };
    static struct measured runs[KINDS], calls[KINDS];
    runs[PIPE] = (struct measured){.work = round_trip, .argument = &pipes, .rested = true};
    runs[WITHIN] = (struct measured){.work = run, .argument = &within, .rested = true};
    runs[WARM] = (struct measured){.work = run, .argument = &warm, .rested = true};
    measure(runs, KINDS, SAMPLES);
    calls[PIPE] = (struct measured){.work = some_round_trips, .argument = &pipes, .rested = true};
    calls[WITHIN] = (struct measured){.work = run, .argument = &within_calling, .rested = true};
    calls[WARM] = (struct measured){.work = run, .argument = &warm_calling, .rested = true};
    measure(calls, KINDS, LONG_SAMPLES);
    for (int i = 0; i < KINDS; i++)
        calls[i].median = (calls[i].median - (i == PIPE ? 0 : runs[i].median)) / CALLS;
    long memory = idle_memory();
    subprocess->destroy(warm.instance);
    stub->destroy(within.instance);
    close_pipes(&pipes, pid);
    go_to(-1);
    printf("\n%s\n", place->name);
    printf("  round trip through two pipes       %8.1f us rested, %.1f us busy\n",
           runs[PIPE].median, calls[PIPE].median);
    printf("  in process                         %8.1f us a run, %.2f us a call\n",
           runs[WITHIN].median, calls[WITHIN].median);
    printf("  warm run                           %8.1f us  %5.2f rested round trips more (target 4)"
           "\n",
           runs[WARM].median, (runs[WARM].median - runs[WITHIN].median) / runs[PIPE].median);
    printf("  call                               %8.1f us", calls[WARM].median);
    if (place->own >= 0)
        printf("  %5.2f busy round trips more (target 1.5)",
               (calls[WARM].median - calls[WITHIN].median) / calls[PIPE].median);
    printf("\n");
    printf("  memory of an idle child alone      %8ld KiB\n", memory);
}

int main(void)
{
    char *child = getenv("PAWL_CHILD");
    const char *build = getenv("PAWL_BUILD_DIR");
    if (child == NULL || build == NULL) {
        fprintf(stderr, "start it as ./run tests/bench/subprocess\n");
        return 2;
    }
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so", build);
    subprocess = pawl_provider_entry_v1();
    const struct pawl_provider *stub = load_stub();
    if (stub == NULL || sched_getaffinity(0, sizeof(anywhere), &anywhere) != 0)
        return 1;

    char *version[] = {child, (char *)"--version", NULL};
    struct subject cold = {subprocess, make(subprocess, "{\"engine\":\"stub\"}"), empty};
    static struct measured starts[] = {{.work = measure_spawn}, {.work = run}};
    starts[0].argument = version;
    starts[1].argument = &cold;
    measure(starts, 2, SAMPLES);
    subprocess->destroy(cold.instance);
    printf("posix_spawn of pawl-child --version  %8.1f us\n", starts[0].median);
    printf("cold run                             %8.1f us  %5.2f of that spawn (target 2)\n",
           starts[1].median, starts[1].median / starts[0].median);

    int first = 0, second;
    while (!CPU_ISSET(first, &anywhere))
        first++;
    for (second = first + 1; second < CPU_SETSIZE && !CPU_ISSET(second, &anywhere);)
        second++;
    measure_warm(&(struct place){"on one processor", first, first}, stub);
    if (second < CPU_SETSIZE)
        measure_warm(&(struct place){"across two processors", first, second}, stub);
    measure_warm(&(struct place){"where the scheduler puts them", -1, -1}, stub);
    return 0;
}
