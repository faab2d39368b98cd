/*
 * The confine provider: what it promises, children that lie to it, and hosts that cannot keep what
 * it needs. The stub engine runs in the real pawl-child.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/environment.h"
#include "tests/unit/test.h"
#include "tests/wire/host.h"

#define STUB "{\"engine\":\"stub\"}"

static const struct pawl_provider *provider;
static char stub_path[4096], compromised_path[4096], liar_path[4096];

/* --- Helpers --------------------------------------------------------------------------------- */

static int32_t create_on(const char *plugin, const char *config, void **instance, struct text *why)
{
    struct pawl_host services = host_services(plugin);
    struct pawl_sink sink = text_sink(why);
    return provider->create(&services, config, &sink, instance);
}

static bool can_confine;

static bool cannot(void)
{
    if (!can_confine)
        test_skip("this machine cannot confine with namespaces");
    return !can_confine;
}

static void *make(const char *config)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance = NULL;
    int32_t status = create_on(stub_path, config, &instance, &why);
    if (status != PAWL_OK)
        printf("# create: %d %s\n", status, text_get(&why));
    CU_ASSERT_EQUAL_FATAL(status, PAWL_OK);
    return instance;
}

static int count_directory(const char *path)
{
    int count = 0;
    DIR *directory = opendir(path);
    while (directory != NULL && readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* --- What it promises ------------------------------------------------------------------------ */

static void says_what_it_is(void)
{
    if (cannot())
        return;
    void *instance = make(STUB);
    CU_ASSERT_EQUAL(provider->level(instance), PAWL_LEVEL_OS);
    CU_ASSERT_EQUAL(provider->egress(instance), PAWL_EGRESS_NONE);
    CU_ASSERT((provider->offers_bits & PAWL_OFFERS_ISOLATION) != 0);
    provider->destroy(instance);
}

static void runs_programs(void)
{
    if (cannot())
        return;
    struct host host;
    void *instance = make(STUB);
    host_begin(&host, "log one\ncall 0 [1]\nnext\nreturn {\"a\":1}");
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    TEST_TEXT(text_get(&host.value), "{\"a\":1}");
    TEST_TEXT(text_get(&host.logs), "one\n1 0 - [1]\n");
    const char *facts = text_get(&host.facts);
    CU_ASSERT(strstr(facts, "files={\"grade\":\"full\"") != NULL);
    CU_ASSERT(strstr(facts, "network={\"grade\":\"full\"") != NULL);
    CU_ASSERT(strstr(facts, "syscalls={\"grade\":\"full\"") != NULL);
    host_clear(&host);
    provider->destroy(instance);
}

/* The host may be root without the right to limit others; then the child limits itself. */
static void memory_is_bounded(void)
{
    if (cannot())
        return;
    struct host host;
    void *instance = make(STUB);
    host_begin(&host, "limits\nreturn 1");
    host.budget.max_memory = 64u << 20;
    host_set_deadline(&host, 20000);
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    CU_ASSERT(strstr(text_get(&host.facts), "memory={\"grade\":\"partial\"") != NULL);
    host_clear(&host);
    provider->destroy(instance);
}

static void deadline_kills(void)
{
    if (cannot())
        return;
    struct host host;
    void *instance = make(STUB);
    host_begin(&host, "spin");
    host_set_deadline(&host, 100);
    CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_OK);
    CU_ASSERT_EQUAL(host.ends, 0);
    host_clear(&host);
    provider->destroy(instance);
}

static void wrong_configuration(void)
{
    static const struct {
        const char *config, *why;
    } wrong[] = {
        {"{}", "either \"engine\" or \"command\""},
        {"[]", "no JSON object"},
        {"{\"engine\":\"stub\",\"namespaces\":\"maybe\"}", "\"required\" or \"optional\""},
        {"{\"engine\":\"stub\",\"namespaces\":1}", "namespaces"},
        {"{\"engine\":\"stub\",\"id\":0}", "not root"},
        {"{\"engine\":\"stub\",\"id\":4294967295}", "not root"},
        {"{\"engine\":\"stub\",\"id\":1,\"id\":2}", "id"},
        {"{\"command\":[\"/bin/true\"]}", "visible"},
        {"{\"engine\":\"stub\",\"colour\":\"red\"}", "colour"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct text why TEXT_CLEANUP = {0};
        void *instance;
        CU_ASSERT_EQUAL(create_on(stub_path, wrong[i].config, &instance, &why), PAWL_E_CONFIG);
        if (strstr(text_get(&why), wrong[i].why) == NULL) {
            printf("# %s: %s\n", wrong[i].config, text_get(&why));
            CU_FAIL("another reason was given");
        }
    }
}

/* An open directory would lead out of the empty root; a thread would keep what the others lose. */
static void engines_keep_nothing(void)
{
    static const struct {
        const char *config, *why;
    } engines[] = {
        {"{\"engine\":\"stub\",\"engine_config\":{\"keep\":\"file\"}}", "keeps `/etc` open"},
        {"{\"engine\":\"stub\",\"engine_config\":{\"keep\":\"thread\"}}", "has started threads"},
    };
    for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]) && !cannot(); i++) {
        struct text why TEXT_CLEANUP = {0};
        void *instance;
        CU_ASSERT_EQUAL(create_on(compromised_path, engines[i].config, &instance, &why),
                        PAWL_E_UNAVAILABLE);
        if (strstr(text_get(&why), engines[i].why) == NULL) {
            printf("# %s\n", text_get(&why));
            CU_FAIL("another reason was given");
        }
    }
}

