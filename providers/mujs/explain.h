/*
 * explain.h - what libmujs leaves out of its messages, found in the program's text.
 *
 * libmujs says "undefined is not callable" and a line. What is said here is certain: where a line
 * leaves more than one possibility, nothing is said.
 */
#ifndef MUJS_EXPLAIN_H
#define MUJS_EXPLAIN_H

#include <pawl/provider.h>
#include <stddef.h>
#include <stdint.h>

#define EXPLAIN_SIZE 200

struct explanation {
    char subject[EXPLAIN_SIZE]; /* "tools.get_log", "fetch"; empty: nothing was found */
    uint32_t column;            /* in the text; 0: not known */
    int is_member;              /* the subject is a member of one of the run's namespaces */
};

/* What was called on that line, if it can only be one thing. */
void explain_call(const char *text, size_t length, uint32_t line, const struct pawl_run *run,
                  struct explanation *found);

/* Where the identifier stands on that line. */
void explain_name(const char *text, size_t length, uint32_t line, const char *name,
                  struct explanation *found);

/*
 * What must not reach libmujs's parser: a bracket that closes nothing would close what is put
 * around the program; eval and debugger (function.c); and what libmujs would read as other tokens
 * than we do. Returns what is wrong (static), or NULL, and where.
 */
const char *explain_refused(const char *text, size_t length, uint32_t *line, uint32_t *column);

/* What else may be why libmujs cannot parse a text: a bracket that is never closed, a string
 * without an end. */
const char *explain_broken(const char *text, size_t length, uint32_t *line, uint32_t *column);

#endif
