#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>

/* Larger programs keep the engine's own places and words. */
#define MAX_TOKENS ((size_t)500000)

struct tokens *tokens_read(const char *text, size_t length)
{
    struct tokens *tokens = calloc(1, sizeof *tokens);
    if (!tokens)
        return NULL;
    size_t capacity = 0;
    program_tokenizer_start(&tokens->tokenizer, text, length);
    do {
        if (tokens->count == capacity) {
            capacity = capacity ? capacity * 2 : 256;
            struct program_token *grown =
                capacity > MAX_TOKENS ? NULL : realloc(tokens->token, capacity * sizeof *grown);
            if (!grown) {
                tokens_free(tokens);
                return NULL;
            }
            tokens->token = grown;
        }
        program_tokenizer_next(&tokens->tokenizer, &tokens->token[tokens->count++]);
    } while (tokens->token[tokens->count - 1].type != PROGRAM_TOKEN_END);
    return tokens;
}

void tokens_free(struct tokens *tokens)
{
    free(tokens->token);
    free(tokens);
}

size_t tokens_at(const struct tokens *tokens, const struct place *place)
{
    size_t i = 0;
    while (i + 1 < tokens->count &&
           (tokens->token[i].line < place->line ||
            (tokens->token[i].line == place->line && tokens->token[i].column < place->column)))
        i++;
    return i;
}

bool is_mark(const struct tokens *tokens, size_t i, const char *mark)
{
    return i < tokens->count && tokens->token[i].type == PROGRAM_TOKEN_PUNCTUATOR &&
           program_token_is_mark(&tokens->tokenizer, &tokens->token[i], mark);
}

bool is_word(const struct tokens *tokens, size_t i, const char *word)
{
    return i < tokens->count && tokens->token[i].type == PROGRAM_TOKEN_NAME &&
           program_token_is_word(&tokens->tokenizer, &tokens->token[i], word);
}

bool is_name(const struct tokens *tokens, size_t i)
{
    return i < tokens->count && (tokens->token[i].type == PROGRAM_TOKEN_NAME ||
                                 tokens->token[i].type == PROGRAM_TOKEN_PRIVATE);
}

void tokens_copy(const struct tokens *tokens, size_t from, size_t to, char *out, size_t size)
{
    const char *text = tokens->tokenizer.text;
    size_t length = 0;
    for (size_t i = from; i <= to && i < tokens->count; i++) {
        const struct program_token *token = &tokens->token[i];
        for (size_t at = token->start; at < token->end; at++) {
            if (length + 4 >= size) {
                while (length > 0 && ((unsigned char)out[length - 1] & 0x80) != 0)
                    length--;
                snprintf(out + length, size - length, "...");
                return;
            }
            out[length++] = text[at] == '\n' ? ' ' : text[at];
        }
    }
    out[length] = '\0';
}
