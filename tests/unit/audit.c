/* The stage `audit`: its file, its lines, and what becomes of a call that cannot be written down.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stages/common/sha256.h"
#include "stages/common/text.h"
#include "tests/unit/stage.h"

static char *directory;
static char path[512];

static void begin(void)
{
    directory = test_make_directory();
    snprintf(path, sizeof(path), "%s/audit.jsonl", directory);
}

static void end(void)
{
    test_remove_directory(directory);
}

/* The configuration for `path`, with more members. */
static const char *config(const char *members)
{
    static char text[1024];
    snprintf(text, sizeof(text), "{\"file\": \"%s\"%s}", path, members);
    return text;
}

/* What is in the file, to be freed. */
static char *contents(void)
{
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    char *text = calloc(1, 8 << 20);
    size_t size = fread(text, 1, (8 << 20) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* The line with that index, from its event on: the time before it is checked for its form. */
static const char *line(const char *text, int index)
{
    static char copy[70000];
    for (; index > 0; index--) {
        text = strchr(text, '\n');
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        text++;
    }
    size_t size = strcspn(text, "\n");
    CU_ASSERT_FATAL(text[size] == '\n' && size < sizeof(copy));
    snprintf(copy, sizeof(copy), "%.*s", (int)size, text);
    const char *form = "{\"time\":\"0000-00-00T00:00:00.000000Z\",";
    for (size_t i = 0; form[i] != '\0'; i++)
        if (form[i] == '0' ? copy[i] < '0' || copy[i] > '9' : copy[i] != form[i])
            CU_FAIL("the time does not have its form");
    return copy + strlen(form);
}

static int judge(void *instance, uint64_t number, const char *name, const char *arguments)
{
    struct pawl_stage_call call = stage_call("run-1", number, name, arguments);
    return stage_judge(instance, &call);
}

static void settle(void *instance, uint64_t number, uint32_t outcome)
{
    struct pawl_stage_call call = stage_call("run-1", number, "tools.a", "{}");
    pawl_stage_entry_v1()->settled(instance, &call, outcome, 12, 3456);
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void configuration(void)
{
    begin();
    stage_create("{}", "\"file\" is missing; it says where to write");
    stage_create("{\"file\": 1}", "\"file\" must be a string without U+0000");
    stage_create("{\"file\": \"audit.jsonl\"}", "\"file\" must be an absolute path");
    stage_create("{\"file\": \"\"}", "\"file\" must be an absolute path");
    stage_create("{\"file\": \"/no/such/directory/a\"}",
                 "cannot open /no/such/directory/a: No such file or directory");
    stage_create(config(", \"arguments\": \"some\""),
                 "\"arguments\" must be \"full\", \"hashed\" or \"none\"");
    stage_create(config(", \"arguments\": null"),
                 "\"arguments\" must be \"full\", \"hashed\" or \"none\"");
    stage_create(config(", \"fsync\": 1"), "\"fsync\" must be true or false");
    stage_create(config(", \"sync\": true"),
                 "unknown key \"sync\"; known here: \"file\", \"arguments\", \"fsync\"");
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0); /* nothing is made before all is read */
    end();
}

static void the_file_is_private(void)
{
    struct stat status;
    begin();
    mode_t before = umask(0);
    stage_destroy(stage_create(config(""), ""));
    umask(before);
    CU_ASSERT_EQUAL_FATAL(stat(path, &status), 0);
    CU_ASSERT_EQUAL(status.st_mode & 07777, 0600);
    end();
}

static void refuse(const char *why)
{
    char complaint[1024];
    snprintf(complaint, sizeof(complaint), "%s is refused: %s", path, why);
    stage_create(config(""), complaint);
}

static void other_files_are_refused(void)
{
    char other[600], complaint[1024];
    begin();
    snprintf(other, sizeof(other), "%s/other", directory);
    stage_destroy(stage_create(config(""), ""));
    chmod(path, 0620);
    refuse("others may write it: chmod go-w");
    chmod(path, 0602);
    refuse("others may write it: chmod go-w");
    chmod(path, 0644);
    stage_destroy(stage_create(config(""), ""));
    CU_ASSERT_EQUAL(link(path, other), 0);
    refuse("it has another name beside this one, or none (hard links)");
    unlink(path);
    CU_ASSERT_EQUAL(symlink(other, path), 0);
    snprintf(complaint, sizeof(complaint),
             "cannot open %s: it is a symbolic link, which is not followed", path);
    stage_create(config(""), complaint);
    unlink(path);
    CU_ASSERT_EQUAL(symlink("/nowhere/at/all", path), 0);
    stage_create(config(""), complaint);
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    snprintf(complaint, sizeof(complaint), "cannot open %s: No such device or address", path);
    stage_create(config(""), complaint);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    refuse("it is no regular file");
    close(reader);
    end();
}

static void lines(void)
{
    begin();
    void *instance = stage_create(config(""), "");
    CU_ASSERT_EQUAL(judge(instance, 1, "tools.a", "{\"x\": 1}"), PAWL_VERDICT_ALLOW);
    settle(instance, 1, PAWL_OUTCOME_OK);
    stage_destroy(instance);
    instance = stage_create(config(", \"arguments\": \"hashed\", \"fsync\": true"), "");
    CU_ASSERT_EQUAL(judge(instance, 2, "tools.a", "abc"), PAWL_VERDICT_ALLOW);
    settle(instance, 2, PAWL_OUTCOME_ERROR);
    stage_destroy(instance);
    instance = stage_create(config(", \"arguments\": \"none\", \"fsync\": false"), "");
    CU_ASSERT_EQUAL(judge(instance, 3, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    settle(instance, 3, PAWL_OUTCOME_STOPPED);
    settle(instance, 3, PAWL_OUTCOME_ABANDONED);
    settle(instance, 3, 99);
    stage_destroy(instance);

    static const char *const expected[] = {
        "\"event\":\"call\",\"run\":\"run-1\",\"number\":1,\"name\":\"tools.a\","
        "\"argument_bytes\":8,\"arguments\":\"{\\\"x\\\": 1}\"}",
        "\"event\":\"settled\",\"run\":\"run-1\",\"number\":1,\"name\":\"tools.a\","
        "\"outcome\":\"ok\",\"bytes\":12,\"ms\":3.456}",
        "\"event\":\"call\",\"run\":\"run-1\",\"number\":2,\"name\":\"tools.a\","
        "\"argument_bytes\":3,\"argument_sha256\":"
        "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}",
        "\"event\":\"settled\",\"run\":\"run-1\",\"number\":2,\"name\":\"tools.a\","
        "\"outcome\":\"error\",\"bytes\":12,\"ms\":3.456}",
        "\"event\":\"call\",\"run\":\"run-1\",\"number\":3,\"name\":\"tools.a\","
        "\"argument_bytes\":2}",
        "\"event\":\"settled\",\"run\":\"run-1\",\"number\":3,\"name\":\"tools.a\","
        "\"outcome\":\"stopped\",\"bytes\":12,\"ms\":3.456}",
        "\"event\":\"settled\",\"run\":\"run-1\",\"number\":3,\"name\":\"tools.a\","
        "\"outcome\":\"abandoned\",\"bytes\":12,\"ms\":3.456}",
        "\"event\":\"settled\",\"run\":\"run-1\",\"number\":3,\"name\":\"tools.a\","
        "\"outcome\":\"unknown\",\"bytes\":12,\"ms\":3.456}",
    };
    char *text = contents();
    for (int i = 0; i < 8; i++)
        TEST_TEXT(line(text, i), expected[i]);
    free(text);
    end();
}

static void hostile_text_stays_in_its_line(void)
{
    begin();
    void *instance = stage_create(config(""), "");
    CU_ASSERT_EQUAL(judge(instance, 1, "tools.\n\x1b[2J\"\\\u202e\xc2\x9b\xff",
                          "[\n1,\"\u2028\U000e0041\u00e9\"]"),
                    PAWL_VERDICT_ALLOW);
    char *text = contents();
    TEST_TEXT(line(text, 0), "\"event\":\"call\",\"run\":\"run-1\",\"number\":1,"
                             "\"name\":\"tools.\\n\\u001b[2J\\\"\\\\\\u202e\\u009b\\ufffd\","
                             "\"argument_bytes\":16,"
                             "\"arguments\":\"[\\n1,\\\"\\u2028\\udb40\\udc41\u00e9\\\"]\"}");
    free(text);
    stage_destroy(instance);
    end();
}

static void long_arguments_are_cut(void)
{
    begin();
    void *instance = stage_create(config(""), "");
    char *arguments = malloc(100001);
    static const char *const fillings[] = {"x", "\u00e9", "\x01"};
    for (int i = 0; i < 3; i++) {
        size_t unit = strlen(fillings[i]);
        for (size_t at = 0; at < 100000; at += unit)
            memcpy(arguments + at, fillings[i], unit);
        arguments[100000] = '\0';
        CU_ASSERT_EQUAL(judge(instance, 1, "tools.a", arguments), PAWL_VERDICT_ALLOW);
    }
    free(arguments);
    char *text = contents();
    for (int i = 0; i < 3; i++) {
        const char *written = line(text, i);
        CU_ASSERT(strlen(written) > 49000 && strlen(written) < 50000);
        CU_ASSERT_PTR_NOT_NULL(strstr(written, "\"argument_bytes\":100000,"));
        TEST_TEXT(written + strlen(written) - 23, "\",\"arguments_cut\":true}");
    }
    free(text);
    stage_destroy(instance);
    end();
}

static void a_long_name_is_not_cut(void)
{
    char name[5000];
    begin();
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    void *instance = stage_create(config(""), "");
    CU_ASSERT_EQUAL(judge(instance, 1, name, "{}"), PAWL_E_SYSTEM);
    TEST_TEXT(stage_words, "the line for the call cannot be written: its name is too long");
    char *text = contents();
    TEST_TEXT(text, "");
    free(text);
    stage_destroy(instance);
    end();
}

/* How large files may become from now on. */
static void set_room(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_call_that_is_not_written_does_not_happen(void)
{
    struct rlimit before;
    struct stat status;
    begin();
    void *instance = stage_create(config(", \"arguments\": \"none\""), "");
    CU_ASSERT_EQUAL(judge(instance, 1, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    stat(path, &status);
    getrlimit(RLIMIT_FSIZE, &before);

    set_room((rlim_t)status.st_size + 10); /* for a part of a line */
    CU_ASSERT_EQUAL(judge(instance, 2, "tools.a", "{}"), PAWL_E_SYSTEM);
    TEST_TEXT(stage_words, "the line for the call cannot be written: No space left on device");
    CU_ASSERT_EQUAL(judge(instance, 3, "tools.a", "{}"), PAWL_E_SYSTEM);
    TEST_TEXT(stage_words, "the line for the call cannot be written: File too large");
    settle(instance, 1, PAWL_OUTCOME_OK);
    settle(instance, 1, PAWL_OUTCOME_OK);
    set_room(before.rlim_cur);

    CU_ASSERT_EQUAL(judge(instance, 4, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, 5, "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    char *text = contents();
    CU_ASSERT_EQUAL(strncmp(strchr(text, '\n'), "\n{\"time\":\"2\n", 12), 0); /* the torn line */
    TEST_TEXT(line(text, 2), "\"event\":\"call\",\"run\":\"run-1\",\"number\":4,"
                             "\"name\":\"tools.a\",\"argument_bytes\":2,\"lost\":2}");
    TEST_TEXT(line(text, 3), "\"event\":\"call\",\"run\":\"run-1\",\"number\":5,"
                             "\"name\":\"tools.a\",\"argument_bytes\":2}");
    free(text);
    stage_destroy(instance);
    end();
}

static void *write_many(void *instance)
{
    for (int i = 0; i < 200; i++) {
        uint32_t verdict;
        struct pawl_stage_call call = stage_call("run-1", 1, "tools.a", "{}");
        pawl_stage_entry_v1()->judge(instance, &call, &stage_why, &verdict);
        pawl_stage_entry_v1()->settled(instance, &call, PAWL_OUTCOME_OK, 1, 1);
    }
    return NULL;
}

/* Two instances with one file, as two processes would have. */
static void lines_do_not_mix(void)
{
    begin();
    void *instances[] = {stage_create(config(""), ""), stage_create(config(""), "")};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, write_many, instances[i % 2]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    char *text = contents();
    int count = 0;
    for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1, count++) {
        const char *written = line(at, 0);
        CU_ASSERT_EQUAL(written[strlen(written) - 1], '}');
        CU_ASSERT(strncmp(written, "\"event\":\"", 9) == 0 && strchr(written, '\n') == NULL);
    }
    CU_ASSERT_EQUAL(count, 1600);
    free(text);
    stage_destroy(instances[0]);
    stage_destroy(instances[1]);
    end();
}

/* --- The parts ------------------------------------------------------------------------------- */

static void hash(const char *unit, int times, const char *expected)
{
    struct sha256 state;
    char text[SHA256_TEXT];
    sha256_init(&state);
    for (int i = 0; i < times; i++)
        sha256_add(&state, unit, strlen(unit));
    sha256_end(&state, text);
    TEST_TEXT(text, expected);
}

/* The examples of FIPS 180-4 and of NIST's Secure Hash Standard Validation System. */
static void sha256(void)
{
    hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    hash("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    hash("\xd3", 1, "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
    hash("\x11\xaf", 1, "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98");
}

static void plain_text(void)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"a\"\\b", "a\"\\b"},
        {"\t\r\n\b\f\x7f", "\\t\\r\\n\\b\\f\\u007f"},
        {"\u200b\u00ad\ufeff\u2066", "\\u200b\\u00ad\\ufeff\\u2066"},
        {"\xc0\x80", "\\ufffd\\ufffd"},            /* overlong */
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
        {"\xe2\x82", "\\ufffd\\ufffd"}, /* cut off */
        {"\u20ac\U0001f600", "\u20ac\U0001f600"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char memory[128];
        struct text text = {.data = memory, .capacity = sizeof(memory) - 1};
        size_t size = strlen(cases[i].text);
        CU_ASSERT_EQUAL(text_plain(&text, cases[i].text, size, 100), size);
        memory[text.size] = '\0';
        TEST_TEXT(memory, cases[i].shown);
    }
    char memory[8];
    struct text text = {.data = memory, .capacity = 7};
    CU_ASSERT_EQUAL(text_plain(&text, "ab\u20ac\u20ac", 8, 6), 5);
    CU_ASSERT_EQUAL(text.size, 5);
    CU_ASSERT_FALSE(text.full);
    CU_ASSERT_EQUAL(text_json(&text, "abc", 3, 100), 1);
    CU_ASSERT_TRUE(text.full);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"its configuration", configuration},
        {"the file is private", the_file_is_private},
        {"other files are refused", other_files_are_refused},
        {"lines", lines},
        {"hostile text stays in its line", hostile_text_stays_in_its_line},
        {"long arguments are cut", long_arguments_are_cut},
        {"a long name is not cut", a_long_name_is_not_cut},
        {"a call that is not written does not happen", a_call_that_is_not_written_does_not_happen},
        {"lines do not mix", lines_do_not_mix},
        {"SHA-256", sha256},
        {"plain text", plain_text},
        CU_TEST_INFO_NULL,
    };
    return test_suite("audit", tests);
}
