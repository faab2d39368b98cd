/*
 * A command that is confined: what it sees, what it can reach, and the way to the host's proxy. The
 * command is tests/wire/confined.py, in a copy that every user can read.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tests/wire/host.h"

#define PYTHON "/usr/bin/python3"

static const struct pawl_provider *provider;
static char *directory;
static char script[4200];
static bool can_confine;

static bool cannot(void)
{
    if (!can_confine)
        test_skip("this machine cannot confine a command with namespaces, or has no " PYTHON);
    return !can_confine;
}

static int32_t create(const char *config, void **instance, struct text *why)
{
    struct pawl_host services = host_services("/nowhere");
    struct pawl_sink sink = text_sink(why);
    return provider->create(&services, config, &sink, instance);
}

static int32_t create_command(const char *visible, const char *more, void **instance,
                              struct text *why)
{
    struct text config TEXT_CLEANUP = {0};
    text_format(&config, "{\"command\":[\"" PYTHON "\",\"-SE\",\"%s\"],\"visible\":[%s\"%s\"]%s}",
                script, visible, script, more);
    return create(text_get(&config), instance, why);
}

/* Where Python and its libraries are; not every processor's loader is in /lib64. */
static const char *system_paths(void)
{
    return access("/lib64", F_OK) == 0 ? "\"/usr\",\"/lib\",\"/lib64\"," : "\"/usr\",\"/lib\",";
}

static void *make(const char *more)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance = NULL;
    int32_t status = create_command(system_paths(), more, &instance, &why);
    if (status != PAWL_OK)
        printf("# create: %d %s\n", status, text_get(&why));
    CU_ASSERT_EQUAL_FATAL(status, PAWL_OK);
    return instance;
}

/* Runs a program with that proxy (NULL: none was asked for) and compares its logs. */
static void expect(void *instance, const char *proxy, const char *program, const char *logs)
{
    struct host host;
    host_begin(&host, program);
    host_set_deadline(&host, 20000);
    host.policy.egress = proxy == NULL ? PAWL_EGRESS_NONE : PAWL_EGRESS_PROXY;
    host.policy.proxy = proxy;
    int32_t status = host_run(&host, provider, instance);
    if (status != PAWL_OK || host.kind[0] != '\0')
        printf("# %d %s %s %s\n", status, text_get(&host.why), host.kind, text_get(&host.message));
    CU_ASSERT_EQUAL(status, PAWL_OK);
    TEST_TEXT(text_get(&host.logs), logs);
    const char *facts = text_get(&host.facts);
    CU_ASSERT(strstr(facts, "network={\"grade\":\"full\"") != NULL);
    CU_ASSERT_EQUAL(strstr(facts, "the parent connects to the proxy") != NULL, proxy != NULL);
    host_clear(&host);
}

/* --- A proxy --------------------------------------------------------------------------------- */

/* Takes connections until it is closed, one after another; each is sent back in capitals when its
 * other side has ended. */
struct proxy {
    int listening;
    int accepted;
    pthread_t thread;
    char url[256];
};

static void answer(int fd)
{
    static char data[4 << 20];
    size_t size = 0;
    ssize_t got;
    while ((got = read(fd, data + size, sizeof(data) - size)) > 0)
        size += (size_t)got;
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(data[i] >= 'a' && data[i] <= 'z' ? data[i] - 32 : data[i]);
    for (size_t sent = 0; sent < size; sent += (size_t)got)
        if ((got = send(fd, data + sent, size - sent, MSG_NOSIGNAL)) <= 0)
            break;
    close(fd);
}

static void *serve(void *argument)
{
    struct proxy *proxy = argument;
    int fd;
    while ((fd = accept(proxy->listening, NULL, NULL)) >= 0) {
        proxy->accepted++;
        answer(fd);
    }
    return NULL;
}

static void start_proxy(struct proxy *proxy, const struct sockaddr *address, socklen_t size)
{
    proxy->accepted = 0;
    proxy->listening = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CU_ASSERT_FATAL(proxy->listening >= 0);
    CU_ASSERT_EQUAL_FATAL(bind(proxy->listening, address, size), 0);
    CU_ASSERT_EQUAL_FATAL(listen(proxy->listening, 64), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&proxy->thread, NULL, serve, proxy), 0);
}

