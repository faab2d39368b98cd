/*
 * Every allocation inside a child fails once, in turn: of pawl-child, of its engine, of the C
 * library. Each time the child cannot start, and says why; or the program comes out right, or its
 * memory is said to have run out. The child is tests/wire/starved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tests/wire/host.h"

/* More allocations than any child makes. */
#define MOST 5000

static const struct pawl_provider *provider;
static char starved[4096];
static char *directory;

/* What is run again and again. */
struct trial {
    const char *plugin; /* in the build tree */
    const char *language, *program, *value;
};

/* What became of the children in which that allocation failed. */
struct tally {
    unsigned refused, right, starved;
};

static void judge(struct host *host, int32_t status, const char *value, const char *name,
                  struct tally *tally)
{
    if (status == PAWL_E_UNAVAILABLE && host->why.size > 0 && host->ends == 0) {
        tally->refused++;
    } else if (status == PAWL_OK && host->has_value && host->ends == 1 &&
               strcmp(text_get(&host->value), value) == 0) {
        tally->right++;
    } else if (status == PAWL_OK && host->ends == 1 && strcmp(host->kind, "budget_memory") == 0) {
        tally->starved++;
    } else {
        printf("# %s: %d %s, %s: %s; %s\n", name, status, text_get(&host->why), host->kind,
               text_get(&host->message), text_get(&host->facts));
        CU_FAIL("not what a child that is short of memory should come to");
    }
}

/* One child after another in which the Nth allocation fails. False: they make fewer. */
static bool starve(const struct trial *trial, unsigned nth, const char *onwards,
                   struct tally *tally)
{
    char plugin[4200], path[4400], failed[4420], config[4500], name[64];
    struct text why TEXT_CLEANUP = {0};
    snprintf(plugin, sizeof(plugin), "%s/%s", test_build_directory(), trial->plugin);
    struct pawl_host services = host_services(plugin);
    struct pawl_sink sink = text_sink(&why);
    void *instance;
    snprintf(name, sizeof(name), "starved-%u%s", nth, onwards);
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    snprintf(failed, sizeof(failed), "%s.failed", path);
    snprintf(config, sizeof(config), "{\"engine\":\"stub\",\"child\":\"%s\"}", path);
    CU_ASSERT_EQUAL_FATAL(symlink(starved, path), 0);
    int32_t status = provider->create(&services, config, &sink, &instance);
    if (status == PAWL_OK) {
        struct host host;
        host_begin(&host, trial->program);
        host.run.language = trial->language;
        host_set_deadline(&host, 30000);
        status = host_run(&host, provider, instance);
        judge(&host, status, trial->value, name, tally);
        host_clear(&host);
        provider->destroy(instance);
    } else {
        tally->refused++;
        if (strstr(text_get(&why), "memory") == NULL) {
            printf("# %s: %d %s\n", name, status, text_get(&why));
            CU_FAIL("it does not say that there was no memory");
        }
    }
    unlink(path);
    return rmdir(failed) == 0;
}

static void starve_each(const struct trial *trial)
{
    char plugin[4200];
    snprintf(plugin, sizeof(plugin), "%s/%s", test_build_directory(), trial->plugin);
    if (access(plugin, R_OK) != 0) {
        test_skip("this engine was not built");
        return;
    }
    static const char *const onwards[] = {"", "-on"};
    for (size_t i = 0; i < 2; i++) {
        struct tally tally = {0};
        unsigned nth = 1;
        while (nth < MOST && starve(trial, nth, onwards[i], &tally))
            nth++;
        printf("# %u allocations%s: %u starts refused, %u programs right, %u out of memory\n",
               nth - 1, onwards[i], tally.refused, tally.right - 1, tally.starved);
        CU_ASSERT(nth > 10 && nth < MOST);
        CU_ASSERT(tally.right > 0 && tally.refused > 0);
    }
}

static void stub(void)
{
    static const struct trial trial = {
        .plugin = "tests/plugins/.libs/pawl-stub-provider.so",
        .language = "stub",
        .program = "log one\ncall 0 [1]\nnext\ncall 2 []\nnext\ndiscover x\nreturn {\"a\":1}",
        .value = "{\"a\":1}",
    };
    starve_each(&trial);
}

static void mujs(void)
{
    static const struct trial trial = {
        .plugin = "plugins/pawl-mujs-provider.so",
        .language = "javascript-es5",
        .program = "console.log('one', {b: [1, 2]}); var echoed = tools.echo('x', 'y');\n"
                   "try { tools.fail(); } catch (e) { console.log(e.message); }\n"
                   "return {a: echoed.length};",
        .value = "{\"a\":2}",
    };
    starve_each(&trial);
}

int main(void)
{
    static CU_TestInfo tests[] = {{"a small engine", stub}, {"mujs", mujs}, CU_TEST_INFO_NULL};
    if (HOST_SANITIZED) {
        printf("1..0 # SKIP sanitizers have an allocator of their own\n");
        return 0;
    }
    provider = pawl_provider_entry_v1();
    directory = test_make_directory();
    snprintf(starved, sizeof(starved), "%s/tests/wire/starved", test_build_directory());
    int status = test_suite("starved", tests);
    test_remove_directory(directory);
    return status;
}
