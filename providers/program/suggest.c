#include "suggest.h"

#include <stdio.h>
#include <string.h>

#include "path.h"
#include "token.h"
#include "unawaited.h"

#define SUGGESTION_SIZE 401

/* ---- the table ---- */

/* What of a failure a row looks at. */
enum subject {
    ABOUT_IDENTIFIER, /* an unknown global name, or the object of an unknown member */
    ABOUT_MEMBER,     /* an unknown member */
    ABOUT_MODULE,     /* a module; "node:" before its name does not count */
    ABOUT_VALUE,      /* a value that is no JSON */
    ABOUT_MESSAGE,    /* a part of the message, with letter case */
    ABOUT_KIND,       /* the failure's kind */
};

/* A row applies if its subject is one of the words in `is` ("*": any), and so is the language if it
 * names one. In the advice, {} stands for the subject. The first row of each subject that applies
 * is used, so what is specific stands before what is general. */
static const struct row {
    enum subject about;
    const char *is;
    const char *language;
    const char *advice;
} table[] = {
    /* Names of other environments. */
    {ABOUT_IDENTIFIER,
     "fetch|XMLHttpRequest|WebSocket|EventSource|axios|got|request|http|https|net", NULL,
     "{} does not exist: a program has no network access. Call one of the functions it is given "
     "instead."},
    {ABOUT_IDENTIFIER, "require|module|exports|__dirname|__filename|importScripts", NULL,
     "{} does not exist: a program has no modules. Use the functions it is given and the "
     "language's own objects; hand the result back with return."},
    {ABOUT_IDENTIFIER, "fs|path|os|child_process|Bun", NULL,
     "{} does not exist: a program has no files and starts no other programs. Call one of the "
     "functions it is given instead."},
    {ABOUT_IDENTIFIER, "process", NULL,
     "process does not exist: there are no environment variables or arguments. Write the values "
     "into the program, end it with return, and print with console.log."},
    {ABOUT_IDENTIFIER, "Deno", NULL,
     "Deno does not exist. Use the functions the program is given; print with console.log."},
    {ABOUT_IDENTIFIER, "Buffer", NULL,
     "Buffer does not exist. Use TextEncoder and TextDecoder for bytes, btoa and atob for base64."},
    {ABOUT_IDENTIFIER, "window|document|navigator|location|self|global|HTMLElement|DOMParser", NULL,
     "{} does not exist: there is no browser or page. The global object is globalThis."},
    {ABOUT_IDENTIFIER, "localStorage|sessionStorage|indexedDB|caches", NULL,
     "{} does not exist: nothing is kept between programs. Return what is needed later."},
    {ABOUT_IDENTIFIER, "alert|confirm|prompt|print|puts|echo|printf", NULL,
     "{} does not exist: nobody can be asked or shown anything. Print with console.log and hand "
     "the result back with return."},
    {ABOUT_IDENTIFIER, "setImmediate|requestAnimationFrame|nextTick", NULL,
     "{} does not exist. Use queueMicrotask or setTimeout."},
    {ABOUT_IDENTIFIER, "crypto|performance", NULL,
     "{} does not exist. Use Math.random for numbers and Date.now for times."},
    {ABOUT_IDENTIFIER, "AbortController|AbortSignal", NULL,
     "{} does not exist: calls cannot be cancelled by the program. Leave it out."},
    {ABOUT_IDENTIFIER, "Worker|SharedArrayBuffer|Atomics", NULL,
     "{} does not exist: a program has one thread. Calls overlap with Promise.all."},
    {ABOUT_IDENTIFIER, "_|lodash|moment|dayjs|luxon|zod|z|$|jQuery|React", NULL,
     "{} does not exist: no libraries are loaded. Write it with the language's own objects."},
    {ABOUT_IDENTIFIER, "True|False|None|nil|NULL", NULL,
     "{} is not JavaScript: write true, false or null."},
    {ABOUT_IDENTIFIER, "len|str|range|dict|list|int|float|isinstance|def|elif|lambda", NULL,
     "{} is Python; the program must be JavaScript."},
    {ABOUT_IDENTIFIER,
     "Promise|Map|Set|WeakMap|WeakSet|WeakRef|Symbol|Proxy|Reflect|BigInt|ArrayBuffer|Uint8Array|"
     "Int32Array|Float64Array|DataView|globalThis|URL|URLSearchParams|TextEncoder|TextDecoder|"
     "structuredClone|setTimeout|setInterval|queueMicrotask|Intl",
     "javascript-es5", "{} is newer than javascript-es5. Run the program as language javascript."},
    {ABOUT_IDENTIFIER, "discover", NULL,
     "discover does not exist: the host gave no descriptions. Call the functions by name."},

    /* Members that exist elsewhere. */
    {ABOUT_MEMBER,
     "includes|find|findIndex|findLast|flat|flatMap|at|from|of|assign|entries|values|fromEntries|"
     "padStart|padEnd|startsWith|endsWith|repeat|replaceAll|matchAll|trimStart|trimEnd|isInteger|"
     "isFinite|isNaN|fill|copyWithin|then|catch|finally|trunc|sign|log2|log10|hypot|toSorted|"
     "toReversed|codePointAt|normalize",
     "javascript-es5",
     "{} is newer than javascript-es5. Run the program as language javascript, or write a loop."},
    {ABOUT_MEMBER, "json|text|data", NULL,
     "A call returns a value, not a response: leave .{} out."},
    {ABOUT_MEMBER, "contains", NULL, "There is no contains: use includes."},
    {ABOUT_MEMBER, "append|add|push_back", NULL, "Arrays have push, a Set has add, a Map has set."},
    {ABOUT_MEMBER, "size|count|len", NULL,
     "Arrays and strings have length, a Map or Set has size."},
    {ABOUT_MEMBER, "map|filter|forEach|reduce|slice|join|length", NULL,
     "Look at what the value really is, such as with console.log, before using its {}."},

    /* Modules. */
    {ABOUT_MODULE, "fs|fs/promises|path|os|child_process|process|worker_threads|readline|stream",
     NULL,
     "A program has no files, processes or environment. Call one of the functions it is given."},
    {ABOUT_MODULE,
     "http|https|http2|net|tls|dns|axios|node-fetch|undici|got|request|superagent|ky|cross-fetch|"
     "ws",
     NULL, "A program has no network access. Call one of the functions it is given."},
    {ABOUT_MODULE, "url|querystring", NULL,
     "URL and URLSearchParams exist without import: leave the line out."},
    {ABOUT_MODULE, "util|buffer|string_decoder", NULL,
     "TextEncoder, TextDecoder, btoa, atob and structuredClone exist without import: leave the "
     "line out."},
    {ABOUT_MODULE, "timers|timers/promises", NULL,
     "setTimeout exists without import: await new Promise(resolve => setTimeout(resolve, 100))."},
    {ABOUT_MODULE, "crypto|perf_hooks", NULL,
     "There is no such module. Use Math.random for numbers and Date.now for times."},
    {ABOUT_MODULE, "assert|assert/strict", NULL,
     "There is no such module. Write: if (!condition) throw new Error(\"…\")."},
    {ABOUT_MODULE, "lodash|underscore|ramda|moment|dayjs|date-fns|luxon|zod|uuid|mathjs", NULL,
     "No libraries can be loaded. Write it with the language's own objects: Array, Map, Date, "
     "Math."},
    {ABOUT_MODULE, "*", NULL,
     "Leave the line out. The functions that a program is given, and the language's own objects, "
     "exist without import; hand the result back with return."},

    /* Values that are no JSON. */
    {ABOUT_VALUE, "Map", NULL,
     "A Map is no JSON: return Object.fromEntries(map), or [...map] if its keys are no strings."},
    {ABOUT_VALUE, "Set", NULL, "A Set is no JSON: return [...set]."},
    {ABOUT_VALUE, "WeakMap|WeakSet|WeakRef", NULL,
     "A {} is no JSON and cannot be listed: leave it out."},
    {ABOUT_VALUE, "Promise|promise", NULL,
     "A promise is no JSON: put await before the call, or await Promise.all(list) for a list of "
     "them."},
    {ABOUT_VALUE, "Error", NULL, "An error is no JSON: return its message."},
    {ABOUT_VALUE, "RegExp", NULL, "A regular expression is no JSON: return its source."},
    {ABOUT_VALUE, "URL|URLSearchParams", NULL, "A {} is no JSON: return String(value)."},
    {ABOUT_VALUE, "class|instance", NULL,
     "An instance of a class is no JSON: return {...instance}, or give the class a toJSON method."},
    {ABOUT_VALUE, "function", NULL,
     "A function is no JSON: return what it returns, or leave the property out."},
    {ABOUT_VALUE, "symbol", NULL, "A symbol is no JSON: use a string."},
    {ABOUT_VALUE, "bigint", NULL,
     "A BigInt is no JSON: return Number(value), or String(value) if it is large."},
    {ABOUT_VALUE, "NaN|Infinity|-Infinity", NULL,
     "{} is no JSON. Look for a division by 0, an average of nothing, or text taken for a number; "
     "return null for what is not known."},
    {ABOUT_VALUE, "undefined", NULL,
     "undefined is no JSON inside an array: return null for it, or filter it out."},
    {ABOUT_VALUE, "cycle", NULL,
     "The value contains itself: return only those of its properties that are needed."},
    {ABOUT_VALUE, "sparse", NULL,
     "The array has holes: fill them, such as with Array.from(array, item => item ?? null)."},
    {ABOUT_VALUE, "extra", NULL,
     "The array has a property that is no element: use an object instead of the array."},
    {ABOUT_VALUE,
     "ArrayBuffer|DataView|Uint8Array|Uint8ClampedArray|Int8Array|Uint16Array|Int16Array|"
     "Uint32Array|Int32Array|Float32Array|Float64Array|BigInt64Array|BigUint64Array|typed array",
     NULL, "A {} is no JSON: return Array.from(value)."},
    {ABOUT_VALUE, "proxy|Proxy", NULL, "A Proxy is no JSON: return {...value}."},
    {ABOUT_VALUE, "depth", NULL, "The value is nested too deeply: return a flat list."},
    {ABOUT_VALUE, "generator|iterator", NULL, "An iterator is no JSON: return [...iterator]."},
    {ABOUT_VALUE, "*", NULL,
     "Return plain objects, arrays, strings, finite numbers, true, false and null only."},

    /* Messages. */
    {ABOUT_MESSAGE, "newer than javascript-es5", NULL,
     "Run the program as language javascript, which has all of ECMAScript 2023."},
    {ABOUT_MESSAGE, "is not iterable", NULL,
     "for…of, spread and destructuring need an array. Is it an object with the array in it? Use "
     "Object.entries(object) to go through an object."},
    {ABOUT_MESSAGE,
     "of undefined|of null|undefined (reading|null (reading|is undefined|is null|not an object",
     NULL,
     "A value is missing. Print what the call returned with console.log, or use ?. and ?? where a "
     "property may be absent."},
    {ABOUT_MESSAGE, "before initialization|is not initialized", NULL,
     "The name is used above its let, const or class: move the declaration up."},
    {ABOUT_MESSAGE, "read-only|onstant variable", NULL,
     "What is declared with const cannot be assigned to: declare it with let."},
    {ABOUT_MESSAGE, "JSON: |in JSON|JSON input", NULL,
     "Results of calls are values already: JSON.parse is for text only."},
    {ABOUT_MESSAGE, "stack overflow|call stack", NULL,
     "A function calls itself without an end, or too deeply: check where it stops, or use a loop."},

    /* Kinds. */
    {ABOUT_KIND, PROGRAM_NO_VALUE, NULL,
     "Nothing was returned. End the program with return and the value; the value of the last line "
     "alone, or of a function that nobody returns, is not the result."},
    {ABOUT_KIND, "syntax", NULL,
     "Nothing has run. Correct the line and send the whole program again."},
    {ABOUT_KIND, "pending", NULL,
     "What is awaited can never settle: resolve or reject the promise on every way through the "
     "program, or await a call or a timer."},
    {ABOUT_KIND, "bad_result", NULL,
     "Return plain objects, arrays, strings, finite numbers, true, false and null only."},
    {ABOUT_KIND, "output_limit", NULL,
     "Return and log less: counts, the first few items, only the fields that are needed."},
    {ABOUT_KIND, "deadline", NULL,
     "Do less in one program: look for a loop that does not end, make fewer calls, and let calls "
     "that do not depend on each other overlap with Promise.all."},
    {ABOUT_KIND, "budget_calls", NULL,
     "Make fewer calls: ask for many items at once rather than one at a time, keep what a call "
     "returned instead of asking again, and put an end to loops that retry."},
    {ABOUT_KIND, "budget_bytes", NULL,
     "Ask for less: narrow each call by its arguments (a filter, a range, a limit)."},
    {ABOUT_KIND, "budget_memory", NULL,
     "Keep less at a time: go through items one by one, keep totals instead of copies, and look "
     "for a string or an array that grows without end."},
    {ABOUT_KIND, "abort", NULL, "The caller stopped the run. The program need not be changed."},
    {ABOUT_KIND, "stage_denied", NULL,
     "The call is not allowed, and will not be if it is repeated. Do without it, or catch the "
     "error and go on."},
    {ABOUT_KIND, "stage_failed", NULL,
     "A check on the host's side broke. The program need not be changed."},
    {ABOUT_KIND, "binding_collision", NULL,
     "Two of the host's functions have one name. The program need not be changed."},
    {ABOUT_KIND, "worker_exit", NULL,
     "The process that ran the program ended. Try again; if that does not help, use less memory."},
    {ABOUT_KIND, "protocol", NULL,
     "The process that ran the program answered wrongly. The program need not be changed."},
    {ABOUT_KIND, "sandbox_unavailable", NULL,
     "The isolation that was asked for could not be set up, and nothing has run. The program need "
     "not be changed."},
    {ABOUT_KIND, "suspended", NULL,
     "A call waits for a decision. The program need not be changed."},
    {ABOUT_KIND, "diverged", NULL,
     "It was run by the record of another run, and did something else. The program need not be "
     "changed."},
};

