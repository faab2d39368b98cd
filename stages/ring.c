#include "stages/ring.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"
#include "core/registry.h"
#include "core/serial.h"

#define MAX_STAGES    64
#define MAX_WHY_BYTES 4096
#define NO_REASON     "no reason was given"

struct stage_instance {
    struct pawl_stage descriptor;
    void *instance;
    pthread_mutex_t own_lock;     /* one call at a time for each instance */
    pthread_mutex_t *plugin_lock; /* one call at a time for the plugin (serial.h); NULL: several */
    pthread_mutex_t *serial;      /* the one of them that its thread model asks for; NULL: none */
};

struct pawl_ring {
    atomic_uint references;
    bool prompt;
    bool waits;
    struct stage_instance **stages;
    size_t count;
};

static void stage_enter(struct stage_instance *stage)
{
    if (stage->serial != NULL)
        pthread_mutex_lock(stage->serial);
}

static void stage_leave(struct stage_instance *stage)
{
    if (stage->serial != NULL)
        pthread_mutex_unlock(stage->serial);
}

int pawl_ring_new(pawl_ring **ring, pawl_error **error)
{
    *ring = calloc(1, sizeof(**ring));
    if (*ring == NULL)
        return error_memory(error);
    atomic_init(&(*ring)->references, 1);
    (*ring)->prompt = true;
    return PAWL_OK;
}

pawl_ring *ring_hold(const pawl_ring *ring)
{
    pawl_ring *held = (pawl_ring *)ring; /* nothing but the count changes */
    if (held != NULL)
        atomic_fetch_add(&held->references, 1);
    return held;
}

bool ring_is_prompt(const pawl_ring *ring)
{
    return ring->prompt;
}

bool ring_waits(const pawl_ring *ring)
{
    return ring->waits;
}

static void stage_free(struct stage_instance *stage)
{
    serial_give_back(stage->plugin_lock);
    pthread_mutex_destroy(&stage->own_lock);
    free(stage);
}

void pawl_ring_free(pawl_ring *ring)
{
    if (ring == NULL || atomic_fetch_sub(&ring->references, 1) != 1)
        return;
    for (size_t i = 0; i < ring->count; i++) {
        struct stage_instance *stage = ring->stages[i];
        stage_enter(stage);
        stage->descriptor.destroy(stage->instance);
        stage_leave(stage);
        stage_free(stage);
    }
    free(ring->stages);
    free(ring);
}

size_t pawl_ring_size(const pawl_ring *ring)
{
    return ring->count;
}

/* An instance of a stage that has not been created yet; `identity` is what its lock belongs to. */
static struct stage_instance *stage_new(const struct pawl_stage *descriptor, const void *identity)
{
    struct stage_instance *stage = calloc(1, sizeof(*stage));
    if (stage == NULL)
        return NULL;
    stage->descriptor = *descriptor;
    pthread_mutex_init(&stage->own_lock, NULL);
    if (descriptor->threads == PAWL_THREADS_INSTANCE) {
        stage->serial = &stage->own_lock;
    } else if (descriptor->threads == PAWL_THREADS_SERIAL) {
        stage->serial = stage->plugin_lock = serial_take(identity);
        if (stage->serial == NULL) {
            stage_free(stage);
            return NULL;
        }
    }
    return stage;
}

static int add_stage(pawl_ring *ring, const struct pawl_stage *descriptor, const void *identity,
                     const char *config, pawl_error **error)
{
    if (ring->count == MAX_STAGES)
        return error_set(error, PAWL_E_LIMIT, "more than %d stages", MAX_STAGES);
    struct stage_instance **grown = realloc(ring->stages, (ring->count + 1) * sizeof(*grown));
    if (grown == NULL)
        return error_memory(error);
    ring->stages = grown;
    struct stage_instance *stage = stage_new(descriptor, identity);
    if (stage == NULL)
        return error_memory(error);

    struct buffer why BUFFER_CLEANUP = {.limit = MAX_WHY_BYTES};
    struct pawl_sink sink = buffer_sink(&why);
    stage_enter(stage);
    int status = descriptor->create(config != NULL ? config : "{}", &sink, &stage->instance);
    stage_leave(stage);
    if (status != PAWL_OK) {
        stage_free(stage);
        return error_set(error, status < 0 ? status : PAWL_E_PLUGIN, "the stage '%s': %s",
                         descriptor->name, why.size > 0 ? why.data : NO_REASON);
    }
    ring->stages[ring->count++] = stage;
    bool waits = (descriptor->offers_bits & PAWL_STAGE_WAITS) != 0;
    ring->waits |= waits;
    ring->prompt &= !waits && (descriptor->offers_bits & PAWL_STAGE_PROMPT) != 0;
    return PAWL_OK;
}

int pawl_ring_open(pawl_ring *ring, pawl_registry *registry, const char *plugin, const char *config,
                   pawl_error **error)
{
    const struct pawl_stage *descriptor;
    const void *identity;
    int status = registry_find_stage(registry, plugin, &descriptor, &identity, error);
    return status != PAWL_OK ? status : add_stage(ring, descriptor, identity, config, error);
}

int pawl_ring_add(pawl_ring *ring, const struct pawl_stage *stage, const char *config,
                  pawl_error **error)
{
    struct pawl_stage descriptor;
    int status = plugin_copy_stage(stage, NULL, &descriptor, error);
    if (status == PAWL_OK)
        return add_stage(ring, &descriptor, stage, config, error);
    if (error != NULL)
        error_prefix(error, "the stage is malformed");
    return status;
}

