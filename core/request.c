#include "core/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/signature.h"

#define MAX_NAMESPACES    64
#define MAX_FUNCTIONS     4096
#define MAX_TEXT_BYTES    65536 /* of a description or a signature */
#define MAX_WRITABLE      64
#define DEFAULT_NAMESPACE "tools"

/* --- Policy -------------------------------------------------------------------------------- */

void policy_clear(struct policy *policy)
{
    free(policy->working_directory);
    free(policy->proxy);
    for (size_t i = 0; policy->writable != NULL && policy->writable[i] != NULL; i++)
        free(policy->writable[i]);
    free(policy->writable);
    *policy = (struct policy){0};
}

static int copy_texts(struct policy *policy, const struct pawl_policy *from)
{
    size_t count = 0;
    while (from->writable != NULL && from->writable[count] != NULL)
        count++;
    policy->writable = calloc(count + 1, sizeof(*policy->writable));
    if (policy->writable == NULL)
        return PAWL_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        if ((policy->writable[i] = strdup(from->writable[i])) == NULL)
            return PAWL_E_MEMORY;
    if (from->working_directory != NULL &&
        (policy->working_directory = strdup(from->working_directory)) == NULL)
        return PAWL_E_MEMORY;
    if (from->proxy != NULL && (policy->proxy = strdup(from->proxy)) == NULL)
        return PAWL_E_MEMORY;
    return PAWL_OK;
}

int policy_copy(struct policy *policy, const struct pawl_policy *from, pawl_error **error)
{
    *policy = (struct policy){0};
    if (from != NULL && copy_texts(policy, from) != PAWL_OK) {
        policy_clear(policy);
        return error_memory(error);
    }
    struct pawl_policy view = {.files = from != NULL ? from->files : PAWL_FILES_UNSPECIFIED,
                               .egress = from != NULL ? from->egress : PAWL_EGRESS_ANY,
                               .working_directory = policy->working_directory,
                               .writable = (const char *const *)policy->writable,
                               .proxy = policy->proxy};
    view.header = (struct pawl_header)PAWL_HEADER(POLICY, view);
    policy->view = view;
    return PAWL_OK;
}

static int check_absolute(const char *what, const char *path, pawl_error **error)
{
    if (path == NULL || path[0] == '/')
        return PAWL_OK;
    return error_set(error, PAWL_E_ARGUMENT, "the %s '%.200s' is not an absolute path", what, path);
}

int pawl_request_set_policy(pawl_request *request, const struct pawl_policy *policy,
                            pawl_error **error)
{
    if (policy->header.magic != PAWL_MAGIC_POLICY || !PAWL_HAS(policy, proxy))
        return error_set(error, PAWL_E_ARGUMENT,
                         "the policy's header is not filled in: use PAWL_HEADER(POLICY, ...)");
    if (policy->files > PAWL_FILES_FULL_ACCESS || policy->egress > PAWL_EGRESS_NONE)
        return error_set(error, PAWL_E_ARGUMENT, "the policy has an unknown file or egress mode");
    if ((policy->egress == PAWL_EGRESS_PROXY) != (policy->proxy != NULL))
        return error_set(error, PAWL_E_ARGUMENT,
                         "a proxy goes with egress through a proxy, and only with that");
    int status = check_absolute("working directory", policy->working_directory, error);
    size_t count = 0;
    for (; status == PAWL_OK && policy->writable != NULL && policy->writable[count] != NULL;
         count++) {
        if (count == MAX_WRITABLE)
            return error_set(error, PAWL_E_LIMIT, "more than %d writable directories",
                             MAX_WRITABLE);
        status = check_absolute("writable directory", policy->writable[count], error);
    }
    if (status == PAWL_OK && policy->files == PAWL_FILES_WORKSPACE_WRITE &&
        policy->working_directory == NULL)
        status = error_set(error, PAWL_E_ARGUMENT,
                           "the file mode workspace-write needs a working directory");
    struct policy copy;
    if (status != PAWL_OK || (status = policy_copy(&copy, policy, error)) != PAWL_OK)
        return status;
    policy_clear(&request->policy);
    request->policy = copy;
    return PAWL_OK;
}

/* --- The request --------------------------------------------------------------------------- */

int pawl_request_new(pawl_request **request, pawl_error **error)
{
    pawl_request *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return error_memory(error);
    made->budget = pawl_budget_empty();
    if (policy_copy(&made->policy, NULL, error) != PAWL_OK ||
        (made->language = strdup("javascript")) == NULL) {
        pawl_request_free(made);
        return error_memory(error);
    }
    *request = made;
    return PAWL_OK;
}

