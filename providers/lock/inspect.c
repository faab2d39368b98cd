#include <dirent.h>
#include <errno.h>
#include <pawl/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "step.h"

#define DIRECTORY_CLEANUP __attribute__((cleanup(close_directory)))

static void close_directory(DIR **directory)
{
    if (*directory != NULL)
        closedir(*directory);
}

/* Most of what follows changes one thread only. */
static int32_t inspect_threads(struct lock *lock)
{
    DIR *tasks DIRECTORY_CLEANUP = opendir("/proc/self/task");
    int count = 0;
    if (tasks == NULL)
        return lock_failed(lock, "opendir(/proc/self/task)");
    for (struct dirent *task; (task = readdir(tasks)) != NULL;)
        count += task->d_name[0] != '.';
    if (count == 1)
        return PAWL_OK;
    text_format(lock->why,
                "lock-down: the engine has started threads (%d in all); an engine that is confined "
                "must do without",
                count);
    return PAWL_E_UNAVAILABLE;
}

/* Pipes and what is made of anonymous inodes lead nowhere; a file or directory that an engine keeps
 * open would be a way out of the empty root. */
static bool leads_out(int fd, char *target, size_t size)
{
    struct stat stat;
    char link[64];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, size - 1);
    target[length < 0 ? 0 : length] = '\0';
    if (fstat(fd, &stat) != 0)
        return true;
    if (S_ISFIFO(stat.st_mode))
        return strncmp(target, "pipe:", 5) != 0;
    return strcmp(target, "anon_inode:[eventfd]") != 0 &&
           strcmp(target, "anon_inode:[eventpoll]") != 0 &&
           strcmp(target, "anon_inode:[timerfd]") != 0;
}

/* The only socket, and only of a command. It was handed over by the parent. */
static bool is_gateway(const struct lock *lock, int fd)
{
    struct stat stat;
    return lock->command && fd == PAWL_WIRE_FD_GATEWAY && fstat(fd, &stat) == 0 &&
           S_ISSOCK(stat.st_mode);
}

static int32_t inspect_descriptors(struct lock *lock)
{
    DIR *directory DIRECTORY_CLEANUP = opendir("/proc/self/fd");
    if (directory == NULL)
        return lock_failed(lock, "opendir(/proc/self/fd)");
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char target[256];
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || fd == dirfd(directory) || is_gateway(lock, fd) ||
            !leads_out(fd, target, sizeof(target)))
            continue;
        text_format(lock->why,
                    "lock-down: the engine keeps `%s` open (descriptor %d); an engine that is "
                    "confined must close what it opened",
                    target, fd);
        return PAWL_E_UNAVAILABLE;
    }
    return PAWL_OK;
}

int32_t lock_inspect(struct lock *lock)
{
    int32_t status = inspect_threads(lock);
    return status == PAWL_OK ? inspect_descriptors(lock) : status;
}
