/* What is wrong with a program, in words for the model that wrote it. */
#ifndef PROGRAM_ERROR_H
#define PROGRAM_ERROR_H

#include <stdint.h>

#define PROGRAM_E_SYNTAX (-1) /* the program is at fault; the error says how */
#define PROGRAM_E_MEMORY (-2) /* an allocation failed */

struct program_error {
    char message[256];     /* one line of UTF-8, without a position */
    uint32_t line, column; /* 1-based, in the text as the model wrote it; 0: not known */
};

#endif
