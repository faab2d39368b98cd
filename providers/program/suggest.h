/* What to do about a failure, in words for the model that wrote the program. All of the advice
 * stands in one table in suggest.c; it never depends on anything but what is handed in, so engines
 * and the library give the same. */
#ifndef PROGRAM_SUGGEST_H
#define PROGRAM_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "nearest.h"

#define PROGRAM_SUGGESTIONS_MAX 3

/* The "kind" of a program that ended without returning a value. That is no failure; there is advice
 * for it all the same. */
#define PROGRAM_NO_VALUE "no_value"

/* What is known of the failure. Every pointer may be NULL: not known. */
struct program_failure {
    const char *kind;       /* "runtime", "bad_result", … or PROGRAM_NO_VALUE */
    const char *message;    /* as the engine words it */
    const char *language;   /* "javascript", "javascript-es5" */
    const char *identifier; /* a global name that does not exist: "fetch" */
    const char *object;     /* and member, where a member does not exist: "tools", "getLogs" */
    const char *member;
    const char *module; /* a module that the program wants to load: "fs" */
    const char *value;  /* what is no JSON: "Map", "Set", "NaN", "function", "promise", … */
    const char *text;   /* the program, as the model wrote it, and its length */
    size_t length;
};

/* Takes one suggestion: a sentence or two of UTF-8 without a line end, at most 400 bytes, valid
 * during the call. */
typedef void program_suggestion_sink(void *context, const char *suggestion);

/* Hands at most PROGRAM_SUGGESTIONS_MAX suggestions to `sink`, the most specific first, and returns
 * how many. `names` are the functions that the program can call. An identifier or member that is
 * not given is taken from a message of a known form ("x is not defined", "a.b is not a function").
 * [any thread] */
size_t program_suggest(const struct program_failure *failure, const struct program_name *names,
                       size_t count, program_suggestion_sink *sink, void *context);

#endif
