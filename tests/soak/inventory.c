#include "tests/soak/inventory.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Entries of a directory that are not hidden, or only the directories among them. */
static size_t count_entries(const char *path, int directories)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        count += entry->d_name[0] != '.' && (!directories || entry->d_type == DT_DIR);
    if (directory != NULL)
        closedir(directory);
    return count;
}

static size_t resident(void)
{
    size_t size = 0, pages = 0;
    malloc_trim(0);
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL && fscanf(file, "%zu %zu", &size, &pages) != 2)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t count_cgroups(void)
{
    char line[600], path[700];
    size_t count = 0;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "0::", 3) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, sizeof(path), "/sys/fs/cgroup%s", line + 3);
        count = count_entries(path, 1);
    }
    if (file != NULL)
        fclose(file);
    return count;
}

/* Adds the children of each thread of a process. */
static size_t add_children(const char *process, int *pids, size_t most, size_t count)
{
    char path[300];
    snprintf(path, sizeof(path), "/proc/%s/task", process);
    DIR *threads = opendir(path);
    const struct dirent *thread;
    while (threads != NULL && (thread = readdir(threads)) != NULL) {
        char list[700];
        if (thread->d_name[0] == '.')
            continue;
        snprintf(list, sizeof(list), "%s/%s/children", path, thread->d_name);
        FILE *file = fopen(list, "re");
        while (file != NULL && count < most && fscanf(file, "%d", &pids[count]) == 1)
            count++;
        if (file != NULL)
            fclose(file);
    }
    if (threads != NULL)
        closedir(threads);
    return count;
}

size_t inventory_children(int *pids, size_t most)
{
    size_t own = add_children("self", pids, most, 0), count = own;
    for (size_t i = 0; i < own; i++) {
        char process[16];
        snprintf(process, sizeof(process), "%d", pids[i]);
        count = add_children(process, pids, most, count);
    }
    return count;
}

void inventory_take(struct inventory *inventory)
{
    int pids[1024];
    inventory->resident = resident();
    inventory->files = count_entries("/proc/self/fd", 0);
    inventory->threads = count_entries("/proc/self/task", 0);
    inventory->children = inventory_children(pids, sizeof(pids) / sizeof(pids[0]));
    inventory->cgroups = count_cgroups();
}
