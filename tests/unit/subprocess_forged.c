/* The subprocess provider and children that break the protocol, each in one way. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tests/wire/host.h"

static const struct pawl_provider *provider;

static int32_t create(const char *how, void **instance, struct text *why)
{
    char config[8192];
    snprintf(config, sizeof(config), "{\"command\":[\"%s/tests/wire/forge\",\"%s\"]}",
             test_build_directory(), how);
    struct pawl_host services = host_services("");
    struct pawl_sink sink = text_sink(why);
    return provider->create(&services, config, &sink, instance);
}

static int32_t run(struct host *host, const char *how)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance = NULL;
    host_begin(host, "it does not matter");
    int32_t status = create(how, &instance, &why);
    if (status != PAWL_OK) {
        TEST_TEXT(text_get(&why), how);
        return status;
    }
    status = host_run(host, provider, instance);
    provider->destroy(instance);
    return status;
}

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Kilobytes of resident memory, now. */
static long resident(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* How each of them must end, and what the message says of it. */
static const struct {
    const char *how;
    const char *kind;
    const char *message;
} offences[] = {
    {"unknown-type", "protocol", "type 0x7a"},
    {"wrong-channel", "protocol", "type 0x6c"},
    {"value-on-calls", "protocol", "type 0x76"},
    {"second-ready", "protocol", "type 0x72"},
    {"eager-value", "protocol", "before"},
    {"no-json", "protocol", "no JSON object"},
    {"no-object", "protocol", "no JSON object"},
    {"empty-frame", "protocol", "no JSON object"},
    {"two-values-in-one", "protocol", "\"value\" stands there twice"},
    {"injected", "protocol", "no JSON object"},
    {"not-utf8", "protocol", "no JSON object"},
    {"surrogate-utf8", "protocol", "no JSON object"},
    {"control-character", "protocol", "no JSON object"},
    {"nan", "protocol", "no JSON object"},
    {"leading-zero", "protocol", "no JSON object"},
    {"deep", "protocol", "no JSON object"},
    {"deep-call", "protocol", "no JSON object"},
    {"unknown-kind", "protocol", "unknown kind"},
    {"claimed-exit", "protocol", "unknown kind"},
    {"no-message", "protocol", "\"message\" is missing"},
    {"bad-line", "protocol", "\"line\" has the wrong type"},
    {"unknown-call", "protocol", "never made"},
    {"bad-suggestions", "protocol", "suggestions"},
    {"many-suggestions", "protocol", "suggestions"},
    {"stopped", "protocol", "not over"},
    {"call-zero", "protocol", "not greater"},
    {"call-twice", "protocol", "not greater"},
    {"call-backwards", "protocol", "not greater"},
    {"call-undeclared", "protocol", "does not exist"},
    {"call-huge-function", "protocol", "does not exist"},
    {"call-no-array", "protocol", "\"arguments\" has the wrong type"},
    {"call-no-id", "protocol", "\"id\" is missing"},
    {"call-real-id", "protocol", "\"id\" has the wrong type"},
    {"call-overflow", "protocol", "\"id\" has the wrong type"},
    {"log-no-text", "protocol", "\"text\" is missing"},
    {"log-number", "protocol", "\"text\" has the wrong type"},
    {"discover", "protocol", "discover"},
    {"random-none", "protocol", "random"},
    {"random-much", "protocol", "random"},
    {"fact-no-name", "protocol", "\"name\" is missing"},
    {"oversized", "protocol", "larger than 1114112 bytes"},
    {"oversized-most", "protocol", "larger than 1114112 bytes"},
    {"truncated", "protocol", "closed its report channel"},
    {"truncated-exit", "worker_exit", "exit status 0"},
    {"value-and-failure", "protocol", "behind the end"},
    {"value-twice", "protocol", "behind the end"},
    {"close-report", "protocol", "closed its report channel"},
    {"close-calls", "protocol", "closed its calls channel"},
    {"close-answers", "protocol", "closed its answers channel"},
    {"grandchild", "worker_exit", "exit status 7"},
};

static void offences_end_the_run(void)
{
    int descriptors = count_descriptors();
    for (size_t i = 0; i < sizeof(offences) / sizeof(offences[0]); i++) {
        struct host host;
        CU_ASSERT_EQUAL(run(&host, offences[i].how), PAWL_OK);
        CU_ASSERT_EQUAL(host.ends, 1);
        char is[1024], expected[1024];
        snprintf(is, sizeof(is), "%s: %s", offences[i].how, host.kind);
        snprintf(expected, sizeof(expected), "%s: %s", offences[i].how, offences[i].kind);
        TEST_TEXT(is, expected);
        if (strstr(text_get(&host.message), offences[i].message) == NULL)
            TEST_TEXT(text_get(&host.message), offences[i].message);
        host_clear(&host);
    }
    CU_ASSERT_EQUAL(count_descriptors(), descriptors);
}

/* What is odd, but harms nobody. */
static void harmless(void)
{
    static const char *const ways[] = {"close-launch", "close-stderr", "grandchild-value"};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct host host;
        CU_ASSERT_EQUAL(run(&host, ways[i]), PAWL_OK);
        TEST_TEXT(text_get(&host.value), "1");
        host_clear(&host);
    }
}