/* --- Nothing is left behind ------------------------------------------------------------------ */

static int count_mounts(void)
{
    char line[4096];
    int count = 0;
    FILE *mounts = fopen("/proc/self/mounts", "r");
    while (mounts != NULL && fgets(line, sizeof(line), mounts) != NULL)
        count++;
    if (mounts != NULL)
        fclose(mounts);
    return count;
}

static void many_runs_leave_nothing(void)
{
    if (cannot())
        return;
    void *instance = make(STUB);
    const int descriptors = count_directory("/proc/self/fd");
    const int mounts = count_mounts();
    for (int i = 0; i < 100; i++) {
        struct host host;
        host_begin(&host, "return 1");
        int32_t status = host_run(&host, provider, instance);
        if (status != PAWL_OK)
            printf("# run %d: %s\n", i, text_get(&host.why));
        CU_ASSERT_EQUAL(status, PAWL_OK);
        CU_ASSERT(host.has_value);
        host_clear(&host);
    }
    CU_ASSERT_EQUAL(count_directory("/proc/self/fd"), descriptors);
    CU_ASSERT_EQUAL(count_mounts(), mounts);
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    provider->destroy(instance);
}

static void *run_some(void *instance)
{
    intptr_t failed = 0;
    for (int i = 0; i < 10; i++) {
        struct host host;
        host_begin(&host, "return 1");
        failed += host_run(&host, provider, instance) != PAWL_OK || !host.has_value;
        host_clear(&host);
    }
    return (void *)failed;
}

static void threads_share_an_instance(void)
{
    if (cannot())
        return;
    void *instance = make("{\"engine\":\"stub\",\"warm\":1}");
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, run_some, instance), 0);
    for (size_t i = 0; i < 4; i++) {
        void *failed = instance;
        pthread_join(threads[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    provider->destroy(instance);
}

static int count_children(pid_t parent)
{
    char path[300], line[4096];
    int count = 0;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)parent);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", (int)parent, task->d_name);
        FILE *children = fopen(path, "r");
        if (children == NULL)
            continue;
        if (fgets(line, sizeof(line), children) != NULL)
            for (const char *c = line; *c != '\0'; c++)
                count += *c == ' ';
        fclose(children);
    }
    if (tasks != NULL)
        closedir(tasks);
    return count;
}

/* The children of a process that is gone belong to this one, which asked for that. */
static void host_takes_jails_with_it(void)
{
    if (cannot())
        return;
    int started[2];
    CU_ASSERT_EQUAL(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(started, O_CLOEXEC), 0);
    pid_t other = fork();
    if (other == 0) {
        struct host host;
        void *instance;
        struct text why = {0};
        if (create_on(stub_path, "{\"engine\":\"stub\",\"warm\":2}", &instance, &why) != PAWL_OK)
            _exit(1);
        host_begin(&host, "spin");
        if (write(started[1], "x", 1) != 1)
            _exit(1);
        host_run(&host, provider, instance);
        _exit(0);
    }
    char byte;
    close(started[1]);
    CU_ASSERT_EQUAL(read(started[0], &byte, 1), 1);
    close(started[0]);
    while (count_children(other) < 3 && kill(other, 0) == 0)
        usleep(1000);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    /* All of them end by themselves, or this waits until the test is killed: the one that runs is
     * killed, and so are those that wait, unless they have seen that nobody needs them. */
    int orphans = 0, killed = 0, status;
    while (waitpid(-1, &status, 0) > 0) {
        orphans++;
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }
    CU_ASSERT_EQUAL(errno, ECHILD);
    CU_ASSERT(orphans >= 3);
    CU_ASSERT(killed >= 1);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* --- Children that lie ----------------------------------------------------------------------- */

static void lies_are_found(void)
{
    static const struct {
        const char *omitted, *why;
        bool only_root;
    } lies[] = {
        {"everything", "does not say that it is locked", false},
        {"all-but-words", "the child says", false},
        {"identity", "Uid:", true},
        {"namespaces", "", false},
        {"root", "open", false},
        {"bounding", "CapBnd:", false},
        {"capabilities", "NoNewPrivs:", false},
        {"seccomp", "Seccomp:", false},
    };
    char *directory = test_make_directory();
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]) && !cannot(); i++) {
        char path[4200], config[8600];
        struct text why TEXT_CLEANUP = {0};
        void *instance;
        if (lies[i].only_root && geteuid() != 0)
            continue;
        snprintf(path, sizeof(path), "%s/liar-%s", directory, lies[i].omitted);
        CU_ASSERT_EQUAL(symlink(liar_path, path), 0);
        snprintf(config, sizeof(config), "{\"engine\":\"stub\",\"child\":\"%s\"}", path);
        int32_t status = create_on(stub_path, config, &instance, &why);
        if (status != PAWL_E_UNAVAILABLE || strstr(text_get(&why), lies[i].why) == NULL) {
            printf("# without %s: %d %s\n", lies[i].omitted, status, text_get(&why));
            CU_FAIL("a lie was believed");
        }
    }
    test_remove_directory(directory);
}

