#include "core/run_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/suggestions.h"
#include "stages/ring.h"

#define MAX_WHY_BYTES 8192u

/* The most that is kept of a suspended program. */
#define MAX_IMAGE_BYTES (64u << 20)

static pawl_result *new_result(const pawl_spec *spec)
{
    pawl_result *result = calloc(1, sizeof(*result));
    if (result == NULL)
        return NULL;
    result->provider = strdup(spec->provider->id);
    result->language = strdup(spec->language);
    result->egress_by = spec->egress_by != NULL ? strdup(spec->egress_by) : NULL;
    result->level = spec->provider->level;
    result->budget = spec->budget;
    result->capped = spec->capped;
    if (result->provider == NULL || result->language == NULL ||
        (spec->egress_by != NULL && result->egress_by == NULL) ||
        policy_copy(&result->policy, &spec->policy.view, NULL) != PAWL_OK) {
        pawl_result_free(result);
        return NULL;
    }
    return result;
}

static bool is_over(void *context)
{
    const struct run *run = context;
    return calls_end(run->calls) != PAWL_END_NONE;
}

/* Where the provider does not enforce the egress that was asked for, the host must say that it
 * does, before anything runs: silence is no enforcement. */
static bool egress_is_enforced(struct run *run)
{
    const struct provider_instance *provider = run->spec->provider;
    const pawl_request *request = run->request;
    const struct pawl_policy *policy = &run->spec->policy.view;
    if (provider->egress >= policy->egress ||
        request->enforcer(policy, provider->id, request->enforcer_data) == PAWL_OK)
        return true;
    run_set_failure_format(run, "sandbox_unavailable",
                           "the egress is not enforced: '%s' does not do it for the provider '%s'",
                           request->enforcer_name, provider->id);
    free(run->result->egress_by);
    run->result->egress_by = NULL;
    return false;
}

static int log_again(void *context, const char *text, size_t size)
{
    return run_add_log(context, text, size);
}

/* Whether a suspended program is to go on from its image. */
static bool has_image(const pawl_request *request, const pawl_spec *spec)
{
    return request->record != NULL && request->resumes && request->record->image.size > 0 &&
           (spec->provider->descriptor.offers_bits & PAWL_OFFERS_IMAGE) != 0;
}

/* PAWL_OK, or PAWL_E_UNSUPPORTED: the image is none for this provider, and nothing was run. */
static int call_provider(struct run *run, uint64_t deadline, bool from_image)
{
    struct provider_instance *provider = run->spec->provider;
    /* Where a stage may wait for somebody the deadline moves, and only the host knows where to. */
    bool moves = run->request->ring != NULL && ring_waits(run->request->ring);
    struct pawl_run view = run_view(run, moves ? 0 : deadline);
    struct buffer why BUFFER_CLEANUP = {.limit = MAX_WHY_BYTES};
    struct pawl_sink sink = buffer_sink(&why);
    int32_t status = PAWL_OK;
    if (!egress_is_enforced(run))
        return PAWL_OK;
    if (from_image) {
        const struct text *image = &run->request->record->image;
        view.image = (struct pawl_text){.data = image->data, .size = (uint32_t)image->size};
        view.last_call = calls_next_id(run->calls) - 1;
        view.in_flight = calls_in_flight(run->calls);
    }
    if (provider_enter(provider, is_over, run)) {
        status = provider->descriptor.run(provider->instance, &view, &sink);
        provider_leave(provider);
    }
    if (from_image && status == PAWL_E_UNSUPPORTED && run->parked && !run->ended)
        return PAWL_E_UNSUPPORTED;
    run_judge_provider(run, status, &why);
    return PAWL_OK;
}

/* What the run is to be told of what was before it, and what is to be kept of it. */
static int prepare(struct run *run, bool from_image)
{
    const pawl_request *request = run->request;
    if (request->record == NULL || request->resumes)
        run->recorder = (struct recorder){
            .write = request->recorder, .data = request->recorder_data, .calls = run->calls};
    if (request->record == NULL) {
        recorder_begin(&run->recorder, request, run->spec);
        return PAWL_OK;
    }
    run->playback = (struct playback){
        .record = request->record,
        .calls = run->calls,
        .resumes = request->resumes,
        .diverged = {.limit = MAX_WHY_BYTES},
    };
    run->parked = request->resumes;
    return from_image ? playback_skip(&run->playback, log_again, run) : PAWL_OK;
}

