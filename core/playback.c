#include "core/playback.h"

#include <inttypes.h>
#include <string.h>

/* How much of a text a divergence shows. */
#define SHOWN 200

/* --- Where it stands ----------------------------------------------------------------------- */

/* The entry that is to come, or NULL. What the program logs follows from the rest, and when it was
 * put aside makes no difference to it. */
static const struct record_entry *peek(struct playback *playback)
{
    const struct pawl_record *record = playback->record;
    for (; playback->at < record->count; playback->at++) {
        const struct record_entry *entry = &record->entries[playback->at];
        bool last = playback->at + 1 == record->count;
        if (entry->type != RECORD_LOG && entry->type != RECORD_RESUMED && !entry->late &&
            !(entry->type == RECORD_END && !last))
            return entry;
    }
    return NULL;
}

/* Why the host ended the recorded run at a time that does not follow from the record;
 * PAWL_END_NONE: it did not. */
static uint32_t reason_of(const struct record_entry *entry)
{
    static const struct {
        const char *kind;
        uint32_t reason;
    } ends[] = {
        {"deadline", PAWL_END_DEADLINE},
        {"abort", PAWL_END_ABORT},
        {"budget_bytes", PAWL_END_BYTES},
        {"suspended", PAWL_END_SUSPEND},
    };
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (strcmp(entry->name, ends[i].kind) == 0)
            return ends[i].reason;
    return PAWL_END_NONE;
}

