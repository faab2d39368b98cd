#include "bounds.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

/* Beyond the budget: the engine's code that works for the program, its transport buffers, and what
 * an allocator wastes. An engine that bounds its memory itself gets the budget once more, so that
 * it is the one that says so, and with a better diagnosis. */
#define MARGIN (UINT64_C(16) << 20)

/* An engine may reserve address space that it never touches. */
#define RESERVED_ADDRESSES (UINT64_C(16) << 30)

/* Above the wall clock, in seconds: a backstop for a host that is gone or stopped. */
#define CPU_MARGIN 5

/* Processes in a group of a command. */
#define COMMAND_PROCESSES 64u

/* Whether the child cannot start further processes, so that limits of one bound them all. */
static bool stays_alone(const struct recipe *recipe)
{
    return !recipe->is_command || recipe_confines_command(recipe);
}

/* Whether limits of the child's process can be set, and bound all that it does. */
static bool can_be_limited(const struct worker *worker)
{
    return stays_alone(worker->recipe) && (worker->limitable || !worker->recipe->is_command);
}

int32_t bounds_can_limit_memory(const struct recipe *recipe, bool limitable, struct text *why)
{
    if (recipe->cgroup != NULL) {
        return cgroup_probe(recipe->cgroup, why) == PAWL_OK ? PAWL_OK : PAWL_E_UNSUPPORTED;
    }
    if (!stays_alone(recipe)) {
        text_string(why, "a command may start processes, which only a cgroup can bound together: "
                         "configure \"cgroup\"");
        return PAWL_E_UNSUPPORTED;
    }
    if (recipe->is_command && !limitable) {
        text_string(why, "a command that becomes another user can be limited only with "
                         "CAP_SYS_RESOURCE, or by a cgroup: configure \"cgroup\"");
        return PAWL_E_UNSUPPORTED;
    }
    return PAWL_OK;
}

/* The limits of a process that has become another user may only be set by who has CAP_SYS_RESOURCE;
 * then they are left to pawl-child. A command cannot be trusted with them. */
static int32_t limit(struct bounds *bounds, __rlimit_resource_t resource, const char *name,
                     uint64_t most, struct text *why)
{
    const struct rlimit value = {most, most};
    if (prlimit(bounds->worker->child.pid, resource, &value, NULL) == 0)
        return PAWL_OK;
    if (errno == EPERM && !bounds->worker->recipe->is_command) {
        text_format(&bounds->limits, "%s\"%s\":%llu", bounds->limits.size == 0 ? "" : ",", name,
                    (unsigned long long)most);
        return bounds->limits.failed;
    }
    text_format(why, "the limit `%s` of the child: %s", name, strerror(errno));
    return PAWL_E_UNAVAILABLE;
}

static uint64_t allowance(const struct worker *worker, uint64_t memory)
{
    uint64_t sum = worker->idle_data + MARGIN;
    if (__builtin_add_overflow(sum, memory, &sum) ||
        (worker->bounds_memory && __builtin_add_overflow(sum, memory, &sum)) ||
        sum > UINT64_MAX / 2)
        return UINT64_MAX / 2;
    return sum;
}

static int32_t limit_memory(struct bounds *bounds, uint64_t memory, struct text *why)
{
    const struct worker *worker = bounds->worker;
    uint64_t data = allowance(worker, memory);
    int32_t status = limit(bounds, RLIMIT_DATA, "data", data, why);
    if (status == PAWL_OK)
        status =
            limit(bounds, RLIMIT_AS, "as", worker->idle_address + RESERVED_ADDRESSES + data, why);
    return status;
}

static int32_t make_group(struct bounds *bounds, uint64_t memory, struct text *why)
{
    const struct worker *worker = bounds->worker;
    uint64_t most = memory == 0 ? 0 : memory + MARGIN;
    int32_t status = cgroup_make(&bounds->group, worker->recipe->cgroup, worker->child.pid, most,
                                 stays_alone(worker->recipe) ? 1 : COMMAND_PROCESSES, why);
    if (status == PAWL_OK) {
        status = cgroup_enter(&bounds->group, worker->child.pid, why);
        if (status != PAWL_OK)
            cgroup_remove(&bounds->group);
    }
    return status;
}

int32_t bounds_set(struct bounds *bounds, const struct worker *worker, const struct pawl_run *run,
                   struct text *why)
{
    const struct recipe *recipe = worker->recipe;
    uint64_t memory = run->budget == NULL ? 0 : run->budget->max_memory;
    uint64_t wall_clock = run->budget == NULL ? 0 : run->budget->wall_clock;
    *bounds = (struct bounds){.group = CGROUP_NONE, .worker = worker, .memory = memory != 0};
    int32_t status = PAWL_OK;
    if (memory != 0 && can_be_limited(worker))
        status = limit_memory(bounds, memory, why);
    else if (memory != 0 && recipe->cgroup == NULL)
        status = bounds_can_limit_memory(recipe, worker->limitable, why) == PAWL_OK
                     ? PAWL_OK
                     : PAWL_E_UNAVAILABLE;
    if (status == PAWL_OK && wall_clock != 0 && can_be_limited(worker))
        status = limit(bounds, RLIMIT_CPU, "cpu", wall_clock / 1000 + CPU_MARGIN, why);
    if (status == PAWL_OK && recipe->cgroup != NULL)
        status = make_group(bounds, memory, why);
    return status;
}

static void state_memory(const struct bounds *bounds, const struct pawl_run *run)
{
    const struct worker *worker = bounds->worker;
    struct text by TEXT_CLEANUP = {0}, fact TEXT_CLEANUP = {0};
    bool group = bounds->group.directory >= 0;
    if (!worker->recipe->is_command && worker->bounds_memory)
        text_format(&by, "%s, ", worker->engine);
    text_string(&by, group ? "cgroup2" : "rlimit_data");
    if (!group && bounds->limits.size > 0)
        text_string(&by, " (set by the child)");
    text_format(&fact,
                "{\"grade\":\"%s\",\"by\":", group || worker->bounds_memory ? "full" : "partial");
    text_json_string(&fact, by.data, by.size);
    text_append(&fact, "}", 1);
    if (!fact.failed)
        run->fact(run->context, "memory", fact.data, fact.size);
}

void bounds_state_facts(const struct bounds *bounds, const struct pawl_run *run)
{
    const struct recipe *recipe = bounds->worker->recipe;
    if (bounds->memory)
        state_memory(bounds, run);
    if (recipe->state_facts != NULL)
        recipe->state_facts(recipe->verify_context, bounds->worker, run);
}

bool bounds_ran_out_of_memory(const struct bounds *bounds)
{
    return cgroup_ran_out_of_memory(&bounds->group);
}

void bounds_clear(struct bounds *bounds, struct worker *worker)
{
    text_free(&bounds->limits);
    if (bounds->group.directory < 0)
        return;
    cgroup_kill(&bounds->group);
    child_reap(&worker->child);
    cgroup_remove(&bounds->group);
}
