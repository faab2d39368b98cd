/* prepared.h - the template, and the second one that removes types, as data: made when pawl is
 * built, and part of the plugin.
 *
 * To start an engine and to evaluate the prelude takes milliseconds, which every process that runs
 * one program would pay. An image of the linear memory is the same in every process, so the program
 * `prepare` makes it, and what it writes is linked into the plugin (embedded.c).
 *
 * It bears a key, the hash of everything that it is made from. An image with another key, or none,
 * is not used; the template is made at run time then. */
#ifndef QUICKJS_PREPARED_H
#define QUICKJS_PREPARED_H

#include <stdio.h>

#include "engine.h"

struct prepared;

/* What was linked in. It is empty when pawl is built for a machine that cannot run here. */
extern const unsigned char prepared_start[] __attribute__((visibility("hidden")));
extern const unsigned char prepared_end[] __attribute__((visibility("hidden")));

/* `data` begins at a page. NULL: it is not what this code would make. [any thread] */
const struct prepared *prepared_open(const void *data, size_t size);

/* Gives it to an engine whose functions are known. PAWL_OK, PAWL_E_MEMORY, or PAWL_E_PLUGIN: it was
 * made with other functions. Its data must live as long as the engine. */
int prepared_use(const struct prepared *prepared, struct engine *engine);

/* Writes the images of an engine, which has both. False: an errno. */
bool prepared_write(const struct engine *engine, FILE *out);

#endif
