/* The stage `quota`: its configuration, what it counts, and what becomes of it with many runs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "stages/quota/table.h"
#include "stages/quota/window.h"
#include "tests/unit/stage.h"

static void configuration(void)
{
    stage_create("{}", "\"limits\" is missing; without it nothing is limited");
    stage_create("[", "the configuration is not a JSON object: unexpected end of data");
    stage_create("null", "the configuration must be a JSON object: "
                         "{\"limits\": [{\"match\": \"tools.*\", \"calls\": 10}]}");
    stage_create("{\"limits\": []}", "\"limits\" must be an array of 1 to 1024 limits");
    stage_create("{\"limits\": {}}", "\"limits\" must be an array of 1 to 1024 limits");
    stage_create("{\"limits\": [1]}", "\"limits\"[0] must be an object such as "
                                      "{\"match\": \"tools.*\", \"calls\": 10}");
    stage_create("{\"limits\": [{\"calls\": 1}]}",
                 "\"limits\"[0]: \"match\" is missing; it says which functions: \"tools.*\"");
    stage_create("{\"limits\": [{\"match\": \"*\"}]}",
                 "\"limits\"[0]: it limits nothing; say \"calls\", \"bytes\", \"per_minute\" or "
                 "\"argument_bytes\"");
    stage_create(
        "{\"limits\": [{\"match\": \"*\", \"calls\": 1}, {\"match\": \"\", \"calls\": 1}]}",
        "\"limits\"[1]: \"match\": an empty pattern matches nothing");
    static const char *const counts[] = {"0", "-1", "1.5", "\"1\"", "null", "true"};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        char config[128];
        snprintf(config, sizeof(config), "{\"limits\": [{\"match\": \"*\", \"calls\": %s}]}",
                 counts[i]);
        stage_create(config, "\"limits\"[0]: \"calls\" must be a whole number of at least 1");
    }
    static const char *const sizes[] = {"0",
                                        "\"0\"",
                                        "\"1T\"",
                                        "\"K\"",
                                        "\"-1\"",
                                        "\"1 K\"",
                                        "\"99999999999999999999\"",
                                        "\"18446744073709551615K\""};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char config[128];
        snprintf(config, sizeof(config), "{\"limits\": [{\"match\": \"*\", \"bytes\": %s}]}",
                 sizes[i]);
        stage_create(config, "\"limits\"[0]: \"bytes\" must be a size of at least 1 byte: write "
                             "1048576, \"1024K\" or \"1MiB\"");
    }
    stage_create(
        "{\"limits\": [{\"match\": \"*\", \"call\": 1}]}",
        "\"limits\"[0]: unknown key \"call\"; known here: \"match\", \"calls\", \"bytes\", "
        "\"per_minute\", \"argument_bytes\"");
}

static int judge(void *instance, const char *run, const char *name, const char *arguments)
{
    struct pawl_stage_call call = stage_call(run, 1, name, arguments);
    return stage_judge(instance, &call);
}

static void settle(void *instance, const char *run, const char *name, uint64_t bytes)
{
    struct pawl_stage_call call = stage_call(run, 1, name, "{}");
    pawl_stage_entry_v1()->settled(instance, &call, PAWL_OUTCOME_OK, bytes, 1);
}

static void calls_count_for_each_run_and_function(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"tools.*\", \"calls\": 2}]}", "");
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
        CU_ASSERT_EQUAL(judge(instance, "1", "tools.b", "{}"), PAWL_VERDICT_ALLOW);
        CU_ASSERT_EQUAL(judge(instance, "2", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    }
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "it may be called 2 times in a run, and was");
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.b", "{}"), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(judge(instance, "2", "tools.a", "{}"), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(judge(instance, "3", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(judge(instance, "1", "other.a", "{}"), PAWL_VERDICT_ALLOW);
    /* The run and the function are two things. */
    CU_ASSERT_EQUAL(judge(instance, "", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    stage_destroy(instance);
}

static void bytes_are_known_when_it_has_settled(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"bytes\": \"1K\"}]}", "");
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    settle(instance, "1", "tools.a", 1023);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    settle(instance, "1", "tools.a", 1);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words,
              "it has returned 1024 bytes in this run; after 1024 it may not be called any more");
    CU_ASSERT_EQUAL(judge(instance, "2", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    settle(instance, "2", "tools.a", UINT64_MAX);
    settle(instance, "2", "tools.a", UINT64_MAX); /* does not begin anew at 0 */
    CU_ASSERT_EQUAL(judge(instance, "2", "tools.a", "{}"), PAWL_VERDICT_DENY);
    settle(instance, "unknown", "tools.a", 1);
    stage_destroy(instance);
}

static void arguments_have_a_size(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"argument_bytes\": 4}]}", "");
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[12]"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[123]"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "its arguments have 5 bytes; at most 4 are allowed");
    stage_destroy(instance);
}

