#include "core/suggestions.h"

#include <stdlib.h>
#include <string.h>

#include "providers/program/suggest.h"

/* A subject in the words of the table of suggestions. The texts belong to `copy`. */
struct subject {
    char copy[256];
    struct program_failure failure;
};

/* What a provider's subject is depends on the kind of the failure: a module that a program wants to
 * load, a class of values that do not cross, an unknown name, or an unknown member `object.name`. */
static void read_subject(struct subject *subject, const char *kind, const char *text, size_t size)
{
    if (size == 0 || size >= sizeof(subject->copy))
        return;
    memcpy(subject->copy, text, size);
    subject->copy[size] = '\0';
    struct program_failure *failure = &subject->failure;
    char *dot = strchr(subject->copy, '.');
    if (strcmp(kind, "bad_result") == 0) {
        failure->value = subject->copy;
    } else if (strcmp(kind, "syntax") == 0) {
        failure->module = subject->copy;
    } else if (dot == NULL) {
        failure->identifier = subject->copy;
    } else {
        *dot = '\0';
        failure->object = subject->copy;
        failure->member = dot + 1;
    }
}

static struct program_name *list_names(const pawl_request *request)
{
    struct program_name *names = calloc(request->binding_count + 1, sizeof(*names));
    size_t count = 0;
    for (size_t i = 0; names != NULL && i < request->namespace_count; i++)
        for (size_t j = 0; j < request->namespaces[i]->count; j++)
            names[count++] = (struct program_name){
                .space = request->namespaces[i]->name,
                .member = request->namespaces[i]->bindings[j]->name,
            };
    return names;
}

static void add(void *result, const char *suggestion)
{
    result_suggest(result, suggestion);
}

void suggestions_add(pawl_result *result, const pawl_request *request, const char *subject,
                     size_t size)
{
    if (result->ok)
        return;
    struct program_name *names = list_names(request);
    struct subject about = {
        .failure = {.kind = result->kind,
                    .message = result->message.data,
                    .language = result->language,
                    .text = request->program,
                    .length = request->program_size},
    };
    read_subject(&about, result->kind, subject, size);
    program_suggest(&about.failure, names, names != NULL ? request->binding_count : 0, add, result);
    free(names);
}
