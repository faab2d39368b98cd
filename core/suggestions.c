#include "core/suggestions.h"

#include <stdlib.h>
#include <string.h>

#include "providers/program/modules.h"
#include "providers/program/suggest.h"

/* A failure in the words of the table of suggestions, and the texts that it needs. */
struct advised {
    char subject[256];
    struct program_module_use use;
    struct program_failure failure;
};

/* What a provider's subject is depends on the kind of the failure: a class of values that do not
 * cross, an unknown name, or an unknown member `object.name`. */
static void read_subject(struct advised *advised, const char *text, size_t size)
{
    struct program_failure *failure = &advised->failure;
    if (size == 0 || size >= sizeof(advised->subject))
        return;
    memcpy(advised->subject, text, size);
    advised->subject[size] = '\0';
    char *dot = strchr(advised->subject, '.');
    if (strcmp(failure->kind, "bad_result") == 0) {
        failure->value = advised->subject;
    } else if (strcmp(failure->kind, "runtime") == 0 && dot == NULL) {
        failure->identifier = advised->subject;
    } else if (strcmp(failure->kind, "runtime") == 0) {
        *dot = '\0';
        failure->object = advised->subject;
        failure->member = dot + 1;
    }
}

/* A program that does not parse and uses modules does not parse because of that. */
static void find_module(struct advised *advised)
{
    struct program_failure *failure = &advised->failure;
    if (strcmp(failure->kind, "syntax") == 0 && failure->text != NULL &&
        program_find_module_use(failure->text, failure->length, &advised->use))
        failure->module = advised->use.module[0] != '\0' ? advised->use.module : advised->use.form;
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

/* The first thing that there is to say about a success is the note. */
static void set_note(void *context, const char *note)
{
    pawl_result *result = context;
    if (result->note == NULL)
        result->note = strdup(note);
}

void suggestions_add(pawl_result *result, const pawl_request *request, const char *subject,
                     size_t size)
{
    if (result->ok && result->has_value)
        return;
    struct program_name *names = list_names(request);
    struct advised advised = {
        .failure = {.kind = result->ok ? PROGRAM_NO_VALUE : result->kind,
                    .message = result->message.data,
                    .language = result->language,
                    .text = request->program,
                    .length = request->program_size},
    };
    read_subject(&advised, subject, size);
    find_module(&advised);
    program_suggest(&advised.failure, names, names != NULL ? request->binding_count : 0,
                    result->ok ? set_note : add, result);
    free(names);
}
