/* render.h - showing a result to a person: the value on stdout, logs and the diagnosis on stderr.
 */
#ifndef PAWL_TOOLS_RENDER_H
#define PAWL_TOOLS_RENDER_H

#include <pawl/pawl.h>

/* `name` is the program's, `program` its text; `logged` log entries were printed before. */
void render_result(pawl_result *result, const char *name, const char *program, size_t size,
                   size_t logged);

#endif
