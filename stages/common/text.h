/* text.h - text of limited size that shows whatever a program sends in plain characters. */
#ifndef PAWL_STAGES_TEXT_H
#define PAWL_STAGES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Memory of the caller's: `data` has `capacity` bytes. What does not fit is left out, and `full`
 * says so. It does not end in NUL. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
    bool full;
};

void text_append(struct text *text, const char *data, size_t size);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends UTF-8 so that it does nothing to a terminal or to who reads it: control characters, those
 * that show nothing and those that change the direction of what is around them become \uXXXX, and
 * what is malformed becomes \ufffd. At most `most` bytes are appended, whole characters; returns
 * how many bytes of `data` they stand for. */
size_t text_plain(struct text *text, const char *data, size_t size, size_t most);

/* The same as a JSON string: at most `most` bytes between the quotation marks. */
size_t text_json(struct text *text, const char *data, size_t size, size_t most);

#endif