/* ---- looking it up ---- */

struct search {
    const struct program_failure *failure;
    program_suggestion_sink *sink;
    void *context;
    size_t count;
};

static void give(struct search *search, const char *suggestion)
{
    if (search->count == PROGRAM_SUGGESTIONS_MAX)
        return;
    search->count++;
    search->sink(search->context, suggestion);
}

/* The next of the words that | separates; *list moves behind it. False when there is none left. */
static bool next_word(const char **list, const char **word, size_t *length)
{
    if (*list == NULL)
        return false;
    *word = *list;
    *length = strcspn(*word, "|");
    *list = (*word)[*length] == '|' ? *word + *length + 1 : NULL;
    return true;
}

static bool applies(const struct row *row, const char *subject, const char *language)
{
    const char *list = row->is, *word;
    size_t length;
    if (row->language != NULL && (language == NULL || strcmp(row->language, language) != 0))
        return false;
    if (strcmp(row->is, "*") == 0)
        return true;
    while (next_word(&list, &word, &length)) {
        if (row->about == ABOUT_MESSAGE
                ? memmem(subject, strlen(subject), word, length) != NULL
                : strlen(subject) == length && memcmp(subject, word, length) == 0)
            return true;
    }
    return false;
}

/* The advice with {} replaced, which is a word of the table itself. */
static void give_advice(struct search *search, const char *advice, const char *subject)
{
    char suggestion[SUGGESTION_SIZE];
    const char *gap = strstr(advice, "{}");
    if (gap == NULL) {
        give(search, advice);
        return;
    }
    snprintf(suggestion, sizeof suggestion, "%.*s%s%s", (int)(gap - advice), advice, subject,
             gap + 2);
    give(search, suggestion);
}

