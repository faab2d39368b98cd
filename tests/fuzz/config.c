/* libFuzzer: any bytes as pawl.json. What is refused has a reason with a place; what is accepted
 * can be read again value by value. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pawl/pawl.h>

#include "core/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Every value's text is a document of its own, of the same type. */
static void check_values(const struct node *node)
{
    for (; node != NULL; node = node->next) {
        DOCUMENT_CLEANUP struct document document;
        require(node->line > 0 && node->column > 0);
        require(document_parse(&document, "value", node->text, node->text_size));
        require(document.root->type == node->type && document.root->count == node->count);
        if (node->type == NODE_STRING)
            require(document.root->string_size == node->string_size &&
                    memcmp(document.root->string, node->string, node->string_size) == 0);
        if (node->depth < 4)
            check_values(node->first);
    }
}

static void check_document(const uint8_t *data, size_t size)
{
    DOCUMENT_CLEANUP struct document document;
    if (document_parse(&document, "fuzz", (const char *)data, size))
        check_values(document.root);
    else
        require(strncmp(document.error, "fuzz:", 5) == 0);
}

static void check_config(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("pawl.json", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    int status = pawl_config_load(path, &config, &error);
    require((status == PAWL_OK) == (config != NULL) && (status == PAWL_OK) == (error == NULL));
    require(error == NULL || strncmp(pawl_error_message(error), path, strlen(path)) == 0);
    pawl_error_free(error);
    pawl_config_free(config);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_document(data, size);
    check_config(data, size);
    return 0;
}
