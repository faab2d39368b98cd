/* question.h - asking an engine, inside a child, whether it keeps a budget. */
#ifndef PARENT_QUESTION_H
#define PARENT_QUESTION_H

#include "worker.h"

/* Starts a child for the question. PAWL_OK: the engine keeps it; PAWL_E_UNSUPPORTED with what is
 * missing and the reason; PAWL_E_UNAVAILABLE and the reason if it could not be asked. To be called
 * with SIGPIPE blocked. [any thread] */
int32_t question_supports(const struct recipe *recipe, const struct pawl_budget *budget,
                          uint32_t *missing, struct text *why);

#endif