static bool look_up(struct search *search, enum subject about, const char *subject)
{
    if (subject == NULL)
        return false;
    if (about == ABOUT_MODULE && strncmp(subject, "node:", 5) == 0)
        subject += 5;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].about == about && applies(&table[i], subject, search->failure->language)) {
            give_advice(search, table[i].advice, subject);
            return true;
        }
    }
    return false;
}

/* ---- names ---- */

static void name_path(struct program_path *path, const struct program_name *name)
{
    program_path_start(path, name->space);
    program_path_member(path, name->member, strlen(name->member));
}

static bool is_known_space(const char *space, const struct program_name *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].space, space) == 0)
            return true;
    return false;
}

/* `get_logs` or `tools.getLogs`, where it is `tools.get_logs`. */
static bool give_nearest(struct search *search, const char *wanted, const char *space,
                         const struct program_name *names, size_t count)
{
    size_t nearest[PROGRAM_NEAREST_MAX];
    char suggestion[SUGGESTION_SIZE];
    struct program_path path;
    size_t used, found = program_nearest(wanted, space, names, count, nearest);
    if (found == 0)
        return false;
    if (space == NULL && strcmp(wanted, names[nearest[0]].member) == 0) {
        name_path(&path, &names[nearest[0]]);
        snprintf(suggestion, sizeof suggestion, "The function belongs to %s: call %s(…).",
                 names[nearest[0]].space, path.text);
        give(search, suggestion);
        return true;
    }
    used = (size_t)snprintf(suggestion, sizeof suggestion, "Did you mean ");
    for (size_t i = 0; i < found; i++) {
        const char *join = i == 0 ? "" : i + 1 == found ? " or " : ", ";
        name_path(&path, &names[nearest[i]]);
        if (used + strlen(join) + path.length + 2 > sizeof suggestion)
            break;
        used +=
            (size_t)snprintf(suggestion + used, sizeof suggestion - used, "%s%s", join, path.text);
    }
    snprintf(suggestion + used, sizeof suggestion - used, "?");
    give(search, suggestion);
    return true;
}

