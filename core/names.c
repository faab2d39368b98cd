#include "core/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "providers/program/utf8.h"

/* The reserved words of ECMAScript 2023 (strict mode and module code included: 12.7.2, and the
 * literals) and of Python 3.12 (The Python Language Reference, 2.3.1), so that a set of bindings
 * works in every language. Sorted. */
static const char *const reserved[] = {
    "False",    "None",     "True",       "and",     "arguments", "as",         "assert",
    "async",    "await",    "break",      "case",    "catch",     "class",      "console",
    "const",    "continue", "debugger",   "def",     "default",   "del",        "delete",
    "discover", "do",       "elif",       "else",    "enum",      "eval",       "except",
    "export",   "extends",  "false",      "finally", "for",       "from",       "function",
    "global",   "if",       "implements", "import",  "in",        "instanceof", "interface",
    "is",       "lambda",   "let",        "new",     "nonlocal",  "not",        "null",
    "or",       "package",  "pass",       "private", "protected", "public",     "raise",
    "return",   "static",   "super",      "switch",  "this",      "throw",      "true",
    "try",      "typeof",   "undefined",  "var",     "void",      "while",      "with",
    "yield",
};

/* What every error has already, in JavaScript or in Python; `code` is ours. */
static const char *const error_properties[] = {
    "add_note", "args", "code", "message", "name", "stack", "with_traceback",
};

static int compare(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

#define LISTED(name, list) \
    (bsearch((name), (list), sizeof(list) / sizeof((list)[0]), sizeof((list)[0]), compare) != NULL)

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool name_is_plain(const char *name)
{
    if (!is_letter(name[0]))
        return false;
    for (const char *p = name; *p != '\0'; p++)
        if (!is_letter(*p) && !is_digit(*p))
            return false;
    return true;
}

static bool is_dunder(const char *name)
{
    size_t size = strlen(name);
    return size >= 4 && memcmp(name, "__", 2) == 0 && memcmp(name + size - 2, "__", 2) == 0;
}

static int check_plain(const char *what, const char *name, pawl_error **error)
{
    if (strlen(name) > NAME_MAX_BYTES)
        return error_set(error, PAWL_E_NAME, "the name of a %s is longer than %d bytes: '%.32s…'",
                         what, NAME_MAX_BYTES, name);
    if (!name_is_plain(name))
        return error_set(error, PAWL_E_NAME,
                         "'%s' cannot name a %s: use letters, digits and '_', no digit first", name,
                         what);
    if (is_dunder(name))
        return error_set(error, PAWL_E_NAME,
                         "'%s' cannot name a %s: names of the form __x__ are reserved", name, what);
    return PAWL_OK;
}

int name_check_global(const char *what, const char *name, pawl_error **error)
{
    int status = check_plain(what, name, error);
    if (status == PAWL_OK && LISTED(name, reserved))
        status = error_set(error, PAWL_E_NAME, "'%s' cannot name a %s: it is a reserved word", name,
                           what);
    return status;
}

int name_check_member(const char *name, pawl_error **error)
{
    int status = check_plain("member property", name, error);
    if (status == PAWL_OK && LISTED(name, error_properties))
        status = error_set(error, PAWL_E_NAME,
                           "'%s' cannot name a member property: every error has one already", name);
    return status;
}

int name_check_function(const char *name, pawl_error **error)
{
    size_t size = strlen(name);
    if (size == 0)
        return error_set(error, PAWL_E_NAME, "the name of a function is empty");
    if (size > NAME_MAX_BYTES)
        return error_set(error, PAWL_E_NAME,
                         "the name of a function is longer than %d bytes: '%.32s…'", NAME_MAX_BYTES,
                         name);
    if (program_utf8_check(name, size) != size)
        return error_set(error, PAWL_E_NAME, "the name of a function is not UTF-8");
    return PAWL_OK;
}

int name_clean(const char *name, char **alias)
{
    *alias = NULL;
    bool clean = !is_digit(name[0]);
    bool anything = false;
    for (const char *p = name; *p != '\0'; p++) {
        /* Letters beyond ASCII are left to the engine: they may well be identifiers. */
        bool part = is_letter(*p) || is_digit(*p) || *p == '$' || (unsigned char)*p >= 0x80;
        clean &= part;
        anything |= is_letter(*p) && *p != '_';
    }
    if (clean || !anything)
        return PAWL_OK;
    char *text = malloc(strlen(name) + 2);
    if (text == NULL)
        return PAWL_E_MEMORY;
    char *out = text;
    if (is_digit(name[0]))
        *out++ = '_';
    for (const char *p = name; *p != '\0'; p++) {
        if (((unsigned char)*p & 0xC0) == 0x80)
            continue; /* one '_' for a character, not for each of its bytes */
        *out++ = is_letter(*p) || is_digit(*p) || *p == '$' ? *p : '_';
    }
    *out = '\0';
    *alias = text;
    return PAWL_OK;
}
