#include "core/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/descriptor.h"

#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

/* Whether nobody but root and the caller can change a file or directory. */
static int check(const struct stat *status, const char *path, bool sticky_allowed,
                 pawl_error **error)
{
    uid_t caller = geteuid();
    if (status->st_uid != 0 && status->st_uid != caller) {
        if (caller == 0)
            return error_set(error, PAWL_E_PLUGIN,
                             "%s is owned by user %u: it must be owned by root (chown root)", path,
                             status->st_uid);
        return error_set(error, PAWL_E_PLUGIN,
                         "%s is owned by user %u: it must be owned by root or by user %u, who "
                         "loads it",
                         path, status->st_uid, caller);
    }
    if ((status->st_mode & OTHERS_WRITE) == 0)
        return PAWL_OK;
    if (sticky_allowed && (status->st_mode & S_ISVTX) != 0)
        return PAWL_OK;
    return error_set(error, PAWL_E_PLUGIN,
                     "%s is writable by %s (mode %04o): only its owner may write it (chmod go-w)",
                     path, (status->st_mode & S_IWOTH) != 0 ? "everyone" : "its group",
                     status->st_mode & 07777);
}

/* Opens one directory on the way; `path` is its whole path. */
static int enter(int parent, const char *name, const char *path, bool last, pawl_error **error)
{
    /* O_PATH: the way may lead through directories that can be searched but not read. */
    int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | (last ? O_RDONLY : O_PATH);
    DESCRIPTOR_CLEANUP int directory = openat(parent, name, flags);
    struct stat status;
    if (directory < 0 && (errno == ELOOP || errno == ENOTDIR)) {
        if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
            return error_set(error, PAWL_E_PLUGIN,
                             "%s is a symbolic link, which is not followed: name the directory "
                             "that it points to",
                             path);
        return error_set(error, PAWL_E_PLUGIN, "%s is no directory", path);
    }
    if (directory < 0)
        return error_set(error, PAWL_E_UNAVAILABLE, "cannot open the directory %s: %m", path);
    if (fstat(directory, &status) != 0)
        return error_set(error, PAWL_E_SYSTEM, "cannot look at the directory %s: %m", path);
    int code = check(&status, path, !last, error);
    return code != PAWL_OK ? code : descriptor_keep(&directory);
}

int trust_open_directory(const char *path, pawl_error **error)
{
    if (path[0] != '/')
        return error_set(error, PAWL_E_ARGUMENT, "'%s' is no absolute path", path);
    if (strlen(path) >= PATH_MAX)
        return error_set(error, PAWL_E_ARGUMENT, "a path is longer than %d bytes: %.64s...",
                         PATH_MAX - 1, path);
    char done[PATH_MAX] = "/"; /* how far it is opened */
    const char *left = path + strspn(path, "/");
    int directory = enter(AT_FDCWD, "/", "/", *left == '\0', error);
    while (directory >= 0 && *left != '\0') {
        char name[NAME_MAX + 1];
        size_t size = strcspn(left, "/");
        DESCRIPTOR_CLEANUP int parent = directory;
        if (size > NAME_MAX)
            return error_set(error, PAWL_E_ARGUMENT, "a name in '%s' is longer than %d bytes", path,
                             NAME_MAX);
        memcpy(name, left, size);
        name[size] = '\0';
        if (strcmp(name, "..") == 0 || strcmp(name, ".") == 0)
            return error_set(error, PAWL_E_ARGUMENT,
                             "'%s' contains '%s': name the directory itself", path, name);
        if (done[1] != '\0')
            strcat(done, "/");
        strcat(done, name);
        left += size;
        left += strspn(left, "/");
        directory = enter(parent, name, done, *left == '\0', error);
    }
    return directory;
}

int trust_open_file(int directory, const char *path, const char *name, pawl_error **error)
{
    char full[PATH_MAX + NAME_MAX + 2];
    snprintf(full, sizeof(full), "%s/%s", path, name);
    /* O_NONBLOCK: a FIFO must not make anyone wait. It changes nothing for a regular file. */
    DESCRIPTOR_CLEANUP int file =
        openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && errno == ELOOP)
        return error_set(error, PAWL_E_PLUGIN, "%s is a symbolic link, which is not followed",
                         full);
    if (file < 0)
        return error_set(error, PAWL_E_UNAVAILABLE, "cannot open %s: %m", full);
    struct stat status;
    if (fstat(file, &status) != 0)
        return error_set(error, PAWL_E_SYSTEM, "cannot look at %s: %m", full);
    if (!S_ISREG(status.st_mode))
        return error_set(error, PAWL_E_PLUGIN, "%s is no regular file", full);
    int code = check(&status, full, false, error);
    return code != PAWL_OK ? code : descriptor_keep(&file);
}
