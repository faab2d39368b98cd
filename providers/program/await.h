/* `await` in a language that does not have it: javascript-es5, where binding calls are synchronous.
 */
#ifndef PROGRAM_AWAIT_H
#define PROGRAM_AWAIT_H

#include <stddef.h>

/* Replaces each `await` that stands before an expression by spaces, in place, so that every
 * position stays true. Returns how many it replaced.
 *
 * It is left alone in strings, templates' text, comments, regular expressions and property names,
 * in `for await`, and where no expression follows (`await = 1`, `f(await)`, `await.x`). A program
 * that declares a variable, function, class or parameter of that name uses it as the identifier
 * which it is in ECMAScript 5: there nothing is replaced. [any thread] */
size_t program_await_erase(char *text, size_t length);

#endif
