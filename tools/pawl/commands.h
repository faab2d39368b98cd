/* commands.h - the subcommands of pawl, one to a file. Each gets its own name as argv[0] and
 * returns the exit status. */
#ifndef PAWL_TOOLS_COMMANDS_H
#define PAWL_TOOLS_COMMANDS_H

int command_run(int argc, char **argv);
int command_providers(int argc, char **argv);
int command_resolve(int argc, char **argv);
int command_stages(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_check_config(int argc, char **argv);
int command_init_provider(int argc, char **argv);

#endif
