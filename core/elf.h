/* elf.h - which of pawl's entry functions a shared object exports, without running any of it. */
#ifndef PAWL_CORE_ELF_H
#define PAWL_CORE_ELF_H

#include <stdbool.h>

#include "core/error.h"

/* An exported pawl_provider_entry_vMAJOR or pawl_stage_entry_vMAJOR. */
struct elf_entry {
    bool stage;
    uint32_t major;
};

#define ELF_ENTRIES_MAX 4
struct elf_entries {
    struct elf_entry entry[ELF_ENTRIES_MAX]; /* the first of them */
    size_t count;                            /* all of them */
};

/* Reads the dynamic symbols of a file as the loader will find them. Every number in the file may be
 * a lie. PAWL_E_PLUGIN when it is no shared object for this machine. */
int elf_read_entries(int file, struct elf_entries *entries, pawl_error **error);

#endif
