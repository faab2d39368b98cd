/* A stage that requires what no host has. */
#define NAME  "requires"
#define BREAK stage.requires_bits = 1
#include "stage-good.c"
