/*
 * process.h - running a command to its end: no shell, limited output, cancellable.
 *
 * The command has a process group of its own, and whatever is left of the group when the command
 * itself has ended is killed, so that nothing stays behind that holds a pipe.
 */
#ifndef PAWL_TOOLS_PROCESS_H
#define PAWL_TOOLS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#define PROCESS_OUTPUT_MAX (16u << 20) /* bytes of stdout */
#define PROCESS_TAIL_MAX   4096u       /* bytes of stderr that are kept: the last ones */

struct process {
    char *const *arguments; /* [0] is looked for in PATH unless it holds a '/'; ends in NULL */
    const char *directory;  /* where it runs; a relative arguments[0] is relative to it */
    const char *input;      /* its stdin; it need not read it */
    size_t input_size;
    int cancel_fd; /* readable: end it; negative: nothing does */
};

enum process_end {
    PROCESS_EXITED,      /* `number` is the exit status */
    PROCESS_SIGNALED,    /* `number` is the signal */
    PROCESS_TOO_MUCH,    /* it printed more than PROCESS_OUTPUT_MAX and was killed */
    PROCESS_CANCELLED,   /* it was told to end because cancel_fd said so */
    PROCESS_NOT_STARTED, /* `number` is the errno */
    PROCESS_FAILED,      /* this process could not go on; `number` is the errno */
};

struct process_result {
    enum process_end end;
    int number;
    char *output; /* ends in NUL; NULL when there is none */
    size_t output_size;
    char tail[PROCESS_TAIL_MAX + 1]; /* of stderr: whole lines where it was cut */
    size_t tail_size;
};

/* Runs the process and waits for its end. The result is to be cleared. [any thread] */
void process_run(const struct process *process, struct process_result *result);
void process_result_clear(struct process_result *result);

#endif
