#include "core/elf.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What no real plugin comes near. */
#define SEGMENTS_MAX 128
#define DYNAMIC_MAX  4096
#define SYMBOLS_MAX  (1u << 20)
#define STRINGS_MAX  (64u << 20)

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__i386__)
#define MACHINE EM_386
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__arm__)
#define MACHINE EM_ARM
#elif defined(__riscv)
#define MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define MACHINE EM_PPC64
#elif defined(__s390x__)
#define MACHINE EM_S390
#elif defined(__loongarch__)
#define MACHINE 258
#endif

#define NATIVE_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define NATIVE_DATA  (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB)

/* The type of a symbol's name and binding is the same for both classes. */
#define SYMBOL_BIND(info)        ((info) >> 4)
#define SYMBOL_VISIBILITY(other) ((other)&3)

static void free_pointer(void *pointer)
{
    free(*(void **)pointer);
}

#define FREE_CLEANUP __attribute__((cleanup(free_pointer)))

struct object {
    int file;
    uint64_t size;
    ElfW(Phdr) segments[SEGMENTS_MAX];
    size_t segment_count;
};

/* Where the dynamic segment says that the tables are: addresses, 0 when it does not. */
struct tables {
    uint64_t symbols;
    uint64_t symbol_size;
    uint64_t strings;
    uint64_t strings_size;
    uint64_t hash;
    uint64_t gnu_hash;
};

static int malformed(const char *what, pawl_error **error)
{
    return error_set(error, PAWL_E_PLUGIN, "it is a malformed ELF file: %s", what);
}

