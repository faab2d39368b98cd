/* S01 to S17: a stage as a file, as an interface, and as a judge of calls. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "providers/program/utf8.h"
#include "stages/ring.h"
#include "tools/harness/entry.h"
#include "tools/harness/gate.h"
#include "tools/harness/held.h"

/* --- The interface ------------------------------------------------------------------------- */

static void is_loaded(struct check *check)
{
    gate_load(check);
}

static void describes_itself(struct check *check)
{
    const struct plugin *plugin = gate_load(check);
    if (plugin == NULL)
        return;
    const struct pawl_stage *own = plugin->descriptor;
    const uint64_t both = PAWL_STAGE_PROMPT | PAWL_STAGE_WAITS;
    expect(check, entry_is_line(own->version), "its version is no UTF-8 text of one line");
    expect(check, entry_is_line(own->description), "its description is no UTF-8 text of one line");
    expect(check, own->reserved == 0, "its descriptor's reserved member is not 0");
    expect(check, own->header.minor != PAWL_ABI_MINOR || own->header.size == sizeof(*own),
           "its descriptor has %u bytes, that of version %u.%u has %zu", own->header.size,
           PAWL_ABI_MAJOR, PAWL_ABI_MINOR, sizeof(*own));
    expect(check, (own->offers_bits & both) != both, "it says that it never waits and that it may");
    expect(check, entry_call(plugin, PAWL_STAGE_ENTRY) == (const void *)own,
           "its entry function gives another descriptor when it is called again");
}

/* Calls of the kinds that a stage meets. */
static const struct question usual[] = {
    {.function = "get_logs", .arguments = "{\"host\":\"web-1\",\"count\":50}"},
    {.function = "echo", .arguments = "[1,2,3]"},
    {.function = "delete_all", .arguments = "null"},
    {.function = "denied", .arguments = "{}"},
    {.function = "broken", .arguments = "\"text\""},
    {.function = "later", .arguments = "-0.5e10"},
};
#define USUAL (sizeof(usual) / sizeof(usual[0]))

static void descriptor_is_constant(struct check *check)
{
    struct gate gate;
    struct pawl_stage before;
    if (!gate_open(check, &gate))
        return;
    const struct pawl_stage *own = gate.plugin->descriptor;
    size_t size = own->header.size < sizeof(before) ? own->header.size : sizeof(before);
    memcpy(&before, own, size);
    for (size_t i = 0; i < USUAL; i++) {
        struct answer answer;
        gate_ask(check, &gate, &usual[i], &answer);
        buffer_clear(&answer.why);
    }
    gate_close(&gate);
    expect(check, memcmp(&before, own, size) == 0, "its descriptor changes while it is used");
}

static void makes_instances(struct check *check)
{
    for (int round = 0; round < 3; round++) {
        struct gate gates[3];
        for (int i = 0; i < 3; i++)
            if (!gate_open(check, &gates[i]))
                return;
        for (int i = 0; i < 3; i++)
            gate_close(&gates[i]);
    }
}

static void refuses(struct check *check, const struct pawl_stage *stage, const char *config)
{
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    void *instance = NULL;
    int32_t status = stage->create(config, &why, &instance);
    entry_judge_refusal(check, config, status, &words);
    if (status == PAWL_OK)
        stage->destroy(instance);
}

static void refuses_configurations(struct check *check)
{
    static const char *const wrong[] = {"{\"no key of any plugin\":1}", "[]", "{", ""};
    struct gate gate;
    if (!gate_open(check, &gate)) /* so that it is not all that it refuses */
        return;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refuses(check, gate.stage, wrong[i]);
    gate_close(&gate);
}

static void knows_its_extensions(struct check *check)
{
    const struct plugin *plugin = gate_load(check);
    if (plugin == NULL || plugin->stage.get_extension == NULL)
        return;
    expect(check, plugin->stage.get_extension("pawl.no-extension-has-this-name/1") == NULL,
           "it has an extension that does not exist");
}

/* --- Verdicts ------------------------------------------------------------------------------ */

