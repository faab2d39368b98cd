/* command.h - becoming a command that is confined: it speaks abi/wire.md itself. */
#ifndef CHILD_COMMAND_H
#define CHILD_COMMAND_H

#include "channel.h"
#include "providers/wire/json.h"

/* The argument of a pawl-child that is to become one. */
#define COMMAND_ARGUMENT "command"

/* Locks the process, says `ready`, and executes the program that a launch frame's `command` names
 * with its arguments. Returns only if that failed: a status code, and the reason in `why`. */
int32_t command_become(struct channel *channel, struct json command, struct json lock,
                       struct text *why);

#endif
