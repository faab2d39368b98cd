/* pawl.json: every field, everything that can be wrong with one, and which file is read. */
#include "core/configuration.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char *directory;
static char path[512];

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "we");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static pawl_config *load(const char *text)
{
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    write_file(path, text);
    CU_ASSERT_EQUAL(pawl_config_load(path, &config, &error), PAWL_OK);
    if (error != NULL)
        TEST_TEXT(pawl_error_message(error), "");
    pawl_error_free(error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(config);
    return config;
}

/* `complaint` begins with the place: "3:5: ...". */
static void refuse(const char *text, const char *complaint)
{
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    char expected[1024];
    write_file(path, text);
    CU_ASSERT_EQUAL(pawl_config_load(path, &config, &error), PAWL_E_CONFIG);
    CU_ASSERT_PTR_NULL(config);
    snprintf(expected, sizeof(expected), "%s:%s", path, complaint);
    CU_ASSERT_PTR_NOT_NULL(error);
    if (error != NULL)
        TEST_TEXT(pawl_error_message(error), expected);
    pawl_error_free(error);
    pawl_config_free(config);
}

static void reads_everything(void)
{
    pawl_config *config = load(
        "// the operator's\n"
        "{\"plugin_dirs\": [\"/opt/a\", \"/opt/b\"],\n"
        " \"level\": \"machine\", \"require_verified\": true,\n"
        " \"verified_dir\": \"/opt/verified\",\n"
        " \"caps\": {\"wall_clock\": \"10m\", \"max_calls\": 7, \"max_bytes\": 8,\n"
        "            \"max_memory\": \"1GiB\"},\n"
        " \"budget\": {\"wall_clock\": \"30s\", \"max_calls\": 50, \"max_bytes\": \"256KiB\",\n"
        "              \"max_memory\": \"64MiB\", \"max_output\": \"1MiB\"},\n"
        " \"providers\": [{\"id\": \"jail\", \"plugin\": \"confine\",\n"
        "                  \"config\": {\"engine\": \"x\", /* two */ \"warm\": 2}},\n"
        "                 {\"id\": \"acme\", \"plugin\": \"acme\"}],\n"
        " \"stages\": [{\"plugin\": \"allow\", \"config\": {}}]}\n");
    TEST_TEXT(pawl_config_path(config), path);
    CU_ASSERT_EQUAL(config->directory_count, 2);
    TEST_TEXT(config->directories[1].path, "/opt/b");
    CU_ASSERT_TRUE(config->require_verified);
    TEST_TEXT(config->verified_dir, "/opt/verified");
    CU_ASSERT_EQUAL(pawl_config_level(config, PAWL_LEVEL_OS), PAWL_LEVEL_MACHINE);
    CU_ASSERT_EQUAL(config->caps.wall_clock, 600000);
    CU_ASSERT_EQUAL(config->caps.max_calls, 7);
    CU_ASSERT_EQUAL(config->caps.max_bytes, 8);
    CU_ASSERT_EQUAL(config->caps.max_memory, 1u << 30);
    CU_ASSERT_EQUAL(config->budget.wall_clock, 30000);
    CU_ASSERT_EQUAL(config->budget.max_calls, 50);
    CU_ASSERT_EQUAL(config->budget.max_bytes, 262144);
    CU_ASSERT_EQUAL(config->budget.max_memory, 64u << 20);
    CU_ASSERT_EQUAL(pawl_config_max_output(config), 1u << 20);
    CU_ASSERT_TRUE(config->providers.given);
    CU_ASSERT_EQUAL(config->providers.count, 2);
    TEST_TEXT(config->providers.items[0].id, "jail");
    TEST_TEXT(config->providers.items[0].plugin, "confine");
    TEST_TEXT(config->providers.items[0].config, "{\"engine\": \"x\",           \"warm\": 2}");
    CU_ASSERT_PTR_NULL(config->providers.items[1].config);
    CU_ASSERT_EQUAL(config->stages.count, 1);
    TEST_TEXT(config->stages.items[0].config, "{}");
    pawl_config_free(config);
}

static void empty_says_nothing(void)
{
    pawl_config *config = load("{}");
    CU_ASSERT_EQUAL(pawl_config_level(config, PAWL_LEVEL_PROCESS), PAWL_LEVEL_PROCESS);
    CU_ASSERT_EQUAL(pawl_config_max_output(config), 0);
    CU_ASSERT_FALSE(config->providers.given);
    pawl_config_free(config);
    config = load("{\"providers\": []}");
    CU_ASSERT_TRUE(config->providers.given);
    pawl_config_free(config);
}

static void refuses_malformed_fields(void)
{
    refuse("[]", "1:1: expected an object, found an array");
    refuse("{\"x\": 1}",
           "1:2: unknown key \"x\"; known here: \"plugin_dirs\", \"require_verified\", "
           "\"verified_dir\", \"level\", \"caps\", \"budget\", \"providers\", \"stages\"");
    refuse("{\"level\": 2}", "1:11: \"level\" must be a string, not a number");
    refuse("{\"plugin_dirs\": \"/opt\"}", "1:17: \"plugin_dirs\" must be an array, not a string");
    refuse("{\"plugin_dirs\": [\"/a\", 1]}", "1:24: expected a string, found a number");
    refuse("{\"plugin_dirs\": [\"\"]}", "1:18: this string must not be empty");
    refuse("{\"plugin_dirs\": [\"/\\u0000\"]}", "1:18: this string cannot hold U+0000");
    refuse("{\"plugin_dirs\": [\"plugins\"]}",
           "1:18: a plugin directory must be an absolute path, not \"plugins\"");
    refuse("{\"require_verified\": 1}",
           "1:22: \"require_verified\" must be true or false, not a number");
    refuse("{\"verified_dir\": \"here\"}", "1:18: this must be an absolute path, not \"here\"");
    refuse("{\"caps\": null}", "1:10: \"caps\" must be an object, not null");
    refuse("{\"caps\": {\n \"max_output\": 1}}",
           "2:2: unknown key \"max_output\"; known here: \"wall_clock\", \"max_calls\", "
           "\"max_bytes\", \"max_memory\"");
    refuse("{\"budget\": {\"wall_clock\": 30}}",
           "1:27: a time needs a unit: write \"30s\" or \"1500ms\"");
    refuse("{\"budget\": {\"wall_clock\": \"30\"}}",
           "1:27: '30' is not a time: write 1500ms, 30s, 10m or 1h");
    refuse("{\"budget\": {\"wall_clock\": true}}",
           "1:27: \"wall_clock\" must be a string, not true or false");
    refuse("{\"budget\": {\"max_calls\": \"5\"}}",
           "1:26: \"max_calls\" must be a number, not a string");
    refuse("{\"budget\": {\"max_calls\": 1.5}}", "1:26: 1.5 is not a whole number of 0 or more");
    refuse("{\"budget\": {\"max_calls\": -1}}", "1:26: -1 is not a whole number of 0 or more");
    refuse("{\"budget\": {\"max_calls\": 99999999999999999999}}", "1:26: this number is too large");
    refuse("{\"budget\": {\"max_bytes\": \"1TB\"}}",
           "1:26: '1TB' is not a size: write 1048576, 1024K, 64M, 1G or 64MiB");
    refuse("{\"budget\": {\"max_memory\": \"99999999999999G\"}}",
           "1:27: '99999999999999G' is too large");
    refuse("{\"providers\": {}}", "1:15: \"providers\" must be an array, not an object");
    refuse("{\"providers\": [1]}", "1:16: expected an object, found a number");
    refuse("{\"providers\": [{\"id\": \"a\"}]}", "1:16: \"plugin\" is missing: which one is it?");
    refuse("{\"providers\": [{\"plugin\": \"a\"}]}",
           "1:16: \"id\" is missing: what is this provider to be called?");
    refuse("{\"providers\": [{\"plugin\": \"a\", \"id\": \"\"}]}",
           "1:38: this string must not be empty");
    refuse("{\"providers\": [{\"plugin\": \"a\", \"id\": \"b\", \"config\": []}]}",
           "1:53: \"config\" must be an object, not an array");
    refuse("{\"providers\": [{\"plugin\": \"a\", \"id\": \"b\", \"warm\": 2}]}",
           "1:43: unknown key \"warm\"; known here: \"plugin\", \"config\", \"id\"");
    refuse("{\"providers\": [{\"plugin\": \"a\", \"id\": \"x\"},\n"
           "               {\"plugin\": \"b\", \"id\": \"x\"}]}",
           "2:38: the id \"x\" was given before, to the provider on line 1");
    refuse("{\"stages\": [{\"plugin\": \"a\", \"id\": \"b\"}]}",
           "1:29: unknown key \"id\"; known here: \"plugin\", \"config\"");
    refuse("{\"level\": \"os\",\n \"level\": \"none\"}",
           "2:2: the key \"level\" was given before, on line 1");
    refuse("{\"level\": \"os\"", "1:15: the file ends where ',' or '}' was expected");
}

static void refuses_unknown_level(void)
{
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    char start[600];
    write_file(path, "{\"level\": \"docker\"}");
    CU_ASSERT_EQUAL(pawl_config_load(path, &config, &error), PAWL_E_CONFIG);
    snprintf(start, sizeof(start), "%s:1:11: ", path);
    CU_ASSERT(strncmp(pawl_error_message(error), start, strlen(start)) == 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pawl_error_message(error), "docker"));
    pawl_error_free(error);
}