static void a_rate_holds_for_all_runs(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"per_minute\": 3}]}", "");
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "2", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "3", "tools.a", "{}"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "4", "tools.a", "{}"), PAWL_VERDICT_DENY);
    TEST_TEXT(stage_words, "it may be called 3 times in a minute, and was");
    CU_ASSERT_EQUAL(judge(instance, "4", "tools.b", "{}"), PAWL_VERDICT_ALLOW);
    stage_destroy(instance);
}

static void all_limits_that_match_hold(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"calls\": 2},"
                                  "{\"match\": \"tools.a\", \"calls\": 5, \"argument_bytes\": 2},"
                                  "{\"match\": \"tools.*\", \"argument_bytes\": 9}]}",
                                  "");
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[1]"), PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.b", "[1]"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[]"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[]"), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "1", "tools.a", "[]"), PAWL_VERDICT_DENY);
    stage_destroy(instance);
}

static void a_name_that_is_too_long_fails(void)
{
    char name[2048];
    memset(name, 'x', sizeof(name));
    memcpy(name, "tools.", 6);
    name[sizeof(name) - 1] = '\0';
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"calls\": 1}]}", "");
    CU_ASSERT_EQUAL(judge(instance, "1", name, "[]"), PAWL_E_LIMIT);
    CU_ASSERT_EQUAL(judge(instance, name, "tools.a", "[]"), PAWL_E_LIMIT);
    stage_destroy(instance);
}

/* All of these runs are under way, for all it knows: it must fail rather than forget one. */
static void with_too_many_runs_it_fails(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"calls\": 1}]}", "");
    char run[32];
    int allowed = 0;
    for (int i = 0; i < 16384; i++) {
        snprintf(run, sizeof(run), "%d", i);
        allowed += judge(instance, run, "tools.a", "{}") == PAWL_VERDICT_ALLOW;
        settle(instance, run, "tools.a", 1);
    }
    CU_ASSERT_EQUAL(allowed, 16384);
    CU_ASSERT_EQUAL(judge(instance, "one more", "tools.a", "{}"), PAWL_E_LIMIT);
    TEST_TEXT(stage_words, "too many runs are counted at once; none of 16384 was idle for long");
    CU_ASSERT_EQUAL(judge(instance, "0", "tools.a", "{}"), PAWL_VERDICT_DENY);
    stage_destroy(instance);
}

static atomic_int passed;

static void say_nothing(void *context, const char *piece, size_t size)
{
    (void)context, (void)piece, (void)size;
}

static void *judge_silently(void *instance)
{
    const struct pawl_sink silent = {.header = PAWL_HEADER(SINK, silent), .write = say_nothing};
    const struct pawl_stage_call call = stage_call("1", 1, "tools.a", "{}");
    for (int i = 0; i < 500; i++) {
        uint32_t verdict = PAWL_VERDICT_DENY;
        pawl_stage_entry_v1()->judge(instance, &call, &silent, &verdict);
        pawl_stage_entry_v1()->settled(instance, &call, PAWL_OUTCOME_OK, 2, 1);
        if (verdict == PAWL_VERDICT_ALLOW)
            atomic_fetch_add(&passed, 1);
    }
    return NULL;
}

static void several_threads_are_counted_exactly(void)
{
    void *instance = stage_create("{\"limits\": [{\"match\": \"*\", \"calls\": 1500}]}", "");
    pthread_t threads[4];
    atomic_store(&passed, 0);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, judge_silently, instance), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CU_ASSERT_EQUAL(atomic_load(&passed), 1500);
    stage_destroy(instance);
}

