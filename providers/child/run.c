#include "run_state.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#include "limits.h"
#include "program.h"

/* Milliseconds that the child stays after it has said how the program ended. */
#define PARTING_PATIENCE 1000

/* The parent's SIGTERM: the run is over, and why stands on the answers channel. */
static volatile sig_atomic_t terminated;

static void on_terminate(int signal)
{
    (void)signal;
    terminated = 1;
}

int32_t run_prepare(struct text *why)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction terminate = {.sa_handler = on_terminate};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    run_now(); /* the kernel's page of the time is mapped when it is read first */
    return run_prepare_answers(why);
}

uint64_t run_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* [any thread; in a signal handler] */
uint32_t run_cancelled(void *context)
{
    const struct run *run = context;
    if (run->ended != PAWL_END_NONE)
        return run->ended;
    if (terminated)
        return PAWL_END_ABORT;
    if (run->services.deadline != 0 && run_now() >= run->services.deadline)
        return PAWL_END_DEADLINE;
    return PAWL_END_NONE;
}

static void report_return(struct run *run, int32_t status, struct text *why)
{
    if (run->finished)
        return;
    if (run_cancelled(run) != PAWL_END_NONE) {
        text_string(frame_begin(&run->channel->report, PAWL_WIRE_STOPPED), "{}");
        channel_report(run->channel);
        return;
    }
    if (status == PAWL_OK) {
        text_clear(why);
        text_string(why, "the engine returned without saying how the program ended");
        status = PAWL_E_PLUGIN;
    }
    const char *explanation = text_get(why);
    channel_report_error(run->channel, status, explanation == NULL ? "no memory" : explanation);
}

/* Sleeps until the parent has read the end and closes the channel or kills this process: whoever
 * was just woken by a write may be waiting for this processor, and ending a process takes long. */
static void wait_for_parent(void)
{
    struct pollfd answers = {.fd = PAWL_WIRE_FD_ANSWERS};
    poll(&answers, 1, PARTING_PATIENCE);
}

void run_serve(struct channel *channel, struct engine *engine, struct json program)
{
    struct run run = {
        .services =
            {
                .header = PAWL_HEADER(RUN, struct pawl_run),
                .context = &run,
                .call = run_call,
                .next = run_next,
                .settled_fd = run_settled_fd,
                .log = run_log,
                .discover = run_discover,
                .cancelled = run_cancelled,
                .clock = run_clock,
                .random = run_random,
                .fact = run_fact,
                .value = run_value,
                .fail = run_fail,
                .suspend = run_suspend,
            },
        .channel = channel,
        .last = &run.first,
    };
    struct text why = {0};
    struct pawl_sink sink = text_sink(&why);
    int32_t status = program_read(program, &run.services, &run.functions, &run.ask, &why);
    if (status == PAWL_OK)
        status = limits_of_run(program, &why);
    run.last_id = run.services.last_call;
    run.in_flight = run.services.in_flight;
    if (status == PAWL_OK)
        status = engine->provider.run(engine->instance, &run.services, &sink);
    report_return(&run, status, &why);
    wait_for_parent();
}
