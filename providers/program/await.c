#include "await.h"

#include <string.h>

#include "token.h"

static bool is_declared(const char *text, size_t length)
{
    struct program_tokenizer t;
    struct program_token token;
    program_tokenizer_start(&t, text, length);
    do
        program_tokenizer_next(&t, &token);
    while (token.type != PROGRAM_TOKEN_END);
    return t.await_is_name;
}

size_t program_await_erase(char *text, size_t length)
{
    static const char word[] = "await";
    struct program_tokenizer t;
    struct program_token token;
    size_t count = 0;
    if (memmem(text, length, word, strlen(word)) == NULL || is_declared(text, length))
        return 0;
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.type == PROGRAM_TOKEN_END)
            return count;
        if (token.awaits) {
            memset(text + token.start, ' ', token.end - token.start);
            count++;
        }
    }
}
