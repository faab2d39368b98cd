/* Unit tests of what is loaded as a plugin, and what is refused and with which words. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/elf.h"
#include "core/plugin.h"
#include "core/trust.h"
#include "tests/unit/test.h"

/* --- Files --------------------------------------------------------------------------------- */

static char *directory; /* of the test that is running: a private one */

static int set_up(void)
{
    directory = test_make_directory();
    return 0;
}

static int clean_up(void)
{
    test_remove_directory(directory);
    return 0;
}

static const char *in_directory(const char *name)
{
    static char path[2][PATH_MAX];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", directory, name);
    return path[turn];
}

static void write_file(const char *name, const void *content, size_t size)
{
    int file = open(in_directory(name), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CU_ASSERT_FATAL(file >= 0 && write(file, content, size) == (ssize_t)size);
    close(file);
}

/* The content of one of the plugins that were built for these tests. */
static char *read_plugin(const char *built, size_t *size)
{
    char path[PATH_MAX];
    struct stat status;
    snprintf(path, sizeof(path), "%s/tests/plugins/bad/%s.so", test_build_directory(), built);
    int file = open(path, O_RDONLY);
    CU_ASSERT_FATAL(file >= 0 && fstat(file, &status) == 0);
    *size = (size_t)status.st_size;
    char *content = malloc(*size);
    CU_ASSERT_FATAL(content != NULL && read(file, content, *size) == status.st_size);
    close(file);
    return content;
}

static void install(const char *built, const char *name)
{
    size_t size;
    char *content = read_plugin(built, &size);
    write_file(name, content, size);
    free(content);
}

static void remove_file(const char *name)
{
    CU_ASSERT_EQUAL(unlink(in_directory(name)), 0);
}

/* --- What is refused ----------------------------------------------------------------------- */

/* The reason why the only candidate in the directory is refused; "" when it is not. */
static const char *scan_reason(void)
{
    static char reason[8192];
    pawl_registry *registry;
    pawl_listing *listing;
    pawl_error *error = NULL;
    reason[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    if (pawl_registry_scan(registry, directory, &error) != PAWL_OK) {
        snprintf(reason, sizeof(reason), "scan: %s", pawl_error_message(error));
        pawl_error_free(error);
    }
    CU_ASSERT_EQUAL_FATAL(pawl_registry_list(registry, &listing, NULL), PAWL_OK);
    for (size_t i = 0; i < pawl_listing_size(listing); i++)
        if (pawl_listing_at(listing, i)->what == PAWL_LISTED_REFUSED)
            snprintf(reason, sizeof(reason), "%s", pawl_listing_at(listing, i)->reason);
    pawl_listing_free(listing);
    pawl_registry_free(registry);
    return reason;
}

static void check_refused(const char *built, const char *kind, const char *reason)
{
    char name[NAME_MAX];
    snprintf(name, sizeof(name), "pawl-%s-%s.so",
             strncmp(built, "stage-", 6) == 0 ? built + 6 : built, kind);
    install(built, name);
    TEST_TEXT(scan_reason(), reason);
    remove_file(name);
}

#define REFUSED(built, reason)       check_refused(built, "provider", reason)
#define REFUSED_STAGE(built, reason) check_refused(built, "stage", reason)

static void test_good(void)
{
    REFUSED("good", "");
    REFUSED_STAGE("stage-good", "");
}

static void test_entries(void)
{
    REFUSED("no-entry", "it does not export pawl_provider_entry_v1: it is no provider plugin");
    REFUSED("two-entries", "it exports 2 entry functions, among them pawl_provider_entry_v1 and "
                           "pawl_provider_entry_v2: a plugin has exactly one");
    REFUSED("other-major", "it is for version 2 of the provider interface, this pawl has version "
                           "1: rebuild the plugin or use another pawl");
    REFUSED("other-kind", "its file is named as a provider plugin, but it exports "
                          "pawl_stage_entry_v1");
    REFUSED("no-descriptor", "its entry function returned NULL");
}

static void test_both_kinds(void)
{
    install("both-kinds", "pawl-both-kinds-provider.so");
    const char *reason = scan_reason();
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "it exports 2 entry functions, among them pawl_"));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "pawl_provider_entry_v1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "pawl_stage_entry_v1"));
    remove_file("pawl-both-kinds-provider.so");
}

static void test_undefined_symbol(void)
{
    install("undefined", "pawl-undefined-provider.so");
    const char *reason = scan_reason();
    CU_ASSERT_EQUAL(strncmp(reason, "it cannot be loaded: ", 21), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "nobody_has_this"));
    remove_file("pawl-undefined-provider.so");
}