static void binding_free(struct binding *binding)
{
    if (binding == NULL)
        return;
    signature_clear(&binding->signature);
    free(binding->full_name);
    free(binding->name);
    free(binding->alias);
    free(binding->signature_text);
    free(binding->description);
    free(binding->value);
    free(binding);
}

static void namespace_free(struct binding_namespace *space)
{
    if (space == NULL)
        return;
    free(space->name);
    free(space->error_class);
    free(space->member_property);
    free(space->bindings);
    free(space->functions);
    free(space);
}

void pawl_request_free(pawl_request *request)
{
    if (request == NULL)
        return;
    for (size_t i = 0; i < request->binding_count; i++)
        binding_free(request->bindings[i]);
    for (size_t i = 0; i < request->namespace_count; i++)
        namespace_free(request->namespaces[i]);
    free(request->bindings);
    free(request->namespaces);
    free(request->views);
    policy_clear(&request->policy);
    free(request->program);
    free(request->language);
    free(request->provider);
    free(request->enforcer_name);
    free(request->record_host);
    free(request);
}

/* Replaces *text by a copy of `from` (which may be NULL). */
static int replace(char **text, const char *from, pawl_error **error)
{
    char *copy = from == NULL ? NULL : strdup(from);
    if (from != NULL && copy == NULL)
        return error_memory(error);
    free(*text);
    *text = copy;
    return PAWL_OK;
}

int pawl_request_set_program(pawl_request *request, const char *text, size_t size,
                             pawl_error **error)
{
    if (size > PAWL_PROGRAM_MAX)
        return error_set(error, PAWL_E_LIMIT, "the program has %zu bytes: at most %u are accepted",
                         size, PAWL_PROGRAM_MAX);
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return error_memory(error);
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    free(request->program);
    request->program = copy;
    request->program_size = size;
    return PAWL_OK;
}

int pawl_request_set_language(pawl_request *request, const char *language, pawl_error **error)
{
    if (language == NULL)
        return error_set(error, PAWL_E_ARGUMENT, "the language is NULL");
    return replace(&request->language, language, error);
}

int pawl_request_set_level(pawl_request *request, uint32_t level, pawl_error **error)
{
    if (pawl_level_name(level) == NULL)
        return error_set(error, PAWL_E_UNKNOWN, "there is no level %u", level);
    request->level = level;
    request->has_level = true;
    return PAWL_OK;
}

int pawl_request_set_provider(pawl_request *request, const char *id, pawl_error **error)
{
    return replace(&request->provider, id, error);
}

void pawl_request_add_budget(pawl_request *request, const struct pawl_budget *budget)
{
    pawl_budget_merge(&request->budget, budget);
}

void pawl_request_set_output_limit(pawl_request *request, uint64_t bytes)
{
    request->output_limit = bytes;
}

int pawl_request_set_concurrency(pawl_request *request, uint32_t calls, pawl_error **error)
{
    if (calls > REQUEST_MAX_CONCURRENCY)
        return error_set(error, PAWL_E_LIMIT, "at most %d calls can be in flight together",
                         REQUEST_MAX_CONCURRENCY);
    request->concurrency = calls;
    return PAWL_OK;
}

int pawl_request_set_egress_enforcer(pawl_request *request, const char *by,
                                     pawl_egress_enforcer enforce, void *data, pawl_error **error)
{
    if (enforce != NULL && by == NULL)
        return error_set(error, PAWL_E_ARGUMENT, "the enforcer of the egress has no name");
    int status = replace(&request->enforcer_name, by, error);
    if (status == PAWL_OK) {
        request->enforcer = enforce;
        request->enforcer_data = data;
    }
    return status;
}

void pawl_request_set_ring(pawl_request *request, const pawl_ring *ring)
{
    request->ring = ring;
}

void pawl_request_set_discoverer(pawl_request *request, pawl_discoverer discover, void *data)
{
    request->discoverer = discover;
    request->discoverer_data = data;
}

void pawl_request_set_cancel(pawl_request *request, pawl_cancel *cancel)
{
    request->cancel = cancel;
}

void pawl_request_set_events(pawl_request *request, pawl_event_function function, void *data)
{
    request->event = function;
    request->event_data = data;
}

/* --- Bindings ------------------------------------------------------------------------------ */

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Makes room for one more pointer in an array that has `count` of them. */
static int grow(void *array, size_t count, pawl_error **error)
{
    void **old = *(void ***)array;
    void **grown = realloc(old, (count + 1) * sizeof(*grown));
    if (grown == NULL)
        return error_memory(error);
    *(void ***)array = grown;
    return PAWL_OK;
}

/* Whether a new global can have this name beside those that exist. Namespaces may share a class of
 * errors, if they describe it alike. */
