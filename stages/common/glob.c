#include "stages/common/glob.h"

#include <stddef.h>

/* fnmatch(3) would do, but for its brackets, its locale, and its time on patterns such as
 * *a*a*a*a*b. */

/* The length of the UTF-8 character at `text`, taking what is malformed byte by byte. */
static size_t character(const char *text)
{
    size_t length = 1;
    if ((unsigned char)*text >= 0xC0)
        while (((unsigned char)text[length] & 0xC0) == 0x80)
            length++;
    return length;
}

bool glob_match(const char *pattern, const char *name)
{
    /* After a star everything is tried; only the last star has to be: what an earlier one could
     * take, the later one can take as well. */
    const char *star = NULL, *retry = NULL;
    for (;;) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
            continue;
        }
        if (*name == '\0' && *pattern == '\0')
            return true;
        bool escaped = *pattern == '\\' && pattern[1] != '\0';
        if (*name != '\0' && *pattern == '?') {
            pattern++;
            name += character(name);
        } else if (*name != '\0' && pattern[escaped ? 1 : 0] == *name) {
            pattern += escaped ? 2 : 1;
            name++;
        } else if (star != NULL && *retry != '\0') {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
}

const char *glob_check(const char *pattern)
{
    if (*pattern == '\0')
        return "an empty pattern matches nothing";
    for (; *pattern != '\0'; pattern++)
        if (*pattern == '\\' && *++pattern == '\0')
            return "the backslash at the end of this pattern stands before nothing";
    return NULL;
}
