/* place.h - where exactly a program failed.
 *
 * The engine remembers a place only for some of the instructions that can throw; for the others it
 * gives that of an instruction before. What was being done is known from the error's message, so
 * the text between the two is searched for it. Positions are those of the evaluated text. */
#ifndef QUICKJS_PLACE_H
#define QUICKJS_PLACE_H

#include "tokens.h"

/* The call at that place, of something that is no function: its callee's text goes to `callee`. */
void place_of_call(const char *text, size_t length, struct place *place, char *callee, size_t size);

/* The access to a property of that name; an empty name: whatever reads from a value that is none.
 */
void place_of_property(const char *text, size_t length, struct place *place, const char *name);

/* What goes through the elements of something: `of`, `...`, or an array pattern. */
void place_of_iteration(const char *text, size_t length, struct place *place);

/* The call that made an error: of `maker`, a built-in or a binding; NULL: the program's own. */
void place_of_error(const char *text, size_t length, struct place *place, const char *maker);

/* The assignment to the constant `name`. */
void place_of_assignment(const char *text, size_t length, struct place *place, const char *name);

#endif