/* The liar that leaves nothing out is believed: it is the omission that is found. */
static void truth_is_believed(void)
{
    if (cannot())
        return;
    char config[4200];
    snprintf(config, sizeof(config), "{\"engine\":\"stub\",\"child\":\"%s\"}", liar_path);
    provider->destroy(make(config));
}

/* --- Environments ---------------------------------------------------------------------------- */

/* What became of a provider in another environment. */
struct outcome {
    bool entered;
    int32_t status;
    char words[4000]; /* why it was not created, or the facts of a run */
};

/* Makes a process, lets it enter an environment, creates the provider there and runs a program so
 * many times, or until it fails. */
static struct outcome visit_often(const char *(*enter)(void), const char *config, int runs)
{
    struct outcome outcome = {0};
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return outcome;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct text words = {0};
        struct host host;
        void *instance;
        const char *missing = enter();
        outcome.entered = missing == NULL;
        if (missing != NULL)
            text_string(&words, missing);
        outcome.status =
            outcome.entered ? create_on(stub_path, config, &instance, &words) : PAWL_E_SYSTEM;
        for (int i = 0; i < runs && outcome.status == PAWL_OK; i++) {
            text_clear(&words);
            host_begin(&host, "return 1");
            outcome.status = host_run(&host, provider, instance);
            text_append(&words, host.facts.data, host.facts.size);
            text_append(&words, host.why.data, host.why.size);
            text_string(&words, host.has_value ? "value=yes" : "value=no");
            host_clear(&host);
        }
        snprintf(outcome.words, sizeof(outcome.words), "%s", text_get(&words));
        ssize_t written = write(report[1], &outcome, sizeof(outcome));
        _exit(written != (ssize_t)sizeof(outcome));
    }
    close(report[1]);
    if (read(report[0], &outcome, sizeof(outcome)) != (ssize_t)sizeof(outcome))
        outcome.entered = false;
    close(report[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return outcome;
}

static struct outcome visit(const char *(*enter)(void), const char *config)
{
    return visit_often(enter, config, 1);
}

static bool is_missing(const struct outcome *outcome)
{
    if (!outcome->entered)
        test_skip(outcome->words[0] == '\0' ? "the environment cannot be made" : outcome->words);
    return !outcome->entered;
}

static void expect(const struct outcome *outcome, int32_t status, const char *const *words)
{
    CU_ASSERT_EQUAL(outcome->status, status);
    bool all = outcome->status == status;
    for (; *words != NULL; words++)
        if (strstr(outcome->words, *words) == NULL) {
            printf("# `%s` is missing\n", *words);
            CU_FAIL("not as expected");
            all = false;
        }
    if (!all)
        printf("# %d: %s\n", outcome->status, outcome->words);
}

#define EXPECT(outcome, status, ...) \
    expect((outcome), (status), (const char *const[]){__VA_ARGS__, NULL})

static void ordinary_user(void)
{
    struct outcome outcome = visit(environment_ordinary, STUB);
    if (!is_missing(&outcome) && !cannot())
        EXPECT(&outcome, PAWL_OK, "files={\"grade\":\"full\"", "network={\"grade\":\"full\"",
               "value=yes");
}

static void no_namespace_is_left(void)
{
    struct outcome outcome = visit_often(environment_few_namespaces, STUB, 300);
    if (!is_missing(&outcome) && !cannot())
        EXPECT(&outcome, PAWL_OK, "value=yes");
}

static void forbidden_and_required(void)
{
    struct outcome outcome = visit(environment_no_namespaces, STUB);
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_E_UNAVAILABLE, "clone into new namespaces", "No space left on device",
               "\"namespaces\": \"optional\"");
}

