#include "tools/harness/held.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t count_entries(const char *path)
{
    DIR *directory = opendir(path);
    size_t count = 0;
    if (directory == NULL)
        return 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

size_t held_files(void)
{
    return count_entries("/proc/self/fd");
}

size_t held_threads(void)
{
    return count_entries("/proc/self/task");
}

long held_memory(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

bool held_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}
