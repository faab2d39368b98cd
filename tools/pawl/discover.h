/* discover.h - discover(query) over the functions of a tools file. */
#ifndef PAWL_TOOLS_DISCOVER_H
#define PAWL_TOOLS_DISCOVER_H

#include <pawl/pawl.h>

/* How well a query fits a function, 0 for not at all: best its exact name, then a name that begins
 * with it, then words of the name, then words of the description. An empty query fits everything
 * alike. `name` is `namespace.function`; `description` may be NULL. */
unsigned discover_score(const char *query, size_t size, const char *name, const char *description);

/* The request's discoverer; `data` is a struct toolsfile. */
int discover_tools(const char *query, size_t size, const struct pawl_sink *answer, void *data);

#endif