static void forbidden_and_optional(void)
{
    struct outcome outcome =
        visit(environment_no_namespaces, "{\"engine\":\"stub\",\"namespaces\":\"optional\"}");
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_OK, "files={\"grade\":\"partial\"", "network={\"grade\":\"partial\"",
               "syscalls={\"grade\":\"full\"", "no mount namespace", "value=yes");
}

static void container_and_required(void)
{
    struct outcome outcome = visit(environment_container, STUB);
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_E_UNAVAILABLE, "clone into new namespaces", "Operation not permitted",
               "\"namespaces\": \"optional\"");
}

static void container_and_optional(void)
{
    struct outcome outcome =
        visit(environment_container, "{\"engine\":\"stub\",\"namespaces\":\"optional\"}");
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_OK, "files={\"grade\":\"partial\"", "syscalls={\"grade\":\"full\"",
               "value=yes");
}

static void no_landlock(void)
{
    struct outcome outcome = visit(environment_no_landlock, STUB);
    if (is_missing(&outcome) || cannot())
        return;
    EXPECT(&outcome, PAWL_OK, "files={\"grade\":\"full\",\"by\":\"empty root, seccomp\"}",
           "value=yes");
    CU_ASSERT(strstr(outcome.words, "Landlock") == NULL);
}

static void seccomp_alone(void)
{
    struct outcome outcome =
        visit(environment_seccomp_alone, "{\"engine\":\"stub\",\"namespaces\":\"optional\"}");
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_OK,
               "files={\"grade\":\"partial\",\"by\":\"seccomp; no mount namespace\"}", "value=yes");
}

/* Without it there is no boundary, whatever is optional. */
static void no_seccomp(void)
{
    struct outcome outcome =
        visit(environment_no_seccomp, "{\"engine\":\"stub\",\"namespaces\":\"optional\"}");
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_E_UNAVAILABLE, "seccomp(SECCOMP_SET_MODE_FILTER)",
               "Function not implemented");
}

static void masked_proc(void)
{
    struct outcome outcome = visit(environment_masked_proc, STUB);
    if (!is_missing(&outcome) && !cannot())
        EXPECT(&outcome, PAWL_OK, "files={\"grade\":\"full\"", "value=yes");
}

/* What cannot be proven is not claimed. */
static void no_proc(void)
{
    struct outcome outcome = visit(environment_no_proc, STUB);
    if (!is_missing(&outcome))
        EXPECT(&outcome, PAWL_E_UNAVAILABLE, "/proc/");
}

/* --- Main ------------------------------------------------------------------------------------ */

static void find_out(void)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance;
    can_confine = create_on(stub_path, STUB, &instance, &why) == PAWL_OK;
    if (can_confine)
        provider->destroy(instance);
    else
        printf("# %s\n", text_get(&why));
}

int main(void)
{
    const char *build = test_build_directory();
    provider = pawl_provider_entry_v1();
    snprintf(stub_path, sizeof(stub_path), "%s/tests/plugins/.libs/pawl-stub-provider.so", build);
    snprintf(compromised_path, sizeof(compromised_path),
             "%s/tests/plugins/.libs/pawl-compromised-provider.so", build);
    snprintf(liar_path, sizeof(liar_path), "%s/tests/wire/liar", build);
    find_out();

    static CU_TestInfo promises[] = {{"says what it is", says_what_it_is},
                                     {"runs programs", runs_programs},
                                     {"memory is bounded", memory_is_bounded},
                                     {"deadline kills", deadline_kills},
                                     {"wrong configuration", wrong_configuration},
                                     {"engines keep nothing", engines_keep_nothing},
                                     CU_TEST_INFO_NULL};
    static CU_TestInfo remains[] = {{"many runs leave nothing", many_runs_leave_nothing},
                                    {"threads share an instance", threads_share_an_instance},
                                    {"the host takes jails with it", host_takes_jails_with_it},
                                    CU_TEST_INFO_NULL};
    static CU_TestInfo lies[] = {{"lies are found", lies_are_found},
                                 {"truth is believed", truth_is_believed},
                                 CU_TEST_INFO_NULL};
    static CU_TestInfo environments[] = {
        {"an ordinary user", ordinary_user},
        {"no namespace is left", no_namespace_is_left},
        {"user namespaces forbidden, required", forbidden_and_required},
        {"user namespaces forbidden, optional", forbidden_and_optional},
        {"a container, required", container_and_required},
        {"a container, optional", container_and_optional},
        {"no Landlock", no_landlock},
        {"seccomp alone", seccomp_alone},
        {"no seccomp", no_seccomp},
        {"masked /proc", masked_proc},
        {"no /proc", no_proc},
        CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"promises", NULL, NULL, NULL, NULL, promises},
                                    {"remains", NULL, NULL, NULL, NULL, remains},
                                    {"lies", NULL, NULL, NULL, NULL, lies},
                                    {"environments", NULL, NULL, NULL, NULL, environments},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