static void start_unix(struct proxy *proxy)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/proxy", directory);
    unlink(address.sun_path);
    snprintf(proxy->url, sizeof(proxy->url), "unix:%s", address.sun_path);
    start_proxy(proxy, (const struct sockaddr *)&address, sizeof(address));
}

static void start_inet(struct proxy *proxy)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    start_proxy(proxy, (const struct sockaddr *)&address, sizeof(address));
    getsockname(proxy->listening, (struct sockaddr *)&address, &size);
    snprintf(proxy->url, sizeof(proxy->url), "http://user:word@127.0.0.1:%u/",
             ntohs(address.sin_port));
}

static void stop(struct proxy *proxy)
{
    shutdown(proxy->listening, SHUT_RDWR);
    pthread_join(proxy->thread, NULL);
    close(proxy->listening);
}

/* --- Tests ----------------------------------------------------------------------------------- */

static void says_what_it_is(void)
{
    if (cannot())
        return;
    void *instance = make("");
    struct pawl_policy policy = {.header = PAWL_HEADER(POLICY, policy), .files = PAWL_FILES_NONE};
    struct text why TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(&why);
    CU_ASSERT_EQUAL(provider->level(instance), PAWL_LEVEL_OS);
    CU_ASSERT_EQUAL(provider->egress(instance), PAWL_EGRESS_NONE);
    TEST_TEXT(provider->languages(instance)[0], "lines");
    /* It sees files, and not those that a request names. */
    CU_ASSERT_EQUAL(provider->files(instance, &policy, &sink), PAWL_E_UNSUPPORTED);
    policy.files = PAWL_FILES_READ_ONLY;
    CU_ASSERT_EQUAL(provider->files(instance, &policy, &sink), PAWL_E_UNSUPPORTED);
    provider->destroy(instance);
}

static void sees_what_is_visible(void)
{
    if (cannot())
        return;
    void *instance = make(",\"warm\":1");
    char program[9000], logs[4096];
    snprintf(program, sizeof(program),
             "read " PYTHON "\nread %s\nread /etc/passwd\nread /proc/self/status\n"
             "write /x\nwrite /usr/x\nlist /\nuser\ndescriptors\nreturn 1",
             script);
    snprintf(logs, sizeof(logs),
             "read: read\nread: read\nread: ENOENT No such file or directory\n"
             "read: ENOENT No such file or directory\n"
             "write: EROFS Read-only file system\nwrite: EROFS Read-only file system\n"
             "list: EACCES Permission denied\nuser: %u\ndescriptors: 0 1 2 3 4 5\n",
             geteuid() == 0 ? 65532 : (unsigned)geteuid());
    expect(instance, NULL, program, logs);
    provider->destroy(instance);
}

static void reaches_nothing(void)
{
    if (cannot())
        return;
    struct proxy proxy;
    start_unix(&proxy);
    void *instance = make("");
    char program[9000];
    snprintf(program, sizeof(program),
             "proxy hello\nreach 127.0.0.1:80\nreach-unix %s\ndatagram %s\nfork\nreturn 1",
             proxy.url + 5, proxy.url + 5);
    expect(instance, NULL, program,
           "proxy: EPIPE Broken pipe\nreach: EACCES Permission denied\n"
           "reach-unix: EACCES Permission denied\ndatagram: EACCES Permission denied\n"
           "fork: EPERM Operation not permitted\n");
    CU_ASSERT_EQUAL(proxy.accepted, 0);
    provider->destroy(instance);
    stop(&proxy);
}

static void reach_proxy(struct proxy *proxy)
{
    void *instance = make(",\"warm\":1");
    char program[9000];
    snprintf(program, sizeof(program),
             "proxy hello\nproxy again\nrepeat x 3000000\nreach 127.0.0.1:80\nreach-unix %s\n"
             "reconnect %s\nreturn 1",
             proxy->url + 5, proxy->url + 5);
    expect(instance, proxy->url, program,
           "proxy: 5 HELLO\nproxy: 5 AGAIN\n"
           "repeat: 3000000 XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX\n"
           "reach: EACCES Permission denied\nreach-unix: EACCES Permission denied\n"
           "reconnect: EACCES Permission denied\n");
    provider->destroy(instance);
    stop(proxy);
    /* One more, by which the parent saw that it was there. */
    CU_ASSERT_EQUAL(proxy->accepted, 5);
}

