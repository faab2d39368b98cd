/*
 * allow - the stage that lets calls through by name; see pawl-allow(7).
 *
 *     {"allow": ["tools.get_*"], "deny": ["tools.get_secret"]}
 *
 * What a deny pattern matches is denied; otherwise what an allow pattern matches is allowed; and
 * what nothing matches is denied.
 */
#include <pawl/stage.h>

#include <stdlib.h>

#include "stages/common/fields.h"
#include "stages/common/patterns.h"
#include "stages/common/say.h"

struct allow {
    struct patterns allow;
    struct patterns deny;
};

static const struct field fields[] = {
    /* Without it, every call would be denied, which nobody means who forgot a key. */
    {"allow", field_patterns, offsetof(struct allow, allow), "[] allows nothing"},
    {"deny", field_patterns, offsetof(struct allow, deny), NULL},
    {NULL, NULL, 0, NULL},
};

static void destroy(void *instance)
{
    struct allow *allow = instance;
    patterns_clear(&allow->allow);
    patterns_clear(&allow->deny);
    free(allow);
}

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    struct allow *allow = calloc(1, sizeof(*allow));
    if (allow == NULL)
        return PAWL_E_MEMORY;
    int32_t status = fields_parse(config, fields, "{\"allow\": [\"tools.get_*\"]}", allow, why);
    if (status == PAWL_OK)
        *instance = allow;
    else
        destroy(allow);
    return status;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    const struct allow *allow = instance;
    const char *pattern = patterns_find(&allow->deny, call->name);
    *verdict = PAWL_VERDICT_DENY;
    if (pattern != NULL)
        say(why, "%s is denied by the pattern \"%s\"", call->name, pattern);
    else if (patterns_find(&allow->allow, call->name) == NULL)
        say(why, "%s is not among the functions that are allowed", call->name);
    else
        *verdict = PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

static const struct pawl_stage stage = {
    .header = PAWL_HEADER(STAGE, stage),
    .name = "allow",
    .version = "1.0",
    .description = "lets calls through whose names match a pattern",
    .threads = 2, /* any number of calls at once: nothing changes after create */
    .create = create,
    .destroy = destroy,
    .judge = judge,
};

PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return &stage;
}