/* `tool.get_logs()`, where the namespace is `tools`. */
static bool give_space(struct search *search, const char *identifier,
                       const struct program_name *names, size_t count)
{
    char suggestion[SUGGESTION_SIZE];
    for (size_t i = 0; i < count; i++) {
        const struct program_name space = {names[i].space, names[i].space};
        size_t nearest[PROGRAM_NEAREST_MAX];
        if (program_nearest(identifier, NULL, &space, 1, nearest) == 0)
            continue;
        snprintf(suggestion, sizeof suggestion, "The host's functions are in %.64s.",
                 names[i].space);
        give(search, suggestion);
        return true;
    }
    return false;
}

/* `functions.get_logs()`, where it is `tools.get_logs()`: the program's text shows which member of
 * the unknown object was meant. */
static void give_owner(struct search *search, const char *identifier,
                       const struct program_name *names, size_t count)
{
    struct program_tokenizer t;
    struct program_token token;
    size_t matched = 0; /* 1 behind the identifier, 2 behind the point that follows it */
    if (search->failure->text == NULL)
        return;
    program_tokenizer_start(&t, search->failure->text, search->failure->length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.type == PROGRAM_TOKEN_END)
            return;
        if (matched == 2)
            for (size_t i = 0; i < count; i++)
                if (program_token_is(&t, &token, names[i].member) &&
                    give_nearest(search, names[i].member, NULL, names, count))
                    return;
        if (program_token_is_word(&t, &token, identifier))
            matched = 1;
        else
            matched = matched == 1 && program_token_is_mark(&t, &token, ".") ? 2 : 0;
    }
}

