/*
 * A pawl-child in which an allocation fails: its own, its engine's or the C library's. Which one
 * stands in the name under which it is started: starved-N, the Nth; starved-N-on, and all that
 * follow. When it has failed, it makes a directory of that name with .failed behind it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

/* In glibc, what its own functions of these names are made of. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static unsigned long left;
static bool known, onwards, failed;

/* Without an allocation. */
static void read_name(void)
{
    const char *at = program_invocation_short_name;
    known = true;
    while (*at != '\0' && *at != '-')
        at++;
    for (at += *at == '-'; *at >= '0' && *at <= '9'; at++)
        left = left * 10 + (unsigned long)(*at - '0');
    onwards = *at == '-';
}

static void note(void)
{
    static char name[4200];
    size_t size = 0;
    for (const char *at = program_invocation_name; *at != '\0' && size < sizeof(name) - 8; at++)
        name[size++] = *at;
    for (const char *at = ".failed"; *at != '\0'; at++)
        name[size++] = *at;
    mkdir(name, 0700);
    failed = true;
}

static bool fails(void)
{
    if (program_invocation_short_name == NULL)
        return false; /* the loader is at work */
    if (!known)
        read_name();
    if (left == 0 || (left > 1 && left-- > 1))
        return false;
    if (!onwards)
        left = 0;
    if (!failed)
        note();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}
