/* proc.h - what the kernel says of a child. */
#ifndef PARENT_PROC_H
#define PARENT_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include "providers/wire/text.h"

/* Reads /proc/PID/NAME (PID 0: the calling thread) into `file`, ended in NUL. PAWL_OK,
 * PAWL_E_MEMORY, or PAWL_E_UNAVAILABLE and the reason. */
int32_t proc_read(pid_t pid, const char *name, struct text *file, struct text *why);

/* The rest of the line of a file that begins with `label`, without white space around it; false:
 * there is none. */
bool proc_line(const struct text *file, const char *label, const char **value, size_t *size);

#endif
