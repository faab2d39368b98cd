/* TypeScript in a program: whether there is any, and whether it can be removed. */
#ifndef PROGRAM_TYPESCRIPT_H
#define PROGRAM_TYPESCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_typescript {
    const char *construct; /* such as "enum", in words; static storage */
    char name[64];         /* of what is declared, cut if it is longer; "" where there is none */
    uint32_t line, column;
};

/* Finds the first construct that cannot simply be removed, because it is more than types: enums,
 * namespaces, parameter properties, decorators, `import x = …` and `export = …`. What is behind
 * `declare` is only types. Returns false if there is none. [any thread] */
bool program_find_unsupported_typescript(const char *text, size_t length,
                                         struct program_typescript *found);

/* What is wrong and what to write instead, as the message of a syntax failure. */
void program_typescript_message(const struct program_typescript *found, char *out, size_t size);

/* Finds the first sign of TypeScript: type annotations, interfaces, type aliases, `as`, generics,
 * access modifiers, `x!`, and what the function above finds. To be asked about a program that does
 * not parse as JavaScript; no valid JavaScript program as people write it shows one. Returns false
 * if there is none. [any thread] */
bool program_find_typescript(const char *text, size_t length, struct program_typescript *found);

#endif
