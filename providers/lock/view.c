#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

/* Since Linux 5.12; not in every C library's headers. */
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#define ATTRIBUTE_RDONLY 0x1
#define ATTRIBUTE_NOSUID 0x2
#define ATTRIBUTE_NODEV  0x4
#define RECURSIVE        0x8000

struct attributes {
    uint64_t set, clear, propagation, user_namespace;
};

static int32_t failed_at(struct lock *lock, const char *call, const char *path)
{
    text_format(lock->why, "lock-down: %s(%s): %s", call, path, strerror(errno));
    return PAWL_E_UNAVAILABLE;
}

bool lock_next_visible(struct json_iterator *iterator, struct text *path)
{
    struct json element;
    if (!json_next(iterator, NULL, &element))
        return false;
    text_clear(path);
    json_decode(element, path);
    return text_get(path) != NULL;
}

/* Makes what a path is mounted on: a directory or an empty file, and the directories above it. */
static bool make_place(char *place, size_t root, bool directory)
{
    for (char *slash = place + root + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        if (mkdir(place, 0555) != 0 && errno != EEXIST)
            return false;
    }
    if (directory)
        return mkdir(place, 0555) == 0 || errno == EEXIST;
    int fd = open(place, O_CREAT | O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
    return fd >= 0 && close(fd) == 0;
}

static int32_t show(struct lock *lock, const char *root, const char *path)
{
    const struct attributes attributes = {.set = ATTRIBUTE_RDONLY | ATTRIBUTE_NOSUID |
                                                 ATTRIBUTE_NODEV};
    char place[PATH_MAX];
    struct stat stat_;
    if (stat(path, &stat_) != 0)
        return failed_at(lock, "stat", path);
    if (!S_ISDIR(stat_.st_mode) && !S_ISREG(stat_.st_mode)) {
        text_format(lock->why, "lock-down: %s is neither a directory nor a regular file", path);
        return PAWL_E_UNAVAILABLE;
    }
    if (snprintf(place, sizeof(place), "%s%s", root, path) >= (int)sizeof(place)) {
        errno = ENAMETOOLONG;
        return failed_at(lock, "mkdir", path);
    }
    if (!make_place(place, strlen(root), S_ISDIR(stat_.st_mode)))
        return failed_at(lock, "mkdir", path);
    if (mount(path, place, NULL, MS_BIND | MS_REC, NULL) != 0)
        return failed_at(lock, "mount", path);
    if (syscall(SYS_mount_setattr, AT_FDCWD, place, RECURSIVE, &attributes, sizeof(attributes)) !=
        0)
        return failed_at(lock, "mount_setattr", path);
    return PAWL_OK;
}

int32_t lock_view(struct lock *lock, const char *root)
{
    struct json_iterator iterator = json_iterate(lock->visible);
    struct text path TEXT_CLEANUP = {0};
    int32_t status = PAWL_OK;
    while (status == PAWL_OK && lock_next_visible(&iterator, &path))
        status = show(lock, root, path.data);
    return path.failed ? PAWL_E_MEMORY : status;
}
