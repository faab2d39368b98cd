/* A thread that a run has begun goes on when the run has returned. */
#include "tiny.h"

#include <pthread.h>

static const struct pawl_run *real; /* one call at a time */
static pthread_t thread;
static int begun;
static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;

static void *watch(void *context)
{
    pthread_mutex_lock(&running);
    real->cancelled(context);
    pthread_mutex_unlock(&running);
    return NULL;
}

static int32_t run(void *instance, const struct pawl_run *given, const struct pawl_sink *why)
{
    static struct pawl_run copy;
    copy = *given;
    real = &copy;
    if (begun)
        return tiny_run(instance, given, why);
    pthread_mutex_lock(&running);
    begun = pthread_create(&thread, NULL, watch, given->context) == 0;
    int32_t status = tiny_run(instance, given, why);
    return status;
}

static void destroy(void *instance)
{
    (void)instance;
    if (begun) {
        pthread_mutex_unlock(&running);
        pthread_join(thread, NULL);
    }
    begun = 0;
}

TINY_ENTRY("late",
           (provider.run = run, provider.destroy = destroy, provider.threads = PAWL_THREADS_SERIAL))
