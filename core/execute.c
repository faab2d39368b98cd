/* Running a request: on the calling thread, or on one of the library's. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/cancel.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/run.h"
#include "core/thread.h"

struct pawl_execution {
    pawl_registry *registry;
    const pawl_request *request;
    pawl_spec *spec;
    pawl_cancel *cancel;
    int done_fd;
    pthread_t thread;
    bool joined;
    pawl_result *result;
    int status;
    pawl_error *error;
};

int pawl_execute(pawl_registry *registry, const pawl_request *request, pawl_result **result,
                 pawl_error **error)
{
    pawl_spec *spec;
    int status = pawl_registry_resolve(registry, request, &spec, error);
    if (status != PAWL_OK)
        return status;
    const pawl_cancel *cancels[2] = {request->cancel, NULL};
    status = run_request(registry, request, spec, cancels, result, error);
    pawl_spec_free(spec);
    return status;
}

static void *execution_main(void *argument)
{
    pawl_execution *execution = argument;
    const pawl_cancel *cancels[2] = {execution->request->cancel, execution->cancel};
    execution->status = run_request(execution->registry, execution->request, execution->spec,
                                    cancels, &execution->result, &execution->error);
    uint64_t one = 1;
    (void)!write(execution->done_fd, &one, sizeof(one));
    return NULL;
}

/* Frees what an execution holds, but for the thread. */
static void release(pawl_execution *execution)
{
    pawl_spec_free(execution->spec);
    pawl_cancel_free(execution->cancel);
    if (execution->done_fd >= 0)
        close(execution->done_fd);
    pawl_result_free(execution->result);
    pawl_error_free(execution->error);
    free(execution);
}

int pawl_start(pawl_registry *registry, const pawl_request *request, pawl_execution **execution,
               pawl_error **error)
{
    pawl_execution *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->registry = registry;
    made->request = request;
    made->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int status = PAWL_OK;
    if (made->done_fd < 0)
        status = error_set(error, PAWL_E_SYSTEM, "cannot make an eventfd: %s", strerror(errno));
    if (status == PAWL_OK)
        status = pawl_cancel_new(&made->cancel, error);
    if (status == PAWL_OK)
        status = pawl_registry_resolve(registry, request, &made->spec, error);
    if (status == PAWL_OK) {
        int failed = thread_start(&made->thread, NULL, execution_main, made);
        if (failed != 0)
            status = error_set(error, PAWL_E_SYSTEM, "cannot start a thread for the run: %s",
                               strerror(failed));
    }
    if (status != PAWL_OK) {
        release(made);
        return status;
    }
    *execution = made;
    return PAWL_OK;
}

int pawl_execution_fd(const pawl_execution *execution)
{
    return execution->done_fd;
}

void pawl_execution_cancel(pawl_execution *execution)
{
    pawl_cancel_now(execution->cancel);
}

static void join(pawl_execution *execution)
{
    if (!execution->joined)
        pthread_join(execution->thread, NULL);
    execution->joined = true;
}

/* As poll(2), which a signal does not end. */
static int poll_for(struct pollfd *fd, int timeout)
{
    uint64_t until = clock_now() + (uint64_t)(timeout > 0 ? timeout : 0) * NS_PER_MS;
    int ready;
    while ((ready = poll(fd, 1, timeout)) < 0 && errno == EINTR) {
        uint64_t now = clock_now();
        if (timeout > 0)
            timeout = now < until ? (int)((until - now + NS_PER_MS - 1) / NS_PER_MS) : 0;
    }
    return ready;
}

int pawl_wait(pawl_execution *execution, int timeout, pawl_result **result, pawl_error **error)
{
    struct pollfd done = {.fd = execution->done_fd, .events = POLLIN};
    int ready = poll_for(&done, timeout);
    if (ready == 0)
        return error_set(error, PAWL_E_TIMEOUT, "the run is not over yet");
    if (ready < 0)
        return error_set(error, PAWL_E_SYSTEM, "poll: %s", strerror(errno));
    join(execution);
    if (execution->status != PAWL_OK) {
        if (error != NULL) {
            *error = execution->error;
            execution->error = NULL;
        }
        return execution->status;
    }
    if (execution->result == NULL)
        return error_set(error, PAWL_E_STATE, "the result was taken already");
    *result = execution->result;
    execution->result = NULL;
    return PAWL_OK;
}

void pawl_execution_free(pawl_execution *execution)
{
    if (execution == NULL)
        return;
    if (!execution->joined)
        pawl_cancel_now(execution->cancel);
    join(execution);
    release(execution);
}
