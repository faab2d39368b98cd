#include <config.h> /* the one that configure made */

#include "engine.h"

#include <dlfcn.h>
#include <string.h>

typedef const struct pawl_provider *entry_function(void);

static int32_t find_no_provider(void *context, const char *name, const struct pawl_sink *path)
{
    static const char why[] = "inside a child there are no other providers";
    (void)context;
    (void)name;
    path->write(path->context, why, sizeof(why) - 1);
    return PAWL_E_UNKNOWN;
}

static const struct pawl_host host = {
    .header = PAWL_HEADER(HOST, host),
    .version = PACKAGE_VERSION,
    .find_provider = find_no_provider,
};

static int32_t unfit(struct text *why, const char *path, const char *reason)
{
    text_format(why, "%s: %s", path, reason);
    return PAWL_E_PLUGIN;
}

/* The parent found the file through the library, which checked its owner, mode and symbols; here
 * it is what a stranger compiled that is checked. */
static int32_t take_descriptor(struct engine *engine, const char *path,
                               const struct pawl_provider *provider, struct text *why)
{
    if (provider == NULL || provider->header.magic != PAWL_MAGIC_PROVIDER)
        return unfit(why, path, "its entry function returned no provider");
    if (provider->header.major != PAWL_ABI_MAJOR)
        return unfit(why, path, "it was built for another major version of the interface");
    if (!PAWL_HAS(provider, run))
        return unfit(why, path, "its descriptor is too short");
    if (provider->requires_bits != 0)
        return unfit(why, path, "it requires what this version of pawl does not offer");
    size_t size = provider->header.size;
    memcpy(&engine->provider, provider,
           size < sizeof(engine->provider) ? size : sizeof(engine->provider));
    if (engine->provider.create == NULL || engine->provider.destroy == NULL ||
        engine->provider.level == NULL || engine->provider.languages == NULL ||
        engine->provider.run == NULL)
        return unfit(why, path, "a required function is missing");
    if (engine->provider.offers_bits & PAWL_OFFERS_ISOLATION)
        return unfit(why, path, "it is an isolating provider itself, not an engine");
    return PAWL_OK;
}

int32_t engine_supports(struct engine *engine, const struct pawl_budget *budget, uint32_t *missing,
                        struct text *why)
{
    struct pawl_sink sink = text_sink(why);
    *missing = 0;
    if (engine->provider.supports != NULL)
        return engine->provider.supports(engine->instance, budget, &sink, missing);
    if (budget->max_memory == 0)
        return PAWL_OK;
    *missing = PAWL_BUDGET_MAX_MEMORY;
    return PAWL_E_UNSUPPORTED;
}

/* Whether it can keep max_memory at all. */
static bool keeps_memory(struct engine *engine)
{
    const struct pawl_budget budget = {.header = PAWL_HEADER(BUDGET, budget),
                                       .max_memory = 1u << 30};
    struct text why TEXT_CLEANUP = {0};
    uint32_t missing;
    return engine_supports(engine, &budget, &missing, &why) == PAWL_OK;
}

int32_t engine_load(struct engine *engine, struct json description, struct text *why)
{
    struct json_member members[] = {
        {.name = "path", .type = JSON_STRING, .required = true},
        {.name = "config", .type = JSON_OBJECT},
    };
    if (!json_members(description, members, 2, why))
        return PAWL_E_STATE;
    struct text path_text TEXT_CLEANUP = {0}, config TEXT_CLEANUP = {0};
    json_decode(members[0].value, &path_text);
    if (members[1].value.text != NULL)
        text_append(&config, members[1].value.text, members[1].value.size);
    else
        text_string(&config, "{}");
    const char *path = text_get(&path_text);
    if (path == NULL || text_get(&config) == NULL)
        return PAWL_E_MEMORY;

    engine->plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (engine->plugin == NULL)
        return unfit(why, path, dlerror());
    entry_function *entry;
    *(void **)&entry = dlsym(engine->plugin, PAWL_PROVIDER_ENTRY);
    if (entry == NULL)
        return unfit(why, path, "it has no function " PAWL_PROVIDER_ENTRY);
    int32_t status = take_descriptor(engine, path, entry(), why);
    if (status != PAWL_OK)
        return status;
    struct pawl_sink sink = text_sink(why);
    status = engine->provider.create(&host, text_get(&config), &sink, &engine->instance);
    if (status != PAWL_OK)
        return status;
    engine->level = engine->provider.level(engine->instance);
    if (engine->level != PAWL_LEVEL_PROCESS)
        return unfit(why, path, "its level is not `process`, so it is no engine");
    if (engine->provider.egress != NULL)
        engine->egress = engine->provider.egress(engine->instance);
    engine->bounds_memory = keeps_memory(engine);
    return PAWL_OK;
}