static void test_descriptors(void)
{
    char text[256];
    REFUSED("wrong-magic", "its descriptor is not a provider's: the magic number is 0x12345678, "
                           "not 0x72705750");
    REFUSED("descriptor-major",
            "its descriptor is of version 9.3 of the interface, this pawl has version 1.0: "
            "rebuild the plugin");
    snprintf(text, sizeof(text),
             "its descriptor has 40 bytes, which is too small: version 1.0 has %zu",
             sizeof(struct pawl_provider));
    REFUSED("too-small", text);
    snprintf(text, sizeof(text),
             "its descriptor has 1048576 bytes, which is too large: version 1.0 has %zu",
             sizeof(struct pawl_provider));
    REFUSED("too-large", text);
    REFUSED("unknown-requires",
            "its descriptor requires features that this pawl, version 1.0 of the interface, does "
            "not have (bits 0x8000000000000010): a newer pawl is needed");
    REFUSED("unknown-threads", "its descriptor names the thread model 3, which does not exist");
    REFUSED("no-name", "its descriptor has no name");
    REFUSED("other-name",
            "its descriptor says that its name is 'mujs', its file says 'other-name'");
}

static void test_callbacks(void)
{
    static const char *const names[] = {"create", "destroy", "level", "languages", "run"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char built[32], reason[128];
        snprintf(built, sizeof(built), "no-%s", names[i]);
        snprintf(reason, sizeof(reason),
                 "its descriptor has no function '%s' (NULL), which is required", names[i]);
        REFUSED(built, reason);
    }
}

static void test_stages(void)
{
    char text[256];
    REFUSED_STAGE("stage-no-judge",
                  "its descriptor has no function 'judge' (NULL), which is required");
    snprintf(text, sizeof(text),
             "its descriptor has 16 bytes, which is too small: version 1.0 has %zu",
             sizeof(struct pawl_stage));
    REFUSED_STAGE("stage-small", text);
    REFUSED_STAGE("stage-requires",
                  "its descriptor requires features that this pawl, version 1.0 of the interface, "
                  "does not have (bits 0x1): a newer pawl is needed");
}

static void test_newer(void)
{
    struct plugin *plugin;
    install("newer", "pawl-newer-provider.so");
    int opened = trust_open_directory(directory, NULL);
    CU_ASSERT_EQUAL_FATAL(plugin_load(opened, directory, "pawl-newer-provider.so", PLUGIN_PROVIDER,
                                      "newer", NULL, &plugin, NULL),
                          PAWL_OK);
    TEST_TEXT(plugin->provider.name, "newer");
    CU_ASSERT(plugin->provider.header.size > sizeof(plugin->provider));
    plugin_free(plugin);
    close(opened);
    remove_file("pawl-newer-provider.so");
}

/* --- Instances ----------------------------------------------------------------------------- */

