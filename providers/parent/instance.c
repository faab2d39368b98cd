#include "instance.h"

#include <pawl/wire.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "config.h"
#include "providers/child/command.h"
#include "question.h"
#include "relay.h"
#include "sigpipe.h"

/* Least max_memory that is worth trying: below it no engine starts a program. */
#define LEAST_MEMORY (UINT64_C(1) << 20)

/* Answers that are remembered: a host asks the same before every run. */
#define REMEMBERED 8

struct answer {
    struct pawl_budget budget;
    int32_t status;
    uint32_t missing;
    char *why;
};

struct instance {
    struct recipe recipe;
    struct config config;
    char *child_argv[3];
    struct pool *pool; /* NULL: children are started when they are needed */
    uint32_t level;
    uint32_t egress;
    bool limitable;        /* the limits of its children can be set from outside */
    bool bounds_memory;    /* its engine keeps max_memory itself */
    char **languages;      /* ends in NULL */
    pthread_mutex_t mutex; /* guards what follows */
    struct answer answers[REMEMBERED];
    unsigned answered;
};

static void explain(const struct pawl_sink *sink, struct text *why)
{
    const char *text = text_get(why);
    if (text == NULL || *text == '\0')
        text = "no memory";
    sink->write(sink->context, text, strlen(text));
}

/* --- Recipe ---------------------------------------------------------------------------------- */

/* The path of the engine's plugin, from the host, which trusts it. */
static int32_t find_engine(const struct pawl_host *host, const char *name, struct text *path,
                           struct text *why)
{
    struct text found TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(&found);
    int32_t status = host->find_provider(host->context, name, &sink);
    if (status == PAWL_OK && found.size > 0 && !found.failed) {
        text_append(path, found.data, found.size);
        return PAWL_OK;
    }
    text_format(why, "the engine `%s` cannot be used: ", name);
    text_append(why, found.data, found.size);
    return status == PAWL_OK ? PAWL_E_UNKNOWN : status;
}

static void append_command(struct text *launch, char *const *command)
{
    text_string(launch, ",\"command\":[");
    for (size_t i = 0; command[i] != NULL; i++) {
        text_string(launch, i == 0 ? "" : ",");
        text_json_string(launch, command[i], strlen(command[i]));
    }
    text_string(launch, "]");
}

static int32_t write_launch(struct instance *instance, const struct traits *traits,
                            const struct pawl_host *host, struct text *why)
{
    const struct config *config = &instance->config;
    struct text *launch = &instance->recipe.launch, path TEXT_CLEANUP = {0};
    text_format(launch, "{\"protocol\":%u,\"frame_limit\":%zu", PAWL_WIRE_PROTOCOL,
                config->frame_limit);
    if (config->engine != NULL) {
        int32_t status = find_engine(host, config->engine, &path, why);
        if (status != PAWL_OK)
            return status;
        text_string(launch, ",\"engine\":{\"path\":");
        text_json_string(launch, path.data, path.size);
        if (config->engine_config.size > 0) {
            text_string(launch, ",\"config\":");
            text_append(launch, config->engine_config.data, config->engine_config.size);
        }
        text_append(launch, "}", 1);
    }
    if (config->command != NULL && traits->lock != NULL) {
        text_format(&instance->recipe.second, "{\"protocol\":%u,\"frame_limit\":%zu}",
                    PAWL_WIRE_PROTOCOL, config->frame_limit);
        append_command(launch, config->command);
    }
    if (traits->lock != NULL)
        text_format(launch, ",\"lock\":%s", traits->lock);
    text_append(launch, "}", 1);
    return launch->failed || instance->recipe.second.failed ? PAWL_E_MEMORY : PAWL_OK;
}

static int32_t make_recipe(struct instance *instance, const struct traits *traits,
                           const struct pawl_host *host, struct text *why)
{
    struct config *config = &instance->config;
    struct recipe *recipe = &instance->recipe;
    if (config->child == NULL) {
        const char *path = secure_getenv("PAWL_CHILD");
        config->child = strdup(path != NULL && *path == '/' ? path : PAWL_CHILD);
        if (config->child == NULL)
            return PAWL_E_MEMORY;
    }
    instance->child_argv[0] = config->child;
    recipe->is_command = config->command != NULL;
    if (recipe->is_command && traits->lock != NULL)
        instance->child_argv[1] = (char *)COMMAND_ARGUMENT;
    recipe->argv =
        recipe->is_command && traits->lock == NULL ? config->command : instance->child_argv;
    recipe->namespaces = traits->namespaces;
    recipe->frame_limit = config->frame_limit;
    recipe->record = config->record;
    recipe->cgroup = config->cgroup;
    recipe->verify = traits->verify;
    recipe->state_facts = traits->state_facts;
    recipe->verify_context = instance;
    return write_launch(instance, traits, host, why);
}

