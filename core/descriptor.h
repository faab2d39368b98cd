/* descriptor.h - a file descriptor that is closed when it goes out of scope. */
#ifndef PAWL_CORE_DESCRIPTOR_H
#define PAWL_CORE_DESCRIPTOR_H

#include <unistd.h>

static inline void descriptor_close(const int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
}

#define DESCRIPTOR_CLEANUP __attribute__((cleanup(descriptor_close)))

/* Takes the descriptor out of its scope's care. */
static inline int descriptor_keep(int *descriptor)
{
    int kept = *descriptor;
    *descriptor = -1;
    return kept;
}

#endif