/* Which file is read, by the variables of the environment. */
static void expect_path(const char *expected)
{
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(pawl_config_load(NULL, &config, &error), PAWL_OK);
    if (config == NULL) {
        TEST_TEXT(pawl_error_message(error), expected);
    } else if (expected != NULL) {
        CU_ASSERT_PTR_NOT_NULL(pawl_config_path(config));
        TEST_TEXT(pawl_config_path(config) != NULL ? pawl_config_path(config) : "", expected);
    } else {
        /* The system's own file may exist where the tests run. */
        const char *found = pawl_config_path(config);
        CU_ASSERT(found == NULL || strcmp(found, "/etc/pawl/pawl.json") == 0);
    }
    pawl_error_free(error);
    pawl_config_free(config);
}

static void finds_the_file(void)
{
    char home[512], xdg[512], home_file[600], xdg_file[600];
    snprintf(home, sizeof(home), "%s/home", directory);
    snprintf(xdg, sizeof(xdg), "%s/xdg", directory);
    snprintf(home_file, sizeof(home_file), "%s/.config/pawl/pawl.json", home);
    snprintf(xdg_file, sizeof(xdg_file), "%s/pawl/pawl.json", xdg);
    for (char *part = home_file + strlen(directory) + 1; (part = strchr(part, '/')) != NULL;
         part++) {
        *part = '\0';
        CU_ASSERT_FATAL(mkdir(home_file, 0700) == 0);
        *part = '/';
    }
    for (char *part = xdg_file + strlen(directory) + 1; (part = strchr(part, '/')) != NULL;
         part++) {
        *part = '\0';
        CU_ASSERT_FATAL(mkdir(xdg_file, 0700) == 0);
        *part = '/';
    }
    unsetenv("PAWL_CONFIG");
    setenv("HOME", home, 1);
    setenv("XDG_CONFIG_HOME", xdg, 1);
    expect_path(NULL);
    write_file(home_file, "{}");
    expect_path(NULL);
    unsetenv("XDG_CONFIG_HOME");
    expect_path(home_file);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    expect_path(NULL);
    setenv("XDG_CONFIG_HOME", xdg, 1);
    write_file(xdg_file, "{}");
    expect_path(xdg_file);
    write_file(path, "{}");
    setenv("PAWL_CONFIG", path, 1);
    expect_path(path);

    /* A file that was named must be there; one that is there must be good. */
    pawl_config *config = NULL;
    pawl_error *error = NULL;
    setenv("PAWL_CONFIG", "/no/such/pawl.json", 1);
    CU_ASSERT_EQUAL(pawl_config_load(NULL, &config, &error), PAWL_E_CONFIG);
    TEST_TEXT(pawl_error_message(error), "/no/such/pawl.json: No such file or directory");
    pawl_error_free(error);
    error = NULL;
    unsetenv("PAWL_CONFIG");
    write_file(xdg_file, "{");
    CU_ASSERT_EQUAL(pawl_config_load(NULL, &config, &error), PAWL_E_CONFIG);
    pawl_error_free(error);
}

int main(void)
{
    directory = test_make_directory();
    snprintf(path, sizeof(path), "%s/pawl.json", directory);
    static CU_TestInfo tests[] = {
        {"reads every field", reads_everything},
        {"an empty file says nothing", empty_says_nothing},
        {"names the place of every malformed field", refuses_malformed_fields},
        {"refuses an unknown level", refuses_unknown_level},
        {"finds the file", finds_the_file},
        CU_TEST_INFO_NULL,
    };
    int status = test_suite("config", tests);
    test_remove_directory(directory);
    return status;
}