struct pawl_stage_call ring_call(const char *run, uint64_t number, const char *name,
                                 const char *namespace_name, const char *function,
                                 const char *arguments, size_t size)
{
    struct pawl_stage_call call = {
        .run = run,
        .number = number,
        .name = name,
        .namespace_name = namespace_name,
        .function = function,
        .arguments = {.data = arguments, .size = (uint32_t)size},
        .cancel_fd = -1,
    };
    call.header = (struct pawl_header)PAWL_HEADER(STAGE_CALL, call);
    return call;
}

/* What one stage says of a call: a verdict, or PAWL_SETTLED_FAILED's negative status. */
static int ask(struct stage_instance *stage, const struct pawl_stage_call *call,
               const struct ring_watch *watch, struct buffer *reason, uint32_t *verdict)
{
    struct pawl_sink sink = buffer_sink(reason);
    bool waits = watch != NULL && (stage->descriptor.offers_bits & PAWL_STAGE_WAITS) != 0;
    *verdict = PAWL_VERDICT_DENY;
    if (waits) /* also for the answer to another call, where the stage judges one at a time */
        watch->waiting(watch->context, true);
    stage_enter(stage);
    int status = stage->descriptor.judge(stage->instance, call, &sink, verdict);
    stage_leave(stage);
    if (waits)
        watch->waiting(watch->context, false);
    return status;
}

uint32_t ring_judge(const pawl_ring *ring, const struct pawl_stage_call *call,
                    const struct ring_watch *watch, struct buffer *why,
                    struct ring_passage *passage, int *pending)
{
    passage->allowed = 0;
    *pending = 0;
    for (; ring != NULL && passage->allowed < ring->count; passage->allowed++) {
        struct stage_instance *stage = ring->stages[passage->allowed];
        struct buffer reason BUFFER_CLEANUP = {.limit = MAX_WHY_BYTES};
        uint32_t verdict;
        int status = ask(stage, call, watch, &reason, &verdict);
        const char *text = reason.size > 0 ? reason.data : NO_REASON;
        if (status == PAWL_OK && verdict == PAWL_VERDICT_ALLOW)
            continue;
        if (status == PAWL_OK && verdict <= PAWL_VERDICT_PENDING) {
            *pending = verdict == PAWL_VERDICT_PENDING;
            buffer_format(why, "%s: %s by the stage '%s': %s", call->name,
                          *pending ? "put off" : "denied", stage->descriptor.name, text);
            return PAWL_SETTLED_DENIED;
        }
        if (status == PAWL_OK)
            buffer_format(why, "%s: the stage '%s' failed: it answered %u, which is no verdict",
                          call->name, stage->descriptor.name, verdict);
        else
            buffer_format(why, "%s: the stage '%s' failed (%d): %s", call->name,
                          stage->descriptor.name, status, text);
        return PAWL_SETTLED_FAILED;
    }
    return PAWL_SETTLED_OK;
}

void ring_settled(const pawl_ring *ring, const struct pawl_stage_call *call,
                  const struct ring_passage *passage, uint32_t outcome, uint64_t bytes,
                  uint64_t microseconds)
{
    for (size_t i = 0; i < passage->allowed; i++) {
        struct stage_instance *stage = ring->stages[i];
        if (stage->descriptor.settled == NULL)
            continue;
        stage_enter(stage);
        stage->descriptor.settled(stage->instance, call, outcome, bytes, microseconds);
        stage_leave(stage);
    }
}

int pawl_ring_judge(const pawl_ring *ring, const char *namespace_name, const char *function,
                    const char *arguments, uint32_t *verdict, pawl_error **error)
{
    *verdict = PAWL_VERDICT_DENY;
    struct buffer fault BUFFER_CLEANUP = {0};
    if (!json_is_valid(arguments, strlen(arguments), &fault))
        return error_set(error, PAWL_E_ARGUMENT, "the arguments of %s.%s are not JSON: %s",
                         namespace_name, function, fault.data != NULL ? fault.data : "");
    struct buffer name BUFFER_CLEANUP = {0};
    buffer_format(&name, "%s.%s", namespace_name, function);
    if (name.failed != PAWL_OK)
        return error_memory(error);
    struct pawl_stage_call call =
        ring_call("host", 1, name.data, namespace_name, function, arguments, strlen(arguments));
    struct buffer why BUFFER_CLEANUP = {0};
    struct ring_passage passage;
    int pending;
    uint32_t settled = ring_judge(ring, &call, NULL, &why, &passage, &pending);
    if (settled == PAWL_SETTLED_OK) {
        *verdict = PAWL_VERDICT_ALLOW;
        return PAWL_OK;
    }
    ring_settled(ring, &call, &passage, PAWL_OUTCOME_STOPPED, 0, 0);
    if (settled != PAWL_SETTLED_DENIED)
        return error_set(error, PAWL_E_PLUGIN, "%s",
                         why.failed != PAWL_OK ? "a stage failed" : why.data);
    *verdict = pending ? PAWL_VERDICT_PENDING : PAWL_VERDICT_DENY;
    error_set(error, PAWL_E_UNSUPPORTED, "%s", why.failed != PAWL_OK ? "denied" : why.data);
    return PAWL_OK;
}
