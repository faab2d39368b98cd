/* pawl.json and tools files when memory runs out: the n-th allocation fails, for every n. The
 * program is linked with --wrap for the allocator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pawl/pawl.h>

#include "core/redact.h"
#include "tests/unit/test.h"
#include "tools/pawl/toolsfile.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

/* How many allocations still succeed; negative: all. */
static int remaining = -1;

static int fails(void)
{
    if (remaining > 0)
        remaining--;
    else if (remaining == 0)
        return 1;
    return 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : __real_strndup(text, size);
}

#define ENOUGH 10000

static void configuration(void)
{
    static const char text[] =
        "{\"plugin_dirs\": [\"/opt/a\", \"/opt/b\"], \"level\": \"os\", \"budget\": "
        "{\"max_calls\": 5},\n"
        " \"providers\": [{\"id\": \"a\", \"plugin\": \"b\", \"config\": {\"c\": 1}}],\n"
        " \"stages\": [{\"plugin\": \"allow\", \"config\": {}}]}";
    char path[64];
    int fd = memfd_create("pawl.json", MFD_CLOEXEC);
    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, sizeof(text) - 1) == sizeof(text) - 1);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    int n = 0, status = PAWL_E_MEMORY;
    for (; n < ENOUGH && status != PAWL_OK; n++) {
        pawl_config *config = NULL;
        pawl_error *error = NULL;
        remaining = n;
        status = pawl_config_load(path, &config, &error);
        remaining = -1;
        CU_ASSERT((status == PAWL_OK) == (config != NULL));
        CU_ASSERT((status == PAWL_OK) == (error == NULL));
        if (error != NULL)
            CU_ASSERT_PTR_NOT_NULL(strstr(pawl_error_message(error), "out of memory"));
        pawl_error_free(error);
        pawl_config_free(config);
    }
    CU_ASSERT(n > 10 && n < ENOUGH);
    close(fd);
}

static void tools_file(void)
{
    static const char text[] =
        "{\"namespaces\": {\"t\": {\"error_class\": {\"name\": \"E\"}, \"functions\": {\n"
        "\"a\": {\"command\": [\"x\", \"y\"], \"signature\": \"a(b)\", \"description\": \"d\"},\n"
        "\"b-c\": {\"value\": [1, 2]}}}}}";
    int n = 0;
    bool good = false;
    for (; n < ENOUGH && !good; n++) {
        struct toolsfile file;
        pawl_request *request = NULL;
        remaining = n;
        good = toolsfile_parse(&file, "tools.json", "/", text, sizeof(text) - 1) &&
               pawl_request_new(&request, NULL) == PAWL_OK &&
               toolsfile_bind(&file, request) == PAWL_OK;
        remaining = -1;
        pawl_request_free(request);
        toolsfile_clear(&file);
    }
    CU_ASSERT(n > 10 && n < ENOUGH);
}

static void redaction(void)
{
    char text[4096];
    for (size_t i = 0; i < sizeof(text); i += 8)
        memcpy(text + i, "token=a ", 8);
    char *redacted = NULL;
    int n = 0;
    for (; n < ENOUGH && redacted == NULL; n++) {
        size_t size;
        remaining = n;
        redacted = redact(text, sizeof(text), &size);
        remaining = -1;
    }
    CU_ASSERT(n > 1 && n < ENOUGH);
    free(redacted);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a configuration", configuration},
        {"a tools file", tools_file},
        {"redaction", redaction},
        CU_TEST_INFO_NULL,
    };
    return test_suite("out of memory", tests);
}
