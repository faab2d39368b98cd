/*
 * Runs a command in a child, as abi/wire.md has it, and believes whatever that says: the first
 * frame that looks like a value is one, and what it cannot read it passes over. It makes an
 * instance without looking at a child, and kills none.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "tiny.h"

#define ARGUMENTS 8

struct gullible {
    char *text;
    char *arguments[ARGUMENTS + 1];
};

/* Takes the strings of {"command":["/path","argument"]}. */
static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static const char start[] = "{\"command\":[";
    (void)host;
    if (strncmp(config, start, strlen(start)) != 0) {
        why->write(why->context, "there must be a command", 23);
        return PAWL_E_CONFIG;
    }
    struct gullible *made = calloc(1, sizeof(*made));
    made->text = strdup(config + strlen(start));
    size_t count = 0;
    for (char *word = strtok(made->text, "\",[]}"); word != NULL && count < ARGUMENTS;
         word = strtok(NULL, "\",[]}"))
        made->arguments[count++] = word;
    *instance = made;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    struct gullible *made = instance;
    free(made->text);
    free(made);
}

static const char *const *languages(void *instance)
{
    static const char *const own[] = {"stub", NULL};
    (void)instance;
    return own;
}

static pid_t start(const struct gullible *gullible, int to[2], int from[2])
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int null = open("/dev/null", O_RDWR);
    dup2(to[0], 0);
    dup2(from[1], 1);
    dup2(null, 2);
    dup2(from[1], 3);
    dup2(null, 4);
    close_range(5, ~0u, 0);
    execv(gullible->arguments[0], gullible->arguments);
    _exit(127);
}

/* Reads on until the time is over, or there is something that could be a value. */
static void believe(const struct pawl_run *run, int from)
{
    static char seen[1 << 20]; /* one run at a time */
    size_t size = 0;
    while (size < sizeof(seen) - 1 && run->cancelled(run->context) == PAWL_END_NONE) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, 20) <= 0)
            continue;
        ssize_t part = read(from, seen + size, sizeof(seen) - 1 - size);
        if (part <= 0)
            break;
        size += (size_t)part;
        if (memmem(seen, size, "\"value\":1", 9) != NULL) {
            run->value(run->context, "1", 1);
            return;
        }
    }
    if (run->cancelled(run->context) == PAWL_END_NONE)
        run->value(run->context, NULL, 0);
}

static int32_t run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    static const char frames[] = "\2\0\0\0h{}\2\0\0\0p{}";
    int to[2], from[2];
    (void)why;
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return PAWL_E_SYSTEM;
    pid_t child = start(instance, to, from);
    close(to[0]);
    close(from[1]);
    (void)!write(to[1], frames, sizeof(frames) - 1);
    believe(run, from[0]);
    close(to[1]);
    close(from[0]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return PAWL_OK;
}

TINY_ENTRY("gullible",
           (provider.create = create, provider.destroy = destroy, provider.languages = languages,
            provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
