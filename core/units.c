/* Sizes and times as people write them: "64MiB", "1500ms". */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

struct unit {
    const char *suffix;
    uint64_t factor;
};

/* Larger units first: printing takes the first that divides exactly. The short and the long names
 * mean the same, since memory is counted in powers of 1024 everywhere in pawl. */
static const struct unit sizes[] = {
    {"GiB", 1ull << 30},
    {"MiB", 1ull << 20},
    {"KiB", 1ull << 10},
    {"G", 1ull << 30},
    {"M", 1ull << 20},
    {"K", 1ull << 10},
    {"", 1},
};
static const struct unit times[] = {
    {"h", 3600000},
    {"m", 60000},
    {"s", 1000},
    {"ms", 1},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int parse(const char *text, const struct unit *units, size_t count, const char *forms,
                 uint64_t *value, pawl_error **error)
{
    uint64_t number = 0;
    const char *p = text;
    bool overflow = false;
    for (; *p >= '0' && *p <= '9'; p++)
        overflow |= __builtin_mul_overflow(number, 10, &number) ||
                    __builtin_add_overflow(number, (uint64_t)(*p - '0'), &number);
    if (p != text)
        for (size_t i = 0; i < count; i++)
            if (strcmp(p, units[i].suffix) == 0) {
                if (overflow || __builtin_mul_overflow(number, units[i].factor, &number))
                    return error_set(error, PAWL_E_LIMIT, "'%.64s' is too large", text);
                *value = number;
                return PAWL_OK;
            }
    return error_set(error, PAWL_E_ARGUMENT, "'%.64s' is not %s", text, forms);
}

static size_t print(char *buffer, size_t size, const struct unit *units, size_t count,
                    uint64_t value)
{
    size_t i = 0;
    while (i + 1 < count && (value == 0 || value % units[i].factor != 0))
        i++;
    int length = snprintf(buffer, size, "%" PRIu64 "%s", value / units[i].factor, units[i].suffix);
    return length < 0 ? 0 : (size_t)length;
}

int pawl_size_parse(const char *text, uint64_t *bytes, pawl_error **error)
{
    return parse(text, sizes, COUNT(sizes), "a size: write 1048576, 1024K, 64M, 1G or 64MiB", bytes,
                 error);
}

int pawl_duration_parse(const char *text, uint64_t *milliseconds, pawl_error **error)
{
    return parse(text, times, COUNT(times), "a time: write 1500ms, 30s, 10m or 1h", milliseconds,
                 error);
}

size_t pawl_size_print(char *buffer, size_t size, uint64_t bytes)
{
    return print(buffer, size, sizes, COUNT(sizes), bytes);
}

size_t pawl_duration_print(char *buffer, size_t size, uint64_t milliseconds)
{
    return print(buffer, size, times, COUNT(times), milliseconds);
}
