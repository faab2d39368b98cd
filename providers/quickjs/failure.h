/* failure.h - how a program failed, in words for the model that wrote it. */
#ifndef QUICKJS_FAILURE_H
#define QUICKJS_FAILURE_H

#include "execution.h"

/* The name that programs are evaluated under, as it stands in stacks. */
#define FAILURE_FILE "program"

/* The pending exception is what ended the program. */
void failure_of_exception(struct execution *x);
/* The program does not parse: the pending exception says why. */
void failure_of_syntax(struct execution *x);
/* What the program threw, or what a promise was rejected with. */
void failure_of_reason(struct execution *x, JSValue reason);
void failure_pending(struct execution *x);
void failure_bad_result(struct execution *x, const struct json_problem *problem);
/* Without an engine: from the preparation of the text, or of a box that was left. */
void failure_of_text(struct execution *x, const struct program_error *error);
/* The words of a TypeError that the engine is about to throw in a run (see box_words): a call of
 * what is no function says what was called. */
uint32_t failure_words(struct box *box, uint32_t message);
void failure_say(struct execution *x, const char *kind, const char *message);

#endif
