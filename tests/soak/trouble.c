#include "tests/soak/trouble.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/soak/dice.h"
#include "tests/soak/inventory.h"

struct order {
    struct handle *handle; /* whose run is cancelled; NULL: a child is killed */
    uint64_t run;
};

#define ORDERS 64 /* given and not carried out yet; one more waits */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    struct order orders[ORDERS];
    size_t first, count;
    int over;
    pthread_t thread;
    struct dice dice;
    atomic_uint kills;
} trouble = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .given = PTHREAD_COND_INITIALIZER,
             .taken = PTHREAD_COND_INITIALIZER};

static void give(struct order order)
{
    pthread_mutex_lock(&trouble.lock);
    while (trouble.count == ORDERS)
        pthread_cond_wait(&trouble.taken, &trouble.lock);
    trouble.orders[(trouble.first + trouble.count++) % ORDERS] = order;
    pthread_cond_signal(&trouble.given);
    pthread_mutex_unlock(&trouble.lock);
}

void trouble_kill(void)
{
    give((struct order){0});
}

void trouble_cancel(struct handle *handle, uint64_t run)
{
    give((struct order){.handle = handle, .run = run});
}

unsigned trouble_kills(void)
{
    return trouble.kills;
}

/* Whether a process, which has a descriptor and so cannot become another, is one of ours. */
static int is_ours(int pid)
{
    int pids[256];
    size_t count = inventory_children(pids, sizeof(pids) / sizeof(pids[0]));
    for (size_t i = 0; i < count; i++)
        if (pids[i] == pid)
            return 1;
    return 0;
}

static void kill_one(void)
{
    int pids[256];
    size_t count = inventory_children(pids, sizeof(pids) / sizeof(pids[0]));
    if (count == 0)
        return;
    int pid = pids[dice_below(&trouble.dice, (unsigned)count)];
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (process < 0)
        return;
    if (is_ours(pid)) {
        trouble.kills++; /* before: what comes of it is compared with how many there were */
        if (syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) != 0)
            trouble.kills--;
    }
    close(process);
}

static void cancel_one(const struct order *order)
{
    pthread_mutex_lock(&order->handle->lock);
    if (order->handle->run == order->run) {
        if (order->handle->execution != NULL)
            pawl_execution_cancel(order->handle->execution);
        else
            pawl_cancel_now(order->handle->cancel);
    }
    pthread_mutex_unlock(&order->handle->lock);
}

/* Any moment is to be hit, so each order waits for a time that nobody knows. Nothing depends on how
 * long that is. */
static void wait_for_any_moment(void)
{
    struct timespec time = {.tv_nsec = 1000L * dice_below(&trouble.dice, 3000)};
    nanosleep(&time, NULL);
}

static void *make_trouble(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&trouble.lock);
        while (trouble.count == 0 && !trouble.over)
            pthread_cond_wait(&trouble.given, &trouble.lock);
        if (trouble.count == 0) {
            pthread_mutex_unlock(&trouble.lock);
            return NULL;
        }
        struct order order = trouble.orders[trouble.first];
        trouble.first = (trouble.first + 1) % ORDERS;
        trouble.count--;
        pthread_cond_signal(&trouble.taken);
        pthread_mutex_unlock(&trouble.lock);
        wait_for_any_moment();
        if (order.handle != NULL)
            cancel_one(&order);
        else
            kill_one();
    }
}

void trouble_start(uint64_t seed)
{
    trouble.dice = dice_of(seed, UINT64_MAX);
    trouble.over = 0;
    pthread_create(&trouble.thread, NULL, make_trouble, NULL);
}

void trouble_stop(void)
{
    pthread_mutex_lock(&trouble.lock);
    trouble.over = 1;
    pthread_cond_signal(&trouble.given);
    pthread_mutex_unlock(&trouble.lock);
    pthread_join(trouble.thread, NULL);
}
