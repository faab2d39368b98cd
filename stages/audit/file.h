/* file.h - the file that lines are appended to. */
#ifndef PAWL_AUDIT_FILE_H
#define PAWL_AUDIT_FILE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <pawl/stage.h>

struct file {
    int fd;
    bool sync;        /* each line is on the disk before it counts as written */
    atomic_bool torn; /* a part of a line was written, without its end */
};

/* Opens a file or makes it, mode 0600. It must belong to the caller, be writable by nobody else,
 * have this one name, and be no link. PAWL_OK, or PAWL_E_CONFIG or PAWL_E_SYSTEM with the reason.
 */
int32_t file_open(struct file *file, const char *path, const struct pawl_sink *why);
void file_close(struct file *file);

/* Appends a line with one write(2), so that lines of several threads and processes never mix; no
 * signal comes of it. Where the last line is torn, an empty line's end is put before it. 0, or an
 * errno; then the line is not there as a whole. [any thread] */
int file_append(struct file *file, const char *line, size_t size);

#endif
