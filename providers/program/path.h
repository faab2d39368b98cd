/* The name of a place inside a value, as a message gives it: value.items[3]["odd key"] */
#ifndef PROGRAM_PATH_H
#define PROGRAM_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_PATH_SIZE 256

/* It never grows beyond its size: of a path that is too long the beginning and the last step are
 * shown, with … between them, and of a key that is too long the beginning. */
struct program_path {
    char text[PROGRAM_PATH_SIZE]; /* UTF-8, terminated by zero */
    size_t length;
    size_t head; /* of a path that was cut: how much of it is its beginning */
    bool is_cut;
};

/* Begins with the name of the whole, such as "value" or "tools.get_logs, argument 1". */
void program_path_start(struct program_path *path, const char *root);
/* Adds the step into a property. The key is read as by program_utf8_decode_any. */
void program_path_member(struct program_path *path, const char *key, size_t length);
/* Adds the step into an element. */
void program_path_index(struct program_path *path, uint64_t index);

#endif
