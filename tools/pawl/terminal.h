/*
 * terminal.h - what people see: messages, colour, the live line of calls in flight.
 *
 * Colour and the live line exist only on a terminal, colour only without NO_COLOR. Text that comes
 * from a program is never sent to a terminal as it is: its control characters are shown, since
 * they could move the cursor, set the title or type on the keyboard's behalf.
 */
#ifndef PAWL_TOOLS_TERMINAL_H
#define PAWL_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <pawl/pawl.h>

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_ERROR, STYLE_HINT, STYLE_DIM };

/* Prints text on stdout or stderr: as it is when that is no terminal, otherwise without control
 * characters (shown as \u001b, which in JSON text means the same) and in a style. */
void terminal_print(FILE *stream, enum style style, const char *text, size_t size);
void terminal_format(FILE *stream, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "pawl: MESSAGE" on stderr. */
void terminal_message(const char *message);

/* The live line and the log entries of a run, on stderr. One run at a time. */
struct live;

/* Returns NULL when there is no memory. `logs`: log entries are printed as they come. */
struct live *live_new(bool logs);

/* The request's event function; `data` is a struct live. [any thread] */
void live_event(const struct pawl_event *event, void *data);

/* Clears the line and ends it; returns how many log entries were printed. Events may still come. */
size_t live_end(struct live *live);
void live_free(struct live *live);

#endif
