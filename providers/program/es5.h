/* Which syntax of a program is newer than ECMAScript 5, so that an engine for javascript-es5 that
 * cannot parse it can say why. */
#ifndef PROGRAM_ES5_H
#define PROGRAM_ES5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_newer {
    const char *construct; /* such as "arrow functions" or "the operator **"; static storage */
    uint32_t line, column; /* of the first one, in the text that was given */
};

/* Finds the first construct that ECMAScript 5 does not have. `await` before an expression is not
 * one (see await.h), nor are getters, setters, reserved words as property names, trailing commas of
 * literals, or the names `let`, `of`, `async`, `await`, `yield` used as identifiers. Returns false
 * if there is none. It does not tell whether the program is valid. [any thread] */
bool program_find_newer(const char *text, size_t length, struct program_newer *newer);

/* What is wrong, as the message of a syntax failure; suggest.h knows it and says what to do. */
void program_newer_message(const struct program_newer *newer, char *out, size_t size);

#endif