static int check_globals(const pawl_request *request, const char *name, const char *error_class,
                         const char *member_property, pawl_error **error)
{
    if (same(name, error_class))
        return error_set(error, PAWL_E_COLLISION,
                         "the namespace '%s' and its error class have one name", name);
    for (size_t i = 0; i < request->namespace_count; i++) {
        const struct binding_namespace *other = request->namespaces[i];
        if (same(other->name, name))
            return error_set(error, PAWL_E_COLLISION, "there is a namespace '%s' already", name);
        if (same(other->error_class, name) ||
            (error_class != NULL && same(other->name, error_class)))
            return error_set(error, PAWL_E_COLLISION,
                             "a namespace and an error class would both be called '%s'",
                             same(other->error_class, name) ? name : error_class);
        if (error_class != NULL && same(other->error_class, error_class) &&
            !same(other->member_property, member_property))
            return error_set(error, PAWL_E_COLLISION,
                             "the error class '%s' has another member property in the namespace "
                             "'%s'",
                             error_class, other->name);
    }
    return PAWL_OK;
}

int pawl_request_add_namespace(pawl_request *request, const char *name, const char *error_class,
                               const char *member_property, pawl_error **error)
{
    if (request->namespace_count == MAX_NAMESPACES)
        return error_set(error, PAWL_E_LIMIT, "more than %d namespaces", MAX_NAMESPACES);
    int status = name_check_global("namespace", name, error);
    if (status == PAWL_OK && error_class != NULL)
        status = name_check_global("error class", error_class, error);
    if (status == PAWL_OK && member_property != NULL)
        status = name_check_member(member_property, error);
    if (status == PAWL_OK)
        status = check_globals(request, name, error_class, member_property, error);
    if (status == PAWL_OK)
        status = grow(&request->namespaces, request->namespace_count, error);
    if (status == PAWL_OK)
        status = grow(&request->views, request->namespace_count, error);
    if (status != PAWL_OK)
        return status;

    struct binding_namespace *space = calloc(1, sizeof(*space));
    if (space == NULL || replace(&space->name, name, error) != PAWL_OK ||
        replace(&space->error_class, error_class, error) != PAWL_OK ||
        replace(&space->member_property, member_property, error) != PAWL_OK) {
        namespace_free(space);
        return error_memory(error);
    }
    space->view = (struct pawl_namespace){
        .header = PAWL_HEADER(NAMESPACE, space->view),
        .name = space->name,
        .error_class = space->error_class,
        .member_property = space->member_property,
    };
    request->namespaces[request->namespace_count] = space;
    request->views[request->namespace_count] = &space->view;
    request->namespace_count++;
    return PAWL_OK;
}

static struct binding_namespace *find_namespace(const pawl_request *request, const char *name)
{
    for (size_t i = 0; i < request->namespace_count; i++)
        if (strcmp(request->namespaces[i]->name, name) == 0)
            return request->namespaces[i];
    return NULL;
}

/* Fills in a binding's texts. */
static int describe(struct binding *binding, const char *namespace_name, const char *name,
                    const struct pawl_function_options *options, pawl_error **error)
{
    if (asprintf(&binding->full_name, "%s.%s", namespace_name, name) < 0) {
        binding->full_name = NULL;
        return error_memory(error);
    }
    int status = replace(&binding->name, name, error);
    if (status == PAWL_OK && name_clean(name, &binding->alias) != PAWL_OK)
        status = error_memory(error);
    if (status != PAWL_OK || options == NULL)
        return status;
    if ((options->signature != NULL && strlen(options->signature) > MAX_TEXT_BYTES) ||
        (options->description != NULL && strlen(options->description) > MAX_TEXT_BYTES))
        return error_set(error, PAWL_E_LIMIT, "the signature or description of '%s' is too long",
                         binding->full_name);
    if (options->signature != NULL) {
        status = signature_parse(options->signature, name, &binding->signature, error);
        binding->has_signature = status == PAWL_OK;
    }
    if (status == PAWL_OK)
        status = replace(&binding->signature_text, options->signature, error);
    if (status == PAWL_OK)
        status = replace(&binding->description, options->description, error);
    binding->concurrent = options->concurrent != 0;
    binding->timeout = options->timeout;
    return status;
}

/* A cleaned name is a convenience: where it would hide another function or be mistaken for it,
 * there is none. Settles the aliases of a binding that is new and of those that it meets. */