static int shown(const char *text, size_t size)
{
    int length = (int)(size < SHOWN ? size : SHOWN);
    while (length > 0 && (size_t)length < size && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* What an entry says happened, in words. */
static void describe(struct buffer *out, const struct record_entry *entry)
{
    static const char *const words[] = {
        [RECORD_SETTLED] = "waits for a call",     [RECORD_TIMEOUT] = "waits for a while",
        [RECORD_CLOCK] = "reads the clock",        [RECORD_RANDOM] = "takes random bytes",
        [RECORD_DISCOVER] = "discovers functions", [RECORD_END] = "ends",
    };
    if (entry == NULL)
        buffer_string(out, "was cut off");
    else if (entry->type == RECORD_CALL)
        buffer_format(out, "calls %s(%.*s)", entry->name, shown(entry->text, entry->text_size),
                      entry->text);
    else if (entry->type == RECORD_END && reason_of(entry) == PAWL_END_SUSPEND)
        buffer_string(out, "was suspended");
    else
        buffer_string(out, words[entry->type]);
}

/* The run is not the one in the record: the program does what `does` says instead. */
static enum play diverge(struct playback *playback, const char *does)
{
    struct buffer *out = &playback->diverged;
    const struct record_entry *entry = peek(playback);
    if (out->size > 0)
        return PLAY_ENDED; /* a provider that asks on */
    if (entry != NULL && entry->type == RECORD_CALL)
        buffer_format(out, "the run differs from its record at call %" PRIu64, entry->id);
    else if (playback->last_call != 0)
        buffer_format(out, "the run differs from its record after call %" PRIu64,
                      playback->last_call);
    else
        buffer_string(out, "the run differs from its record before the first call");
    buffer_format(out, ": it %s, where the recorded one ", does);
    describe(out, entry);
    calls_set_end(playback->calls, PAWL_END_ABORT);
    return PLAY_ENDED;
}

/* The record goes no further. A run is suspended while it waits for a call: one that is resumed has
 * come to the same place then. */
static enum play end(struct playback *playback, const struct record_entry *entry,
                     enum record_type type, const char *does)
{
    if (playback->resumes && type == RECORD_SETTLED) {
        playback->record = NULL;
        return PLAY_LIVE;
    }
    uint32_t reason = entry != NULL && !playback->resumes ? reason_of(entry) : PAWL_END_NONE;
    if (reason == PAWL_END_NONE)
        return diverge(playback, does);
    calls_set_end(playback->calls, reason);
    return PLAY_ENDED;
}

/* Whether the record says that it is that kind of question which comes next; then *entry is the
 * answer, and is used up. */
static enum play take(struct playback *playback, enum record_type type, const char *does,
                      const struct record_entry **entry)
{
    if (playback->record == NULL)
        return PLAY_LIVE;
    *entry = peek(playback);
    if (*entry == NULL || (*entry)->type == RECORD_END)
        return end(playback, *entry, type, does);
    if ((*entry)->type != type)
        return diverge(playback, does);
    playback->at++;
    return PLAY_ANSWERED;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether a call has the arguments of the recorded one. A record has them without the white space
 * around them, and on one line. */
static bool is_same(const struct record_entry *entry, const char *arguments, size_t size)
{
    for (; size > 0 && is_space(*arguments); size--)
        arguments++;
    while (size > 0 && is_space(arguments[size - 1]))
        size--;
    if (entry->text_size != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        bool is_line_end = arguments[i] == '\n' || arguments[i] == '\r';
        if (entry->text[i] != (is_line_end ? ' ' : arguments[i]))
            return false;
    }
    return true;
}

/* --- Questions ----------------------------------------------------------------------------- */

enum play playback_call(struct playback *playback, const struct binding *binding,
                        const char *arguments, size_t size)
{
    if (playback->record == NULL)
        return PLAY_LIVE;
    struct buffer does BUFFER_CLEANUP = {0};
    buffer_format(&does, "calls %s(%.*s)", binding->full_name, shown(arguments, size), arguments);
    const char *words = does.data != NULL ? does.data : "makes a call";
    const struct record_entry *entry;
    enum play play = take(playback, RECORD_CALL, words, &entry);
    if (play != PLAY_ANSWERED)
        return play;
    if (strcmp(entry->name, binding->full_name) != 0 || !is_same(entry, arguments, size)) {
        playback->at--;
        return diverge(playback, words);
    }
    playback->last_call = entry->id;
    return PLAY_ANSWERED;
}

enum play playback_next(struct playback *playback, int32_t timeout,
                        struct pawl_settlement *settlement, int32_t *status)
{
    if (playback->record == NULL)
        return PLAY_LIVE;
    if (!calls_in_flight(playback->calls)) {
        *status = timeout > 0 ? PAWL_E_TIMEOUT : PAWL_E_STATE;
        return PLAY_ANSWERED;
    }
    const struct record_entry *entry = peek(playback);
    while (timeout < 0 && entry != NULL && entry->type == RECORD_TIMEOUT) {
        playback->at++; /* of one that polled instead of waiting */
        entry = peek(playback);
    }
    if (entry != NULL && entry->type == RECORD_TIMEOUT) {
        playback->at++;
        *status = PAWL_E_TIMEOUT;
        return PLAY_ANSWERED;
    }
    enum play play = take(playback, RECORD_SETTLED, "waits for a call", &entry);
    if (play != PLAY_ANSWERED)
        return play;
    *status = calls_play(playback->calls, entry, settlement);
    if (*status != PAWL_E_STATE)
        return PLAY_ANSWERED;
    playback->at--;
    return diverge(playback, "waits for calls of which none is that one");
}

enum play playback_clock(struct playback *playback, int64_t *nanoseconds)
{
    const struct record_entry *entry;
    enum play play = take(playback, RECORD_CLOCK, "reads the clock", &entry);
    if (play == PLAY_ANSWERED)
        *nanoseconds = entry->number;
    return play;
}

enum play playback_random(struct playback *playback, void *bytes, size_t size)
{
    const struct record_entry *entry;
    enum play play = take(playback, RECORD_RANDOM, "takes random bytes", &entry);
    if (play != PLAY_ANSWERED)
        return play;
    if (entry->text_size != size) {
        playback->at--;
        return diverge(playback, "takes another number of random bytes");
    }
    if (size > 0)
        memcpy(bytes, entry->text, size);
    return PLAY_ANSWERED;
}

enum play playback_discover(struct playback *playback, const char *query, size_t size,
                            const struct pawl_sink *answer, int32_t *status)
{
    const struct record_entry *entry;
    enum play play = take(playback, RECORD_DISCOVER, "discovers functions", &entry);
    if (play != PLAY_ANSWERED)
        return play;
    if (entry->name_size != size || memcmp(entry->name, query, size) != 0) {
        playback->at--;
        return diverge(playback, "discovers other functions");
    }
    *status = (int32_t)entry->number;
    if (*status == PAWL_OK)
        answer->write(answer->context, entry->text, entry->text_size);
    return PLAY_ANSWERED;
}

/* --- The end ------------------------------------------------------------------------------- */

bool playback_finish(struct playback *playback)
{
    const struct record_entry *entry;
    if (playback->record == NULL)
        return true;
    size_t at = playback->at;
    while ((entry = peek(playback)) != NULL && entry->type != RECORD_CALL &&
           entry->type != RECORD_END)
        playback->at++;
    if (entry != NULL && entry->type == RECORD_END) {
        uint32_t reason = reason_of(entry);
        if (reason == PAWL_END_NONE)
            return true;
        if (reason != PAWL_END_SUSPEND) { /* its program may have been as far */
            calls_set_end(playback->calls, reason);
            return false;
        }
    }
    if (entry != NULL) {
        diverge(playback, "ends");
        return false;
    }
    playback->at = at;
    return true;
}

void playback_settle_late(struct playback *playback)
{
    const struct pawl_record *record = playback->record;
    for (size_t i = 0; record != NULL && i < record->count; i++)
        if (record->entries[i].late)
            calls_play_late(playback->calls, &record->entries[i]);
}

int playback_skip(struct playback *playback,
                  int (*log)(void *context, const char *text, size_t size), void *context)
{
    const struct pawl_record *record = playback->record;
    const pawl_request *request = record->request;
    int status = PAWL_OK;
    for (size_t i = 0; status == PAWL_OK && i < record->count; i++) {
        const struct record_entry *entry = &record->entries[i];
        uint32_t binding = 0;
        uint64_t id;
        switch (entry->type) {
        case RECORD_CALL:
            while (binding < request->binding_count &&
                   strcmp(request->bindings[binding]->full_name, entry->name) != 0)
                binding++;
            status = calls_begin(playback->calls, binding, entry->text, entry->text_size, &id);
            if (status == PAWL_OK && id != entry->id)
                status = PAWL_E_STATE;
            break;
        case RECORD_SETTLED: {
            struct pawl_settlement settlement;
            status = calls_play(playback->calls, entry, &settlement);
            break;
        }
        case RECORD_LOG:
            status = log(context, entry->text, entry->text_size);
            break;
        default:
            break;
        }
    }
    playback->record = NULL;
    return status == PAWL_OK ? PAWL_OK : PAWL_E_ENDED;
}
