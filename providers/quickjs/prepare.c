/* prepare OUTPUT - makes the template and what removes types, and writes them; run while pawl is
 * built. */
#include <signal.h>
#include <stdio.h>

#include <pawl/provider.h>

#include "prepared.h"

int main(int argc, char **argv)
{
    char why[512] = "no memory";
    struct engine *engine;
    if (argc != 2) {
        fprintf(stderr, "usage: prepare OUTPUT\n");
        return 2;
    }
    if (engine_create(&engine, NULL, SIGRTMAX, why, sizeof why) != PAWL_OK) {
        fprintf(stderr, "prepare: %s\n", why);
        return 1;
    }
    if (!engine_typescript(engine)) {
        fprintf(stderr, "prepare: sucrase could not be evaluated\n");
        return 1;
    }
    FILE *out = fopen(argv[1], "wb");
    const bool written = out && prepared_write(engine, out);
    if (!written)
        perror(argv[1]);
    if (out)
        fclose(out);
    engine_destroy(engine);
    return !written;
}
