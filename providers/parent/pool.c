#include "pool.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define POOL_MOST 64u

/* After a child was taken, nanoseconds until it is replaced, so that starting the next one does not
 * compete with a short run. */
#define REFILL_PAUSE 5000000

/* After a start that failed, milliseconds until the next one. */
#define RETRY_PAUSE 1000

/* Waking the thread takes a short run longer than anything else that it does here. So a run does
 * not, as a rule: taking a child sets a timer, and the thread learns of a run's end from the end of
 * its child, which it has been watching since before the child was taken. */
struct pool {
    const struct recipe *recipe;
    unsigned size;
    int wake;  /* eventfd: something changed for the thread */
    int timer; /* timerfd: a child was taken a while ago */
    pthread_t thread;
    pthread_mutex_t mutex; /* guards what follows */
    uint64_t watch;        /* the number of the thread's watch, or of the time until the next one */
    bool timed;            /* the timer is set */
    struct worker *ready;  /* the longest waiting first */
    struct worker **last;
    unsigned count;
    struct worker *retired;
    bool missed; /* somebody found none */
    bool closing;
};

static void wake(struct pool *pool)
{
    const uint64_t one = 1;
    ssize_t written = write(pool->wake, &one, sizeof(one));
    (void)written; /* it is readable already */
}

static bool drain(int fd)
{
    uint64_t count;
    return read(fd, &count, sizeof(count)) == sizeof(count);
}

static void append_ready(struct pool *pool, struct worker *worker)
{
    worker->next = NULL;
    *pool->last = worker;
    pool->last = &worker->next;
    pool->count++;
}

static struct worker *remove_first(struct pool *pool)
{
    struct worker *worker = pool->ready;
    if (worker == NULL)
        return NULL;
    pool->ready = worker->next;
    if (pool->ready == NULL)
        pool->last = &pool->ready;
    pool->count--;
    return worker;
}

static void retire(struct pool *pool, struct worker *worker)
{
    worker->next = pool->retired;
    pool->retired = worker;
}

static void free_list(struct worker *worker)
{
    while (worker != NULL) {
        struct worker *next = worker->next;
        worker_free(worker);
        worker = next;
    }
}

/* Starts one more. Waiting for it ends when the pool is woken to close. */
static bool refill(struct pool *pool)
{
    struct worker *worker;
    struct text why TEXT_CLEANUP = {0};
    if (worker_start(pool->recipe, &worker, &why) != PAWL_OK)
        return false;
    int32_t status;
    bool closing = false;
    do {
        status = worker_wait_ready(worker, pool->wake, 0, &why);
        if (status == PAWL_E_ENDED) {
            drain(pool->wake);
            pthread_mutex_lock(&pool->mutex);
            closing = pool->closing;
            pthread_mutex_unlock(&pool->mutex);
        }
    } while (status == PAWL_E_ENDED && !closing);
    if (status != PAWL_OK) {
        worker_free(worker);
        return closing;
    }
    pthread_mutex_lock(&pool->mutex);
    append_ready(pool, worker);
    pthread_mutex_unlock(&pool->mutex);
    return true;
}

/* Takes those out that died or spoke while nobody asked them. */
static struct worker *remove_stale(struct pool *pool)
{
    struct worker *stale = NULL, **at = &pool->ready;
    while (*at != NULL) {
        struct worker *worker = *at;
        if (worker_is_fresh(worker)) {
            at = &worker->next;
            continue;
        }
        *at = worker->next;
        worker->next = stale;
        stale = worker;
        pool->count--;
    }
    pool->last = at;
    return stale;
}

/* Waits until it is woken, it is time to replace what was taken, the pause is over, or one of the
 * children ends that are ready now, even if it is taken meanwhile. */