static void check_open_fails(const char *built, int code, const char *reason)
{
    char name[NAME_MAX], expected[8192];
    pawl_registry *registry;
    pawl_listing *listing;
    pawl_error *error = NULL;
    snprintf(name, sizeof(name), "pawl-%s-provider.so", built);
    install(built, name);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, directory, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_open(registry, built, "an-id", NULL, &error), code);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    CU_ASSERT_EQUAL(pawl_error_code(error), code);
    snprintf(expected, sizeof(expected), "the provider 'an-id' (%s): %s", in_directory(name),
             reason);
    TEST_TEXT(pawl_error_message(error), expected);
    pawl_error_free(error);

    /* Opened by default it is no error, but it is listed as refused. */
    CU_ASSERT_EQUAL(pawl_registry_open_defaults(registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_list(registry, &listing, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_listing_size(listing), 1);
    CU_ASSERT_EQUAL(pawl_listing_at(listing, 0)->what, PAWL_LISTED_REFUSED);
    TEST_TEXT(pawl_listing_at(listing, 0)->id, built);
    TEST_TEXT(pawl_listing_at(listing, 0)->reason, reason);
    TEST_TEXT(pawl_listing_at(listing, 0)->version, "1.0");
    pawl_listing_free(listing);
    pawl_registry_free(registry);
    remove_file(name);
}

static void test_create_fails(void)
{
    check_open_fails("create-silent", PAWL_E_UNAVAILABLE,
                     "it could not be created: it returned PAWL_E_UNAVAILABLE and gave no reason");
    check_open_fails("create-words", PAWL_E_CONFIG, "it could not be created: no luck  [31mtoday?");
    check_open_fails("create-status", PAWL_E_PLUGIN,
                     "it could not be created: it returned 7, which is no status");
}

static void test_create_floods(void)
{
    char reason[8192] = "it could not be created: ";
    size_t size = strlen(reason);
    for (size_t i = 0; i < PLUGIN_WORDS_MAX; i++)
        reason[size + i] = (char)('0' + i % 10);
    reason[size + PLUGIN_WORDS_MAX] = '\0';
    check_open_fails("create-flood", PAWL_E_SYSTEM, reason);
}

static void test_claims(void)
{
    check_open_fails("level-range", PAWL_E_PLUGIN, "its level is 4, which does not exist");
    check_open_fails("languages-null", PAWL_E_PLUGIN, "it lists no language");
    check_open_fails("languages-empty", PAWL_E_PLUGIN, "it lists no language");
    check_open_fails("egress-range", PAWL_E_PLUGIN,
                     "it enforces the egress 3, which does not exist");
}

/* --- Trust --------------------------------------------------------------------------------- */

#define GOOD "pawl-good-provider.so"

/* TEST_TEXT of the reason with a text that contains the path of a file in the directory. */
static void check_reason(const char *format, const char *name)
{
    char expected[PATH_MAX + 256];
    snprintf(expected, sizeof(expected), format, in_directory(name));
    TEST_TEXT(scan_reason(), expected);
}

static void test_file_mode(void)
{
    install("good", GOOD);
    chmod(in_directory(GOOD), 0664);
    check_reason("%s is writable by its group (mode 0664): only its owner may write it (chmod "
                 "go-w)",
                 GOOD);
    chmod(in_directory(GOOD), 0646);
    check_reason("%s is writable by everyone (mode 0646): only its owner may write it (chmod go-w)",
                 GOOD);
    chmod(in_directory(GOOD), 0555);
    TEST_TEXT(scan_reason(), "");
    remove_file(GOOD);
}

static void test_file_owner(void)
{
    if (geteuid() != 0) {
        test_skip("only root can give files away");
        return;
    }
    install("good", GOOD);
    CU_ASSERT_EQUAL(chown(in_directory(GOOD), 4321, 0), 0);
    check_reason("%s is owned by user 4321: it must be owned by root (chown root)", GOOD);

    /* Another user trusts what root owns and what is its own, and nothing else. */
    CU_ASSERT_EQUAL(chmod(directory, 0755), 0);
    CU_ASSERT_EQUAL_FATAL(seteuid(1234), 0);
    check_reason("%s is owned by user 4321: it must be owned by root or by user 1234, who loads it",
                 GOOD);
    CU_ASSERT_EQUAL_FATAL(seteuid(0), 0);
    CU_ASSERT_EQUAL(chown(in_directory(GOOD), 1234, 0), 0);
    CU_ASSERT_EQUAL_FATAL(seteuid(1234), 0);
    TEST_TEXT(scan_reason(), "");
    CU_ASSERT_EQUAL_FATAL(seteuid(0), 0);
    remove_file(GOOD);
}

static void test_file_type(void)
{
    install("good", "elsewhere.so");
    CU_ASSERT_EQUAL(symlink("elsewhere.so", in_directory(GOOD)), 0);
    check_reason("%s is a symbolic link, which is not followed", GOOD);
    remove_file(GOOD);
    remove_file("elsewhere.so");
    CU_ASSERT_EQUAL(mkfifo(in_directory(GOOD), 0644), 0);
    check_reason("%s is no regular file", GOOD);
    remove_file(GOOD);
    CU_ASSERT_EQUAL(mkdir(in_directory(GOOD), 0755), 0);
    check_reason("%s is no regular file", GOOD);
    CU_ASSERT_EQUAL(rmdir(in_directory(GOOD)), 0);
}

static void test_file_names(void)
{
    static const char *const not_candidates[] = {
        "good.so",  "pawl-provider.so",  "pawl--provider.so",   "pawl-good-provider.so.bak",
        "pawl-.so", "pawl-good-tool.so", "libpawl-provider.so", ".pawl-good-provider.so",
    };
    for (size_t i = 0; i < sizeof(not_candidates) / sizeof(not_candidates[0]); i++) {
        write_file(not_candidates[i], "x", 1);
        TEST_TEXT(scan_reason(), "");
        remove_file(not_candidates[i]);
    }
    write_file("pawl-a b-provider.so", "x", 1);
    TEST_TEXT(scan_reason(), "a plugin's name is letters, digits, '-' and '_', at most 64, and "
                             "begins with a letter or digit");
    remove_file("pawl-a b-provider.so");
}

/* Opens a path below the directory as one of plugins, and returns the reason if it is refused. */
static const char *open_reason(const char *path)
{
    static char reason[PATH_MAX + 256];
    pawl_error *error = NULL;
    int opened = trust_open_directory(path, &error);
    reason[0] = '\0';
    if (opened >= 0) {
        close(opened);
        return reason;
    }
    CU_ASSERT_EQUAL(opened, pawl_error_code(error));
    snprintf(reason, sizeof(reason), "%s", pawl_error_message(error));
    pawl_error_free(error);
    return reason;
}

static void test_directory_mode(void)
{
    char inner[PATH_MAX], expected[PATH_MAX + 256];
    snprintf(inner, sizeof(inner), "%s/outer/inner", directory);
    mkdir(in_directory("outer"), 0755);
    mkdir(inner, 0755);
    TEST_TEXT(open_reason(inner), "");
    chmod(inner, 0775);
    snprintf(expected, sizeof(expected),
             "%s is writable by its group (mode 0775): only its owner may write it (chmod go-w)",
             inner);
    TEST_TEXT(open_reason(inner), expected);
    chmod(inner, 01777); /* sticky, and plugins would be directly inside */
    snprintf(expected, sizeof(expected),
             "%s is writable by everyone (mode 1777): only its owner may write it (chmod go-w)",
             inner);
    TEST_TEXT(open_reason(inner), expected);
    chmod(inner, 0755);
    chmod(in_directory("outer"), 0757);
    snprintf(expected, sizeof(expected),
             "%s is writable by everyone (mode 0757): only its owner may write it (chmod go-w)",
             in_directory("outer"));
    TEST_TEXT(open_reason(inner), expected);
    chmod(in_directory("outer"), 01777); /* sticky, above */
    TEST_TEXT(open_reason(inner), "");
    chmod(in_directory("outer"), 0755);
    rmdir(inner);
    rmdir(in_directory("outer"));
}

static void test_directory_owner(void)
{
    char inner[PATH_MAX], expected[PATH_MAX + 256];
    if (geteuid() != 0) {
        test_skip("only root can give directories away");
        return;
    }
    snprintf(inner, sizeof(inner), "%s/outer/inner", directory);
    mkdir(in_directory("outer"), 0755);
    mkdir(inner, 0755);
    CU_ASSERT_EQUAL(chown(in_directory("outer"), 4321, 0), 0);
    snprintf(expected, sizeof(expected),
             "%s is owned by user 4321: it must be owned by root (chown root)",
             in_directory("outer"));
    TEST_TEXT(open_reason(inner), expected);
    rmdir(inner);
    rmdir(in_directory("outer"));
}

static void test_directory_path(void)
{
    char path[2 * PATH_MAX], expected[2 * PATH_MAX];
    TEST_TEXT(open_reason("plugins"), "'plugins' is no absolute path");
    TEST_TEXT(open_reason(""), "'' is no absolute path");
    TEST_TEXT(open_reason("/usr/../etc"), "'/usr/../etc' contains '..': name the directory itself");
    TEST_TEXT(open_reason("/usr/./lib"), "'/usr/./lib' contains '.': name the directory itself");
    TEST_TEXT(open_reason("/nowhere/at/all"),
              "cannot open the directory /nowhere: No such file or directory");
    snprintf(path, sizeof(path), "%s///", directory);
    TEST_TEXT(open_reason(path), "");
    write_file("file", "x", 1);
    snprintf(expected, sizeof(expected), "%s is no directory", in_directory("file"));
    TEST_TEXT(open_reason(in_directory("file")), expected);
    remove_file("file");
    mkdir(in_directory("real"), 0755);
    CU_ASSERT_EQUAL(symlink("real", in_directory("link")), 0);
    snprintf(expected, sizeof(expected),
             "%s is a symbolic link, which is not followed: name the directory that it points to",
             in_directory("link"));
    TEST_TEXT(open_reason(in_directory("link")), expected);
    unlink(in_directory("link"));
    rmdir(in_directory("real"));
    memset(path, 'a', sizeof(path));
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(open_reason(path), "a path is longer than 4095 bytes"));
    path[300] = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(open_reason(path), "is longer than 255 bytes"));
}

