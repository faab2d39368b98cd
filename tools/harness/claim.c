/* R60 to R67: what the plugin claims: a wall clock, memory, egress, its level. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "tools/harness/trial.h"

/* --- The wall clock ------------------------------------------------------------------------ */

/* How late a run may end, in milliseconds: much, as machines are busy, but no program stays for
 * good. */
#define LATENESS 10000u

static bool claims_wall_clock(struct check *check)
{
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 300;
    if (subject_open(check) == NULL)
        return false;
    if (subject_supports(check, &budget))
        return true;
    skip(check, "it does not claim to keep a wall clock");
    return false;
}

/* Runs a scenario for 300 ms. NULL: there is no result, or it came much too late. */
static const pawl_result *run_briefly(struct check *check, const char *scenario)
{
    struct trial trial;
    if (!trial_new(check, &trial, scenario))
        return NULL;
    trial.budget.wall_clock = 300;
    uint64_t start = clock_now();
    const pawl_result *result = trial_run(&trial);
    uint64_t took = (clock_now() - start) / NS_PER_MS;
    return expect(check, took < 300 + LATENESS, "%s: it was to end after 300 ms, and took %llu ms",
                  scenario, (unsigned long long)took)
               ? result
               : NULL;
}

static void stops_loops(struct check *check)
{
    if (claims_wall_clock(check))
        expect_kind(check, "loop", run_briefly(check, "loop"), "deadline");
}

static void stops_what_catches(struct check *check)
{
    if (!claims_wall_clock(check))
        return;
    const pawl_result *result = run_briefly(check, "loop_caught");
    if (!expect_kind(check, "loop_caught", result, "deadline"))
        return;
    expect(check, pawl_result_logs(result) == 0 && spy_findings()->ran_on == 0,
           "loop_caught: the program ran on after its deadline");
}

static void stops_native_loops(struct check *check)
{
    static const char *const scenarios[] = {"native_regexp", "native_join", "native_sort",
                                            "native_search"};
    if (!claims_wall_clock(check))
        return;
    bool any = false;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, scenarios[i]))
            continue;
        any = true;
        /* An engine may refuse such work: then it ended, too. */
        const pawl_result *result = run_briefly(check, scenarios[i]);
        if (result != NULL)
            expect_survived(check, scenarios[i], result);
    }
    if (!any)
        skip(check, "no program \"native_sort\" or another such");
}

/* --- Memory -------------------------------------------------------------------------------- */

/* The budget that the bombs are set off in: the smallest of some that it keeps, 0 when none. */
static uint64_t memory_budget(struct check *check)
{
    if (subject_open(check) == NULL)
        return 0;
    for (uint64_t size = UINT64_C(16) << 20; size <= UINT64_C(64) << 20; size *= 2) {
        struct pawl_budget budget = pawl_budget_empty();
        budget.max_memory = size;
        if (subject_supports(check, &budget))
            return size;
    }
    skip(check, "it does not claim to keep a max_memory of 64 MiB or less");
    return 0;
}

/* The most memory that this process ever had, since begin_peak. */
static long peak(void)
{
    char line[256];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes * 1024;
}

static void begin_peak(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "5", 1);
        close(file);
    }
}

/* What the provider itself may need beside the program's memory. */
#define OWN_MEMORY (48L << 20)

static void stops_bombs(struct check *check)
{
    static const char *const bombs[] = {"bomb_objects", "bomb_string", "bomb_list"};
    uint64_t budget = memory_budget(check);
    bool any = false;
    for (size_t i = 0; budget != 0 && i < sizeof(bombs) / sizeof(bombs[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, bombs[i]))
            continue;
        any = true;
        trial.budget.max_memory = budget;
        begin_peak();
        long before = peak();
        expect_kind(check, bombs[i], trial_run(&trial), "budget_memory");
        long grown = peak() - before;
        expect(check, grown < (long)budget + OWN_MEMORY,
               "%s: with a max_memory of %llu MiB the process grew by %ld MiB", bombs[i],
               (unsigned long long)budget >> 20, grown >> 20);
    }
    if (budget != 0 && !any)
        skip(check, "no program \"bomb_objects\" or another such");
}

static void gives_memory(struct check *check)
{
    struct trial trial;
    uint64_t budget = memory_budget(check);
    if (budget == 0 || !trial_new(check, &trial, "memory_fits"))
        return;
    trial.budget.max_memory = budget;
    const pawl_result *result = trial_run(&trial);
    if (expect_value(check, "memory_fits", result, "1000"))
        expect(check, pawl_result_fact(result, "memory") != NULL,
               "it keeps a max_memory, but states no fact \"memory\" about what enforces it");
}

/* --- Reach --------------------------------------------------------------------------------- */

#define SECRET "the-harness-wrote-this-into-a-file"

static bool write_secret(char *path)
{
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0)
        return false;
    bool written = write(file, SECRET, strlen(SECRET)) == (ssize_t)strlen(SECRET);
    close(file);
    return written;
}

static void reaches_no_file(struct check *check)
{
    struct trial trial;
    char path[] = "/tmp/pawl-harness.XXXXXX";
    if (subject_open(check) == NULL)
        return;
    if (check->subject->level < PAWL_LEVEL_PROCESS) {
        skip(check, "its level is none");
        return;
    }
    if (!trial_new(check, &trial, "read_file"))
        return;
    if (!expect(check, write_secret(path), "no file can be made in /tmp: %m"))
        return;
    trial_fill(&trial, "@FILE@", path);
    pawl_result *result = trial_run(&trial);
    unlink(path);
    if (result == NULL)
        return;
    const char *json = pawl_result_json(result, NULL);
    expect(check, json != NULL && strstr(json, SECRET) == NULL,
           "its level is %s, but a program read a file of the host",
           pawl_level_name(check->subject->level));
}

