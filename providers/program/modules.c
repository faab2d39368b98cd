#include "modules.h"

#include <stdio.h>
#include <string.h>

#include "token.h"
#include "utf8.h"

static bool begins_expression(const struct program_token *token)
{
    return token->position == PROGRAM_AT_STATEMENT || token->position == PROGRAM_AT_OPERAND;
}

/* `token` follows `previous`, which is the word that may be a use. */
static const char *find_form(const struct program_tokenizer *t,
                             const struct program_token *previous,
                             const struct program_token *token)
{
    if (!begins_expression(previous))
        return NULL;
    if (program_token_is_word(t, previous, "import"))
        return program_token_is_mark(t, token, "(") ? "import()" : "import";
    if (program_token_is_word(t, previous, "require") && program_token_is_mark(t, token, "("))
        return "require()";
    if (program_token_is_word(t, previous, "export") && previous->position == PROGRAM_AT_STATEMENT)
        return "export";
    return NULL;
}

static bool declares_require(const struct program_tokenizer *t,
                             const struct program_token *previous,
                             const struct program_token *token)
{
    return program_token_is_word(t, token, "require") &&
           (previous->declares || program_token_is_word(t, previous, "function") ||
            (token->bracket == PROGRAM_IN_PARAMETERS && token->position == PROGRAM_AT_OPERAND));
}

/* The string that names the module stands in the same statement. */
static void take_module(const struct program_tokenizer *t, const struct program_token *token,
                        struct program_module_use *use)
{
    const char *name = t->text + token->start + 1;
    size_t length = program_utf8_cut(name, token->end - token->start - 2, sizeof use->module - 1);
    memcpy(use->module, name, length);
    use->module[length] = 0;
}

bool program_find_module_use(const char *text, size_t length, struct program_module_use *use)
{
    struct program_tokenizer t;
    struct program_token token, previous = {.type = PROGRAM_TOKEN_END};
    bool is_open = false; /* the module's name can still come */
    bool is_require = false;
    *use = (struct program_module_use){0};
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (declares_require(&t, &previous, &token) && (use->form == NULL || is_require)) {
            *use = (struct program_module_use){0};
            return false;
        }
        if (use->form == NULL) {
            use->form = find_form(&t, &previous, &token);
            if (use->form != NULL) {
                use->line = previous.line;
                use->column = previous.column;
                is_open = true;
                is_require = strcmp(use->form, "require()") == 0;
            }
        }
        if (is_open && token.type == PROGRAM_TOKEN_STRING) {
            take_module(&t, &token, use);
            is_open = false;
        }
        is_open = is_open && !program_token_is_mark(&t, &token, ";") &&
                  !program_token_is_mark(&t, &token, ")") &&
                  !program_token_is_mark(&t, &token, "=");
        if (token.type == PROGRAM_TOKEN_END)
            break;
        /* A declaration of `require` can stand behind its use, so then all is read. */
        if (use->form != NULL && !is_open && !is_require)
            break;
        previous = token;
    }
    return use->form != NULL;
}

void program_module_message(const struct program_module_use *use, char *out, size_t size)
{
    const bool exports = strcmp(use->form, "export") == 0;
    if (exports)
        snprintf(out, size, "export: a program is not a module; return its value instead");
    else if (use->module[0] != 0)
        snprintf(out, size, "%s: the module \"%s\" cannot be loaded; programs have no modules",
                 use->form, use->module);
    else
        snprintf(out, size, "%s: programs have no modules to load", use->form);
}