static void reaches_a_unix_proxy(void)
{
    struct proxy proxy;
    if (cannot())
        return;
    start_unix(&proxy);
    reach_proxy(&proxy);
}

static void reaches_an_inet_proxy(void)
{
    struct proxy proxy;
    if (cannot())
        return;
    start_inet(&proxy);
    reach_proxy(&proxy);
}

/* Descriptors of the child's own run out first; then the answer loses that one. */
static void connections_are_bounded(void)
{
    if (cannot())
        return;
    struct proxy proxy;
    start_unix(&proxy);
    void *instance = make("");
    expect(instance, proxy.url, "hoard 8\nhoard 40\nproxy more\nreturn 1",
           "hoard: 8 held\nhoard: ECONNREFUSED open\nproxy: 4 MORE\n");
    provider->destroy(instance);
    stop(&proxy);
}

static void a_proxy_that_is_down(void)
{
    static const struct {
        const char *url, *why;
    } proxies[] = {
        {"unix:/nowhere/proxy", "No such file or directory"},
        {"unix:relative", "absolute path"},
        {"unix:///nowhere/proxy", "No such file or directory"},
        {"http://127.0.0.1:1", "Connection refused"},
        {"http://[::1]:1", ""},
        {"http://", "a host"},
        {"http://127.0.0.1:x", ""},
        {"http://[::1", "a host"},
        {"http://[::1]x", "a host"},
        {"ftp://127.0.0.1", "must be unix:/PATH or http://HOST:PORT"},
    };
    if (cannot())
        return;
    void *instance = make("");
    for (size_t i = 0; i < sizeof(proxies) / sizeof(proxies[0]); i++) {
        struct host host;
        host_begin(&host, "return 1");
        host.policy.egress = PAWL_EGRESS_PROXY;
        host.policy.proxy = proxies[i].url;
        CU_ASSERT_EQUAL(host_run(&host, provider, instance), PAWL_E_UNAVAILABLE);
        CU_ASSERT(!host.has_value);
        if (strstr(text_get(&host.why), "the proxy cannot be used") == NULL ||
            strstr(text_get(&host.why), proxies[i].why) == NULL) {
            printf("# %s: %s\n", proxies[i].url, text_get(&host.why));
            CU_FAIL("another reason was given");
        }
        host_clear(&host);
    }
    provider->destroy(instance);
}

static void memory_is_bounded(void)
{
    if (cannot())
        return;
    if (HOST_SANITIZED) {
        test_skip("sanitizers hold too much memory");
        return;
    }
    struct host host;
    struct text why TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(&why);
    uint32_t missing = 0;
    void *instance = make("");
    host_begin(&host, "allocate 1000000\nallocate 200000000\nreturn 1");
    host.budget.max_memory = 32u << 20;
    host_set_deadline(&host, 20000);
    int32_t supported = provider->supports(instance, &host.budget, &sink, &missing);
    int32_t status = host_run(&host, provider, instance);
    if (supported == PAWL_OK) {
        CU_ASSERT_EQUAL(status, PAWL_OK);
        TEST_TEXT(text_get(&host.logs), "allocate: 1000000\nallocate: MemoryError\n");
        CU_ASSERT(strstr(text_get(&host.facts), "memory={\"grade\":\"partial\"") != NULL);
    } else { /* root without CAP_SYS_RESOURCE: said, and kept to */
        CU_ASSERT_EQUAL(missing, PAWL_BUDGET_MAX_MEMORY);
        CU_ASSERT(strstr(text_get(&why), "CAP_SYS_RESOURCE") != NULL);
        CU_ASSERT_EQUAL(status, PAWL_E_UNAVAILABLE);
    }
    host_clear(&host);
    provider->destroy(instance);
}

