/* command.h - asking a command. */
#ifndef PAWL_APPROVE_COMMAND_H
#define PAWL_APPROVE_COMMAND_H

#include <pawl/stage.h>

#include "stages/approve/answer.h"

/* Runs a command, without a shell: `arguments` end in NULL, and [0] is an absolute path. Its stdin
 * is a file with the call as a JSON object, its stderr the host's. Exit status 0 is a yes, 1 a no;
 * the first line of its stdout goes into the words. It has a process group of its own, of which
 * nothing is left when this returns. [any thread] */
enum answer command_ask(char *const *arguments, const struct pawl_stage_call *call,
                        struct asking *asking);

#endif
