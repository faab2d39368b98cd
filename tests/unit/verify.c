/* Unit tests of records: which plugins are loaded when they must be verified, and which are not. */
#include "core/verify.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stages/common/sha256.h"
#include "tests/unit/test.h"

/* --- The hash ------------------------------------------------------------------------------ */

static void check_hash(const char *text, size_t size, const char *expected)
{
    /* In one piece, and byte by byte. */
    char whole[SHA256_TEXT], bytes[SHA256_TEXT];
    struct sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, text, size);
    sha256_end(&hash, whole);
    TEST_TEXT(whole, expected);
    sha256_init(&hash);
    for (size_t i = 0; i < size; i++)
        sha256_add(&hash, text + i, 1);
    sha256_end(&hash, bytes);
    TEST_TEXT(bytes, expected);
}

/* The examples of FIPS 180. */
static void test_hash(void)
{
    check_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(million);
    memset(million, 'a', 1000000);
    check_hash(million, 1000000,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* --- Directories --------------------------------------------------------------------------- */

static char *plugins, *records;
static char sha256[SHA256_TEXT];

static void write_file(const char *directory, const char *name, const void *text, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CU_ASSERT_FATAL(file >= 0 && write(file, text, size) == (ssize_t)size);
    close(file);
}

/* Installs one of the plugins that were built for tests. */
static void install(const char *built, size_t more)
{
    static char content[1 << 20];
    char path[PATH_MAX], name[64];
    snprintf(path, sizeof(path), "%s/tests/plugins/bad/%s.so", test_build_directory(), built);
    bool stage = strncmp(built, "stage-", strlen("stage-")) == 0;
    if (stage)
        snprintf(name, sizeof(name), "pawl-%s-stage.so", built + strlen("stage-"));
    else
        snprintf(name, sizeof(name), "pawl-%s-provider.so", built);
    int file = open(path, O_RDONLY);
    CU_ASSERT_FATAL(file >= 0);
    ssize_t size = read(file, content, sizeof(content) - more);
    close(file);
    CU_ASSERT_FATAL(size > 0);
    memset(content + size, 0, more);
    write_file(plugins, name, content, (size_t)size + more);
    struct sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, content, (size_t)size);
    sha256_end(&hash, sha256);
}

static void record(const char *hash, const char *level, const char *holds)
{
    char text[512];
    int size = snprintf(text, sizeof(text),
                        "{\"pawl_harness\": 1, \"sha256\": \"%s\", \"level\": \"%s\", "
                        "\"level_holds\": %s, \"passed\": [\"R01\"]}",
                        hash, level, holds);
    write_file(records, "record.json", text, (size_t)size);
}

static void set_up(void)
{
    plugins = test_make_directory();
    records = test_make_directory();
}

static void clean_up(void)
{
    test_remove_directory(plugins);
    test_remove_directory(records);
}

/* How opening the plugin comes out when it must be verified: "" or the reason why not. */
static const char *open_reason(const char *plugin)
{
    static char reason[4096];
    pawl_registry *registry;
    pawl_error *error = NULL;
    reason[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    int code = pawl_registry_require_verified(registry, records, &error);
    if (code == PAWL_OK)
        code = pawl_registry_scan(registry, plugins, &error);
    if (code == PAWL_OK)
        code = pawl_registry_open(registry, plugin, "it", NULL, &error);
    if (code != PAWL_OK)
        snprintf(reason, sizeof(reason), "%s", pawl_error_message(error));
    pawl_error_free(error);
    pawl_registry_free(registry);
    return reason;
}

/* The same for a stage. */
static const char *ring_reason(const char *plugin)
{
    static char reason[4096];
    pawl_registry *registry;
    pawl_ring *ring;
    pawl_error *error = NULL;
    reason[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    int code = pawl_registry_require_verified(registry, records, &error);
    if (code == PAWL_OK)
        code = pawl_registry_scan(registry, plugins, &error);
    if (code == PAWL_OK)
        code = pawl_ring_open(ring, registry, plugin, NULL, &error);
    if (code != PAWL_OK)
        snprintf(reason, sizeof(reason), "%s", pawl_error_message(error));
    pawl_error_free(error);
    pawl_ring_free(ring);
    pawl_registry_free(registry);
    return reason;
}

static void record_stage(const char *hash, const char *holds)
{
    char text[512];
    int size = snprintf(text, sizeof(text),
                        "{\"kind\": \"stage\", \"sha256\": \"%s\", \"holds\": %s}", hash, holds);
    write_file(records, "record.json", text, (size_t)size);
}

static void check_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        TEST_TEXT(text, part);
}

/* --- Plugins ------------------------------------------------------------------------------- */

static void test_no_record(void)
{
    install("good", 0);
    check_contains(open_reason("good"), "no record in ");
    check_contains(open_reason("good"), sha256);
}

static void test_record_holds(void)
{
    install("good", 0);
    record(sha256, "process", "true");
    TEST_TEXT(open_reason("good"), "");
    record(sha256, "machine", "true");
    TEST_TEXT(open_reason("good"), "");
}

static void test_record_does_not_hold(void)
{
    install("good", 0);
    record(sha256, "process", "false");
    check_contains(open_reason("good"), "that it does not hold what it claims");
}

static void stages_are_verified_too(void)
{
    install("stage-good", 0);
    check_contains(ring_reason("good"), "it must be verified, and no record");
    record_stage(sha256, "false");
    check_contains(ring_reason("good"), "does not hold what it claims");
    record_stage(sha256, "true");
    TEST_TEXT(ring_reason("good"), "");
}

/* Bytes that were found to hold as one kind of plugin are not those of the other. */
static void kinds_are_kept_apart(void)
{
    install("stage-good", 0);
    record(sha256, "os", "true");
    check_contains(ring_reason("good"), "no record");
    install("good", 0);
    record_stage(sha256, "true");
    check_contains(open_reason("good"), "no record");
}

/* Loading a plugin may run its code: one that is refused is not loaded. */
static void test_other_bytes(void)
{
    install("good", 1);
    record(sha256, "process", "true");
    check_contains(open_reason("good"), "no record in ");
}

static void test_lower_level(void)
{
    install("good", 0);
    record(sha256, "none", "true");
    check_contains(open_reason("good"),
                   "its level is process, and it was only verified to hold the level none");
}

static void test_highest_record(void)
{
    char text[256];
    install("good", 0);
    record(sha256, "none", "true");
    int size =
        snprintf(text, sizeof(text),
                 "{\"sha256\": \"%s\", \"level\": \"process\", \"level_holds\": true}", sha256);
    write_file(records, "another.json", text, (size_t)size);
    TEST_TEXT(open_reason("good"), "");
}

/* --- Records ------------------------------------------------------------------------------- */

static void check_malformed(const char *text, const char *reason)
{
    write_file(records, "record.json", text, strlen(text));
    check_contains(open_reason("good"), "/record.json:");
    check_contains(open_reason("good"), reason);
}

static void test_malformed(void)
{
    check_malformed("", "1:1: ");
    check_malformed("[]", "expected an object, found an array");
    check_malformed("{}", "\"sha256\" is missing");
    check_malformed("{\"sha256\": \"00\"}", "\"level\" is missing");
    check_malformed("{\"sha256\": \"00\", \"kind\": \"stage\"}", "\"holds\" is missing");
    check_malformed("{\"sha256\": \"00\", \"kind\": \"other\"}", "no kind of plugin \"other\"");
    check_malformed("{\"sha256\": \"00\", \"kind\": 1}", "1:26: \"kind\" must be a string");
    check_malformed("{\"sha256\": \"00\", \"level\": \"os\"}", "\"level_holds\" is missing");
    check_malformed("{\"sha256\": \"00\", \"level\": \"os\", \"level_holds\": true}",
                    "a SHA-256 is 64 lower-case digits");
    record("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "docker", "true");
    check_contains(open_reason("good"), "there is no level \"docker\"");
    record("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "os", "1");
    check_contains(open_reason("good"), "must be true or false");
}

static void test_other_files(void)
{
    install("good", 0);
    record(sha256, "process", "true");
    write_file(records, "README", "{", 1);
    write_file(records, ".hidden.json", "{", 1);
    TEST_TEXT(open_reason("good"), "");
}

/* Who can write a record decides what is loaded. */
static void test_not_trusted(void)
{
    char path[PATH_MAX];
    install("good", 0);
    record(sha256, "process", "true");
    snprintf(path, sizeof(path), "%s/record.json", records);
    CU_ASSERT_EQUAL(chmod(path, 0666), 0);
    check_contains(open_reason("good"), "record.json");
    CU_ASSERT_EQUAL(chmod(path, 0644), 0);
    CU_ASSERT_EQUAL(chmod(records, 0777), 0);
    CU_ASSERT_NOT_EQUAL(open_reason("good")[0], '\0');
    CU_ASSERT_EQUAL(chmod(records, 0755), 0);
    TEST_TEXT(open_reason("good"), "");
}

static void test_too_late(void)
{
    pawl_registry *registry;
    pawl_error *error = NULL;
    install("good", 0);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, plugins, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_require_verified(registry, records, &error), PAWL_E_STATE);
    pawl_error_free(error);
    pawl_registry_free(registry);
}

/* --- The configuration --------------------------------------------------------------------- */

/* How applying it comes out. */
static const char *apply_reason(const char *directory)
{
    static char reason[4096];
    char text[PATH_MAX], path[PATH_MAX];
    pawl_config *config = NULL;
    pawl_registry *registry;
    pawl_ring *ring;
    pawl_error *error = NULL;
    snprintf(text, sizeof(text),
             "{\"plugin_dirs\": [\"%s\"], \"require_verified\": true, \"verified_dir\": \"%s\",\n"
             " \"providers\": [{\"id\": \"it\", \"plugin\": \"good\"}]}",
             plugins, directory);
    write_file(plugins, "pawl.json", text, strlen(text));
    snprintf(path, sizeof(path), "%s/pawl.json", plugins);
    CU_ASSERT_EQUAL_FATAL(pawl_config_load(path, &config, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    reason[0] = '\0';
    if (pawl_config_apply(config, registry, ring, &error) != PAWL_OK)
        snprintf(reason, sizeof(reason), "%s", pawl_error_message(error));
    pawl_error_free(error);
    pawl_ring_free(ring);
    pawl_registry_free(registry);
    pawl_config_free(config);
    return reason;
}

static void test_configuration(void)
{
    install("good", 0);
    check_contains(apply_reason("/no/such/directory"), "\"require_verified\": ");
    check_contains(apply_reason(records), "it must be verified");
    record(sha256, "process", "true");
    TEST_TEXT(apply_reason(records), "");
}

int main(void)
{
    static CU_TestInfo hash[] = {{"the examples of the standard", test_hash}, CU_TEST_INFO_NULL};
    static CU_TestInfo plugin[] = {
        {"one without a record is refused", test_no_record},
        {"one whose level was found to hold is opened", test_record_holds},
        {"one whose level was not is refused", test_record_does_not_hold},
        {"a record is of the very bytes", test_other_bytes},
        {"a level above the record's is refused", test_lower_level},
        {"of several records the highest counts", test_highest_record},
        {"stages are verified, too", stages_are_verified_too},
        {"kinds are kept apart", kinds_are_kept_apart},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo file[] = {
        {"a malformed one is an error, with its place", test_malformed},
        {"other files are none", test_other_files},
        {"one that others can write is an error", test_not_trusted},
        {"it must be said before the first scan", test_too_late},
        {"the configuration says it", test_configuration},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"hash", NULL, NULL, NULL, NULL, hash},
        {"plugins", NULL, NULL, set_up, clean_up, plugin},
        {"records", NULL, NULL, set_up, clean_up, file},
        CU_SUITE_INFO_NULL,
    };
    setenv("PAWL_PLUGIN_DIR", "/no/such/plugins", 1);
    return test_main(suites);
}
