/*
 * preempt.h - stopping an engine that has no interrupt hook.
 *
 * An engine that cannot be asked to stop is left: a timer signal of the running thread interrupts
 * it, and the handler leaves it with siglongjmp. That is safe only where nothing outlives the
 * engine's own heap, so the handler leaves only when all of this holds, and otherwise comes back
 * a fraction of a millisecond later:
 *
 *   - the run is over, as the caller's `remaining` says;
 *   - the interrupted program counter lies in the text of one of the objects that were named to
 *     preempt_install (the engine's library, the plugin): not in libc, which may hold a lock;
 *   - no host function is on the stack (preempt_hold, preempt_release).
 *
 * What the engine allocated must be dropped as a whole afterwards; it is in an arbitrary state.
 *
 * The signal's disposition belongs to the process: it is taken when the first user of a signal
 * installs it, and given back when the last one uninstalls it, if it is still ours. A host that has
 * a handler of its own keeps it, and preempt_install fails.
 *
 * Under ThreadSanitizer, which delays signals until the next call into its runtime, only
 * preempt_poll stops a run.
 */
#ifndef PREEMPT_H
#define PREEMPT_H

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#define PREEMPT_MAX_RANGES 16

/* One signal and the text that may be left; filled in by preempt_install. */
struct preempt {
    int signal;
    unsigned ranges;
    struct preempt_range {
        uintptr_t from, to;
    } range[PREEMPT_MAX_RANGES];
};

/* One run of an engine on one thread. The caller fills in the first three members. */
struct preempt_run {
    const struct preempt *preempt;
    /* Nanoseconds until the run is over; 0 or less: it is over; INT64_MAX: nothing is known. Called
     * in a signal handler: it must be async-signal-safe. */
    int64_t (*remaining)(void *context);
    void *context;

    sigjmp_buf exit; /* where a run that is over goes; set with sigsetjmp(exit, 0) */
    volatile sig_atomic_t held;
    volatile sig_atomic_t missed; /* a tick came meanwhile: no further one until it is released */
    int was_blocked;              /* the thread had the signal blocked before */
    struct preempt_run *outer;
};

/* Takes `signal` and finds the text of the loaded objects that contain `addresses` (`count` of
 * them). On failure returns a negative errno and writes what was wrong to `why`: -EBUSY when the
 * process handles that signal already. [any thread] */
int preempt_install(struct preempt *preempt, int signal, const void *const *addresses, size_t count,
                    char *why, size_t why_size);

/* Gives the signal back. No run may use it any more. [any thread] */
void preempt_uninstall(struct preempt *preempt);

/* Prepares the calling thread, so that preempt_begin needs no more than three system calls: makes
 * its timer. preempt_begin does it when needed. 0, or a negative errno. */
int preempt_prepare(const struct preempt *preempt);

/*
 * Begins a run on this thread; `run->exit` has been set, by the function that will call
 * preempt_end. From here on control may come back there. 0, or a negative errno: nothing began then
 * (-EBUSY: the host took the signal away). Runs nest.
 *
 *     run.held = 0;
 *     if (sigsetjmp(run.exit, 0) == 0 && preempt_begin(&run) == 0)
 *         engine_run();
 *     preempt_end(&run);
 */
int preempt_begin(struct preempt_run *run);

/* Ends it, also after a failed preempt_begin. */
void preempt_end(struct preempt_run *run);

/* Leaves the run now, from inside it. */
_Noreturn void preempt_leave(struct preempt_run *run);

/* Goes on ticking after a tick that was missed; for preempt_release. */
void preempt_catch_up(struct preempt_run *run);

/* Between these two the run is not left: host functions, and everything that holds what is not in
 * the engine's heap. They nest. Whoever waits there is disturbed by one signal at most. */
static inline void preempt_hold(struct preempt_run *run)
{
    run->held++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void preempt_release(struct preempt_run *run)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    run->held--;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (run->missed && !run->held)
        preempt_catch_up(run);
}

/* Leaves the run if it is over and not held. */
void preempt_poll(struct preempt_run *run);

#endif
