#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST 65536u

int32_t proc_read(pid_t pid, const char *name, struct text *file, struct text *why)
{
    char path[128], buffer[4096];
    if (pid == 0)
        snprintf(path, sizeof(path), "/proc/thread-self/%s", name);
    else
        snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = -1;
    while (fd >= 0 && (size = read(fd, buffer, sizeof(buffer))) > 0 && file->size < FILE_MOST)
        text_append(file, buffer, (size_t)size);
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (size < 0) {
        text_format(why, "%s cannot be read: %s", path, strerror(error));
        return PAWL_E_UNAVAILABLE;
    }
    return text_get(file) == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

bool proc_line(const struct text *file, const char *label, const char **value, size_t *size)
{
    const size_t length = strlen(label);
    const char *line = file->data;
    while (line != NULL && strncmp(line, label, length) != 0) {
        line = strchr(line, '\n');
        if (line != NULL)
            line++;
    }
    if (line == NULL)
        return false;
    line += length;
    const char *end = strchrnul(line, '\n');
    while (line < end && is_space(*line))
        line++;
    while (end > line && is_space(end[-1]))
        end--;
    *value = line;
    *size = (size_t)(end - line);
    return true;
}