static void floods_are_bounded(void)
{
    static const char *const ways[] = {"flood-logs",      "flood-facts",  "flood-calls",
                                       "flood-questions", "flood-stderr", "never-read",
                                       "ignore-term"};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct host host;
        void *instance = NULL;
        struct text why TEXT_CLEANUP = {0};
        CU_ASSERT_EQUAL_FATAL(create(ways[i], &instance, &why), PAWL_OK);
        long before = resident();
        /* A program that no pipe takes at once. */
        size_t size = 4 << 20;
        char *program = malloc(size + 1);
        memset(program, ' ', size);
        program[size] = '\0';
        host_begin(&host, program);
        host.most_log_bytes = 1 << 20;
        host.forgets_facts = true;
        host_set_deadline(&host, i == 0 ? 60000 : 300);
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
        CU_ASSERT_EQUAL(host.ends, 0);
        CU_ASSERT_EQUAL(atomic_load(&host.end), i == 0 ? PAWL_END_OUTPUT : PAWL_END_DEADLINE);
        CU_ASSERT(host.calls <= 8192); /* 1024, and those whose settlements fill the pipe */
        CU_ASSERT(HOST_SANITIZED || resident() - before < 32 * 1024);
        host_clear(&host);
        free(program);
        provider->destroy(instance);
    }
}

static void starts(void)
{
    static const struct {
        const char *how;
        int32_t status;
        const char *reason;
    } table[] = {
        {"start-nothing", PAWL_E_UNAVAILABLE, "ended before it was ready: exit status 0"},
        {"start-closed", PAWL_E_UNAVAILABLE, "closed its report channel before it was ready"},
        {"start-garbage", PAWL_E_UNAVAILABLE, "too large"},
        {"start-value", PAWL_E_UNAVAILABLE, "neither ready nor error"},
        {"start-version", PAWL_E_UNAVAILABLE, "version that was not offered"},
        {"start-no-languages", PAWL_E_UNAVAILABLE, "\"languages\" is missing"},
        {"start-empty-languages", PAWL_E_PLUGIN, "runs no language"},
        {"start-error", PAWL_E_UNAVAILABLE, "not here"},
        {"start-bad-error", PAWL_E_UNAVAILABLE, "malformed"},
    };
    int descriptors = count_descriptors();
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct text why TEXT_CLEANUP = {0};
        void *instance = NULL;
        CU_ASSERT_EQUAL(create(table[i].how, &instance, &why), table[i].status);
        if (strstr(text_get(&why), table[i].reason) == NULL)
            TEST_TEXT(text_get(&why), table[i].reason);
    }
    CU_ASSERT_EQUAL(count_descriptors(), descriptors);
}

int main(void)
{
    static CU_TestInfo tests[] = {{"offences end the run", offences_end_the_run},
                                  {"harmless", harmless},
                                  {"floods are bounded", floods_are_bounded},
                                  {"starts", starts},
                                  CU_TEST_INFO_NULL};
    provider = pawl_provider_entry_v1();
    return test_suite("forged", tests);
}