/* Reads exactly that much, or nothing counts. */
static bool read_at(const struct object *object, uint64_t offset, void *into, size_t size)
{
    if (offset > object->size || size > object->size - offset)
        return false;
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(object->file, (char *)into + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* The place in the file of what will be loaded at an address, and how many bytes of it the file
 * holds from there. */
static bool locate(const struct object *object, uint64_t address, uint64_t *offset,
                   uint64_t *available)
{
    for (size_t i = 0; i < object->segment_count; i++) {
        const ElfW(Phdr) *segment = &object->segments[i];
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
            address - segment->p_vaddr >= segment->p_filesz)
            continue;
        uint64_t skip = address - segment->p_vaddr;
        if (segment->p_offset > object->size || skip > object->size - segment->p_offset)
            return false;
        *offset = segment->p_offset + skip;
        *available = segment->p_filesz - skip;
        if (*available > object->size - *offset)
            *available = object->size - *offset;
        return true;
    }
    return false;
}

static bool read_address(const struct object *object, uint64_t address, void *into, size_t size)
{
    uint64_t offset, available;
    return locate(object, address, &offset, &available) && size <= available &&
           read_at(object, offset, into, size);
}

static int read_header(struct object *object, pawl_error **error)
{
    ElfW(Ehdr) header;
    if (!read_at(object, 0, &header, sizeof(header)) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return error_set(error, PAWL_E_PLUGIN, "it is no ELF file");
    if (header.e_ident[EI_CLASS] != NATIVE_CLASS || header.e_ident[EI_DATA] != NATIVE_DATA)
        return error_set(error, PAWL_E_PLUGIN,
                         "it is an ELF file of another word size or byte order");
#ifdef MACHINE
    if (header.e_machine != MACHINE)
        return error_set(error, PAWL_E_PLUGIN,
                         "it is an ELF file for another machine (ELF machine %u, this is %u)",
                         header.e_machine, MACHINE);
#endif
    if (header.e_type != ET_DYN)
        return error_set(error, PAWL_E_PLUGIN, "it is an ELF file but no shared object");
    if (header.e_phentsize != sizeof(object->segments[0]) || header.e_phnum == 0 ||
        header.e_phnum > SEGMENTS_MAX)
        return malformed("its segment table has a strange size", error);
    object->segment_count = header.e_phnum;
    if (!read_at(object, header.e_phoff, object->segments,
                 object->segment_count * sizeof(object->segments[0])))
        return malformed("its segment table ends outside the file", error);
    return PAWL_OK;
}

static int read_dynamic(const struct object *object, struct tables *tables, pawl_error **error)
{
    const ElfW(Phdr) *dynamic = NULL;
    for (size_t i = 0; i < object->segment_count; i++)
        if (object->segments[i].p_type == PT_DYNAMIC)
            dynamic = &object->segments[i];
    if (dynamic == NULL)
        return malformed("it has no dynamic segment", error);
    size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
    for (size_t i = 0; i < count && i < DYNAMIC_MAX; i++) {
        ElfW(Dyn) entry;
        if (!read_at(object, dynamic->p_offset + i * sizeof(entry), &entry, sizeof(entry)))
            return malformed("its dynamic segment ends outside the file", error);
        switch (entry.d_tag) {
        case DT_NULL:
            return PAWL_OK;
        case DT_SYMTAB:
            tables->symbols = entry.d_un.d_ptr;
            break;
        case DT_SYMENT:
            tables->symbol_size = entry.d_un.d_val;
            break;
        case DT_STRTAB:
            tables->strings = entry.d_un.d_ptr;
            break;
        case DT_STRSZ:
            tables->strings_size = entry.d_un.d_val;
            break;
        case DT_HASH:
            tables->hash = entry.d_un.d_ptr;
            break;
        case DT_GNU_HASH:
            tables->gnu_hash = entry.d_un.d_ptr;
            break;
        default:
            break;
        }
    }
    return PAWL_OK;
}

/* The hash chain that the highest bucket begins ends with the last symbol: its words are those of
 * the symbols from `symbol` on, the last one marked by an odd word. */
static bool chain_end(const struct object *object, uint64_t chain, uint32_t symbol, uint32_t *count)
{
    while (symbol < SYMBOLS_MAX) {
        uint32_t words[256];
        uint64_t offset, available;
        if (!locate(object, chain, &offset, &available))
            return false;
        size_t size = available < sizeof(words) ? (size_t)available & ~(size_t)3 : sizeof(words);
        if (size == 0 || !read_at(object, offset, words, size))
            return false;
        for (size_t i = 0; i < size / 4; i++, symbol++)
            if ((words[i] & 1) != 0) {
                *count = symbol + 1;
                return true;
            }
        chain += size;
    }
    return false;
}

/* There is no count of the dynamic symbols but what their hash table implies. */
static bool count_symbols(const struct object *object, const struct tables *tables, uint32_t *count)
{
    if (tables->hash != 0) {
        uint32_t header[2]; /* buckets, chains: one of these for each symbol */
        if (!read_address(object, tables->hash, header, sizeof(header)))
            return false;
        *count = header[1];
        return true;
    }
    uint32_t header[4]; /* buckets, first hashed symbol, bloom words, bloom shift */
    if (tables->gnu_hash == 0 || !read_address(object, tables->gnu_hash, header, sizeof(header)) ||
        header[0] > SYMBOLS_MAX || header[2] > SYMBOLS_MAX)
        return false;
    uint64_t buckets = tables->gnu_hash + sizeof(header) + (uint64_t)header[2] * sizeof(ElfW(Addr));
    FREE_CLEANUP uint32_t *bucket = malloc(((size_t)header[0] + 1) * sizeof(*bucket));
    if (bucket == NULL || !read_address(object, buckets, bucket, header[0] * sizeof(*bucket)))
        return false;
    uint32_t last = 0;
    for (uint32_t i = 0; i < header[0]; i++)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < header[1]) { /* nothing is hashed: nothing is exported */
        *count = header[1];
        return true;
    }
    uint64_t chains = buckets + (uint64_t)header[0] * sizeof(*bucket);
    return chain_end(object, chains + (uint64_t)(last - header[1]) * 4, last, count);
}

/* Whether a symbol is one of pawl's entries: the prefix, then a number. */
static bool parse_entry(const char *name, struct elf_entry *entry)
{
    static const char provider[] = "pawl_provider_entry_v", stage[] = "pawl_stage_entry_v";
    if (strncmp(name, provider, sizeof(provider) - 1) == 0) {
        entry->stage = false;
        name += sizeof(provider) - 1;
    } else if (strncmp(name, stage, sizeof(stage) - 1) == 0) {
        entry->stage = true;
        name += sizeof(stage) - 1;
    } else {
        return false;
    }
    size_t digits = strspn(name, "0123456789");
    if (digits == 0 || digits > 9 || name[digits] != '\0')
        return false;
    entry->major = (uint32_t)strtoul(name, NULL, 10);
    return true;
}

static int find_entries(const struct object *object, const struct tables *tables,
                        struct elf_entries *entries, pawl_error **error)
{
    uint32_t count;
    if (!count_symbols(object, tables, &count) || count > SYMBOLS_MAX ||
        tables->symbol_size != sizeof(ElfW(Sym)))
        return malformed("its symbol table cannot be read", error);
    if (tables->strings_size == 0 || tables->strings_size > STRINGS_MAX ||
        tables->strings_size > object->size)
        return malformed("its string table has a strange size", error);
    FREE_CLEANUP char *strings = malloc((size_t)tables->strings_size + 1);
    FREE_CLEANUP ElfW(Sym) *symbols = NULL;
    if (strings == NULL)
        return error_memory(error);
    if (!read_address(object, tables->strings, strings, (size_t)tables->strings_size))
        return malformed("its string table ends outside the file", error);
    strings[tables->strings_size] = '\0';

    uint64_t offset, available;
    size_t size = (size_t)count * sizeof(*symbols);
    if (!locate(object, tables->symbols, &offset, &available) || size > available)
        return malformed("its symbol table ends outside the file", error);
    symbols = malloc(size + 1);
    if (symbols == NULL)
        return error_memory(error);
    if (!read_at(object, offset, symbols, size))
        return malformed("its symbol table ends outside the file", error);

    for (uint32_t i = 0; i < count; i++) {
        unsigned bind = SYMBOL_BIND(symbols[i].st_info);
        unsigned visibility = SYMBOL_VISIBILITY(symbols[i].st_other);
        struct elf_entry entry;
        if (symbols[i].st_shndx == SHN_UNDEF || (bind != STB_GLOBAL && bind != STB_WEAK) ||
            (visibility != STV_DEFAULT && visibility != STV_PROTECTED) ||
            symbols[i].st_name >= tables->strings_size ||
            !parse_entry(strings + symbols[i].st_name, &entry))
            continue;
        if (entries->count < ELF_ENTRIES_MAX)
            entries->entry[entries->count] = entry;
        entries->count++;
    }
    return PAWL_OK;
}

int elf_read_entries(int file, struct elf_entries *entries, pawl_error **error)
{
    struct object object = {.file = file};
    struct tables tables = {0};
    struct stat status;
    *entries = (struct elf_entries){0};
    if (fstat(file, &status) != 0)
        return error_set(error, PAWL_E_SYSTEM, "it cannot be looked at: %m");
    object.size = (uint64_t)status.st_size;
    int code = read_header(&object, error);
    if (code == PAWL_OK)
        code = read_dynamic(&object, &tables, error);
    if (code == PAWL_OK)
        code = find_entries(&object, &tables, entries, error);
    return code;
}
