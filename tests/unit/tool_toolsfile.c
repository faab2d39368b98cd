/* Tools files: every field, and everything that can be wrong with one. */
#include "tools/pawl/toolsfile.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static struct toolsfile file;

static void refuse(const char *text, const char *complaint)
{
    char expected[600];
    CU_ASSERT_FALSE(toolsfile_parse(&file, "tools.json", "/", text, strlen(text)));
    snprintf(expected, sizeof(expected), "tools.json:%s", complaint);
    TEST_TEXT(file.document.error, expected);
    toolsfile_clear(&file);
}

/* The same for a function of the namespace `tools`. */
static void refuse_function(const char *function, const char *complaint)
{
    char text[600];
    snprintf(text, sizeof(text), "{\"namespaces\": {\"tools\": {\"functions\": {\"f\":\n%s}}}}",
             function);
    refuse(text, complaint);
}

static void reads_everything(void)
{
    static const char text[] =
        "{\"namespaces\": {\"tools\": {\n"
        "  \"error_class\": {\"name\": \"ToolCallError\", \"member_property\": \"toolName\"},\n"
        "  \"functions\": {\n"
        "    \"get_logs\": {\"signature\": \"get_logs(host, count?)\", \"description\": \"d\",\n"
        "      \"command\": [\"./get_logs\", \"-v\"], \"returns\": \"text\",\n"
        "      \"concurrent\": true, \"timeout\": \"10s\"},\n"
        "    \"version\": {\"value\": {\"major\": 1}}}},\n"
        "  \"empty\": {\"functions\": {}}}}";
    CU_ASSERT_FATAL(toolsfile_parse(&file, "tools.json", "/srv", text, sizeof(text) - 1));
    CU_ASSERT_EQUAL_FATAL(file.count, 2);
    const struct tool *tool = &file.tools[0];
    TEST_TEXT(tool->full_name, "tools.get_logs");
    TEST_TEXT(tool->signature, "get_logs(host, count?)");
    TEST_TEXT(tool->description, "d");
    CU_ASSERT_TRUE(tool->is_command);
    TEST_TEXT(tool->arguments[0], "./get_logs");
    TEST_TEXT(tool->arguments[1], "-v");
    CU_ASSERT_PTR_NULL(tool->arguments[2]);
    TEST_TEXT(tool->directory, "/srv");
    CU_ASSERT_TRUE(tool->returns_text);
    CU_ASSERT_TRUE(tool->concurrent);
    CU_ASSERT_EQUAL(tool->timeout, 10000);
    tool = &file.tools[1];
    TEST_TEXT(tool->name, "version");
    CU_ASSERT_FALSE(tool->is_command);
    CU_ASSERT_FALSE(tool->concurrent);
    CU_ASSERT(strncmp(tool->value->text, "{\"major\": 1}", tool->value->text_size) == 0);
    toolsfile_clear(&file);
}

static void refuses_malformed_files(void)
{
    refuse("[]", "1:1: expected an object, found an array");
    refuse("{}", "1:1: \"namespaces\" is missing");
    refuse("{\"tools\": {}}", "1:2: unknown key \"tools\"; known here: \"namespaces\"");
    refuse("{\"namespaces\": []}", "1:16: \"namespaces\" must be an object, not an array");
    refuse("{\"namespaces\": {\"tools\": 1}}", "1:26: \"tools\" must be an object, not a number");
    refuse("{\"namespaces\": {\"tools\": {}}}", "1:26: \"functions\" is missing");
    refuse("{\"namespaces\": {\"tools\": {\"function\": {}}}}",
           "1:27: unknown key \"function\"; known here: \"error_class\", \"functions\"");
    refuse("{\"namespaces\": {\"tools\": {\"functions\": []}}}",
           "1:40: \"functions\" must be an object, not an array");
    refuse("{\"namespaces\": {\"tools\": {\"functions\": {}, \"error_class\": \"E\"}}}",
           "1:59: \"error_class\" must be an object, not a string");
    refuse("{\"namespaces\": {\"tools\": {\"functions\": {}, \"error_class\": {}}}}",
           "1:59: an \"error_class\" needs a \"name\"");
    refuse(
        "{\"namespaces\": {\"tools\": {\"functions\": {}, \"error_class\": {\"class\": \"E\"}}}}",
        "1:60: unknown key \"class\"; known here: \"name\", \"member_property\"");
    refuse("{\"namespaces\": {\"tools\": {\"functions\": {\"f\": {\"value\": 1},\n"
           "\"f\": {\"value\": 2}}}}}",
           "2:1: the key \"f\" was given before, on line 1");
    refuse("{\"namespaces\": {\"t\": {\"functions\": {\"f\": {\"value\": [1,]}}}}}",
           "1:55: a comma must not stand before ']'");
}

