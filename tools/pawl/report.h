/* report.h - how the command line ends: exit statuses, and what is said when nothing was run. */
#ifndef PAWL_TOOLS_REPORT_H
#define PAWL_TOOLS_REPORT_H

#include <stdbool.h>

#include <json-c/json.h>
#include <pawl/pawl.h>

#define EXIT_OK      0 /* the program succeeded */
#define EXIT_FAILED  1 /* the program failed */
#define EXIT_USAGE   2 /* wrong usage, configuration or request */
#define EXIT_REFUSED 3 /* refused before anything ran */

/* Says on stderr what was wrong with the command line, a file or the request, and with `json` also
 * on stdout as an object. Returns EXIT_USAGE. */
int report_usage(bool json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for an error of the library, which it frees. Returns EXIT_USAGE, or EXIT_REFUSED when
 * the request was sound but cannot be satisfied here. */
int report_error(bool json, pawl_error *error);

/* Says that a provider which was named is there but cannot be used. Returns EXIT_REFUSED. */
int report_refused(bool json, const char *id, uint32_t level, const char *why);

/* Prints an object on a line of stdout and frees it. Returns `status`, or EXIT_USAGE when it could
 * not be written. */
int report_object(struct json_object *object, int status);

/* Checks that everything went to stdout; returns `status` or, with a word on stderr, EXIT_USAGE. */
int report_flush(int status);

/* Makers of values that never return NULL: without memory for a few words there is nothing that the
 * command line could do. An absent string (NULL) is left out of the object. */
struct json_object *report_new_object(void);
struct json_object *report_new_array(void);
void report_put(struct json_object *object, const char *key, struct json_object *value);
void report_put_string(struct json_object *object, const char *key, const char *value);
void report_put_number(struct json_object *object, const char *key, uint64_t value);
void report_push(struct json_object *array, struct json_object *value);
void report_push_string(struct json_object *array, const char *value);

/* {"id", "level", "why"} */
struct json_object *report_refusal(const char *id, uint32_t level, const char *why);

#endif
