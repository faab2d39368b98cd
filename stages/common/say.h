/* say.h - how a stage explains itself. */
#ifndef PAWL_STAGES_SAY_H
#define PAWL_STAGES_SAY_H

#include <pawl/stage.h>

/* Writes up to SAY_MAX bytes of formatted text into a sink; what is longer is cut between two
 * characters. */
#define SAY_MAX 1023
void say(const struct pawl_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