static void settle_aliases(const struct binding_namespace *space, struct binding *added)
{
    added->view.alias = added->alias;
    for (size_t i = 0; i < space->count; i++) {
        struct binding *other = space->bindings[i];
        if (other->alias != NULL &&
            (strcmp(other->alias, added->name) == 0 || same(other->alias, added->alias)))
            other->view.alias = NULL;
        if (added->alias != NULL &&
            (strcmp(added->alias, other->name) == 0 || same(added->alias, other->alias)))
            added->view.alias = NULL;
    }
}

/* Adds a described binding; takes it over whatever happens. */
static int add_binding(pawl_request *request, const char *namespace_name, struct binding *binding,
                       pawl_error **error)
{
    int status = PAWL_OK;
    struct binding_namespace *space = find_namespace(request, namespace_name);
    if (request->binding_count == MAX_FUNCTIONS)
        status = error_set(error, PAWL_E_LIMIT, "more than %d functions", MAX_FUNCTIONS);
    else if (space == NULL && strcmp(namespace_name, DEFAULT_NAMESPACE) != 0)
        status =
            error_set(error, PAWL_E_UNKNOWN,
                      "there is no namespace '%.64s': add it before its functions", namespace_name);
    else if (space == NULL)
        status = pawl_request_add_namespace(request, namespace_name, NULL, NULL, error);
    if (status == PAWL_OK)
        space = find_namespace(request, namespace_name);
    for (size_t i = 0; status == PAWL_OK && i < space->count; i++)
        if (strcmp(space->bindings[i]->name, binding->name) == 0)
            status = error_set(error, PAWL_E_COLLISION, "there is a function '%s' already",
                               binding->full_name);
    if (status == PAWL_OK)
        status = grow(&space->bindings, space->count, error);
    if (status == PAWL_OK)
        status = grow(&space->functions, space->count, error);
    if (status == PAWL_OK)
        status = grow(&request->bindings, request->binding_count, error);
    if (status != PAWL_OK) {
        binding_free(binding);
        return status;
    }
    binding->view = (struct pawl_function){
        .header = PAWL_HEADER(FUNCTION, binding->view),
        .name = binding->name,
        .signature = binding->signature_text,
        .index = (uint32_t)request->binding_count,
        .flags = binding->concurrent ? PAWL_FUNCTION_CONCURRENT : 0,
    };
    settle_aliases(space, binding);
    space->bindings[space->count] = binding;
    space->functions[space->count++] = &binding->view;
    space->view.functions = space->functions;
    space->view.function_count = (uint32_t)space->count;
    request->bindings[request->binding_count++] = binding;
    return PAWL_OK;
}

/* A described binding, or NULL and why not. */
static struct binding *new_binding(const char *namespace_name, const char *name,
                                   const struct pawl_function_options *options, int *status,
                                   pawl_error **error)
{
    *status = PAWL_OK;
    if (options != NULL && options->size != sizeof(*options))
        *status = error_set(error, PAWL_E_ARGUMENT,
                            "the options' size is not sizeof(struct pawl_function_options)");
    if (*status == PAWL_OK)
        *status = name_check_function(name, error);
    if (*status != PAWL_OK)
        return NULL;
    struct binding *made = calloc(1, sizeof(*made));
    *status =
        made == NULL ? error_memory(error) : describe(made, namespace_name, name, options, error);
    if (*status == PAWL_OK)
        return made;
    binding_free(made);
    return NULL;
}

int pawl_request_add_function(pawl_request *request, const char *namespace_name, const char *name,
                              const struct pawl_function_options *options,
                              pawl_host_function function, void *data, pawl_error **error)
{
    if (function == NULL)
        return error_set(error, PAWL_E_ARGUMENT, "the function '%.64s.%.64s' is NULL",
                         namespace_name, name);
    int status;
    struct binding *binding = new_binding(namespace_name, name, options, &status, error);
    if (binding == NULL)
        return status;
    binding->function = function;
    binding->data = data;
    return add_binding(request, namespace_name, binding, error);
}

int pawl_request_add_value(pawl_request *request, const char *namespace_name, const char *name,
                           const struct pawl_function_options *options, const char *json,
                           pawl_error **error)
{
    int status;
    struct binding *binding = new_binding(namespace_name, name, options, &status, error);
    if (binding == NULL)
        return status;
    struct buffer why BUFFER_CLEANUP = {0};
    binding->value_size = strlen(json);
    if (!json_is_valid(json, binding->value_size, &why))
        status = error_set(error, PAWL_E_ARGUMENT, "the value of '%s' is not JSON: %s",
                           binding->full_name, why.data != NULL ? why.data : "");
    if (status == PAWL_OK)
        status = replace(&binding->value, json, error);
    if (status != PAWL_OK) {
        binding_free(binding);
        return status;
    }
    return add_binding(request, namespace_name, binding, error);
}