/* A socket that listens on the loopback interface, and its port. */
static int listen_somewhere(uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, 8) != 0 || getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        return -1;
    *port = ntohs(address.sin_port);
    return listener;
}

static void reaches_no_network(struct check *check)
{
    struct trial trial;
    char number[16];
    uint16_t port = 0;
    if (subject_open(check) == NULL)
        return;
    if (check->subject->egress != PAWL_EGRESS_NONE) {
        skip(check, "it does not claim the egress none");
        return;
    }
    if (!trial_new(check, &trial, "connect"))
        return;
    int listener = listen_somewhere(&port);
    if (!expect(check, listener >= 0, "no socket can listen: %m"))
        return;
    snprintf(number, sizeof(number), "%u", port);
    trial_fill(&trial, "@PORT@", number);
    trial.policy.header = (struct pawl_header)PAWL_HEADER(POLICY, trial.policy);
    trial.policy.egress = PAWL_EGRESS_NONE;
    trial_run(&trial);
    struct pollfd connected = {.fd = listener, .events = POLLIN};
    expect(check, poll(&connected, 1, 0) == 0,
           "it claims the egress none, but a program reached a socket of the host");
    close(listener);
}

/* --- The kernel's word --------------------------------------------------------------------- */

/* What the kernel says of a process. */
struct confinement {
    pid_t parent;
    unsigned no_new_privs;
    unsigned seccomp;
    unsigned long long effective, bounding; /* capabilities */
};

static bool read_confinement(const char *pid, struct confinement *found)
{
    char path[300], line[256];
    snprintf(path, sizeof(path), "/proc/%s/status", pid);
    FILE *file = fopen(path, "re");
    *found = (struct confinement){.effective = 1, .bounding = 1};
    if (file == NULL)
        return false;
    while (fgets(line, sizeof(line), file) != NULL) {
        sscanf(line, "PPid: %d", &found->parent);
        sscanf(line, "NoNewPrivs: %u", &found->no_new_privs);
        sscanf(line, "Seccomp: %u", &found->seccomp);
        sscanf(line, "CapEff: %llx", &found->effective);
        sscanf(line, "CapBnd: %llx", &found->bounding);
    }
    fclose(file);
    return true;
}

static bool is_below(pid_t parent)
{
    for (int depth = 0; depth < 8 && parent > 1; depth++) {
        char pid[16];
        struct confinement above;
        if (parent == getpid())
            return true;
        snprintf(pid, sizeof(pid), "%d", (int)parent);
        if (!read_confinement(pid, &above))
            return false;
        parent = above.parent;
    }
    return false;
}

struct inspection {
    bool done;
    unsigned below;    /* processes that this one's descend from */
    unsigned confined; /* of them */
};

/* Looks at the processes below this one, while a program runs. */
static void inspect_processes(void *data)
{
    struct inspection *inspection = data;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    inspection->done = processes != NULL;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        struct confinement found;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
            !read_confinement(entry->d_name, &found) || !is_below(found.parent))
            continue;
        inspection->below++;
        inspection->confined += found.no_new_privs == 1 && found.seccomp == 2 &&
                                found.effective == 0 && found.bounding == 0;
    }
    if (processes != NULL)
        closedir(processes);
}

static void is_confined(struct check *check)
{
    struct trial trial;
    struct inspection inspection = {0};
    if (subject_open(check) == NULL)
        return;
    if (check->subject->level != PAWL_LEVEL_OS) {
        skip(check, "its level is %s", pawl_level_name(check->subject->level));
        return;
    }
    if (!trial_new(check, &trial, "inspect"))
        return;
    trial.tools->inspect = inspect_processes;
    trial.tools->inspect_data = &inspection;
    const pawl_result *result = trial_run(&trial);
    if (result == NULL ||
        !expect(check, inspection.done, "inspect: it came to %s", outcome_of(result)))
        return;
    expect(check, inspection.confined > 0,
           "its level is os, but while a program ran, none of the %u processes below this one had "
           "no_new_privs, a seccomp filter and no capabilities",
           inspection.below);
}

const struct requirement claim_requirements[] = {
    {.id = "R60", .title = "stops an endless loop", .programs = "loop", .test = stops_loops},
    {.id = "R61",
     .title = "stops a program that catches everything",
     .programs = "loop_caught",
     .test = stops_what_catches},
    {.id = "R62",
     .title = "stops long loops inside built-in functions",
     .programs = "native_regexp native_join native_sort native_search",
     .test = stops_native_loops},
    {.id = "R63",
     .title = "stops a program that needs too much memory",
     .programs = "bomb_objects bomb_string bomb_list",
     .test = stops_bombs,
     .seconds = 120},
    {.id = "R64",
     .title = "gives a program the memory of its budget",
     .programs = "memory_fits",
     .test = gives_memory},
    {.id = "R65",
     .title = "lets a program read no file of the host",
     .programs = "read_file",
     .test = reaches_no_file},
    {.id = "R66",
     .title = "lets a program reach no network",
     .programs = "connect",
     .test = reaches_no_network},
    {.id = "R67",
     .title = "has the kernel confine a program at the level os",
     .programs = "inspect",
     .test = is_confined},
    {0},
};