/* --- What a child says of itself ------------------------------------------------------------- */

static int32_t take_languages(struct instance *instance, const struct worker *worker,
                              struct text *why)
{
    struct json array = worker_languages(worker), element;
    struct json_iterator iterator = json_iterate(array);
    size_t count = 0;
    while (json_next(&iterator, NULL, &element))
        count++;
    instance->languages = calloc(count + 1, sizeof(*instance->languages));
    if (instance->languages == NULL)
        return PAWL_E_MEMORY;
    iterator = json_iterate(array);
    for (size_t i = 0; json_next(&iterator, NULL, &element); i++) {
        struct text name TEXT_CLEANUP = {0};
        if (json_type(element) == JSON_STRING)
            json_decode(element, &name);
        if (text_get(&name) == NULL)
            return PAWL_E_MEMORY;
        instance->languages[i] = strdup(text_get(&name));
        if (instance->languages[i] == NULL)
            return PAWL_E_MEMORY;
    }
    if (count > 0)
        return PAWL_OK;
    text_format(why, "%s runs no language", worker->recipe->argv[0]);
    return PAWL_E_PLUGIN;
}

/* Starts one child, which shows that it can be done and says what it is. */
static int32_t prove(struct instance *instance, const struct traits *traits, struct text *why)
{
    struct worker *worker;
    int32_t status = worker_start(&instance->recipe, &worker, why);
    if (status != PAWL_OK)
        return status;
    status = worker_wait_ready(worker, -1, 0, why);
    if (status == PAWL_OK)
        status = take_languages(instance, worker, why);
    instance->level = traits->level != PAWL_LEVEL_NONE ? traits->level : worker->level;
    instance->egress = worker->egress;
    instance->bounds_memory = worker->bounds_memory;
    instance->limitable = worker->limitable;
    worker_free(worker);
    return status;
}

/* --- Provider -------------------------------------------------------------------------------- */

void instance_destroy(void *self)
{
    struct instance *instance = self;
    if (instance == NULL)
        return;
    pool_free(instance->pool);
    for (size_t i = 0; instance->languages != NULL && instance->languages[i] != NULL; i++)
        free(instance->languages[i]);
    free(instance->languages);
    for (size_t i = 0; i < REMEMBERED; i++)
        free(instance->answers[i].why);
    pthread_mutex_destroy(&instance->mutex);
    text_free(&instance->recipe.launch);
    text_free(&instance->recipe.second);
    config_free(&instance->config);
    free(instance);
}

static int32_t create(struct instance *instance, const struct traits *traits,
                      const struct pawl_host *host, const char *config, struct text *why)
{
    int32_t status = config_read(&instance->config, traits, config, why);
    if (status == PAWL_OK)
        status = make_recipe(instance, traits, host, why);
    if (status == PAWL_OK)
        status = prove(instance, traits, why);
    if (status == PAWL_OK && instance->config.warm > 0) {
        instance->pool = pool_new(&instance->recipe, instance->config.warm, why);
        if (instance->pool == NULL)
            status = PAWL_E_UNAVAILABLE;
    }
    return status;
}

int32_t instance_create(const struct traits *traits, const struct pawl_host *host,
                        const char *config, const struct pawl_sink *why, struct instance **result)
{
    struct text text TEXT_CLEANUP = {0};
    struct sigpipe sigpipe;
    struct instance *instance = calloc(1, sizeof(*instance));
    if (instance == NULL)
        return PAWL_E_MEMORY;
    pthread_mutex_init(&instance->mutex, NULL);
    sigpipe_block(&sigpipe);
    int32_t status = create(instance, traits, host, config, &text);
    sigpipe_restore(&sigpipe);
    if (status == PAWL_OK) {
        *result = instance;
        return PAWL_OK;
    }
    explain(why, &text);
    instance_destroy(instance);
    return status;
}

uint32_t instance_level(void *self)
{
    const struct instance *instance = self;
    return instance->level;
}

uint32_t instance_egress(void *self)
{
    const struct instance *instance = self;
    return instance->egress;
}

const char *const *instance_languages(void *self)
{
    const struct instance *instance = self;
    return (const char *const *)instance->languages;
}

bool instance_runs_command(void *self)
{
    const struct instance *instance = self;
    return instance->recipe.is_command;
}

