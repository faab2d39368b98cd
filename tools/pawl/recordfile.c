#include "tools/pawl/recordfile.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_MAX ((size_t)1 << 30) /* bytes */
#define STAGES_MAX 32

static bool complain(struct recordfile *file, const char *what)
{
    snprintf(file->why, sizeof(file->why), "%.255s: %.240s", file->path, what);
    return false;
}

static bool complain_error(struct recordfile *file, pawl_error *error)
{
    complain(file, pawl_error_message(error));
    pawl_error_free(error);
    return false;
}

/* --- Writing ------------------------------------------------------------------------------- */

static int write_line(const char *line, size_t size, void *data)
{
    struct recordfile *file = data;
    while (size > 0) {
        ssize_t put = write(file->fd, line, size);
        if (put < 0 && errno != EINTR) {
            file->error = errno;
            return PAWL_E_SYSTEM;
        }
        line += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return PAWL_OK;
}

/* The first line of a run that goes on: it must not be lost, even when the machine is. */
static int write_line_safely(const char *line, size_t size, void *data)
{
    struct recordfile *file = data;
    if (write_line(line, size, data) != PAWL_OK)
        return PAWL_E_SYSTEM;
    if (file->is_safe || fdatasync(file->fd) == 0 || errno == EINVAL) {
        file->is_safe = true;
        return PAWL_OK;
    }
    file->error = errno;
    return PAWL_E_SYSTEM;
}

/* What a run was started with, which its request does not hold. NULL: no memory. */
static char *describe_host(const char *tools, const char *const *stages, size_t stage_count)
{
    struct json_object *host = json_object_new_object(), *list = json_object_new_array();
    char *path = tools != NULL ? realpath(tools, NULL) : NULL, *text = NULL;
    bool complete = host != NULL && list != NULL && (tools == NULL || path != NULL);
    for (size_t i = 0; complete && i < stage_count; i++)
        complete = json_object_array_add(list, json_object_new_string(stages[i])) == 0;
    if (complete && path != NULL)
        complete = json_object_object_add(host, "tools", json_object_new_string(path)) == 0;
    if (complete && json_object_object_add(host, "stages", json_object_get(list)) == 0)
        text = strdup(json_object_to_json_string_ext(host, JSON_C_TO_STRING_PLAIN));
    json_object_put(list);
    json_object_put(host);
    free(path);
    return text;
}

bool recordfile_create(struct recordfile *file, const char *path, pawl_request *request,
                       const char *tools, const char *const *stages, size_t stage_count)
{
    file->path = path;
    file->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file->fd < 0)
        return complain(file, errno == EEXIST ? "it exists, and would be lost: name another file"
                                              : strerror(errno));
    pawl_error *error = NULL;
    char *host = describe_host(tools, stages, stage_count);
    int status = host == NULL ? PAWL_E_MEMORY
                              : pawl_request_set_recorder(request, host, write_line, file, &error);
    free(host);
    if (status == PAWL_OK)
        return true;
    return error != NULL ? complain_error(file, error) : complain(file, "out of memory");
}

/* --- Reading ------------------------------------------------------------------------------- */

static bool read_text(struct recordfile *file, int fd, size_t size)
{
    file->text = malloc(size + 1);
    if (file->text == NULL)
        return complain(file, "out of memory");
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, file->text + done, size - done);
        if (got == 0)
            return complain(file, "it has become shorter while it was read");
        if (got < 0 && errno != EINTR)
            return complain(file, strerror(errno));
        done += got > 0 ? (size_t)got : 0;
    }
    pawl_error *error = NULL;
    if (pawl_record_read(file->text, size, &file->record, &error) != PAWL_OK)
        return complain_error(file, error);
    const char *last = memrchr(file->text, '\n', size);
    file->whole = last != NULL ? last + 1 - file->text : 0;
    free(file->text); /* the record has copies */
    file->text = NULL;
    return true;
}

/* Whoever writes a record says what is run, and what it is told. */
static bool check_owner(struct recordfile *file, const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return complain(file, "it is no regular file");
    if (status->st_uid != 0 && status->st_uid != geteuid())
        return complain(file, "it belongs to another user, who could have written anything there");
    if ((status->st_mode & 022) != 0)
        return complain(file, "others can write to it: take it over with chmod go-w only if what "
                              "it says is what you wrote");
    if ((size_t)status->st_size > RECORD_MAX)
        return complain(file, "it is larger than 1 GiB");
    return true;
}

/* What recordfile_create added. */
static bool read_host(struct recordfile *file)
{
    const char *text = pawl_record_host(file->record);
    struct json_object *tools, *stages;
    file->host = text != NULL ? json_tokener_parse(text) : NULL;
    if (json_object_object_get_ex(file->host, "tools", &tools))
        file->tools = json_object_get_string(tools);
    if (!json_object_object_get_ex(file->host, "stages", &stages) ||
        !json_object_is_type(stages, json_type_array))
        return true;
    file->stage_count = json_object_array_length(stages);
    if (file->stage_count > STAGES_MAX)
        return complain(file, "it has too many stages");
    const char **names = calloc(file->stage_count + 1, sizeof(*names));
    if (names == NULL)
        return complain(file, "out of memory");
    file->stages = names;
    for (size_t i = 0; i < file->stage_count; i++) {
        struct json_object *stage = json_object_array_get_idx(stages, i);
        if (!json_object_is_type(stage, json_type_string))
            return complain(file, "it names a stage by what is no text");
        names[i] = json_object_get_string(stage);
    }
    return true;
}

bool recordfile_read(struct recordfile *file, const char *path, bool resume)
{
    struct stat status;
    file->path = path;
    /* O_NONBLOCK: a FIFO of that name must not stop us. */
    int fd =
        open(path, (resume ? O_RDWR | O_APPEND : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return complain(file, strerror(errno));
    bool good = true;
    if (resume && flock(fd, LOCK_EX | LOCK_NB) != 0)
        good = complain(file, errno == EWOULDBLOCK ? "it is being resumed by another process"
                                                   : strerror(errno));
    if (good && fstat(fd, &status) != 0)
        good = complain(file, strerror(errno));
    good = good && check_owner(file, &status) && read_text(file, fd, (size_t)status.st_size) &&
           read_host(file);
    if (good && resume)
        file->fd = fd;
    else
        close(fd);
    return good;
}

bool recordfile_continue(struct recordfile *file, pawl_request *request)
{
    pawl_error *error = NULL;
    if (pawl_request_set_resume(request, file->record, &error) != PAWL_OK ||
        pawl_request_set_recorder(request, NULL, write_line_safely, file, &error) != PAWL_OK)
        return complain_error(file, error);
    if (ftruncate(file->fd, file->whole) != 0) /* half a line of a process that died */
        return complain(file, strerror(errno));
    return true;
}

void recordfile_clear(struct recordfile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    pawl_record_free(file->record);
    json_object_put(file->host);
    free((void *)file->stages);
    free(file->text);
    *file = (struct recordfile)RECORDFILE_NONE;
}
