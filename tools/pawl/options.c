#include "tools/pawl/options.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tools/pawl/report.h"

__attribute__((format(printf, 1, 2))) static char *say(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? strdup("out of memory") : text;
}

/* --- Takers ------------------------------------------------------------------------------- */

char *take_flag_bool(const char *argument, void *target)
{
    (void)argument;
    *(bool *)target = true;
    return NULL;
}

char *take_string(const char *argument, void *target)
{
    *(const char **)target = argument;
    return NULL;
}

/* Gives the text of a library's error away with the error. */
static char *text_of(pawl_error *error)
{
    char *text = say("%s", pawl_error_message(error));
    pawl_error_free(error);
    return text;
}

char *take_level(const char *argument, void *target)
{
    struct level_choice *choice = target;
    pawl_error *error = NULL;
    choice->given = true;
    return pawl_level_parse(argument, &choice->level, &error) == PAWL_OK ? NULL : text_of(error);
}

char *take_count_uint64(const char *argument, void *target)
{
    uint64_t number = 0;
    if (*argument == '\0')
        return say("'' is not a number");
    for (const char *p = argument; *p != '\0'; p++) {
        if (*p < '0' || *p > '9')
            return say("'%.64s' is not a whole number", argument);
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*p - '0'), &number))
            return say("'%.64s' is too large", argument);
    }
    *(uint64_t *)target = number;
    return NULL;
}

char *take_size_uint64(const char *argument, void *target)
{
    pawl_error *error = NULL;
    return pawl_size_parse(argument, target, &error) == PAWL_OK ? NULL : text_of(error);
}

char *take_time_uint64(const char *argument, void *target)
{
    pawl_error *error = NULL;
    return pawl_duration_parse(argument, target, &error) == PAWL_OK ? NULL : text_of(error);
}

/* --- Help --------------------------------------------------------------------------------- */

static void print_option(const struct option *option)
{
    char left[64];
    snprintf(left, sizeof(left), "--%s%s%s", option->name, option->argument != NULL ? " " : "",
             option->argument != NULL ? option->argument : "");
    printf("  %-26s %s\n", left, option->help);
}

static void print_help(const struct synopsis *synopsis)
{
    printf("usage: pawl %s [OPTION]...%s%s\n\n%s\n\n", synopsis->command,
           *synopsis->positionals != '\0' ? " " : "", synopsis->positionals, synopsis->summary);
    for (size_t table = 0; synopsis->options[table] != NULL; table++)
        for (const struct option *option = synopsis->options[table]; option->name != NULL; option++)
            print_option(option);
    printf("  %-26s %s\n", "--help", "show this");
    for (size_t i = 0; synopsis->more != NULL && synopsis->more[i] != NULL; i++)
        printf("%s%s\n", i == 0 ? "\n" : "", synopsis->more[i]);
}

/* --- Reading ------------------------------------------------------------------------------ */

static const struct option *find_option(const struct synopsis *synopsis, const char *name,
                                        size_t size)
{
    for (size_t table = 0; synopsis->options[table] != NULL; table++)
        for (const struct option *option = synopsis->options[table]; option->name != NULL; option++)
            if (strlen(option->name) == size && memcmp(option->name, name, size) == 0)
                return option;
    return NULL;
}

/* Reads the option at argv[*at] and moves *at to its last argument. NULL or what is wrong. */
static char *read_option(const struct synopsis *synopsis, int argc, char **argv, int *at,
                         void *settings)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t size = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const struct option *option = find_option(synopsis, name, size);
    if (option == NULL)
        return say("unknown option '--%.*s'; see 'pawl %s --help'", (int)(size < 64 ? size : 64),
                   name, synopsis->command);
    const char *argument = NULL;
    if (option->argument == NULL) {
        if (equals != NULL)
            return say("option '--%s' takes no argument", option->name);
    } else if (equals != NULL) {
        argument = equals + 1;
    } else if (*at + 1 < argc) {
        argument = argv[++*at];
    } else {
        return say("option '--%s' needs its argument %s", option->name, option->argument);
    }
    char *wrong = option->take(argument, (char *)settings + option->offset);
    if (wrong == NULL)
        return NULL;
    char *why = say("option '--%s': %s", option->name, wrong);
    free(wrong);
    return why;
}

/* Reads everything; returns the number of positional arguments, or negative with *why. */
static int read_arguments(const struct synopsis *synopsis, int argc, char **argv, void *settings,
                          const char **positionals, int most, char **why)
{
    int count = 0;
    bool ended = false;
    for (int at = 1; at < argc; at++) {
        const char *word = argv[at];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (!ended && strncmp(word, "--", 2) == 0) {
            *why = read_option(synopsis, argc, argv, &at, settings);
            if (*why != NULL)
                return -1;
        } else if (!ended && word[0] == '-' && word[1] != '\0') {
            *why = say("unknown option '%.64s'; see 'pawl %s --help'", word, synopsis->command);
            return -1;
        } else if (count == most) {
            *why = say("one argument too many: '%.64s'; see 'pawl %s --help'", word,
                       synopsis->command);
            return -1;
        } else {
            positionals[count++] = word;
        }
    }
    return count;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int options_read(const struct synopsis *synopsis, int argc, char **argv, void *settings,
                 const char **positionals, int least, int most)
{
    if (wants_help(argc, argv)) {
        print_help(synopsis);
        return report_flush(EXIT_OK);
    }
    char *why = NULL;
    int count = read_arguments(synopsis, argc, argv, settings, positionals, most, &why);
    if (count >= least)
        return OPTIONS_GOOD;
    bool json = options_json(argc, argv);
    int status = why != NULL ? report_usage(json, "%s", why)
                             : report_usage(json, "%s is missing; see 'pawl %s --help'",
                                            synopsis->positionals, synopsis->command);
    free(why);
    return status;
}

bool options_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            return true;
    return false;
}
