/* pawl: the command line; see pawl(1). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pawl/pawl.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/options.h"
#include "tools/pawl/report.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"run", command_run, "run a program"},
    {"providers", command_providers, "list every provider, and why others cannot be used"},
    {"resolve", command_resolve, "say which provider would run a program, and why not the others"},
    {"stages", command_stages, "list the stages that can judge calls"},
    {"doctor", command_doctor, "try what this machine can enforce, and say what to change"},
    {"check-config", command_check_config, "check a configuration and load what it names"},
    {"init-provider", command_init_provider, "write the beginnings of a provider plugin"},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(void)
{
    printf("usage: pawl COMMAND [OPTION]...\n\n"
           "Runs programs that a language model wrote, as isolated as asked for, or refuses.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-14s %s\n", commands[i].name, commands[i].summary);
    printf(
        "\n'pawl COMMAND --help' shows the options of a command; 'pawl --version' the version.\n");
    return report_flush(EXIT_OK);
}

/* The three standard streams must exist: a pipe that got number 0 to 2 would be taken for one. */
static void open_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
            _exit(EXIT_REFUSED);
}

int main(int argc, char **argv)
{
    open_standard_streams();
    /* A reader that goes away is an error of write(2), and children are waited for whatever our
     * parent did with its own. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);

    if (argc < 2)
        return report_usage(false, "no command; see 'pawl --help'");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("pawl %s\n", pawl_version());
        return report_flush(EXIT_OK);
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return report_usage(options_json(argc, argv), "unknown command '%.64s'; see 'pawl --help'",
                        argv[1]);
}
