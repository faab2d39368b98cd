/* scripted.h - a provider that does what a test says, and a stage that denies one function. */
#ifndef TEST_SCRIPTED_H
#define TEST_SCRIPTED_H

#include <pawl/pawl.h>

/* What every run does. */
typedef int32_t scripted_function(const struct pawl_run *run, const struct pawl_sink *why);
extern scripted_function *scripted_program;

/* Level `process`, the languages "javascript" and "javascript-es5", any budget, any number of runs
 * at once. */
extern const struct pawl_provider scripted_provider;

/* Denies the function whose name its configuration is, and never waits. */
extern const struct pawl_stage denying_stage;

#endif
