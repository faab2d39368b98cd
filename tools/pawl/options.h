/* options.h - reading the arguments of a subcommand by a table. */
#ifndef PAWL_TOOLS_OPTIONS_H
#define PAWL_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option --NAME. */
struct option {
    const char *name;
    const char *argument; /* what its argument is called; NULL: it has none */
    const char *help;
    /* Takes the argument (NULL: it has none). NULL, or what is wrong with it, to be freed. */
    char *(*take)(const char *argument, void *target);
    size_t offset; /* of what `target` points to, in the subcommand's settings */
};

/* A subcommand's way of being called. */
struct synopsis {
    const char *command;     /* "run" */
    const char *positionals; /* "PROGRAM", for --help */
    const char *summary;
    const char *const *more;             /* lines for --help; ends in NULL; may be NULL */
    const struct option *const *options; /* tables, each ending in an option without a name; the
                                            list ends in NULL */
};

/* Reads the options into `settings` and between `least` and `most` positional arguments. Options
 * may stand anywhere; "--" ends them, and "-" is none. Returns OPTIONS_GOOD, or the exit status
 * after it printed the help or said what is wrong. */
#define OPTIONS_GOOD (-1)
int options_read(const struct synopsis *synopsis, int argc, char **argv, void *settings,
                 const char **positionals, int least, int most);

/* Whether --json is among the arguments, for complaints about the others. */
bool options_json(int argc, char **argv);

/* A level, and whether one was named. */
struct level_choice {
    uint32_t level;
    bool given;
};

/* Takers. The target's type is in the name. */
char *take_flag_bool(const char *argument, void *target);    /* bool: set to true */
char *take_string(const char *argument, void *target);       /* const char * */
char *take_level(const char *argument, void *target);        /* struct level_choice */
char *take_count_uint64(const char *argument, void *target); /* a number */
char *take_size_uint64(const char *argument, void *target);  /* bytes */
char *take_time_uint64(const char *argument, void *target);  /* milliseconds */

#endif
