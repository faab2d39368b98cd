/* libFuzzer: any bytes as the file of a plugin, read before anything of it is loaded. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    struct elf_entries entries;
    pawl_error *error = NULL;
    if (file < 0)
        file = memfd_create("elf", MFD_CLOEXEC);
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        return 0;
    int code = elf_read_entries(file, &entries, &error);
    if (code != PAWL_OK ? error == NULL || pawl_error_code(error) != code : error != NULL)
        abort();
    pawl_error_free(error);
    return 0;
}
