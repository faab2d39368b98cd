/* Uses of modules in a program. There are none to load, so each is a syntax failure, and the advice
 * in suggest.h says what to use instead. */
#ifndef PROGRAM_MODULES_H
#define PROGRAM_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_module_use {
    const char *form; /* as written: "import", "import()", "require()", "export"; static storage */
    char module[64];  /* the name between quotes, cut if it is longer; "" where there is none */
    uint32_t line, column;
};

/* Finds the first `import` declaration, `import(…)`, `require(…)` or `export` of a program that has
 * gone through program_prepare (which takes `export default` out). `import.meta` counts as
 * "import". A program that declares a name `require` itself may call it. Returns false if there is
 * none. [any thread] */
bool program_find_module_use(const char *text, size_t length, struct program_module_use *use);

/* What is wrong, as the message of a syntax failure. */
void program_module_message(const struct program_module_use *use, char *out, size_t size);

#endif
