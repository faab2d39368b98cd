#include "stages/audit/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

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

/* A file that may not grow any more (RLIMIT_FSIZE) raises SIGXFSZ, which would end the host. */
static bool is_pending(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ) == 1;
}

static ssize_t write_quietly(int fd, const struct iovec *parts, int count)
{
    static const struct timespec at_once = {0, 0};
    sigset_t size, before;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size, &before);
    bool was_pending = is_pending();
    ssize_t put;
    do
        put = writev(fd, parts, count);
    while (put < 0 && errno == EINTR);
    int error = errno;
    if (put < 0 && !was_pending && is_pending())
        while (sigtimedwait(&size, NULL, &at_once) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return put;
}

int file_append(struct file *file, const char *line, size_t size)
{
    bool mends = atomic_exchange(&file->torn, false);
    const struct iovec parts[] = {{"\n", 1}, {(char *)line, size}};
    ssize_t put = write_quietly(file->fd, parts + !mends, 1 + mends);
    size_t whole = size + mends;
    if (put != (ssize_t)whole) {
        int error = put < 0 ? errno : ENOSPC;
        if (put > 0 || mends)
            atomic_store(&file->torn, true);
        return error;
    }
    return file->sync && fdatasync(file->fd) != 0 ? errno : 0;
}