static void rest(struct pool *pool, int pause)
{
    struct pollfd fds[POOL_MOST + 2] = {{.fd = pool->wake, .events = POLLIN},
                                        {.fd = pool->timer, .events = POLLIN}};
    nfds_t count = 2;
    pthread_mutex_lock(&pool->mutex);
    pool->watch++;
    for (struct worker *worker = pool->ready; worker != NULL && count < POOL_MOST + 2;
         worker = worker->next) {
        fds[count++] = (struct pollfd){.fd = worker->child.pidfd, .events = POLLIN};
        worker->watch = pool->watch;
    }
    pthread_mutex_unlock(&pool->mutex);
    /* A child that is taken and reaped meanwhile makes this return early, at worst. */
    poll(fds, count, pause);
    drain(pool->wake);
    pthread_mutex_lock(&pool->mutex);
    pool->watch++;
    if (drain(pool->timer))
        pool->timed = false;
    pthread_mutex_unlock(&pool->mutex);
}

static void *keep_ready(void *argument)
{
    struct pool *pool = argument;
    for (;;) {
        pthread_mutex_lock(&pool->mutex);
        struct worker *over = pool->retired;
        pool->retired = NULL;
        struct worker *stale = remove_stale(pool);
        bool closing = pool->closing;
        bool wanting = pool->count < pool->size && (pool->missed || !pool->timed);
        pool->missed = false;
        pthread_mutex_unlock(&pool->mutex);
        free_list(over);
        free_list(stale);
        if (closing)
            return NULL;
        if (!wanting)
            rest(pool, -1);
        else if (!refill(pool))
            rest(pool, RETRY_PAUSE);
    }
}

/* The host's signals are for its own threads. */
static int start_thread(struct pool *pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&pool->thread, NULL, keep_ready, pool);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void discard(struct pool *pool)
{
    child_close(&pool->wake);
    child_close(&pool->timer);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

struct pool *pool_new(const struct recipe *recipe, unsigned size, struct text *why)
{
    struct pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL) {
        text_string(why, "no memory");
        return NULL;
    }
    pool->recipe = recipe;
    pool->size = size > POOL_MOST ? POOL_MOST : size;
    pool->last = &pool->ready;
    pool->watch = 1; /* children begin with 0, which is none */
    pool->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pool->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    pthread_mutex_init(&pool->mutex, NULL);
    int error = pool->wake < 0 || pool->timer < 0 ? errno : start_thread(pool);
    if (error == 0)
        return pool;
    text_format(why, "children cannot be kept ready: %s", strerror(error));
    discard(pool);
    return NULL;
}

/* With the mutex held. */
static void set_timer(struct pool *pool)
{
    const struct itimerspec pause = {.it_value.tv_nsec = REFILL_PAUSE};
    if (!pool->timed)
        pool->timed = timerfd_settime(pool->timer, 0, &pause, NULL) == 0;
}

struct worker *pool_take(struct pool *pool)
{
    struct worker *worker;
    bool stale = false;
    pthread_mutex_lock(&pool->mutex);
    while ((worker = remove_first(pool)) != NULL && !worker_is_fresh(worker)) {
        retire(pool, worker);
        stale = true;
    }
    if (worker == NULL)
        pool->missed = true;
    else
        set_timer(pool);
    pthread_mutex_unlock(&pool->mutex);
    if (worker == NULL || stale)
        wake(pool);
    return worker;
}

void pool_retire(struct pool *pool, struct worker *worker)
{
    pthread_mutex_lock(&pool->mutex);
    retire(pool, worker);
    /* During the watch it was in, its end, even if that has come, will still wake the thread. */
    const bool watched = worker->watch == pool->watch;
    worker_kill(worker);
    pthread_mutex_unlock(&pool->mutex);
    if (!watched)
        wake(pool);
}

void pool_free(struct pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->closing = true;
    pthread_mutex_unlock(&pool->mutex);
    wake(pool);
    pthread_join(pool->thread, NULL);
    free_list(pool->retired);
    free_list(pool->ready);
    discard(pool);
}
