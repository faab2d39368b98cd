/* names.h - which names bindings may have inside a program. */
#ifndef PAWL_CORE_NAMES_H
#define PAWL_CORE_NAMES_H

#include <stdbool.h>

#include <pawl/pawl.h>

#define NAME_MAX_BYTES 256

/* Whether `name` matches [A-Za-z_][A-Za-z0-9_]*. */
bool name_is_plain(const char *name);

/* PAWL_OK, or PAWL_E_NAME and why `name` cannot be a global of the program (a namespace, an error
 * class); `what` names it in the message. */
int name_check_global(const char *what, const char *name, pawl_error **error);

/* The same for the property of an error that holds the function's name. */
int name_check_member(const char *name, pawl_error **error);

/* The same for a function's name: any UTF-8 text of 1 to NAME_MAX_BYTES bytes. */
int name_check_function(const char *name, pawl_error **error);

/* For a function's name that is no identifier, the identifier that is made of it (`get-logs`:
 * `get_logs`), to be freed. *alias is NULL for a name that is an identifier already, or of which
 * nothing is left. PAWL_OK or PAWL_E_MEMORY. */
int name_clean(const char *name, char **alias);

#endif
