/* typescript.h - programs in TypeScript: their types are removed, the lines stay where they are. */
#ifndef QUICKJS_TYPESCRIPT_H
#define QUICKJS_TYPESCRIPT_H

#include "execution.h"

/* Replaces the program's text by one without types, made by sucrase in a box of its own. False: it
 * cannot be made, and the failure stays as it is. */
bool typescript_erase(struct execution *x);

/* Whether a place in the text without types is the same in the text as it was: nothing was removed
 * before it in its line. */
bool typescript_keeps_column(const struct execution *x, struct place place);

#endif
