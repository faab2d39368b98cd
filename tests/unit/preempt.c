/* Unit tests of providers/preempt: this program's own text plays the engine. */
#include "providers/preempt/preempt.h"
#include "tests/unit/signals.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct preempt preempt;
static const void *const own_text[] = {&preempt_install};

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* When a run is over, and what a test watches of it. */
struct end {
    int64_t deadline;
    atomic_int cancelled;
    atomic_int asked_when_over; /* how often the handler asked after the end */
};

static int64_t remaining(void *context)
{
    struct end *end = context;
    int64_t left = atomic_load(&end->cancelled) ? 0
                   : end->deadline == 0         ? INT64_MAX
                                                : end->deadline - now();

    errno = E2BIG; /* the handler must keep the program's errno */
    if (left <= 0)
        atomic_fetch_add(&end->asked_when_over, 1);
    return left;
}

static struct preempt_run new_run(struct end *end)
{
    return (struct preempt_run){.preempt = &preempt, .remaining = remaining, .context = end};
}

static volatile unsigned spins;

__attribute__((noinline)) static void spin_for_ever(void)
{
    for (;;)
        spins++;
}

static int is_blocked(int signal)
{
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, signal);
}

static int timers_of_process(void)
{
    FILE *file = fopen("/proc/self/timers", "r");
    char line[256];
    int count = 0;

    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file) != NULL)
        count += strncmp(line, "ID:", 3) == 0;
    fclose(file);
    return count;
}

static void install(void)
{
    char why[256] = "";

    CU_ASSERT_EQUAL_FATAL(preempt_install(&preempt, SIGRTMAX - 2, own_text, 1, why, sizeof why), 0);
}

/* Runs an endless loop until its end and says whether it was left. */
static int stop_endless_loop(struct end *end)
{
    struct preempt_run run = new_run(end);
    volatile int left = 1;

    if (sigsetjmp(run.exit, 0) == 0) {
        if (preempt_begin(&run) == 0) {
            errno = 0;
            spin_for_ever();
        }
        left = 0;
    }
    preempt_end(&run);
    return left;
}

static void test_deadline(void)
{
    NEEDS_SIGNALS;
    install();
    for (int i = 0; i < 50; i++) {
        struct end end = {.deadline = now() + 1000000};

        CU_ASSERT_TRUE(stop_endless_loop(&end));
        CU_ASSERT_EQUAL(errno, 0);
        CU_ASSERT_TRUE(now() >= end.deadline);
        CU_ASSERT_FALSE(is_blocked(preempt.signal));
    }
    preempt_uninstall(&preempt);
}

static void *cancel(void *context)
{
    struct end *end = context;

    atomic_store(&end->cancelled, 1);
    return NULL;
}

static void test_cancelled_by_another_thread(void)
{
    struct end end = {0};
    pthread_t thread;

    NEEDS_SIGNALS;
    install();
    pthread_create(&thread, NULL, cancel, &end);
    CU_ASSERT_TRUE(stop_endless_loop(&end));
    pthread_join(thread, NULL);
    preempt_uninstall(&preempt);
}

/* While a host function is on the stack, the handler does not leave, and comes once. */
static void test_held(void)
{
    struct end end = {.deadline = 1};
    struct preempt_run run = new_run(&end);
    volatile int interrupted = 0, left = 1;

    NEEDS_SIGNALS;
    install();
    if (sigsetjmp(run.exit, 0) == 0) {
        run.held = 1;
        if (preempt_begin(&run) == 0) {
            while (!run.missed)
                spins++;
            for (int i = 0; i < 10; i++)
                interrupted += poll(NULL, 0, 10) != 0;
            preempt_release(&run);
            spin_for_ever();
        }
        left = 0;
    }
    preempt_end(&run);
    CU_ASSERT_TRUE(left);
    CU_ASSERT_EQUAL(interrupted, 0);
    preempt_uninstall(&preempt);
}

/* Text that was not named is never left. */
static void test_other_text(void)
{
    struct end end = {.deadline = 1};
    struct preempt_run run = new_run(&end);
    const void *elsewhere[1] = {(const void *)&cos};
    char why[256];
    volatile int left = 1;

    NEEDS_SIGNALS;
    CU_ASSERT_EQUAL_FATAL(preempt_install(&preempt, SIGRTMAX - 2, elsewhere, 1, why, sizeof why),
                          0);
    if (sigsetjmp(run.exit, 0) == 0) {
        if (preempt_begin(&run) == 0)
            while (atomic_load(&end.asked_when_over) < 20)
                spins++;
        left = 0;
    }
    preempt_end(&run);
    CU_ASSERT_FALSE(left);
    preempt_uninstall(&preempt);
}

static void test_finished_in_time(void)
{
    struct end end = {.deadline = now() + 3600ll * 1000000000};
    struct preempt_run run = new_run(&end);
    volatile int left = 1;

    install();
    for (int i = 0; i < 10000; i++) {
        if (sigsetjmp(run.exit, 0) == 0) {
            CU_ASSERT_EQUAL_FATAL(preempt_begin(&run), 0);
            preempt_poll(&run);
            left = 0;
        }
        preempt_end(&run);
    }
    CU_ASSERT_FALSE(left);
    preempt_uninstall(&preempt);
}

