/* layout.h - saying where the members of a struct stand, in C11 and C++17, so that the compiler
 * refuses a header in which they moved. */
#ifndef PAWL_ABI_LAYOUT_H
#define PAWL_ABI_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SAME(what, value) static_assert((what) == (value), #what " has changed");
#else
#define SAME(what, value) _Static_assert((what) == (value), #what " has changed");
#endif

/* The three data models: 64 bits, 32 bits where uint64_t is aligned to 4 (i386), to 8 (ARM). */
struct layout_probe {
    char byte;
    uint64_t number;
};
#define MODEL(lp64, i386, arm) \
    (sizeof(void *) == 8 ? (lp64) : offsetof(struct layout_probe, number) == 4 ? (i386) : (arm))

#define SIZE(type, lp64, i386, arm) SAME(sizeof(struct type), MODEL(lp64, i386, arm))
#define AT(type, member, lp64, i386, arm) \
    SAME(offsetof(struct type, member), MODEL(lp64, i386, arm))

#endif
