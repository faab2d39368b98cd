/* The ring: what it accepts as a stage, how it keeps a stage's thread model, and whom it tells. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <pawl/pawl.h>

#include "tests/unit/test.h"

/* --- A stage that watches itself ------------------------------------------------------------- */

static atomic_int inside, most_inside;
static atomic_int told[4];

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)why;
    *instance = (void *)config; /* a constant of the test's */
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

/* Says what its configuration says. */
static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    (void)call, (void)why;
    int now = atomic_fetch_add(&inside, 1) + 1;
    int most = atomic_load(&most_inside);
    while (now > most && !atomic_compare_exchange_weak(&most_inside, &most, now))
        ;
    sched_yield();
    atomic_fetch_sub(&inside, 1);
    *verdict = strcmp(instance, "deny") == 0 ? PAWL_VERDICT_DENY : PAWL_VERDICT_ALLOW;
    return strcmp(instance, "break") == 0 ? PAWL_E_SYSTEM : PAWL_OK;
}

static void settled(void *instance, const struct pawl_stage_call *call, uint32_t outcome,
                    uint64_t bytes, uint64_t microseconds)
{
    (void)instance, (void)call, (void)bytes, (void)microseconds;
    atomic_fetch_add(&told[outcome], 1);
}

static const struct pawl_stage watching = {
    .header = PAWL_HEADER(STAGE, watching),
    .name = "watching",
    .version = "1",
    .threads = PAWL_THREADS_SERIAL,
    .create = create,
    .destroy = destroy,
    .judge = judge,
    .settled = settled,
};

/* --- Tests ----------------------------------------------------------------------------------- */

static void refuse(const struct pawl_stage *stage, const char *says)
{
    pawl_ring *ring = NULL;
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_NOT_EQUAL(pawl_ring_add(ring, stage, "", &error), PAWL_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    if (strstr(pawl_error_message(error), says) == NULL)
        TEST_TEXT(pawl_error_message(error), says);
    CU_ASSERT_EQUAL(pawl_ring_size(ring), 0);
    pawl_error_free(error);
    pawl_ring_free(ring);
}

static void malformed_stages_are_refused(void)
{
    struct pawl_stage stage = watching;
    stage.threads = 7;
    refuse(&stage, "thread model");
    stage = watching;
    stage.judge = NULL;
    refuse(&stage, "judge");
    stage = watching;
    stage.header.magic = 0;
    refuse(&stage, "stage");
    stage = watching;
    stage.requires_bits = 1;
    refuse(&stage, "requires");
}

static void *judge_often(void *ring)
{
    for (int i = 0; i < 500; i++) {
        uint32_t verdict;
        if (pawl_ring_judge(ring, "tools", "f", "{}", &verdict, NULL) != PAWL_OK ||
            verdict != PAWL_VERDICT_ALLOW)
            return ring;
    }
    return NULL;
}

/* One call into the stage at a time, however many instances of it there are. */
static void a_serial_stage_is_called_by_one(void)
{
    pawl_ring *rings[2];
    pthread_t threads[4];
    atomic_store(&most_inside, 0);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&rings[i], NULL), PAWL_OK);
        CU_ASSERT_EQUAL(pawl_ring_add(rings[i], &watching, "", NULL), PAWL_OK);
        CU_ASSERT_EQUAL(pawl_ring_add(rings[i], &watching, "", NULL), PAWL_OK);
    }
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, judge_often, rings[i % 2]);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    CU_ASSERT_EQUAL(atomic_load(&most_inside), 1);
    pawl_ring_free(rings[0]);
    pawl_ring_free(rings[1]);
}

/* Whoever allowed a call that the host judged hears when it was stopped. */
static void a_stopped_call_is_told(void)
{
    static const char *const last[] = {"deny", "break"};
    for (int i = 0; i < 2; i++) {
        pawl_ring *ring;
        uint32_t verdict;
        memset(told, 0, sizeof(told));
        CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
        CU_ASSERT_EQUAL(pawl_ring_add(ring, &watching, "", NULL), PAWL_OK);
        CU_ASSERT_EQUAL(pawl_ring_add(ring, &watching, last[i], NULL), PAWL_OK);
        pawl_ring_judge(ring, "tools", "f", "{}", &verdict, NULL);
        CU_ASSERT_EQUAL(verdict, PAWL_VERDICT_DENY);
        CU_ASSERT_EQUAL(atomic_load(&told[PAWL_OUTCOME_STOPPED]), 1);
        pawl_ring_free(ring);
    }
}

/* Stages may rely on that a call's arguments are JSON. */
static void arguments_that_are_no_json_are_not_judged(void)
{
    pawl_ring *ring;
    pawl_error *error = NULL;
    uint32_t verdict = PAWL_VERDICT_ALLOW;
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(
        pawl_ring_judge(ring, "tools", "f", "{}, \"name\": \"other\"", &verdict, &error),
        PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(verdict, PAWL_VERDICT_DENY);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(pawl_error_message(error), "the arguments of tools.f are not JSON"));
    pawl_error_free(error);
    CU_ASSERT_EQUAL(pawl_ring_judge(ring, "tools", "f", "{}", &verdict, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(verdict, PAWL_VERDICT_ALLOW);
    pawl_ring_free(ring);
}

/* The order in which a host frees a registry and a ring with stages from it does not matter. */
static void a_ring_may_outlive_its_registry(void)
{
    pawl_registry *registry;
    pawl_ring *ring;
    pawl_error *error = NULL;
    char command[1024];
    char *directory = test_make_directory();
    snprintf(command, sizeof(command),
             "cp '%s/tests/plugins/bad/stage-good.so' '%s/pawl-good-stage.so' && "
             "chmod 755 '%s/pawl-good-stage.so'",
             test_build_directory(), directory, directory);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_scan(registry, directory, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_ring_open(ring, registry, "good", NULL, &error), PAWL_OK);
    if (error != NULL)
        TEST_TEXT(pawl_error_message(error), "");
    pawl_error_free(error);
    pawl_registry_free(registry);
    uint32_t verdict;
    pawl_ring_judge(ring, "tools", "f", "{}", &verdict, NULL);
    pawl_ring_free(ring);
    test_remove_directory(directory);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"malformed stages are refused", malformed_stages_are_refused},
        {"a serial stage is called by one", a_serial_stage_is_called_by_one},
        {"a stopped call is told", a_stopped_call_is_told},
        {"arguments that are no JSON are not judged", arguments_that_are_no_json_are_not_judged},
        {"a ring may outlive its registry", a_ring_may_outlive_its_registry},
        CU_TEST_INFO_NULL,
    };
    return test_suite("ring", tests);
}
