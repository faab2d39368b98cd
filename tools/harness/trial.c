#include "tools/harness/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/harness/programs.h"
#include "tools/harness/values.h"

/* A program that hangs is the plugin's fault, and is to be named rather than waited for. */
#define WALL_CLOCK UINT64_C(20000)

struct tools *trial_tools(void)
{
    static struct tools tools;
    static bool made; /* asked first before there are threads */
    if (!made)
        tools_init(&tools);
    made = true;
    return &tools;
}

void trial_forget_notes(void)
{
    buffer_clear(&trial_tools()->notes);
}

static bool begin(struct check *check, struct trial *trial, const char *scenario)
{
    *trial = (struct trial){.check = check,
                            .scenario = scenario,
                            .budget = pawl_budget_empty(),
                            .tools = trial_tools()};
    struct pawl_budget wall_clock = pawl_budget_empty();
    wall_clock.wall_clock = WALL_CLOCK;
    if (subject_open(check) == NULL)
        return false;
    if (subject_supports(check, &wall_clock))
        trial->budget.wall_clock = WALL_CLOCK;
    return true;
}

bool trial_try(struct check *check, struct trial *trial, const char *scenario)
{
    if (!begin(check, trial, scenario))
        return false;
    const char *language = check->subject->language;
    const char *program =
        language != NULL ? programs_find(check->settings->programs, scenario, language) : NULL;
    if (program == NULL)
        return false;
    trial->program = strdup(program);
    trial->size = strlen(program);
    return true;
}

bool trial_new(struct check *check, struct trial *trial, const char *scenario)
{
    if (trial_try(check, trial, scenario))
        return true;
    if (check->subject != NULL)
        skip(check, "no program \"%s\" in %s", scenario,
             check->subject->language != NULL ? check->subject->language
                                              : check->subject->languages[0]);
    return false;
}

bool trial_new_text(struct check *check, struct trial *trial, const char *what, const char *text,
                    size_t size)
{
    if (!begin(check, trial, what))
        return false;
    trial->program = malloc(size + 1);
    memcpy(trial->program, text, size);
    trial->program[size] = '\0';
    trial->size = size;
    return true;
}

void trial_fill(struct trial *trial, const char *word, const char *with)
{
    struct buffer filled = {0};
    const char *rest = trial->program, *found;
    while ((found = strstr(rest, word)) != NULL) {
        buffer_append(&filled, rest, (size_t)(found - rest));
        buffer_string(&filled, with);
        rest = found + strlen(word);
    }
    buffer_string(&filled, rest);
    free(trial->program);
    trial->size = filled.size;
    trial->program = buffer_take(&filled);
}

void trial_free(struct trial *trial)
{
    free(trial->program);
    trial->program = NULL;
}

/* The ring of all trials. */
static pawl_ring *make_ring(pawl_error **error)
{
    static pawl_ring *ring;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (ring == NULL && pawl_ring_new(&ring, error) == PAWL_OK)
        pawl_ring_add(ring, &tools_stage, NULL, error);
    pthread_mutex_unlock(&lock);
    return ring;
}

static int fill_request(const struct trial *trial, pawl_request *request, pawl_error **error)
{
    const struct subject *subject = trial->check->subject;
    const char *language = subject->language != NULL ? subject->language : subject->languages[0];
    int code = pawl_request_set_program(request, trial->program, trial->size, error);
    if (code == PAWL_OK)
        code = pawl_request_set_language(request, language, error);
    if (code == PAWL_OK)
        code = pawl_request_set_level(request, PAWL_LEVEL_NONE, error);
    if (code == PAWL_OK)
        code = pawl_request_set_provider(
            request, trial->provider != NULL ? trial->provider : "subject", error);
    if (code == PAWL_OK && trial->policy.header.magic != 0)
        code = pawl_request_set_policy(request, &trial->policy, error);
    if (code == PAWL_OK)
        code = tools_add(trial->tools, request, error);
    pawl_request_add_budget(request, &trial->budget);
    pawl_request_set_output_limit(request, trial->output_limit);
    pawl_request_set_cancel(request, trial->cancel);
    pawl_request_set_ring(request, make_ring(error));
    return code;
}

pawl_result *trial_run(const struct trial *trial)
{
    pawl_request *request = NULL;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int code = pawl_request_new(&request, &error);
    if (code == PAWL_OK)
        code = fill_request(trial, request, &error);
    if (code == PAWL_OK)
        code = pawl_execute(trial->check->subject->registry, request, &result, &error);
    if (code != PAWL_OK) {
        struct buffer why BUFFER_CLEANUP = {0};
        buffer_string(&why, pawl_error_message(error));
        for (size_t i = 0; i < pawl_error_refusals(error); i++) {
            const char *reason;
            pawl_error_refusal(error, i, NULL, NULL, &reason);
            buffer_format(&why, "; %s", reason);
        }
        expect(trial->check, false, "%s: %s", trial->scenario, why.data);
        pawl_error_free(error);
    }
    pawl_request_free(request);
    return result;
}

pawl_result *run_scenario(struct check *check, const char *scenario)
{
    struct trial trial;
    return trial_new(check, &trial, scenario) ? trial_run(&trial) : NULL;
}

/* --- Expectations -------------------------------------------------------------------------- */

const char *outcome_of(const pawl_result *result)
{
    static _Thread_local char text[400];
    if (pawl_result_ok(result) && !pawl_result_has_value(result))
        snprintf(text, sizeof(text), "success without a value");
    else if (pawl_result_ok(result))
        snprintf(text, sizeof(text), "the value %.300s", pawl_result_value(result, NULL));
    else
        snprintf(text, sizeof(text), "%s (%.300s)", pawl_result_kind(result),
                 pawl_result_message(result, NULL));
    return text;
}

bool expect_value(struct check *check, const char *scenario, const pawl_result *result,
                  const char *json)
{
    size_t size = 0;
    const char *value = result != NULL ? pawl_result_value(result, &size) : NULL;
    if (result == NULL)
        return false;
    return expect(check,
                  pawl_result_ok(result) && pawl_result_has_value(result) &&
                      values_equal(value, size, json, strlen(json)),
                  "%s: the value %s was expected, it came to %s", scenario, json,
                  outcome_of(result));
}

bool expect_kind(struct check *check, const char *scenario, const pawl_result *result,
                 const char *kind)
{
    return result != NULL &&
           expect(check, !pawl_result_ok(result) && strcmp(pawl_result_kind(result), kind) == 0,
                  "%s: a failure of the kind %s was expected, it came to %s", scenario, kind,
                  outcome_of(result));
}

bool expect_message(struct check *check, const char *scenario, const pawl_result *result,
                    const char *kind, const char *text)
{
    return expect_kind(check, scenario, result, kind) &&
           expect(check, strstr(pawl_result_message(result, NULL), text) != NULL,
                  "%s: a message with \"%s\" was expected, it is: %s", scenario, text,
                  pawl_result_message(result, NULL));
}

bool expect_survived(struct check *check, const char *scenario, const pawl_result *result)
{
    static const char *const deaths[] = {"worker_exit", "protocol", "sandbox_unavailable"};
    if (result == NULL)
        return false;
    for (size_t i = 0; !pawl_result_ok(result) && i < sizeof(deaths) / sizeof(deaths[0]); i++)
        if (!expect(check, strcmp(pawl_result_kind(result), deaths[i]) != 0, "%s: it came to %s",
                    scenario, outcome_of(result)))
            return false;
    return true;
}