static void refuses_malformed_functions(void)
{
    refuse_function("1", "2:1: \"f\" must be an object, not a number");
    refuse_function("{}", "2:1: a function needs a \"command\" or a \"value\" to return");
    refuse_function("{\"command\": \"ls\"}", "2:13: \"command\" must be an array, not a string");
    refuse_function("{\"command\": []}", "2:13: \"command\" must name a program: [\"./get_logs\"]");
    refuse_function("{\"command\": [\"\"]}", "2:14: the name of a program must not be empty");
    refuse_function("{\"command\": [\"ls\", 1]}", "2:20: expected a string, found a number");
    refuse_function("{\"command\": [\"ls\", \"\\u0000\"]}", "2:20: this string cannot hold U+0000");
    refuse_function("{\"command\": [\"ls\"], \"returns\": \"xml\"}",
                    "2:32: \"returns\" is \"json\" or \"text\", not \"xml\"");
    refuse_function("{\"command\": [\"ls\"], \"returns\": null}",
                    "2:32: \"returns\" must be a string, not null");
    refuse_function("{\"command\": [\"ls\"], \"concurrent\": 1}",
                    "2:35: \"concurrent\" must be true or false, not a number");
    refuse_function("{\"command\": [\"ls\"], \"timeout\": 10}",
                    "2:32: a time needs a unit: write \"30s\" or \"1500ms\"");
    refuse_function("{\"command\": [\"ls\"], \"timeout\": \"soon\"}",
                    "2:32: 'soon' is not a time: write 1500ms, 30s, 10m or 1h");
    refuse_function("{\"command\": [\"ls\"], \"shell\": true}",
                    "2:21: unknown key \"shell\"; known here: \"signature\", \"description\", "
                    "\"command\", \"returns\", \"concurrent\", \"timeout\", \"value\"");
    refuse_function("{\"command\": [\"ls\"], \"value\": 1}",
                    "2:21: a function has a \"command\" or a \"value\", not both");
    refuse_function("{\"value\": 1, \"returns\": \"json\"}",
                    "2:14: \"returns\" is for a \"command\" only");
    refuse_function("{\"value\": 1, \"concurrent\": true}",
                    "2:14: \"concurrent\" is for a \"command\" only");
    refuse_function("{\"value\": 1, \"timeout\": \"1s\"}",
                    "2:14: \"timeout\" is for a \"command\" only");
    refuse_function("{\"value\": 1, \"signature\": 1}",
                    "2:27: \"signature\" must be a string, not a number");
    refuse_function("{\"value\": 1, \"description\": []}",
                    "2:29: \"description\" must be a string, not an array");
}

/* What the library refuses has its place in the file, too. */
static void refuse_binding(const char *text, int code, const char *place)
{
    pawl_request *request = NULL;
    CU_ASSERT_FATAL(pawl_request_new(&request, NULL) == PAWL_OK);
    CU_ASSERT_FATAL(toolsfile_parse(&file, "tools.json", "/", text, strlen(text)));
    CU_ASSERT_EQUAL(toolsfile_bind(&file, request), code);
    if (strncmp(file.document.error, place, strlen(place)) != 0)
        TEST_TEXT(file.document.error, place);
    toolsfile_clear(&file);
    pawl_request_free(request);
}

static void places_what_the_library_refuses(void)
{
    refuse_binding("{\"namespaces\": {\n \"class\": {\"functions\": {}}}}", PAWL_E_NAME,
                   "tools.json:2:2: ");
    refuse_binding("{\"namespaces\": {\"t\": {\"functions\": {\n"
                   " \"f\": {\"value\": 1, \"signature\": \"f(\"}}}}}",
                   PAWL_E_SIGNATURE, "tools.json:2:2: ");
    refuse_binding("{\"namespaces\": {\"t\": {\"functions\": {\n"
                   " \"\": {\"value\": 1}}}}}",
                   PAWL_E_NAME, "tools.json:2:2: ");
    refuse_binding(
        "{\"namespaces\": {\"t\": {\"functions\": {}, \"error_class\": {\"name\": \"if\"}}}}",
        PAWL_E_NAME, "tools.json:1:17: ");
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"reads every field", reads_everything},
        {"names the place of everything malformed", refuses_malformed_files},
        {"names the place of every malformed field of a function", refuses_malformed_functions},
        {"names the place of what the library refuses", places_what_the_library_refuses},
        CU_TEST_INFO_NULL,
    };
    return test_suite("toolsfile", tests);
}
