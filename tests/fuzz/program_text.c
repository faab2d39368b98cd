/* libFuzzer: every step that reads a program's text, on any bytes. Beside what the sanitizers see,
 * it checks that tokens are in order, that erasing moves nothing, and that positions stay inside.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "providers/program/await.h"
#include "providers/program/brackets.h"
#include "providers/program/es5.h"
#include "providers/program/modules.h"
#include "providers/program/prepare.h"
#include "providers/program/suggest.h"
#include "providers/program/token.h"
#include "providers/program/typescript.h"

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_tokens(const char *text, size_t length)
{
    struct program_tokenizer tokenizer;
    struct program_token token;
    size_t offset = 0;
    uint32_t line = 1, column = 1;
    program_tokenizer_start(&tokenizer, text, length);
    for (;;) {
        program_tokenizer_next(&tokenizer, &token);
        require(token.start >= offset && token.end <= length);
        require(token.line > line || (token.line == line && token.column >= column));
        if (token.type == PROGRAM_TOKEN_END)
            break;
        require(token.end > token.start);
        require((token.type == PROGRAM_TOKEN_ERROR) == (token.problem != NULL));
        offset = token.end;
        line = token.line;
        column = token.column;
    }
    require(token.start == length);
}

static void ignore(void *context, const char *suggestion)
{
    (void)context;
    require(strlen(suggestion) <= 400);
}

static void read_text(const char *text, size_t length)
{
    static const struct program_name names[] = {{"tools", "get_logs"}, {"tools", "send-mail"}};
    const struct program_failure failure = {
        .kind = "runtime", .message = "x is not defined", .text = text, .length = length};
    struct program_newer newer;
    struct program_module_use use;
    struct program_typescript typescript;
    struct program_error error;
    char message[256];
    require(program_check_brackets(text, length, &error) == (error.message[0] == 0));
    read_tokens(text, length);
    program_find_newer(text, length, &newer);
    if (program_find_module_use(text, length, &use))
        program_module_message(&use, message, sizeof message);
    if (program_find_typescript(text, length, &typescript))
        program_typescript_message(&typescript, message, sizeof message);
    program_find_unsupported_typescript(text, length, &typescript);
    program_suggest(&failure, names, 2, ignore, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct program_options options = {.prefix = "(function(){", .suffix = "\n})"};
    struct program_text text;
    struct program_error error;
    read_text((const char *)data, size);
    if (program_prepare((const char *)data, size, &options, &text, &error) < 0) {
        require(error.message[0] != 0 && text.text == NULL);
        return 0;
    }
    require(strlen(text.text) == text.length);
    require(text.body + text.body_length <= text.length);
    read_text(text.text, text.length);

    uint32_t line, column, lines_before, columns_before, lines_behind, columns_behind;
    for (uint32_t i = 0; i < 8; i++)
        if (program_text_locate(&text, i, 3 * i, &line, &column))
            require(line >= 1 && line <= text.last_line);
    program_place_at(text.text, text.length, text.length, &lines_before, &columns_before);
    program_await_erase(text.text + text.body, text.body_length);
    program_place_at(text.text, text.length, text.length, &lines_behind, &columns_behind);
    require(lines_before == lines_behind && columns_before == columns_behind);
    program_text_release(&text);
    return 0;
}
