/*
 * programs.h - the programs of the scenarios: what each has to do is written in pawl-harness(1).
 *
 * They are JavaScript, unless a file gives them in another language.
 */
#ifndef HARNESS_PROGRAMS_H
#define HARNESS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A scenario's program in JavaScript (javascript.c). */
struct scenario {
    const char *name;
    const char *program;
    bool modern; /* it needs `javascript`: `javascript-es5` will not do */
};

/* Ends in one without a name. */
extern const struct scenario javascript_scenarios[];

struct programs;

/* The programs of a file {"scenario": "program", ...} (a list of texts is a program's lines), or
 * those in JavaScript when `path` is NULL. NULL: `error` says what is wrong. */
struct programs *programs_load(const char *path, char *error, size_t size);
void programs_free(struct programs *programs);

/* Whether they are the ones in JavaScript. */
bool programs_are_javascript(const struct programs *programs);

/* The program of a scenario in a language; NULL when there is none. */
const char *programs_find(const struct programs *programs, const char *scenario,
                          const char *language);

/* Prints the JavaScript programs in the form that programs_load reads. */
void programs_print(FILE *file);

#endif
