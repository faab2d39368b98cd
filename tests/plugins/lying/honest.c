/* Nothing is wrong with it. */
#include "tiny.h"

TINY_ENTRY("honest", )
