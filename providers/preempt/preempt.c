#include "preempt.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define TICK_NS  5000000 /* how soon a cancellation by another thread is seen */
#define RETRY_NS 200000  /* how soon the handler comes back when it could not leave */

/* Initial-exec: the handler must not make the dynamic linker allocate. */
#define SIGNAL_SAFE_TLS __attribute__((tls_model("initial-exec")))

/* What a thread has: a timer that sends its signal to this thread, and the innermost run. */
static __thread struct thread_state {
    struct preempt_run *volatile run;
    timer_t timer;
    int signal; /* the timer's; 0: there is none */
    pid_t pid;  /* whose timer it is: a forked child has none */
} thread_state SIGNAL_SAFE_TLS;

static pthread_key_t timer_key;
static pthread_once_t timer_key_once = PTHREAD_ONCE_INIT;
static int timer_key_error;

/* How many users each signal has, and what to give back. A disposition belongs to the process. */
static struct {
    int users;
    struct sigaction before;
} taken[_NSIG];
static pthread_mutex_t taken_lock = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t program_counter(const void *context)
{
    const ucontext_t *uc = context;
#if defined(__x86_64__)
    return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)uc->uc_mcontext.pc;
#else
#error "preempt: tell where a ucontext_t holds the program counter on this architecture"
#endif
}

static int may_be_left(const struct preempt *preempt, uintptr_t pc)
{
    for (unsigned i = 0; i < preempt->ranges; i++)
        if (pc >= preempt->range[i].from && pc < preempt->range[i].to)
            return 1;
    return 0;
}

/* One shot after `delay` nanoseconds; 0 disarms. Safe in a signal handler. */
static int arm(int64_t delay)
{
    struct itimerspec when = {
        .it_value = {.tv_sec = delay / 1000000000, .tv_nsec = delay % 1000000000}};
    return timer_settime(thread_state.timer, 0, &when, NULL);
}

static int64_t next_tick(int64_t remaining)
{
    return remaining <= 0 ? RETRY_NS : remaining < TICK_NS ? remaining : TICK_NS;
}

static void unblock(int signal, sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, before);
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    struct preempt_run *run = info->si_code == SI_TIMER ? thread_state.run : NULL;

    if (run != NULL && run->held) {
        run->missed = 1;
    } else if (run != NULL) {
        int64_t remaining = run->remaining(run->context);

        if (remaining <= 0 && may_be_left(run->preempt, program_counter(context))) {
            unblock(signal, NULL); /* siglongjmp leaves the handler's mask in force */
            errno = saved_errno;
            siglongjmp(run->exit, 1);
        }
        arm(next_tick(remaining));
    }
    errno = saved_errno;
}

static void drop_timer(void *state)
{
    struct thread_state *thread = state;

    if (thread->signal != 0 && thread->pid == getpid())
        timer_delete(thread->timer);
    thread->signal = 0;
}

static void make_timer_key(void)
{
    timer_key_error = pthread_key_create(&timer_key, drop_timer);
}

int preempt_prepare(const struct preempt *preempt)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = preempt->signal};
    int error;

    if (thread_state.signal == preempt->signal && thread_state.pid == getpid())
        return 0;
    drop_timer(&thread_state);
    pthread_once(&timer_key_once, make_timer_key);
    if (timer_key_error != 0)
        return -timer_key_error;
    error = pthread_setspecific(timer_key, &thread_state);
    if (error != 0)
        return -error;
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
    event.sigev_notify_thread_id = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, &thread_state.timer) != 0)
        return -errno;
    thread_state.signal = preempt->signal;
    thread_state.pid = getpid();
    return 0;
}

