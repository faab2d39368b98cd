/* pawl init-provider: writes the beginnings of a provider plugin (tools/pawl/skeleton/). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/options.h"
#include "tools/pawl/report.h"
#include "tools/pawl/terminal.h"

struct file {
    const char *name, *text; /* @NAME@ in the text is the provider's name */
};
#include "tools/pawl/skeleton.h"

#define FILES (sizeof(skeleton) / sizeof(skeleton[0]))

struct init_settings {
    bool json;
};

static const struct option init_options[] = {
    {"json", NULL, "print one JSON object on stdout", take_flag_bool,
     offsetof(struct init_settings, json)},
    {0},
};

static const struct synopsis synopsis = {
    .command = "init-provider",
    .positionals = "NAME [DIRECTORY]",
    .summary = "Writes the beginnings of a provider called NAME into DIRECTORY (pawl-NAME), which\n"
               "must not exist: C source, a Makefile, and the programs for pawl-harness.",
    .options = (const struct option *const[]){init_options, NULL},
};

/* --- Names --------------------------------------------------------------------------------- */

#define NAME_MOST 64

/* NULL, or why a provider cannot be called that. It is also what the skeleton calls its language.
 */
static const char *find_fault(const char *name)
{
    static const char *const taken[] = {"mujs",    "quickjs",    "subprocess",
                                        "confine", "javascript", "javascript-es5"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = strlen(name);
    if (length == 0 || length > NAME_MOST || strchr(letters, *name) == NULL ||
        name[strspn(name, "_-abcdefghijklmnopqrstuvwxyz0123456789")] != '\0')
        return "a provider's name is small letters, digits, '-' and '_', at most 64, and begins "
               "with a letter or digit";
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
        if (strcmp(name, taken[i]) == 0)
            return "pawl itself has a provider or a language of that name";
    return NULL;
}

/* --- Writing ------------------------------------------------------------------------------- */

/* Writes a text with the name filled in. False: errno says why. */
static bool write_text(FILE *file, const char *text, const char *name)
{
    static const char word[] = "@NAME@";
    const char *found;
    for (; (found = strstr(text, word)) != NULL; text = found + strlen(word))
        if (fwrite(text, 1, (size_t)(found - text), file) < (size_t)(found - text) ||
            fputs(name, file) == EOF)
            return false;
    return fputs(text, file) != EOF;
}

static bool write_file(int directory, const struct file *from, const char *name)
{
    int descriptor = openat(directory, from->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    bool written = write_text(file, from->text, name);
    return fclose(file) == 0 && written;
}

static bool write_files(int directory, const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (!write_file(directory, &skeleton[i], name))
            return false;
    return true;
}

/* Gives what was made under a name of its own its real one, unless that exists. */
static bool put_in_place(const char *made, const char *path)
{
    if (renameat2(AT_FDCWD, made, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* A file system that cannot be asked that. A rename replaces nothing but an empty directory. */
    struct stat there;
    if (lstat(path, &there) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(made, path) == 0;
}

static bool fill(int directory, const char *made, const char *path, const char *name)
{
    mode_t mask = umask(0);
    umask(mask);
    return directory >= 0 && write_files(directory, name) && fchmod(directory, 0777 & ~mask) == 0 &&
           put_in_place(made, path);
}

static void remove_made(int directory, const char *made)
{
    for (size_t i = 0; directory >= 0 && i < FILES; i++)
        unlinkat(directory, skeleton[i].name, 0);
    rmdir(made);
}

/* Makes the directory with everything in it, or leaves nothing. 0, or an error number. */
static int make(const char *path, const char *name)
{
    char *made;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (asprintf(&made, "%.*s.XXXXXX", (int)length, path) < 0)
        return ENOMEM;
    int error = 0;
    if (mkdtemp(made) != NULL) {
        int directory = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (!fill(directory, made, path, name)) {
            error = errno;
            remove_made(directory, made);
        }
        if (directory >= 0)
            close(directory);
    } else {
        error = errno;
    }
    free(made);
    return error;
}

/* --- The command --------------------------------------------------------------------------- */

static int print(const char *path, const char *name, bool json)
{
    if (json) {
        struct json_object *object = report_new_object();
        report_put(object, "ok", json_object_new_boolean(true));
        report_put_string(object, "name", name);
        report_put_string(object, "directory", path);
        return report_object(object, EXIT_OK);
    }
    terminal_format(stdout, STYLE_PLAIN,
                    "%s: the beginnings of the provider \"%s\"; \"make check\" there builds and "
                    "checks it\n",
                    path, name);
    return report_flush(EXIT_OK);
}

int command_init_provider(int argc, char **argv)
{
    struct init_settings settings = {0};
    const char *arguments[2] = {NULL, NULL};
    char beside[sizeof("pawl-") + NAME_MOST];
    int status = options_read(&synopsis, argc, argv, &settings, arguments, 1, 2);
    if (status != OPTIONS_GOOD)
        return status;
    const char *name = arguments[0], *path = arguments[1], *fault = find_fault(name);
    if (fault != NULL)
        return report_usage(settings.json, "'%.80s': %s", name, fault);
    if (path == NULL) {
        snprintf(beside, sizeof(beside), "pawl-%s", name);
        path = beside;
    }
    int error = *path != '\0' ? make(path, name) : ENOENT;
    if (error == EEXIST || error == ENOTEMPTY)
        return report_usage(settings.json, "%s exists: give a directory that does not", path);
    if (error != 0)
        return report_usage(settings.json, "%s cannot be made: %s", path, strerror(error));
    return print(path, name, settings.json);
}
