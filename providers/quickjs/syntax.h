/* syntax.h - what is wrong with a program that does not parse, in words that a model can act on. */
#ifndef QUICKJS_SYNTAX_H
#define QUICKJS_SYNTAX_H

#include "execution.h"
#include "tokens.h"

/* Compiles the program's text to a function. JS_EXCEPTION: it does not parse, and the failure says
 * why. */
JSValue syntax_compile(struct execution *x);

#endif
