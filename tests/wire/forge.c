/* A child that breaks the protocol of abi/wire.md in the way that its argument names. */
#include <stddef.h>

#include "tests/wire/forgery.h"

int main(int argc, char **argv)
{
    forge_child(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : NULL);
}
