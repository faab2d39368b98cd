/* error.h - making the errors that the library's functions return. */
#ifndef PAWL_CORE_ERROR_H
#define PAWL_CORE_ERROR_H

#include <stdarg.h>

#include <pawl/pawl.h>

/* A provider that was asked and why it will not do. */
struct refusal {
    char *id;
    uint32_t level;
    char *why;
};

struct refusals {
    struct refusal *items;
    size_t count;
};

/* Adds a refusal; the texts are copied. PAWL_OK or PAWL_E_MEMORY. */
int refusals_add(struct refusals *refusals, const char *id, uint32_t level, const char *why);
void refusals_clear(struct refusals *refusals);

/* Sets *error (when error is not NULL) and returns `code`, so that a function can end with
 * `return error_set(error, PAWL_E_CONFIG, "...")`. Never fails: when there is no memory *error is a
 * constant object that says so. */
int error_set(pawl_error **error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* PAWL_E_MEMORY with its text. */
int error_memory(pawl_error **error);

/* The same with the refusals, which it takes over. */
int error_set_refused(pawl_error **error, int code, struct refusals *refusals, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* Puts "CONTEXT: " before an error's message; returns the error's code. */
int error_prefix(pawl_error **error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
