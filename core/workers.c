#include "core/workers.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include <pawl/common.h>

#include "core/thread.h"

/* Threads beyond these end when they have nothing to do. */
#define MAX_IDLE 16

/* Host functions that never come back hold a thread each. */
#define MAX_THREADS 1024

struct worker {
    struct workers *workers;
    sem_t wake; /* not a condition: whoever wakes it need not hold the lock that it wants next */
    void (*work)(void *argument);
    void *argument;
    struct worker *next_idle;
};

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t gone;
    struct worker *idle; /* the one that was at work last comes first: its memory is warm */
    unsigned idle_count;
    unsigned thread_count;
    bool closing;
};

struct workers *workers_new(void)
{
    struct workers *workers = calloc(1, sizeof(*workers));
    if (workers == NULL)
        return NULL;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->gone, NULL);
    return workers;
}

/* Called with the lock held. */
static struct worker *take_idle(struct workers *workers)
{
    struct worker *worker = workers->idle;
    if (worker != NULL) {
        workers->idle = worker->next_idle;
        workers->idle_count--;
    }
    return worker;
}

void workers_free(struct workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->closing = true;
    struct worker *worker;
    while ((worker = take_idle(workers)) != NULL)
        sem_post(&worker->wake);
    while (workers->thread_count > 0)
        pthread_cond_wait(&workers->gone, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
    pthread_cond_destroy(&workers->gone);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

/* Waits as one of the idle. False: the thread is not needed any more, and the lock is held. */
static bool wait_for_work(struct worker *worker)
{
    struct workers *workers = worker->workers;
    worker->work = NULL;
    pthread_mutex_lock(&workers->lock);
    if (workers->closing || workers->idle_count == MAX_IDLE)
        return false;
    worker->next_idle = workers->idle;
    workers->idle = worker;
    workers->idle_count++;
    pthread_mutex_unlock(&workers->lock);
    while (sem_wait(&worker->wake) != 0)
        ;
    if (worker->work != NULL)
        return true;
    pthread_mutex_lock(&workers->lock);
    return false;
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    struct workers *workers = worker->workers;
    do
        worker->work(worker->argument);
    while (wait_for_work(worker));
    /* The lock is held: workers_free cannot free it before this thread is done with it. */
    sem_destroy(&worker->wake);
    free(worker);
    workers->thread_count--;
    pthread_cond_signal(&workers->gone);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static int start_detached(struct worker *worker)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return PAWL_E_SYSTEM;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int failed = thread_start(&thread, &attributes, worker_main, worker);
    pthread_attr_destroy(&attributes);
    return failed == 0 ? PAWL_OK : PAWL_E_SYSTEM;
}

int workers_submit(struct workers *workers, void (*work)(void *argument), void *argument)
{
    pthread_mutex_lock(&workers->lock);
    struct worker *worker = take_idle(workers);
    if (worker != NULL) {
        pthread_mutex_unlock(&workers->lock);
        worker->argument = argument;
        worker->work = work;
        sem_post(&worker->wake);
        return PAWL_OK;
    }
    int status = workers->thread_count < MAX_THREADS ? PAWL_OK : PAWL_E_LIMIT;
    if (status == PAWL_OK)
        workers->thread_count++;
    pthread_mutex_unlock(&workers->lock);
    if (status != PAWL_OK)
        return status;

    worker = calloc(1, sizeof(*worker));
    status = worker == NULL ? PAWL_E_MEMORY : PAWL_OK;
    if (worker != NULL) {
        worker->workers = workers;
        worker->work = work;
        worker->argument = argument;
        sem_init(&worker->wake, 0, 0);
        status = start_detached(worker);
    }
    if (status != PAWL_OK) {
        free(worker);
        pthread_mutex_lock(&workers->lock);
        workers->thread_count--;
        pthread_cond_signal(&workers->gone);
        pthread_mutex_unlock(&workers->lock);
    }
    return status;
}
