/* A provider of a later minor version: its descriptor has members that this host does not know. */
#include "good.h"

struct later {
    struct pawl_provider known;
    uint64_t more[8];
};

const struct pawl_provider *pawl_provider_entry_v1(void)
{
    static struct later later;
    later.known = good_provider("newer");
    later.known.header.size = sizeof(later);
    later.known.header.minor = PAWL_ABI_MINOR + 7;
    later.more[7] = 1;
    return &later.known;
}