static void what_cannot_be_shown(void)
{
    static const struct {
        const char *visible, *why;
    } places[] = {
        {"\"/nowhere\",", "stat(/nowhere)"},
        {"\"/bin/../etc\",", "absolute paths"},
        {"\"/\",", "absolute paths"},
        {"\"/proc\",", "absolute paths"},
        {"\"/sys/kernel\",", "absolute paths"},
        {"\"/dev\",", "absolute paths"},
        {"\"usr\",", "absolute paths"},
        {"7,", "absolute paths"},
        {"", "cannot be executed in its root: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !cannot(); i++) {
        struct text why TEXT_CLEANUP = {0};
        void *instance;
        CU_ASSERT_NOT_EQUAL(create_command(places[i].visible, "", &instance, &why), PAWL_OK);
        if (strstr(text_get(&why), places[i].why) == NULL) {
            printf("# %s: %s\n", places[i].visible, text_get(&why));
            CU_FAIL("another reason was given");
        }
    }
}

static void wrong_configuration(void)
{
    static const struct {
        const char *config, *why;
    } wrong[] = {
        {"{\"command\":[\"/bin/true\"]}", "\"visible\" must say"},
        {"{\"engine\":\"stub\",\"visible\":[\"/usr\"]}", "\"visible\" is for a command"},
        {"{\"command\":[\"/bin/true\"],\"engine\":\"stub\",\"visible\":[\"/usr\"]}", "either"},
        {"{\"command\":[\"/bin/true\"],\"visible\":[\"/usr\"],\"namespaces\":\"optional\"}",
         "\"required\""},
        {"{\"command\":[\"true\"],\"visible\":[\"/usr\"]}", "absolute path"},
        {"{\"command\":[\"/bin/true\"],\"visible\":\"/usr\"}", "visible"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct text why TEXT_CLEANUP = {0};
        void *instance;
        CU_ASSERT_EQUAL(create(wrong[i].config, &instance, &why), PAWL_E_CONFIG);
        if (strstr(text_get(&why), wrong[i].why) == NULL) {
            printf("# %s: %s\n", wrong[i].config, text_get(&why));
            CU_FAIL("another reason was given");
        }
    }
}

/* --- Main ------------------------------------------------------------------------------------ */

static bool copy_script(void)
{
    char from[4200];
    static char text[65536];
    snprintf(from, sizeof(from), "%s/tests/wire/confined.py", test_source_directory());
    snprintf(script, sizeof(script), "%s/confined.py", directory);
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(script, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    ssize_t size = in < 0 ? -1 : read(in, text, sizeof(text));
    bool copied = size > 0 && out >= 0 && write(out, text, (size_t)size) == size;
    close(in);
    close(out);
    return copied && chmod(directory, 0755) == 0 && chmod(script, 0644) == 0;
}

static void find_out(void)
{
    struct text why TEXT_CLEANUP = {0};
    void *instance;
    if (access(PYTHON, X_OK) != 0)
        return;
    can_confine = create_command(system_paths(), "", &instance, &why) == PAWL_OK;
    if (can_confine)
        provider->destroy(instance);
    else
        printf("# %s\n", text_get(&why));
}

int main(void)
{
    provider = pawl_provider_entry_v1();
    directory = test_make_directory();
    if (!copy_script())
        return 1;
    find_out();
    static CU_TestInfo tests[] = {{"says what it is", says_what_it_is},
                                  {"sees what is visible", sees_what_is_visible},
                                  {"reaches nothing", reaches_nothing},
                                  {"reaches a unix proxy", reaches_a_unix_proxy},
                                  {"reaches an inet proxy", reaches_an_inet_proxy},
                                  {"connections are bounded", connections_are_bounded},
                                  {"a proxy that is down", a_proxy_that_is_down},
                                  {"memory is bounded", memory_is_bounded},
                                  {"what cannot be shown", what_cannot_be_shown},
                                  {"wrong configuration", wrong_configuration},
                                  CU_TEST_INFO_NULL};
    int status = test_suite("command", tests);
    test_remove_directory(directory);
    return status;
}