int preempt_begin(struct preempt_run *run)
{
    int signal = run->preempt->signal;
    struct sigaction now;
    sigset_t before;
    int error = preempt_prepare(run->preempt);

    run->outer = NULL;
    run->was_blocked = -1;
    run->missed = 0;
    if (error != 0)
        return error;
    if (sigaction(signal, NULL, &now) != 0)
        return -errno;
    if (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != on_tick)
        return -EBUSY;
    unblock(signal, &before);
    run->was_blocked = sigismember(&before, signal);
    run->outer = thread_state.run;
    thread_state.run = run;
    if (arm(next_tick(run->remaining(run->context))) != 0) {
        error = -errno;
        preempt_end(run);
        return error;
    }
    return 0;
}

void preempt_end(struct preempt_run *run)
{
    if (run->was_blocked < 0)
        return;
    run->held = 1;
    thread_state.run = run->outer;
    /* A tick that is on its way is delivered inside this call, and finds no run or the outer one.
     */
    arm(run->outer != NULL ? RETRY_NS : 0);
    if (run->was_blocked) {
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, run->preempt->signal);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    }
    run->was_blocked = -1;
}

void preempt_catch_up(struct preempt_run *run)
{
    run->missed = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    arm(next_tick(run->remaining(run->context)));
}

_Noreturn void preempt_leave(struct preempt_run *run)
{
    siglongjmp(run->exit, 1);
}

void preempt_poll(struct preempt_run *run)
{
    if (!run->held && run->remaining(run->context) <= 0)
        preempt_leave(run);
}

/* --- Installing ---------------------------------------------------------------------------- */

struct search {
    struct preempt *preempt;
    uintptr_t address;
    int found, too_many;
};

static int look_in_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    (void)size;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && search->address >= from &&
            search->address < from + segment->p_memsz)
            search->found = 1;
    }
    if (!search->found)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        if (search->preempt->ranges == PREEMPT_MAX_RANGES) {
            search->too_many = 1;
            break;
        }
        search->preempt->range[search->preempt->ranges++] =
            (struct preempt_range){from, from + segment->p_memsz};
    }
    return 1;
}

static int take_signal(int signal, char *why, size_t why_size)
{
    struct sigaction ours = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction before;

    if (signal <= 0 || signal >= _NSIG || sigaction(signal, NULL, &before) != 0) {
        snprintf(why, why_size, "%d is not the number of a signal that can be handled", signal);
        return -EINVAL;
    }
    if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction == on_tick) {
        taken[signal].users++;
        return 0;
    }
    if ((before.sa_flags & SA_SIGINFO) ||
        (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)) {
        snprintf(why, why_size,
                 "signal %d (SIGRTMAX-%d) is already handled by the host; "
                 "name a free one with \"signal\" in the configuration",
                 signal, SIGRTMAX - signal);
        return -EBUSY;
    }
    sigemptyset(&ours.sa_mask);
    if (sigaction(signal, &ours, NULL) != 0) {
        snprintf(why, why_size, "signal %d cannot be handled: %s", signal, strerror(errno));
        return -errno;
    }
    if (taken[signal].users++ == 0)
        taken[signal].before = before;
    return 0;
}

int preempt_install(struct preempt *preempt, int signal, const void *const *addresses, size_t count,
                    char *why, size_t why_size)
{
    int error;

    *preempt = (struct preempt){.signal = signal};
    for (size_t i = 0; i < count; i++) {
        struct search search = {.preempt = preempt, .address = (uintptr_t)addresses[i]};

        dl_iterate_phdr(look_in_object, &search);
        if (!search.found || search.too_many) {
            snprintf(why, why_size, "the text of the object at address %p cannot be found",
                     addresses[i]);
            return -ENOENT;
        }
    }
    pthread_mutex_lock(&taken_lock);
    error = take_signal(signal, why, why_size);
    pthread_mutex_unlock(&taken_lock);
    return error;
}

void preempt_uninstall(struct preempt *preempt)
{
    int signal = preempt->signal;
    struct sigaction now;

    pthread_mutex_lock(&taken_lock);
    if (--taken[signal].users == 0 && sigaction(signal, NULL, &now) == 0 &&
        (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_tick)
        sigaction(signal, &taken[signal].before, NULL);
    pthread_mutex_unlock(&taken_lock);
}
