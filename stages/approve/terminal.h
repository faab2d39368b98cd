/* terminal.h - asking whoever sits at the terminal. */
#ifndef PAWL_APPROVE_TERMINAL_H
#define PAWL_APPROVE_TERMINAL_H

#include <pawl/stage.h>

#include "stages/approve/answer.h"

/* Asks on the terminal `path` ("/dev/tty": the one that the process has). Only a line "y" or "yes"
 * that was typed after the question is a yes. The process must be in the foreground of the
 * terminal. One question at a time. */
enum answer terminal_ask(const char *path, const struct pawl_stage_call *call,
                         struct asking *asking);

#endif
