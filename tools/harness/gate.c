#include "tools/harness/gate.h"

#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tools/harness/subject.h"

#define PATIENCE 500000000 /* nanoseconds */

const struct plugin *gate_load(struct check *check)
{
    return subject_load_kind(check, PLUGIN_STAGE);
}

bool gate_open(struct check *check, struct gate *gate)
{
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    const char *config = check->settings->config;
    *gate = (struct gate){.plugin = gate_load(check)};
    if (gate->plugin == NULL)
        return false;
    gate->stage = &gate->plugin->stage;
    int32_t status = gate->stage->create(config != NULL ? config : "{}", &why, &gate->instance);
    return expect(check, status == PAWL_OK, "no instance: it could not be created (%d): %s", status,
                  words.data != NULL ? words.data : "no reason was given");
}

void gate_close(struct gate *gate)
{
    if (gate->stage != NULL)
        gate->stage->destroy(gate->instance);
    gate->stage = NULL;
}

void gate_call_fill(struct gate *gate, const struct question *question, const char *name,
                    struct gate_call *call)
{
    size_t size = question->size != 0 ? question->size : strlen(question->arguments);
    *call = (struct gate_call){.call = {.header = PAWL_HEADER(STAGE_CALL, call->call),
                                        .number = ++gate->number,
                                        .run = "00f1000000000000",
                                        .name = name,
                                        .namespace_name = "tools",
                                        .function = question->function,
                                        .arguments = {question->arguments, (uint32_t)size, 0},
                                        .cancel_fd = question->cancel_fd}};
}

/* A descriptor that becomes readable after a while. */
static int limit_patience(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct itimerspec after = {.it_value = {.tv_nsec = PATIENCE}};
    if (timer >= 0)
        timerfd_settime(timer, 0, &after, NULL);
    return timer;
}

void gate_ask(struct check *check, struct gate *gate, const struct question *question,
              struct answer *answer)
{
    char name[600];
    struct gate_call call;
    *answer = (struct answer){.verdict = PAWL_VERDICT_DENY};
    struct pawl_sink why = plugin_words_sink(&answer->why);
    snprintf(name, sizeof(name), "tools.%s", question->function);
    gate_call_fill(gate, question, name, &call);
    int timer = question->cancel_fd == 0 ? limit_patience() : -1;
    if (question->cancel_fd == 0)
        call.call.cancel_fd = timer;
    answer->status = gate->stage->judge(gate->instance, &call.call, &why, &answer->verdict);
    if (timer >= 0)
        close(timer);
    expect(check, answer->status <= 0 && answer->status >= PAWL_E_ALREADY_TAKEN,
           "judge returned %d for %s, which is no status", answer->status, name);
    expect(check, answer->status != PAWL_OK || answer->verdict <= PAWL_VERDICT_PENDING,
           "judge answered %u for %s, which is no verdict", answer->verdict, name);
}

void gate_tell(struct gate *gate, const struct question *question, uint32_t outcome)
{
    char name[600];
    struct gate_call call;
    if (gate->stage->settled == NULL)
        return;
    snprintf(name, sizeof(name), "tools.%s", question->function);
    gate->number--; /* it is the call that was judged last */
    gate_call_fill(gate, question, name, &call);
    call.call.cancel_fd = -1;
    gate->stage->settled(gate->instance, &call.call, outcome, outcome == PAWL_OUTCOME_OK ? 10 : 0,
                         1000);
}

const char *gate_answer_text(const struct answer *answer)
{
    static _Thread_local char text[600];
    static const char *const verdicts[] = {"deny", "allow", "pending"};
    const char *why = answer->why.data != NULL ? answer->why.data : "";
    if (answer->status != PAWL_OK)
        snprintf(text, sizeof(text), "fail with %d (%s)", answer->status, why);
    else
        snprintf(text, sizeof(text), "%s (%s)",
                 answer->verdict <= PAWL_VERDICT_PENDING ? verdicts[answer->verdict] : "nothing",
                 why);
    return text;
}
