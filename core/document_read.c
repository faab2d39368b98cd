/* Documents from files. */
#include "core/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(struct document *document, const char *path, const char *what)
{
    snprintf(document->error, sizeof(document->error), "%.200s: %s", path, what);
    return false;
}

static bool complain_system(struct document *document, const char *path)
{
    return complain(document, path, strerror(errno));
}

/* Reads a regular file into `text`, which has room for one byte more than is accepted. */
static bool read_file(struct document *document, const char *path, int fd, char *text, size_t *size)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return complain_system(document, path);
    if (!S_ISREG(status.st_mode))
        return complain(document, path, "not a regular file");
    while (*size <= DOCUMENT_MAX) {
        ssize_t got = read(fd, text + *size, DOCUMENT_MAX + 1 - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return complain_system(document, path);
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return true;
}

bool document_read(struct document *document, const char *path)
{
    *document = (struct document){0};
    /* O_NONBLOCK: a FIFO of that name must not stop us. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return complain_system(document, path);
    size_t size = 0;
    char *text = malloc(DOCUMENT_MAX + 1);
    bool good = text != NULL ? read_file(document, path, fd, text, &size)
                             : complain(document, path, "out of memory");
    close(fd);
    good = good && document_parse(document, path, text, size);
    free(text);
    return good;
}