static void give_unawaited(struct search *search, const struct program_name *names, size_t count)
{
    const struct program_failure *failure = search->failure;
    const char *kind = failure->kind != NULL ? failure->kind : "";
    char suggestion[SUGGESTION_SIZE];
    struct program_unawaited found;
    if (failure->text == NULL ||
        (failure->language != NULL && strcmp(failure->language, "javascript") != 0) ||
        (strcmp(kind, "runtime") != 0 && strcmp(kind, "bad_result") != 0))
        return;
    if (!program_find_unawaited(failure->text, failure->length, names, count, &found))
        return;
    snprintf(suggestion, sizeof suggestion,
             "%s(…) in line %u is not awaited, so its promise is used instead of its value: write "
             "(await %s(…)).",
             found.call, found.line, found.call);
    give(search, suggestion);
}

/* ---- messages ---- */

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (c & 0x80);
}

/* The name that ends at `end`, which quotes may surround. Its length; 0 if there is none. */
static size_t name_before(const char *message, const char *end, const char **name)
{
    if (end > message && (end[-1] == '\'' || end[-1] == '"'))
        end--;
    *name = end;
    while (*name > message && is_name_character((*name)[-1]))
        --*name;
    return (size_t)(end - *name);
}

#define NAME_SIZE 128

static const char *copy_name(char *out, const char *name, size_t length)
{
    if (length == 0 || length >= NAME_SIZE)
        return NULL;
    memcpy(out, name, length);
    out[length] = 0;
    return out;
}

