#include "tools/harness/programs.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fields.h"

struct programs {
    bool given;   /* in a file */
    size_t count; /* of the scenarios, in the order of javascript_scenarios */
    char *texts[];
};

static size_t count_scenarios(void)
{
    size_t count = 0;
    while (javascript_scenarios[count].name != NULL)
        count++;
    return count;
}

/* The place of a scenario, or that of the end. */
static size_t find_scenario(const char *name)
{
    size_t place = 0;
    while (javascript_scenarios[place].name != NULL &&
           strcmp(javascript_scenarios[place].name, name) != 0)
        place++;
    return place;
}

static bool read_lines(struct document *document, const struct node *node, struct buffer *text)
{
    const char *line;
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        if (!document_string(document, item, &line))
            return false;
        buffer_string(text, line);
        buffer_string(text, "\n");
    }
    return true;
}

static bool read_program(struct document *document, const struct node *node, char **program)
{
    struct buffer text BUFFER_CLEANUP = {0};
    const char *whole;
    if (node->type == NODE_ARRAY) {
        if (!read_lines(document, node, &text))
            return false;
    } else {
        if (!document_string(document, node, &whole))
            return false;
        buffer_string(&text, whole);
    }
    *program = buffer_take(&text);
    return *program != NULL || field_no_memory(document);
}

static bool read_programs(struct document *document, const char *path, struct programs *programs)
{
    if (!document_read(document, path) || !document_is(document, document->root, NODE_OBJECT))
        return false;
    for (const struct node *node = document->root->first; node != NULL; node = node->next) {
        size_t place = find_scenario(node->key);
        if (place == programs->count)
            return document_complain_key(document, node,
                                         "there is no scenario \"%.*s\"; see pawl-harness(1)",
                                         document_clip(node->key), node->key);
        if (programs->texts[place] != NULL)
            return document_complain_key(document, node, "\"%s\" was given before", node->key);
        if (!read_program(document, node, &programs->texts[place]))
            return false;
    }
    return true;
}

struct programs *programs_load(const char *path, char *error, size_t size)
{
    size_t count = count_scenarios();
    struct programs *programs = calloc(1, sizeof(*programs) + count * sizeof(*programs->texts));
    if (programs == NULL) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    programs->count = count;
    if (path == NULL)
        return programs;
    programs->given = true;
    DOCUMENT_CLEANUP struct document document = {0};
    if (read_programs(&document, path, programs))
        return programs;
    snprintf(error, size, "%s", document.error);
    programs_free(programs);
    return NULL;
}

void programs_free(struct programs *programs)
{
    for (size_t i = 0; programs != NULL && i < programs->count; i++)
        free(programs->texts[i]);
    free(programs);
}

bool programs_are_javascript(const struct programs *programs)
{
    return !programs->given;
}

const char *programs_find(const struct programs *programs, const char *scenario,
                          const char *language)
{
    size_t place = find_scenario(scenario);
    const struct scenario *found = &javascript_scenarios[place];
    if (place == programs->count)
        return NULL;
    if (programs->given)
        return programs->texts[place];
    if (strcmp(language, "javascript") == 0)
        return found->program;
    return strcmp(language, "javascript-es5") == 0 && !found->modern ? found->program : NULL;
}

void programs_print(FILE *file)
{
    struct buffer text BUFFER_CLEANUP = {0};
    buffer_string(&text, "{\n");
    for (const struct scenario *s = javascript_scenarios; s->name != NULL; s++) {
        buffer_format(&text, "    \"%s\": ", s->name);
        buffer_json_string(&text, s->program, strlen(s->program));
        buffer_string(&text, s[1].name != NULL ? ",\n" : "\n}\n");
    }
    fwrite(text.data, 1, text.size, file);
}
