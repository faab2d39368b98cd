/*
 * libFuzzer: any bytes as what a child sends once it has the program, through the whole of the
 * parent's side. A real child writes them (tests/wire/forge.c, "replay").
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/wire/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *instance;
static char path[64];

static void make_instance(void)
{
    char config[4096];
    const char *build = getenv("PAWL_BUILD_DIR");
    const struct pawl_provider *provider = pawl_provider_entry_v1();
    struct pawl_host services = host_services("");
    struct text why = {0};
    struct pawl_sink sink = text_sink(&why);
    snprintf(path, sizeof(path), "/tmp/pawl-fuzz-%d", (int)getpid());
    snprintf(config, sizeof(config), "{\"command\":[\"%s/tests/wire/forge\",\"replay\",\"%s\"]}",
             build != NULL ? build : "", path);
    if (provider->create(&services, config, &sink, &instance) != PAWL_OK) {
        fprintf(stderr, "%s\n", text_get(&why));
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct pawl_provider *provider = pawl_provider_entry_v1();
    struct host host;
    if (instance == NULL)
        make_instance();
    FILE *file = fopen(path, "w");
    if (file == NULL)
        abort();
    fwrite(data, 1, size, file);
    fclose(file);
    host_begin(&host, "fuzz");
    host_set_deadline(&host, 1000);
    int32_t status = host_run(&host, provider, instance);
    /* The run has exactly one end, or a reason why there is none. */
    if (host.ends > 1 ||
        (status == PAWL_OK && host.ends == 0 && host.run.cancelled(&host) == PAWL_END_NONE))
        abort();
    host_clear(&host);
    unlink(path);
    return 0;
}