static void count_time(const struct run *run, uint64_t start)
{
    pawl_result *result = run->result;
    result->total_us = (clock_now() - start) / NS_PER_US;
    uint64_t other = result->calls_us + result->waiting_us + fact_setup_us(result);
    result->program_us = result->total_us > other ? result->total_us - other : 0;
}

/* A suspended run has calls that are not over. */
static void record_late(void *context, const struct pawl_settlement *settlement,
                        uint64_t microseconds)
{
    struct run *run = context;
    bool is_over = run->ended || calls_end(run->calls) != PAWL_END_SUSPEND;
    if (is_over && !run->parked)
        recorder_late(&run->recorder, settlement, microseconds);
}

/* Runs it and closes its result. PAWL_OK, PAWL_E_MEMORY, PAWL_E_RECORD, or PAWL_E_UNSUPPORTED: it
 * cannot be run from its image. */
static int perform(struct run *run, uint64_t start, uint64_t deadline, bool from_image)
{
    int status = prepare(run, from_image);
    /* A record that does not fit together: let a replay say how. */
    bool unsupported = from_image && status != PAWL_OK;
    if (!unsupported)
        unsupported = call_provider(run, deadline, from_image) == PAWL_E_UNSUPPORTED;
    if (unsupported) {
        calls_close(run->calls, run->result, record_late, run); /* what was begun is begun again */
        return PAWL_E_UNSUPPORTED;
    }
    run_check_output(run);
    if (!run->ended && calls_end(run->calls) == PAWL_END_FAULT)
        status = PAWL_E_MEMORY;
    playback_settle_late(&run->playback);
    int closed = calls_close(run->calls, run->result, record_late, run);
    if (status == PAWL_OK)
        status = closed;
    if (!run->result->ok && run->result->message.data == NULL)
        status = PAWL_E_MEMORY;            /* there was none for the failure's text */
    if (status == PAWL_OK && !run->parked) /* else it stands where it stood */
        recorder_end(&run->recorder, run->result, &run->image);
    if (run->recorder.failed)
        return PAWL_E_RECORD;
    if (status != PAWL_OK)
        return status;
    suggestions_add(run->result, run->request, run->subject.data != NULL ? run->subject.data : "",
                    run->subject.size);
    count_time(run, start);
    return PAWL_OK;
}

static void clear(struct run *run)
{
    calls_free(run->calls);
    pawl_result_free(run->result);
    buffer_clear(&run->subject);
    buffer_clear(&run->image);
    buffer_clear(&run->playback.diverged);
    recorder_clear(&run->recorder);
}

static int attempt(pawl_registry *registry, const pawl_request *request, const pawl_spec *spec,
                   const pawl_cancel *const cancels[2], bool from_image, pawl_result **result)
{
    uint64_t start = clock_now();
    uint64_t deadline = clock_after(start, spec->budget.wall_clock);
    struct calls_setup setup = {
        .request = request,
        .cancels = {cancels[0], cancels[1]},
        .workers = registry_workers(registry),
        .max_calls = spec->budget.max_calls,
        .max_bytes = spec->budget.max_bytes,
        .deadline = deadline,
        .parked = request->record != NULL,
        .can_suspend = request->recorder != NULL,
    };
    __attribute__((cleanup(clear))) struct run run = {
        .request = request,
        .spec = spec,
        .calls = setup.workers != NULL ? calls_new(&setup) : NULL,
        .result = new_result(spec),
        .output = 2, /* the brackets of no logs */
        .output_limit = request->output_limit != 0 ? request->output_limit : PAWL_OUTPUT_DEFAULT,
        .subject = {.limit = 1024},
        .image = {.limit = MAX_IMAGE_BYTES},
    };
    if (run.calls == NULL || run.result == NULL)
        return PAWL_E_MEMORY;
    int status = perform(&run, start, deadline, from_image);
    if (status == PAWL_OK) {
        *result = run.result;
        run.result = NULL;
    }
    return status;
}

int run_request(pawl_registry *registry, const pawl_request *request, const pawl_spec *spec,
                const pawl_cancel *const cancels[2], pawl_result **result, pawl_error **error)
{
    int status = PAWL_E_UNSUPPORTED;
    if (has_image(request, spec))
        status = attempt(registry, request, spec, cancels, true, result);
    if (status == PAWL_E_UNSUPPORTED)
        status = attempt(registry, request, spec, cancels, false, result);
    if (status == PAWL_E_RECORD)
        return error_set(error, PAWL_E_RECORD,
                         "the run was ended, because its record cannot be written");
    return status == PAWL_OK ? PAWL_OK : error_memory(error);
}
