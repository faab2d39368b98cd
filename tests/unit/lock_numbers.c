/* This file is compiled once for each architecture, with that one's header (GENERIC: aarch64's). */
#include "tests/unit/lock_numbers.h"

#include <string.h>

#ifdef GENERIC
/* What arm64's own header chooses of it. */
#define __BITS_PER_LONG 64
#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_SYS_CLONE3
#include <asm-generic/unistd.h>
#define LOOK_UP number_aarch64
#elif defined(__x86_64__)
#include <asm/unistd_64.h>
#define LOOK_UP number_x86_64
#else
#define LOOK_UP number_x86_64
#define MISSING
#endif

int LOOK_UP(const char *name)
{
#ifdef MISSING
    (void)name;
    return -2;
#else
    static const struct {
        const char *name;
        int number;
    } numbers[] = {
#define NUMBER(name) {#name, __NR_##name},
#include "tests/unit/lock_numbers.inc"
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].number;
    return -1;
#endif
}