struct named {
    char identifier[NAME_SIZE], object[NAME_SIZE], member[NAME_SIZE];
};

/* Fills in what `failure` lacks from what its message says. */
static void read_message(struct program_failure *failure, struct named *named)
{
    const char *message = failure->message, *end, *name, *object;
    size_t length;
    if (message == NULL || failure->identifier != NULL || failure->member != NULL)
        return;
    if ((end = strstr(message, " is not defined")) != NULL) {
        length = name_before(message, end, &name);
        failure->identifier = copy_name(named->identifier, name, length);
    } else if ((end = strstr(message, " is not a function")) != NULL) {
        length = name_before(message, end, &name);
        if (length == 0 || name == message || name[-1] != '.')
            return;
        failure->member = copy_name(named->member, name, length);
        length = name_before(message, name - 1, &object);
        failure->object = copy_name(named->object, object, length);
    }
}

/* ---- the interface ---- */

size_t program_suggest(const struct program_failure *given, const struct program_name *names,
                       size_t count, program_suggestion_sink *sink, void *context)
{
    struct program_failure failure = *given;
    struct search search = {.failure = &failure, .sink = sink, .context = context};
    struct named named;
    read_message(&failure, &named);

    if (failure.identifier != NULL) {
        bool is_near = give_nearest(&search, failure.identifier, NULL, names, count);
        bool is_known = look_up(&search, ABOUT_IDENTIFIER, failure.identifier);
        if (!is_near && !is_known && !give_space(&search, failure.identifier, names, count))
            give_owner(&search, failure.identifier, names, count);
    }
    if (failure.member != NULL) {
        bool in_space = failure.object != NULL && is_known_space(failure.object, names, count);
        if (!in_space || !give_nearest(&search, failure.member, failure.object, names, count))
            look_up(&search, ABOUT_MEMBER, failure.member);
    }
    look_up(&search, ABOUT_MODULE, failure.module);
    give_unawaited(&search, names, count);
    if (!look_up(&search, ABOUT_VALUE, failure.value))
        look_up(&search, ABOUT_MESSAGE, failure.message);
    /* What is said of a kind in general helps where nothing was found out in particular. */
    if (search.count == 0)
        look_up(&search, ABOUT_KIND, failure.kind);
    return search.count;
}
