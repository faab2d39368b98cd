/* thread.h - starting the library's own threads. */
#ifndef PAWL_CORE_THREAD_H
#define PAWL_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* As pthread_create(3), for a thread that no signal of the host is delivered to. What an
 * instruction raises stays open: the kernel kills a process that has such a signal blocked,
 * whatever handler an engine or the host (for host functions run here) has for it. */
static inline int thread_start(pthread_t *thread, const pthread_attr_t *attributes,
                               void *(*function)(void *), void *argument)
{
    static const int of_instructions[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigset_t before;
    sigfillset(&blocked);
    for (unsigned i = 0; i < sizeof(of_instructions) / sizeof(of_instructions[0]); i++)
        sigdelset(&blocked, of_instructions[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int failed = pthread_create(thread, attributes, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

#endif