/* --- The parts ------------------------------------------------------------------------------- */

static void a_window_of_a_minute(void)
{
    struct window window = {0};
    CU_ASSERT_EQUAL(window_total(&window, 1000), 0);
    window_count(&window, 1000);
    window_count(&window, 1000);
    window_count(&window, 1030);
    CU_ASSERT_EQUAL(window_total(&window, 1030), 3);
    CU_ASSERT_EQUAL(window_total(&window, 1060), 3); /* the end of second 1000 was 59 s ago */
    CU_ASSERT_EQUAL(window_total(&window, 1061), 1);
    CU_ASSERT_EQUAL(window_total(&window, 1090), 1);
    CU_ASSERT_EQUAL(window_total(&window, 1091), 0);
    window_count(&window, 1091);
    CU_ASSERT_EQUAL(window_total(&window, 1000), 1); /* a clock that goes back frees nothing */
    CU_ASSERT_EQUAL(window_total(&window, UINT64_MAX), 0);
}

static int32_t use(struct table *table, const char *run, const char *name, uint64_t second,
                   int **payload)
{
    void *found = NULL;
    int32_t status = table_use(table, run, name, second, &found);
    *payload = found;
    return status;
}

static void a_table_forgets_what_was_idle(void)
{
    struct table table = {.payload = sizeof(int), .most = 3, .idle = 100};
    int *payload, *held;
    CU_ASSERT_EQUAL(use(&table, "1", "a", 0, &held), PAWL_OK);
    table_hold(held);
    CU_ASSERT_EQUAL(use(&table, "2", "a", 10, &payload), PAWL_OK);
    *payload = 2;
    CU_ASSERT_EQUAL(use(&table, "3", "a", 20, &payload), PAWL_OK);
    CU_ASSERT_EQUAL(*payload, 0);
    CU_ASSERT_EQUAL(use(&table, "4", "a", 109, &payload), PAWL_E_LIMIT);
    CU_ASSERT_EQUAL(*(int *)table_find(&table, "2", "a"), 2);
    CU_ASSERT_EQUAL(use(&table, "4", "a", 110, &payload), PAWL_OK);
    CU_ASSERT_EQUAL(*payload, 0);
    CU_ASSERT_PTR_NULL(table_find(&table, "2", "a"));
    CU_ASSERT_PTR_EQUAL(table_find(&table, "1", "a"), held);        /* older, but held */
    CU_ASSERT_EQUAL(use(&table, "3", "a", 119, &payload), PAWL_OK); /* used again: not the oldest */
    CU_ASSERT_EQUAL(use(&table, "5", "a", 200, &payload), PAWL_E_LIMIT);
    table_release(held);
    table_release(held); /* once too often */
    CU_ASSERT_EQUAL(use(&table, "5", "a", 200, &payload), PAWL_OK);
    CU_ASSERT_PTR_NULL(table_find(&table, "1", "a"));
    CU_ASSERT_PTR_NULL(table_find(&table, "5a", ""));
    CU_ASSERT_PTR_NULL(table_find(&table, "", "5a"));
    CU_ASSERT_EQUAL(table.count, 3);
    table_clear(&table);
    CU_ASSERT_EQUAL(table.count, 0);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"its configuration", configuration},
        {"calls count for each run and function", calls_count_for_each_run_and_function},
        {"bytes are known when a call has settled", bytes_are_known_when_it_has_settled},
        {"arguments have a size", arguments_have_a_size},
        {"a rate holds for all runs", a_rate_holds_for_all_runs},
        {"all limits that match hold", all_limits_that_match_hold},
        {"a name that is too long fails", a_name_that_is_too_long_fails},
        {"with too many runs it fails", with_too_many_runs_it_fails},
        {"several threads are counted exactly", several_threads_are_counted_exactly},
        {"a window of a minute", a_window_of_a_minute},
        {"a table forgets what was idle", a_table_forgets_what_was_idle},
        CU_TEST_INFO_NULL,
    };
    return test_suite("quota", tests);
}
