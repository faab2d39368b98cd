/* recordfile.h - the file that a run's record stands in; see pawl-record(5). */
#ifndef PAWL_TOOLS_RECORDFILE_H
#define PAWL_TOOLS_RECORDFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <pawl/pawl.h>

struct recordfile {
    int fd;        /* that is written to; -1: none */
    int error;     /* an errno: it could not be written */
    bool is_safe;  /* the first line that was added has reached the disk */
    off_t whole;   /* bytes of its whole lines */
    char why[512]; /* what is wrong with it, after a function returned false */
    const char *path;
    char *text; /* of one that was read */
    pawl_record *record;
    const char *tools; /* what its run was started with; NULL: nothing */
    const char *const *stages;
    size_t stage_count;
    struct json_object *host; /* what the two above point into */
};
#define RECORDFILE_NONE \
    {                   \
        .fd = -1        \
    }

/* Makes a new file, which nobody else may read, for the record of a run with these tools and
 * stages, and has the request recorded there. */
bool recordfile_create(struct recordfile *file, const char *path, pawl_request *request,
                       const char *tools, const char *const *stages, size_t stage_count);

/* Reads a file that nobody else may write. With `resume` nobody else can resume it as long as it is
 * open, and recordfile_continue can be called. */
bool recordfile_read(struct recordfile *file, const char *path, bool resume);

/* Has the request go on with the run that was read, and recorded there. */
bool recordfile_continue(struct recordfile *file, pawl_request *request);

void recordfile_clear(struct recordfile *file);

#endif
