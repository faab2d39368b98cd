/*
 * approve - the stage that asks somebody before a call is made; see pawl-approve(7).
 *
 *     {"command": ["/usr/local/bin/approve"], "timeout": "60s", "match": ["tools.delete_*"]}
 *     {"terminal": true}
 *
 * Whatever is not a yes is a no: a call that nobody decides in time is denied.
 */
#include <pawl/stage.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <json-c/json.h>

#include "stages/approve/command.h"
#include "stages/approve/terminal.h"
#include "stages/common/fields.h"
#include "stages/common/patterns.h"
#include "stages/common/say.h"

#define DEFAULT_TIMEOUT_MS 60000
#define MAX_TIMEOUT_MS     86400000u /* a day */
#define MAX_ARGUMENTS      256
#define MAX_WORDS_BYTES    768

struct approve {
    char **command; /* ends in NULL; NULL: the terminal is asked */
    bool terminal;
    uint64_t timeout;      /* milliseconds */
    bool selects;          /* only what matches is asked about */
    struct patterns match; /* the others are allowed */
    int turn;              /* an eventfd: who has its 1 may ask on the terminal */
};

/* --- Configuration ------------------------------------------------------------------------ */

static int32_t read_command(void *member, const char *place, struct json_object *value,
                            const struct pawl_sink *why)
{
    size_t count =
        json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
    if (count < 1 || count > MAX_ARGUMENTS) {
        say(why, "%s must be an array of 1 to %d strings such as [\"/usr/local/bin/approve\"]",
            place, MAX_ARGUMENTS);
        return PAWL_E_CONFIG;
    }
    char **command = calloc(count + 1, sizeof(*command));
    if (command == NULL)
        return PAWL_E_MEMORY;
    *(char ***)member = command;
    for (size_t i = 0; i < count; i++) {
        char item[64];
        snprintf(item, sizeof(item), "%s[%zu]", place, i);
        int32_t status = field_text(&command[i], item, json_object_array_get_idx(value, i), why);
        if (status != PAWL_OK)
            return status;
    }
    if (command[0][0] != '/') {
        say(why, "%s[0] must be an absolute path: nothing is looked for in PATH", place);
        return PAWL_E_CONFIG;
    }
    return PAWL_OK;
}

static const struct field fields[] = {
    {"command", read_command, offsetof(struct approve, command), NULL},
    {"terminal", field_flag, offsetof(struct approve, terminal), NULL},
    {"timeout", field_duration, offsetof(struct approve, timeout), NULL},
    {"match", field_patterns, offsetof(struct approve, match), NULL},
    {NULL, NULL, 0, NULL},
};

static int32_t read_config(struct approve *approve, const char *config, const struct pawl_sink *why)
{
    int32_t status =
        fields_parse(config, fields, "{\"command\": [\"/usr/local/bin/approve\"]}", approve, why);
    if (status != PAWL_OK)
        return status;
    if ((approve->command != NULL) == approve->terminal) {
        say(why, "say whom to ask: either \"command\" or \"terminal\": true");
        return PAWL_E_CONFIG;
    }
    if (approve->timeout > MAX_TIMEOUT_MS) {
        say(why, "\"timeout\" must be 24h at most");
        return PAWL_E_CONFIG;
    }
    approve->selects = approve->match.items != NULL;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    struct approve *approve = instance;
    for (char **argument = approve->command; argument != NULL && *argument != NULL; argument++)
        free(*argument);
    free(approve->command);
    patterns_clear(&approve->match);
    if (approve->turn >= 0)
        close(approve->turn);
    free(approve);
}

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    struct approve *approve = calloc(1, sizeof(*approve));
    if (approve == NULL)
        return PAWL_E_MEMORY;
    approve->timeout = DEFAULT_TIMEOUT_MS;
    approve->turn = -1;
    int32_t status = read_config(approve, config, why);
    if (status == PAWL_OK && approve->terminal) {
        approve->turn = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
        if (approve->turn < 0) {
            say(why, "eventfd: %s", strerror(errno));
            status = PAWL_E_SYSTEM;
        }
    }
    if (status == PAWL_OK)
        *instance = approve;
    else
        destroy(approve);
    return status;
}

/* --- Judging ------------------------------------------------------------------------------ */

/* Asks on the terminal when nobody else does. The time begins when it is this call's turn. */
static enum answer ask_in_turn(const struct approve *approve, const struct pawl_stage_call *call,
                               struct asking *asking)
{
    uint64_t one;
    asking->until = UINT64_MAX;
    while (read(approve->turn, &one, sizeof(one)) != sizeof(one)) {
        struct pollfd fd = {approve->turn, POLLIN, 0};
        enum answer ready = asking_wait(asking, &fd, 1);
        if (ready != ANSWER_YES)
            return ready;
    }
    asking->until = asking_now() + approve->timeout;
    enum answer answer = terminal_ask("/dev/tty", call, asking);
    one = 1;
    (void)!write(approve->turn, &one, sizeof(one)); /* from 0 to 1: it cannot fail */
    return answer;
}

/* The first line of what was said, or `otherwise`. */
static void say_words(const struct pawl_sink *why, const struct text *words, const char *otherwise)
{
    char memory[SAY_MAX];
    struct text plain = {.data = memory, .capacity = sizeof(memory)};
    const char *end = words->size > 0 ? memchr(words->data, '\n', words->size) : NULL;
    size_t size = end != NULL ? (size_t)(end - words->data) : words->size;
    while (size > 0 && words->data[size - 1] == '\r')
        size--;
    text_plain(&plain, words->data, size, sizeof(memory));
    if (plain.size > 0)
        say(why, "%.*s", (int)plain.size, plain.data);
    else
        say(why, "%s", otherwise);
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    const struct approve *approve = instance;
    *verdict = PAWL_VERDICT_DENY;
    if (approve->selects && patterns_find(&approve->match, call->name) == NULL) {
        *verdict = PAWL_VERDICT_ALLOW;
        return PAWL_OK;
    }
    char words[MAX_WORDS_BYTES];
    struct asking asking = {
        .until = asking_now() + approve->timeout,
        .cancel_fd = PAWL_HAS(call, cancel_fd) ? call->cancel_fd : -1,
        .words = {.data = words, .capacity = sizeof(words)},
    };
    enum answer answer = approve->terminal ? ask_in_turn(approve, call, &asking)
                                           : command_ask(approve->command, call, &asking);
    switch (answer) {
    case ANSWER_YES:
        *verdict = PAWL_VERDICT_ALLOW;
        return PAWL_OK;
    case ANSWER_LATER:
        say_words(why, &asking.words, "it is not decided yet");
        *verdict = PAWL_VERDICT_PENDING;
        return PAWL_OK;
    case ANSWER_LATE:
        say(why, "nobody approved it in time");
        return PAWL_OK;
    case ANSWER_CANCELLED:
        say(why, "the run ended before it was decided");
        return PAWL_OK;
    case ANSWER_BROKEN:
        say_words(why, &asking.words, "it could not be asked");
        return PAWL_E_SYSTEM;
    default:
        say_words(why, &asking.words, "it was not approved");
        return PAWL_OK;
    }
}

static const struct pawl_stage stage = {
    .header = PAWL_HEADER(STAGE, stage),
    .offers_bits = PAWL_STAGE_WAITS,
    .name = "approve",
    .version = "1.0",
    .description = "has a command or a person at the terminal decide",
    .threads = 2, /* any number of calls at once: nothing changes after create */
    .create = create,
    .destroy = destroy,
    .judge = judge,
};

PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return &stage;
}
