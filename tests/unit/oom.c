#include "tests/unit/oom.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

#include "tests/unit/test.h"

/* More allocations than any trial makes: one that never comes to an end is a fault of the test. */
#define MAX_ALLOCATIONS 20000

static atomic_uint countdown; /* 0: nothing fails */
static atomic_bool onwards;   /* all that follow fail, too */
static atomic_bool fired;
static atomic_long outstanding; /* blocks that were allocated and not freed */

static bool fails(void)
{
    unsigned left = atomic_load(&countdown);
    while (left > 0) {
        unsigned next = left == 1 && atomic_load(&onwards) ? 1 : left - 1;
        if (!atomic_compare_exchange_weak(&countdown, &left, next))
            continue;
        if (left > 1)
            return false;
        atomic_store(&fired, true);
        errno = ENOMEM;
        return true;
    }
    return false;
}

bool oom_stop(void)
{
    atomic_store(&countdown, 0);
    return atomic_load(&fired);
}

/* The trial under way. */
static void (*trial_function)(void);
static unsigned trial_nth;

static void *run_trial(void *argument)
{
    (void)argument;
    atomic_store(&countdown, trial_nth); /* not before the trial has its thread */
    trial_function();
    oom_stop();
    return NULL;
}

/* Whether an allocation failed. */
static bool try_once(unsigned nth, bool and_onwards)
{
    long before = atomic_load(&outstanding);
    trial_nth = nth;
    atomic_store(&fired, false);
    atomic_store(&onwards, and_onwards);
    pthread_t thread;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, run_trial, NULL), 0);
    pthread_join(thread, NULL);
    long left = atomic_load(&outstanding) - before;
    if (left != 0)
        printf("# allocation %u%s: %ld blocks were not freed\n", nth, and_onwards ? " onwards" : "",
               left);
    CU_ASSERT_EQUAL(left, 0);
    return atomic_load(&fired);
}

void oom_each(void (*trial)(void))
{
    trial_function = trial;
    for (int and_onwards = 0; and_onwards < 2; and_onwards++) {
        unsigned nth = 1;
        while (try_once(nth, and_onwards != 0) && nth < MAX_ALLOCATIONS)
            nth++;
        printf("# %u allocations\n", nth - 1);
        CU_ASSERT_TRUE(nth > 1 && nth < MAX_ALLOCATIONS);
    }
}

/* --- What the linker puts in the place of the allocator ------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
int __real_vasprintf(char **text, const char *format, va_list arguments);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_eventfd(unsigned count, int flags);
int __real_epoll_create1(int flags);
int __real_timerfd_create(int clock, int flags);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_eventfd(unsigned count, int flags);
int __wrap_epoll_create1(int flags);
int __wrap_timerfd_create(int clock, int flags);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add(&outstanding, 1);
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    return block == NULL ? counted(__real_realloc(NULL, size)) : __real_realloc(block, size);
}

void __wrap_free(void *block)
{
    if (block != NULL)
        atomic_fetch_sub(&outstanding, 1);
    __real_free(block);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : counted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : counted(__real_strndup(text, size));
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    int size = fails() ? -1 : __real_vasprintf(text, format, arguments);
    if (size >= 0)
        counted(*text);
    return size;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return size;
}

/* With _FORTIFY_SOURCE the compiler calls these. */
int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments);
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...);

int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return __wrap_vasprintf(text, format, arguments);
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int size = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return size;
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

int __wrap_eventfd(unsigned count, int flags)
{
    return fails() ? -1 : __real_eventfd(count, flags);
}

int __wrap_epoll_create1(int flags)
{
    return fails() ? -1 : __real_epoll_create1(flags);
}

int __wrap_timerfd_create(int clock, int flags)
{
    return fails() ? -1 : __real_timerfd_create(clock, flags);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    return fails() ? EAGAIN : __real_pthread_create(thread, attributes, function, argument);
}
