#include "stages/audit/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stages/common/quiet.h"
#include "stages/common/say.h"

static const char *what_is_wrong(const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return "it is no regular file";
    if (status->st_uid != geteuid())
        return "it belongs to another user";
    if ((status->st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others may write it: chmod go-w";
    if (status->st_nlink != 1)
        return "it has another name beside this one, or none (hard links)";
    return NULL;
}

int32_t file_open(struct file *file, const char *path, const struct pawl_sink *why)
{
    /* O_NONBLOCK: a FIFO that nobody reads is refused, too, not waited for. */
    file->fd =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
             S_IRUSR | S_IWUSR);
    if (file->fd < 0) {
        int error = errno;
        say(why, "cannot open %s: %s", path,
            error == ELOOP ? "it is a symbolic link, which is not followed" : strerror(error));
        return error == ELOOP ? PAWL_E_CONFIG : PAWL_E_SYSTEM;
    }
    struct stat status;
    if (fstat(file->fd, &status) != 0) {
        say(why, "cannot look at %s: %s", path, strerror(errno));
        return PAWL_E_SYSTEM;
    }
    const char *wrong = what_is_wrong(&status);
    if (wrong == NULL)
        return PAWL_OK;
    say(why, "%s is refused: %s", path, wrong);
    return PAWL_E_CONFIG;
}

void file_close(struct file *file)
{
    if (file->fd >= 0)
        close(file->fd);
}

/* --- Appending ---------------------------------------------------------------------------- */

int file_append(struct file *file, const char *line, size_t size)
{
    bool mends = atomic_exchange(&file->torn, false);
    const struct iovec parts[] = {{"\n", 1}, {(char *)line, size}};
    ssize_t put = quiet_writev(file->fd, parts + !mends, 1 + mends);
    size_t whole = size + mends;
    if (put != (ssize_t)whole) {
        int error = put < 0 ? errno : ENOSPC;
        if (put > 0 || mends)
            atomic_store(&file->torn, true);
        return error;
    }
    return file->sync && fdatasync(file->fd) != 0 ? errno : 0;
}
