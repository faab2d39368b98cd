/* A stage whose descriptor is too small. */
#define NAME  "small"
#define BREAK stage.header.size = 16
#include "stage-good.c"
