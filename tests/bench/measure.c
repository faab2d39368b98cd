#include "measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Rounds before those that count. */
#define WARM_UP 5

/* Nanoseconds. */
#define PAUSE 15000000

double microseconds(void)
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

void measure(struct measured *all, size_t count, int samples)
{
    for (int i = -WARM_UP; i < samples; i++)
        for (size_t j = 0; j < count; j++) {
            if (all[j].rested)
                nanosleep(&(const struct timespec){0, PAUSE}, NULL);
            double from = microseconds();
            all[j].work(all[j].argument);
            if (i >= 0)
                all[j].samples[i] = microseconds() - from;
        }
    for (size_t j = 0; j < count; j++) {
        qsort(all[j].samples, (size_t)samples, sizeof(double), compare);
        all[j].median = all[j].samples[samples / 2];
    }
}

void measure_spawn(void *argument)
{
    char *const *argv = argument, *const environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environment) == 0)
        waitpid(pid, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
}