/* --- ELF ----------------------------------------------------------------------------------- */

static void test_no_elf(void)
{
    write_file(GOOD, "#!/bin/sh\nexit 0\n", 17);
    TEST_TEXT(scan_reason(), "it is no ELF file");
    write_file(GOOD, "", 0);
    TEST_TEXT(scan_reason(), "it is no ELF file");
    write_file(GOOD, ELFMAG, SELFMAG);
    TEST_TEXT(scan_reason(), "it is no ELF file");
    remove_file(GOOD);
}

static void test_other_machine(void)
{
    size_t size;
    char *content = read_plugin("good", &size);
    Elf64_Ehdr *header = (void *)content;
    unsigned here = header->e_machine;
    char expected[128];
    header->e_machine = EM_SPARCV9;
    write_file(GOOD, content, size);
    snprintf(expected, sizeof(expected),
             "it is an ELF file for another machine (ELF machine %u, this is %u)", EM_SPARCV9,
             here);
    TEST_TEXT(scan_reason(), expected);
    header->e_machine = (Elf64_Half)here;
    header->e_type = ET_REL;
    write_file(GOOD, content, size);
    TEST_TEXT(scan_reason(), "it is an ELF file but no shared object");
    content[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    write_file(GOOD, content, size);
    TEST_TEXT(scan_reason(), "it is an ELF file of another word size or byte order");
    free(content);
    remove_file(GOOD);
}

/* What elf_read_entries makes of the file; it is never loaded. */
static int read_entries(struct elf_entries *entries)
{
    int file = open(in_directory(GOOD), O_RDONLY);
    int code = elf_read_entries(file, entries, NULL);
    close(file);
    return code;
}

static void test_truncated(void)
{
    size_t size;
    char *content = read_plugin("good", &size);
    struct elf_entries entries;
    for (size_t end = 0; end < size; end += end < 8192 ? 13 : 397) {
        write_file(GOOD, content, end);
        if (read_entries(&entries) == PAWL_OK)
            CU_ASSERT(entries.count <= 1);
    }
    free(content);
    remove_file(GOOD);
}

/* Each byte of the headers and of the dynamic tables is made wrong in turn. */
static void test_corrupted(void)
{
    size_t size;
    char *content = read_plugin("two-entries", &size);
    struct elf_entries entries;
    write_file(GOOD, content, size);
    CU_ASSERT_EQUAL(read_entries(&entries), PAWL_OK);
    CU_ASSERT_EQUAL(entries.count, 2);
    int file = open(in_directory(GOOD), O_RDWR);
    CU_ASSERT_FATAL(file >= 0);
    for (size_t place = 0; place < size && place < 20000; place++) {
        static const unsigned char wrong[] = {0xff, 0x80, 0x01};
        for (size_t i = 0; i < sizeof(wrong); i++) {
            char byte = (char)(content[place] ^ wrong[i]);
            CU_ASSERT_EQUAL_FATAL(pwrite(file, &byte, 1, (off_t)place), 1);
            if (elf_read_entries(file, &entries, NULL) == PAWL_OK)
                CU_ASSERT(entries.count <= 1u << 20);
        }
        CU_ASSERT_EQUAL_FATAL(pwrite(file, &content[place], 1, (off_t)place), 1);
    }
    close(file);
    free(content);
    remove_file(GOOD);
}

int main(void)
{
    static CU_TestInfo refused[] = {{"good ones are not", test_good},
                                    {"entry functions", test_entries},
                                    {"both kinds", test_both_kinds},
                                    {"undefined symbol", test_undefined_symbol},
                                    {"descriptors", test_descriptors},
                                    {"callbacks", test_callbacks},
                                    {"stages", test_stages},
                                    {"a later minor version is not", test_newer},
                                    CU_TEST_INFO_NULL};
    static CU_TestInfo instances[] = {{"create fails", test_create_fails},
                                      {"create floods", test_create_floods},
                                      {"claims", test_claims},
                                      CU_TEST_INFO_NULL};
    static CU_TestInfo trust[] = {{"mode of the file", test_file_mode},
                                  {"owner of the file", test_file_owner},
                                  {"kind of file", test_file_type},
                                  {"names", test_file_names},
                                  {"mode of directories", test_directory_mode},
                                  {"owner of directories", test_directory_owner},
                                  {"paths", test_directory_path},
                                  CU_TEST_INFO_NULL};
    static CU_TestInfo elf[] = {{"no ELF file", test_no_elf},
                                {"another machine", test_other_machine},
                                {"truncated", test_truncated},
                                {"corrupted", test_corrupted},
                                CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"refused", set_up, clean_up, NULL, NULL, refused},
                                    {"instances", set_up, clean_up, NULL, NULL, instances},
                                    {"trust", set_up, clean_up, NULL, NULL, trust},
                                    {"elf", set_up, clean_up, NULL, NULL, elf},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
