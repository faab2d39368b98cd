/* command.h - a function of the tools file that runs a command. */
#ifndef PAWL_TOOLS_COMMAND_H
#define PAWL_TOOLS_COMMAND_H

#include <pawl/pawl.h>

/* The host function: runs the command of a struct tool with the call's arguments on its stdin and
 * ends the call with what it prints. [any thread] */
void command_call(pawl_call *call, void *tool);

#endif
