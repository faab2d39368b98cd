#include <pawl/pawl.h>

struct pawl_budget pawl_budget_empty(void)
{
    struct pawl_budget budget = {.header = PAWL_HEADER(BUDGET, budget)};
    return budget;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void pawl_budget_merge(struct pawl_budget *into, const struct pawl_budget *other)
{
    into->wall_clock = higher(into->wall_clock, other->wall_clock);
    into->max_calls = higher(into->max_calls, other->max_calls);
    into->max_bytes = higher(into->max_bytes, other->max_bytes);
    into->max_memory = higher(into->max_memory, other->max_memory);
}