static bool is_same(const struct pawl_budget *a, const struct pawl_budget *b)
{
    return a->wall_clock == b->wall_clock && a->max_calls == b->max_calls &&
           a->max_bytes == b->max_bytes && a->max_memory == b->max_memory;
}

/* The engine's own word, which does not change. What could not be asked is not remembered. */
static int32_t ask_engine(struct instance *instance, const struct pawl_budget *budget,
                          uint32_t *missing, struct text *why)
{
    struct sigpipe sigpipe;
    pthread_mutex_lock(&instance->mutex);
    for (size_t i = 0; i < REMEMBERED; i++) {
        const struct answer *answer = &instance->answers[i];
        if (answer->why == NULL || !is_same(&answer->budget, budget))
            continue;
        int32_t status = answer->status;
        *missing = answer->missing;
        text_string(why, answer->why);
        pthread_mutex_unlock(&instance->mutex);
        return status;
    }
    sigpipe_block(&sigpipe);
    int32_t status = question_supports(&instance->recipe, budget, missing, why);
    sigpipe_restore(&sigpipe);
    const char *text = text_get(why);
    if (text != NULL && (status == PAWL_OK || status == PAWL_E_UNSUPPORTED)) {
        struct answer *answer = &instance->answers[instance->answered++ % REMEMBERED];
        free(answer->why);
        *answer = (struct answer){*budget, status, *missing, strdup(text)};
    }
    pthread_mutex_unlock(&instance->mutex);
    return status;
}

int32_t instance_supports(void *self, const struct pawl_budget *budget, const struct pawl_sink *why,
                          uint32_t *missing)
{
    struct instance *instance = self;
    struct text text TEXT_CLEANUP = {0};
    const struct pawl_budget memory = {.header = PAWL_HEADER(BUDGET, memory),
                                       .max_memory = budget->max_memory};
    /* Time, calls and bytes are the parent's to count, whatever the engine can do. */
    if (budget->max_memory == 0)
        return PAWL_OK;
    *missing = PAWL_BUDGET_MAX_MEMORY;
    int32_t status = bounds_can_limit_memory(&instance->recipe, instance->limitable, &text);
    if (status == PAWL_OK && instance->bounds_memory) {
        status = ask_engine(instance, &memory, missing, &text);
    } else if (status == PAWL_OK && budget->max_memory < LEAST_MEMORY) {
        text_string(&text, "max_memory of less than 1 MiB starts no program");
        status = PAWL_E_UNSUPPORTED;
    }
    if (status == PAWL_OK) {
        *missing = 0;
        return PAWL_OK;
    }
    if (*missing == 0)
        *missing = PAWL_BUDGET_MAX_MEMORY;
    explain(why, &text);
    return PAWL_E_UNSUPPORTED;
}

/* A child that is ready. PAWL_E_ENDED: the run was over first. Whatever else goes wrong, nothing
 * was run. */
static int32_t obtain(struct instance *instance, const struct pawl_run *run, struct worker **worker,
                      struct text *why)
{
    *worker = instance->pool == NULL ? NULL : pool_take(instance->pool);
    if (*worker != NULL)
        return PAWL_OK;
    int32_t status = worker_start(&instance->recipe, worker, why);
    if (status == PAWL_OK) {
        status = worker_wait_ready(*worker, run->settled_fd(run->context), run->deadline, why);
        /* In a run that goes by a record it is readable before there is anything to wait for. */
        if (status == PAWL_E_ENDED && run->cancelled(run->context) == PAWL_END_NONE)
            status = worker_wait_ready(*worker, -1, run->deadline, why);
        if (status == PAWL_OK) {
            (*worker)->spoke = worker_has_spoken(*worker);
        } else {
            worker_free(*worker);
            *worker = NULL;
        }
    }
    return status == PAWL_OK || status == PAWL_E_ENDED ? status : PAWL_E_UNAVAILABLE;
}

int32_t instance_run(void *self, const struct pawl_run *run, const struct pawl_sink *why)
{
    struct instance *instance = self;
    const uint64_t began = worker_now();
    struct text text TEXT_CLEANUP = {0};
    struct worker *worker;
    struct sigpipe sigpipe;
    sigpipe_block(&sigpipe);
    int32_t status = obtain(instance, run, &worker, &text);
    if (status == PAWL_OK) {
        status = relay_run(worker, run, began, &text);
        if (instance->pool != NULL)
            pool_retire(instance->pool, worker);
        else
            worker_free(worker);
    } else if (status == PAWL_E_ENDED) {
        status = PAWL_OK;
    }
    sigpipe_restore(&sigpipe);
    if (status != PAWL_OK)
        explain(why, &text);
    return status;
}
