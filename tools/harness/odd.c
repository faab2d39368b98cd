/* R90 to R92: a host that ends a run at any moment, fails, or answers at length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/harness/trial.h"

/* Programs that use each service, one after the other. */
static const char *const busy[] = {"echo",     "failed_caught", "denied_caught",
                                   "discover", "clock",         "random",
                                   "logs",     "sequence",      "logs_failure"};
#define BUSY (sizeof(busy) / sizeof(busy[0]))

/* No program here uses services as often. */
#define MOST_SERVICES 200u

/* Runs a scenario with something happening at its service `at`. False: it was over before. */
static bool run_until(struct check *check, const char *scenario, unsigned at, bool cancels)
{
    struct trial trial;
    if (!trial_try(check, &trial, scenario))
        return false;
    spy_forget();
    *spy_guise() = (struct spy_guise){0};
    if (cancels) {
        if (!expect(check, pawl_cancel_new(&trial.cancel, NULL) == PAWL_OK, "out of memory"))
            return false;
        spy_guise()->cancel = trial.cancel;
        spy_guise()->cancel_at = at;
    } else {
        spy_guise()->fail_at = at;
    }
    pawl_result *result = trial_run(&trial);
    bool reached = spy_services() >= at;
    if (result != NULL && reached) {
        if (cancels)
            expect_kind(check, scenario, result, "abort");
        expect(check, spy_findings()->ran_on == 0,
               "%s: after the host said at service %u that the run is over, the program went on "
               "and used %s",
               scenario, at, spy_findings()->service);
        expect(check, spy_findings()->no_end == 0,
               "%s, at service %u: the run returned without an end", scenario, at);
    }
    *spy_guise() = (struct spy_guise){0};
    pawl_result_free(result);
    pawl_cancel_free(trial.cancel);
    trial_free(&trial);
    trial_forget_notes();
    return result != NULL && reached && check->outcome == OUTCOME_PASSED;
}

static void expect_useful(struct check *check)
{
    const pawl_result *result = run_scenario(check, "echo");
    if (result != NULL)
        expect(check, pawl_result_ok(result), "after that, the next program came to %s",
               outcome_of(result));
}

/* Does it at each service of each program. */
static void try_everywhere(struct check *check, bool cancels)
{
    if (subject_open(check) == NULL)
        return;
    bool any = false;
    for (size_t i = 0; i < BUSY && check->outcome == OUTCOME_PASSED; i++)
        for (unsigned at = 1; at < MOST_SERVICES && run_until(check, busy[i], at, cancels); at++)
            any = true;
    if (!any)
        skip(check, "no program \"echo\" or another that uses a service");
    else if (check->outcome == OUTCOME_PASSED)
        expect_useful(check);
}

static void stops_at_any_service(struct check *check)
{
    try_everywhere(check, true);
}

static void outlives_services_that_fail(struct check *check)
{
    try_everywhere(check, false);
}

#define LARGE_ERROR (8u << 20)

static void takes_large_errors(struct check *check)
{
    static const char *const scenarios[] = {"failed", "failed_caught"};
    bool any = false;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, scenarios[i]))
            continue;
        any = true;
        spy_guise()->large_error = LARGE_ERROR;
        expect_survived(check, scenarios[i], trial_run(&trial));
        spy_guise()->large_error = 0;
    }
    if (any)
        expect_useful(check);
    else if (check->subject != NULL)
        skip(check, "no program \"failed\" or \"failed_caught\"");
}

const struct requirement odd_requirements[] = {
    {.id = "R90",
     .title = "stops the program at whichever service says that the run is over",
     .programs = "echo failed_caught denied_caught discover clock random logs sequence "
                 "logs_failure",
     .test = stops_at_any_service,
     .seconds = 120},
    {.id = "R91",
     .title = "outlives a service that fails, whichever it is",
     .programs = "echo failed_caught denied_caught discover clock random logs sequence "
                 "logs_failure",
     .test = outlives_services_that_fail,
     .seconds = 120},
    {.id = "R92",
     .title = "takes the message of a failed call that is very long",
     .programs = "failed failed_caught echo",
     .test = takes_large_errors},
    {0},
};