static void test_poll_leaves(void)
{
    struct end end = {.deadline = 1};
    struct preempt_run run = new_run(&end);
    volatile int left = 1;

    if (sigsetjmp(run.exit, 0) == 0) {
        preempt_hold(&run);
        preempt_poll(&run);
        preempt_release(&run);
        preempt_poll(&run);
        left = 0;
    }
    CU_ASSERT_TRUE(left);
}

/* A host function of one run starts another on the same thread. */
static void test_nested(void)
{
    struct end outer_end = {.deadline = now() + 20000000};
    struct preempt_run outer = new_run(&outer_end);
    volatile int inner_left = 0, outer_left = 1;

    NEEDS_SIGNALS;
    install();
    if (sigsetjmp(outer.exit, 0) == 0) {
        if (preempt_begin(&outer) == 0) {
            struct end end = {.deadline = now() + 1000000};

            preempt_hold(&outer);
            inner_left = stop_endless_loop(&end);
            preempt_release(&outer);
            spin_for_ever();
        }
        outer_left = 0;
    }
    preempt_end(&outer);
    CU_ASSERT_TRUE(inner_left);
    CU_ASSERT_TRUE(outer_left);
    preempt_uninstall(&preempt);
}

/* A host thread that blocks every signal is stopped as well, and keeps its mask. */
static void test_blocked_signal(void)
{
    struct end end = {.deadline = now() + 1000000};
    sigset_t all, before;

    NEEDS_SIGNALS;
    install();
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    CU_ASSERT_TRUE(stop_endless_loop(&end));
    CU_ASSERT_TRUE(is_blocked(preempt.signal));
    CU_ASSERT_TRUE(is_blocked(SIGUSR1));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    preempt_uninstall(&preempt);
}

static void host_handler(int signal)
{
    (void)signal;
}

static void test_signal_of_the_host(void)
{
    struct sigaction host = {.sa_handler = host_handler}, found;
    char why[256] = "";

    sigaction(SIGRTMAX - 2, &host, NULL);
    CU_ASSERT_EQUAL(preempt_install(&preempt, SIGRTMAX - 2, own_text, 1, why, sizeof why), -EBUSY);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "already handled"));
    sigaction(SIGRTMAX - 2, NULL, &found);
    CU_ASSERT_PTR_EQUAL(found.sa_handler, host_handler);
    signal(SIGRTMAX - 2, SIG_DFL);
    CU_ASSERT_EQUAL(preempt_install(&preempt, 0, own_text, 1, why, sizeof why), -EINVAL);
    CU_ASSERT_EQUAL(preempt_install(&preempt, SIGKILL, own_text, 1, why, sizeof why), -EINVAL);
}

static void test_signal_taken_away(void)
{
    struct end end = {.deadline = 1};
    struct preempt_run run = new_run(&end);
    struct sigaction found;

    install();
    signal(SIGRTMAX - 2, host_handler);
    CU_ASSERT_EQUAL(preempt_begin(&run), -EBUSY);
    preempt_end(&run);
    preempt_uninstall(&preempt); /* leaves what is not ours */
    sigaction(SIGRTMAX - 2, NULL, &found);
    CU_ASSERT_PTR_EQUAL(found.sa_handler, host_handler);
    signal(SIGRTMAX - 2, SIG_DFL);
}

static void test_signal_given_back(void)
{
    struct preempt second;
    struct sigaction found;
    char why[256];

    install();
    CU_ASSERT_EQUAL(preempt_install(&second, SIGRTMAX - 2, own_text, 1, why, sizeof why), 0);
    preempt_uninstall(&preempt);
    sigaction(SIGRTMAX - 2, NULL, &found);
    CU_ASSERT_TRUE(found.sa_flags & SA_SIGINFO);
    preempt_uninstall(&second);
    sigaction(SIGRTMAX - 2, NULL, &found);
    CU_ASSERT_PTR_EQUAL(found.sa_handler, SIG_DFL);
}

static atomic_int failures;

static void *many_stops(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        struct end end = {.deadline = now() + 200000};

        if (!stop_endless_loop(&end))
            atomic_fetch_add(&failures, 1);
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[8];
    int before = timers_of_process();

    NEEDS_SIGNALS;
    install();
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, many_stops, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    CU_ASSERT_EQUAL(atomic_load(&failures), 0);
    CU_ASSERT_EQUAL(timers_of_process(), before);
    preempt_uninstall(&preempt);
}

int main(void)
{
    static CU_TestInfo tests[] = {{"deadline", test_deadline},
                                  {"cancelled by another thread", test_cancelled_by_another_thread},
                                  {"host function on the stack", test_held},
                                  {"other text", test_other_text},
                                  {"finished in time", test_finished_in_time},
                                  {"poll", test_poll_leaves},
                                  {"nested", test_nested},
                                  {"blocked signal", test_blocked_signal},
                                  {"signal of the host", test_signal_of_the_host},
                                  {"signal taken away", test_signal_taken_away},
                                  {"signal given back", test_signal_given_back},
                                  {"threads", test_threads},
                                  CU_TEST_INFO_NULL};

    return test_suite("preempt", tests);
}
