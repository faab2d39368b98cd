/* libFuzzer: any bytes as a tools file, bound to a request and searched; and any bytes through the
 * redactor. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/redact.h"
#include "tools/pawl/discover.h"
#include "tools/pawl/toolsfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void count(void *context, const char *text, size_t size)
{
    require(size >= 2 && text[0] == '[' && text[size - 1] == ']');
    *(int *)context += 1;
}

static void check_tools(const char *text, size_t size)
{
    struct toolsfile file;
    if (!toolsfile_parse(&file, "fuzz", "/", text, size)) {
        require(*file.document.error != '\0');
        toolsfile_clear(&file);
        return;
    }
    pawl_request *request = NULL;
    require(pawl_request_new(&request, NULL) == PAWL_OK);
    if (toolsfile_bind(&file, request) != PAWL_OK)
        require(strncmp(file.document.error, "fuzz:", 5) == 0);
    int answers = 0;
    struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = &answers, .write = count};
    require(discover_tools(text, size, &sink, &file) == PAWL_OK && answers == 1);
    pawl_request_free(request);
    toolsfile_clear(&file);
}

/* Redacting again what was redacted changes nothing that matters: no text grows for ever. */
static void check_redact(const char *text, size_t size)
{
    size_t once, twice;
    char *first = redact(text, size, &once);
    require(first != NULL && strlen(first) <= once);
    char *second = redact(first, once, &twice);
    require(second != NULL && twice <= once + once * sizeof(REDACTED));
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_tools((const char *)data, size);
    check_redact((const char *)data, size);
    return 0;
}