static void answers(struct check *check)
{
    struct gate gate;
    if (!gate_open(check, &gate))
        return;
    for (size_t i = 0; i < USUAL; i++) {
        struct answer answer;
        gate_ask(check, &gate, &usual[i], &answer);
        note(check, "tools.%s: %s", usual[i].function, gate_answer_text(&answer));
        buffer_clear(&answer.why);
    }
    gate_close(&gate);
}

static bool is_utf8(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t length = program_utf8_decode(text + i, size - i, &character);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

static void states_reasons(struct check *check)
{
    struct gate gate;
    bool any = false;
    if (!gate_open(check, &gate))
        return;
    for (size_t i = 0; i < USUAL; i++) {
        struct answer answer;
        gate_ask(check, &gate, &usual[i], &answer);
        bool allowed = answer.status == PAWL_OK && answer.verdict == PAWL_VERDICT_ALLOW;
        any |= !allowed;
        expect(check, allowed || answer.why.size > 0, "it does not allow tools.%s, and not why",
               usual[i].function);
        expect(check, answer.why.size == 0 || is_utf8(answer.why.data, answer.why.size),
               "why it does not allow tools.%s is no UTF-8", usual[i].function);
        buffer_clear(&answer.why);
    }
    gate_close(&gate);
    if (!any)
        skip(check, "with this configuration it allows every call that is tried");
}

static void works_in_a_newer_host(struct check *check)
{
    struct gate gate;
    if (!gate_open(check, &gate))
        return;
    for (size_t i = 0; i < USUAL; i++) {
        struct gate other; /* one that counts has counted as little */
        struct answer answer, newer = {.verdict = PAWL_VERDICT_DENY};
        struct pawl_sink why = plugin_words_sink(&newer.why);
        struct gate_call call;
        char name[64];
        if (!gate_open(check, &other))
            break;
        gate_ask(check, &gate, &usual[i], &answer);
        struct question question = usual[i];
        question.cancel_fd = eventfd(1, EFD_CLOEXEC);
        if ((gate.stage->offers_bits & PAWL_STAGE_WAITS) == 0) {
            other.number = gate.number - 1;
            snprintf(name, sizeof(name), "tools.%s", question.function);
            gate_call_fill(&other, &question, name, &call);
            memset(call.later, 0xa5, sizeof(call.later));
            call.call.header.size = sizeof(call);
            call.call.header.minor = PAWL_ABI_MINOR + 100;
            newer.status = other.stage->judge(other.instance, &call.call, &why, &newer.verdict);
            expect(check, newer.status == answer.status && newer.verdict == answer.verdict,
                   "when the struct that it gets is larger, it answers tools.%s with %s",
                   usual[i].function, gate_answer_text(&newer));
        }
        close(question.cancel_fd);
        buffer_clear(&answer.why);
        buffer_clear(&newer.why);
        gate_close(&other);
    }
    gate_close(&gate);
}

/* A name and arguments of any kind. */
static void take(struct check *check, struct gate *gate, const char *function, const char *text,
                 size_t size)
{
    const struct question question = {.function = function, .arguments = text, .size = size};
    struct answer answer;
    gate_ask(check, gate, &question, &answer);
    buffer_clear(&answer.why);
}

static void takes_any_call(struct check *check)
{
    static const char *const names[] = {
        "",    "__proto__", "a.b.c",           "*",        "?[a-z]", "get-logs",
        "a b", "%s%n",      "\xe2\x98\x83",    "\n\t\x01", "'\"\\`", "../../etc",
        "..",  "{}",        "\xf0\x9f\x98\x80"};
    static char deep[20001], large[(1 << 20) + 3], name[513];
    struct gate gate;
    if (!gate_open(check, &gate))
        return;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        take(check, &gate, names[i], "{}", 0);
    memset(deep, '[', 10000);
    memset(deep + 10000, ']', 10000);
    take(check, &gate, "echo", deep, 20000);
    memset(large, 'x', sizeof(large) - 1);
    large[0] = large[sizeof(large) - 2] = '"';
    take(check, &gate, "echo", large, sizeof(large) - 1);
    memset(name, 'n', sizeof(name) - 1);
    take(check, &gate, name, "{\"__proto__\":1,\"a\":\"\\u0000\\ud800\"}", 0);
    take(check, &gate, "echo", "[1e400,-0,123456789012345678901234567890]", 0);
    gate_close(&gate);
}

/* --- Waiting ------------------------------------------------------------------------------- */

#define PROMPT_CALLS 200u

static void never_waits(struct check *check)
{
    struct gate gate;
    struct rusage before, after;
    if (!gate_open(check, &gate))
        return;
    if ((gate.stage->offers_bits & PAWL_STAGE_PROMPT) == 0) {
        skip(check, "it does not say that it never waits");
        return;
    }
    getrusage(RUSAGE_THREAD, &before);
    for (unsigned i = 0; i < PROMPT_CALLS; i++) {
        struct question question = usual[i % USUAL];
        struct answer answer;
        question.cancel_fd = -1;
        gate_ask(check, &gate, &question, &answer);
        buffer_clear(&answer.why);
    }
    getrusage(RUSAGE_THREAD, &after);
    long waits = after.ru_nvcsw - before.ru_nvcsw;
    expect(check, waits < PROMPT_CALLS / 4,
           "it says that it never waits, but did so %ld times in %u calls", waits, PROMPT_CALLS);
    gate_close(&gate);
}

static void gives_up(struct check *check)
{
    struct gate gate;
    if (!gate_open(check, &gate))
        return;
    if ((gate.stage->offers_bits & PAWL_STAGE_WAITS) == 0) {
        skip(check, "it does not say that it may wait");
        return;
    }
    for (size_t i = 0; i < USUAL; i++) {
        struct question question = usual[i];
        struct answer answer;
        question.cancel_fd = eventfd(1, EFD_CLOEXEC); /* readable */
        gate_ask(check, &gate, &question, &answer);
        close(question.cancel_fd);
        buffer_clear(&answer.why);
    }
    gate_close(&gate);
}

/* --- Many calls ---------------------------------------------------------------------------- */

static void hears_how_calls_came_out(struct check *check)
{
    struct gate gate;
    bool any = false;
    if (!gate_open(check, &gate))
        return;
    for (uint32_t outcome = PAWL_OUTCOME_OK; outcome <= PAWL_OUTCOME_ABANDONED; outcome++)
        for (size_t i = 0; i < USUAL; i++) {
            struct answer answer;
            gate_ask(check, &gate, &usual[i], &answer);
            if (answer.status == PAWL_OK && answer.verdict == PAWL_VERDICT_ALLOW) {
                gate_tell(&gate, &usual[i], outcome);
                any = true;
            }
            buffer_clear(&answer.why);
        }
    if (gate.stage->settled == NULL)
        skip(check, "it does not want to know");
    else if (!any)
        skip(check, "with this configuration it allows no call that is tried");
    gate_close(&gate);
}

#define THREADS     4
#define JUDGEMENTS  2000u
#define GROWTH_MOST (2L << 20)

/* What each of the usual calls comes to when nothing else happens. */
struct alone {
    uint32_t settled[USUAL];
    struct buffer why[USUAL];
};

static uint32_t ring_ask(const pawl_ring *ring, size_t which, uint64_t number, struct buffer *why)
{
    char name[64];
    struct ring_passage passage;
    int pending;
    const struct question *question = &usual[which];
    snprintf(name, sizeof(name), "tools.%s", question->function);
    struct pawl_stage_call call =
        ring_call("00f1000000000000", number, name, "tools", question->function,
                  question->arguments, strlen(question->arguments));
    uint32_t settled = ring_judge(ring, &call, NULL, why, &passage, &pending);
    ring_settled(ring, &call, &passage, PAWL_OUTCOME_OK, 1, 1);
    return settled;
}

static pawl_ring *ring_of(struct check *check, const struct plugin *plugin)
{
    pawl_ring *ring;
    pawl_error *error = NULL;
    if (pawl_ring_new(&ring, &error) == PAWL_OK &&
        pawl_ring_add(ring, plugin->descriptor, check->settings->config, &error) == PAWL_OK)
        return ring;
    expect(check, false, "no instance: %s", pawl_error_message(error));
    pawl_error_free(error);
    return NULL;
}

struct judge {
    const pawl_ring *ring;
    const struct alone *alone;
    size_t which; /* of the usual calls, always the same one in a thread */
    unsigned different;
    pthread_t thread;
};

static void *judge_many(void *data)
{
    struct judge *judge = data;
    for (unsigned i = 0; i < JUDGEMENTS; i++) {
        struct buffer why BUFFER_CLEANUP = {0};
        const struct buffer *expected = &judge->alone->why[judge->which];
        uint32_t settled = ring_ask(judge->ring, judge->which, i + 1, &why);
        judge->different += settled != judge->alone->settled[judge->which] ||
                            why.size != expected->size ||
                            (why.size > 0 && memcmp(why.data, expected->data, why.size) != 0);
    }
    return NULL;
}

/* Asks each usual call once, and the first again: false when the answers depend on what was asked
 * before, as they may. */
static bool learn(const pawl_ring *ring, struct alone *alone)
{
    bool same = true;
    for (size_t i = 0; i < USUAL; i++)
        alone->settled[i] = ring_ask(ring, i, 1, &alone->why[i]);
    for (unsigned round = 0; round < 50; round++)
        for (size_t i = USUAL; i-- > 0;) {
            struct buffer why BUFFER_CLEANUP = {0};
            same &= ring_ask(ring, i, 1, &why) == alone->settled[i] &&
                    why.size == alone->why[i].size &&
                    (why.size == 0 || memcmp(why.data, alone->why[i].data, why.size) == 0);
        }
    return same;
}

/* Whether its own judgements can be compared: a stage that waits for somebody is not asked so
 * often. */
static bool skip_waiting(struct check *check, const struct plugin *plugin)
{
    if ((plugin->stage.offers_bits & PAWL_STAGE_WAITS) == 0)
        return false;
    skip(check, "it may wait for somebody at every call");
    return true;
}

static void judges_on_threads(struct check *check)
{
    const struct plugin *plugin = gate_load(check);
    pawl_ring *first, *ring;
    struct alone alone = {0};
    struct judge judges[THREADS];
    if (plugin == NULL || skip_waiting(check, plugin) || (first = ring_of(check, plugin)) == NULL ||
        (ring = ring_of(check, plugin)) == NULL)
        return;
    bool same = learn(first, &alone);
    for (size_t i = 0; i < THREADS; i++) {
        judges[i] = (struct judge){.ring = ring, .alone = &alone, .which = i % USUAL};
        pthread_create(&judges[i].thread, NULL, judge_many, &judges[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(judges[i].thread, NULL);
        expect(check, !same || judges[i].different == 0,
               "beside other calls, tools.%s was answered %u times otherwise than alone",
               usual[judges[i].which].function, judges[i].different);
    }
    if (!same)
        note(check, "its answers depend on earlier calls: they were not compared");
    pawl_ring_free(first);
    pawl_ring_free(ring);
}

static void does_not_grow(struct check *check)
{
    const struct plugin *plugin = gate_load(check);
    pawl_ring *ring;
    if (plugin == NULL || skip_waiting(check, plugin) || (ring = ring_of(check, plugin)) == NULL)
        return;
    unsigned long calls = 5 * check->settings->runs;
    size_t files = 0, threads = 0;
    long memory = 0;
    for (unsigned long i = 0; i < calls; i++) {
        struct buffer why BUFFER_CLEANUP = {0};
        if (i == calls / 5) {
            files = held_files();
            threads = held_threads();
            memory = held_memory();
        }
        ring_ask(ring, i % USUAL, i + 1, &why);
    }
    long grown = held_memory() - memory;
    expect(check, grown < GROWTH_MOST, "after %lu calls it holds %ld KiB more than before", calls,
           grown >> 10);
    expect(check, held_files() <= files, "after %lu calls %zu more files are open", calls,
           held_files() - files);
    expect(check, held_threads() <= threads, "after %lu calls there are %zu more threads", calls,
           held_threads() - threads);
    pawl_ring_free(ring);
}

static void leaves_nothing(struct check *check)
{
    size_t files = 0, threads = 0;
    /* What the first instance leaves for all later ones is no leak. */
    for (int round = 0; round < 2; round++) {
        struct gate gate;
        struct answer answer;
        if (!gate_open(check, &gate))
            return;
        gate_ask(check, &gate, &usual[0], &answer);
        buffer_clear(&answer.why);
        gate_close(&gate);
        if (round > 0) {
            expect(check, held_files() <= files, "%zu files are left open", held_files() - files);
            expect(check, held_threads() <= threads, "%zu threads are left",
                   held_threads() - threads);
        }
        files = held_files();
        threads = held_threads();
    }
    expect(check, !held_children(), "a process is left");
}

static void leaves_the_process_alone(struct check *check)
{
    struct sigaction before[NSIG], now;
    sigset_t mask, mask_now;
    char directory[4096] = "", directory_now[4096] = "";
    struct gate gate;
    mode_t creation = umask(022);
    umask(creation);
    for (int i = 1; i < NSIG; i++)
        sigaction(i, NULL, &before[i]);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    (void)!getcwd(directory, sizeof(directory));
    if (!gate_open(check, &gate))
        return;
    for (size_t i = 0; i < USUAL; i++) {
        struct answer answer;
        gate_ask(check, &gate, &usual[i], &answer);
        buffer_clear(&answer.why);
    }
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &now) == 0)
            expect(check, now.sa_handler == before[i].sa_handler,
                   "it changed what %s does in this process", strsignal(i));
    sigprocmask(SIG_SETMASK, NULL, &mask_now);
    for (int i = 1; i < NSIG; i++)
        expect(check, sigismember(&mask, i) == sigismember(&mask_now, i),
               "it left %s blocked, or not", strsignal(i));
    (void)!getcwd(directory_now, sizeof(directory_now));
    expect(check, strcmp(directory, directory_now) == 0, "it changed the working directory");
    mode_t creation_now = umask(creation);
    expect(check, creation_now == creation, "it changed the mode of new files");
    gate_close(&gate);
}

const struct requirement stage_requirements[] = {
    {.id = "S01",
     .title = "is loaded: name, permissions, entry function, descriptor",
     .test = is_loaded},
    {.id = "S02", .title = "describes itself, always alike", .test = describes_itself},
    {.id = "S03", .title = "has a constant descriptor", .test = descriptor_is_constant},
    {.id = "S04", .title = "makes several instances and destroys them", .test = makes_instances},
    {.id = "S05",
     .title = "refuses a configuration that it does not understand, with a reason",
     .test = refuses_configurations},
    {.id = "S06", .title = "has no extension of an unknown name", .test = knows_its_extensions},
    {.id = "S07", .title = "answers every call with a verdict or a status", .test = answers},
    {.id = "S08", .title = "says why it does not allow a call", .test = states_reasons},
    {.id = "S09",
     .title = "works in a host with a newer minor version of the interface",
     .test = works_in_a_newer_host},
    {.id = "S10",
     .title = "takes calls of any name and with any arguments",
     .test = takes_any_call},
    {.id = "S11", .title = "never waits, if it says so", .test = never_waits},
    {.id = "S12", .title = "gives up when nobody waits for it any more", .test = gives_up},
    {.id = "S13",
     .title = "hears how the calls came out that it allowed",
     .test = hears_how_calls_came_out},
    {.id = "S14",
     .title = "judges on several threads, as its thread model says",
     .test = judges_on_threads},
    {.id = "S15", .title = "does not grow over thousands of calls", .test = does_not_grow},
    {.id = "S16", .title = "leaves nothing when it is destroyed", .test = leaves_nothing},
    {.id = "S17", .title = "leaves the process as it was", .test = leaves_the_process_alone},
    {0},
};
