/* A stage that has no function 'judge'. */
#define NAME  "no-judge"
#define BREAK stage.judge = 0
#include "stage-good.c"
