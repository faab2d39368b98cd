/* Questions to the host, which are answered in order. */
#include "run_state.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Sends the question that was begun and waits for its answer. *value becomes its value, absent if
 * the host could not answer; then *message says why. Both point into the run. */
static int32_t ask(struct run *run, struct json *value, struct json *message)
{
    struct json_member m[] = {{.name = "value"}, {.name = "message", .type = JSON_STRING}};
    run->answered = false;
    int32_t status = run_send(run);
    while (status == PAWL_OK && !run->answered)
        status = run->ended ? PAWL_E_ENDED : run_wait(run, false, 0);
    run_show_settled(run);
    if (status != PAWL_OK)
        return status;
    const struct json frame = {run->answer.data, run->answer.size};
    if (!json_members(frame, m, LENGTH(m), NULL))
        channel_lost();
    *value = m[0].value;
    if (message != NULL)
        *message = m[1].value;
    return PAWL_OK;
}

int32_t run_discover(void *context, const char *query, size_t size, const struct pawl_sink *answer)
{
    struct run *run = context;
    struct json value, message;
    if ((run->services.flags & PAWL_RUN_DISCOVER) == 0)
        return PAWL_E_UNSUPPORTED;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_DISCOVER);
    text_string(text, "{\"query\":");
    text_json_string(text, query, size);
    text_append(text, "}", 1);
    int32_t status = ask(run, &value, &message);
    if (status != PAWL_OK)
        return status;
    if (value.text != NULL) {
        answer->write(answer->context, value.text, value.size);
        return PAWL_OK;
    }
    text_clear(&run->message);
    if (message.text != NULL)
        json_decode(message, &run->message);
    answer->write(answer->context, run->message.data, run->message.size);
    return PAWL_E_UNAVAILABLE;
}

int32_t run_clock(void *context, int64_t *nanoseconds)
{
    struct run *run = context;
    struct timespec now;
    if (!run->ask) {
        clock_gettime(CLOCK_REALTIME, &now);
        *nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        return PAWL_OK;
    }
    struct json value;
    uint64_t number;
    text_string(frame_begin(&run->channel->calls, PAWL_WIRE_CLOCK), "{}");
    int32_t status = ask(run, &value, NULL);
    if (status != PAWL_OK)
        return status;
    if (!json_unsigned(value, &number))
        return PAWL_E_UNAVAILABLE;
    *nanoseconds = (int64_t)number;
    return PAWL_OK;
}

/* Fills in `size` bytes from a string of hexadecimal digits. */
static bool read_hexadecimal(struct json string, unsigned char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    if (string.text == NULL || string.size != 2 * size + 2)
        return false;
    for (size_t i = 0; i < 2 * size; i++) {
        char digit = string.text[1 + i];
        const char *found = digit == '\0' ? NULL : strchr(digits, digit);
        if (found == NULL)
            return false;
        bytes[i / 2] = (unsigned char)(bytes[i / 2] << 4 | (found - digits));
    }
    return true;
}

static int32_t ask_random(struct run *run, unsigned char *bytes, size_t size)
{
    struct json value;
    text_format(frame_begin(&run->channel->calls, PAWL_WIRE_RANDOM), "{\"size\":%zu}", size);
    int32_t status = ask(run, &value, NULL);
    if (status == PAWL_OK && !read_hexadecimal(value, bytes, size))
        status = PAWL_E_UNAVAILABLE;
    return status;
}

int32_t run_random(void *context, void *buffer, size_t size)
{
    struct run *run = context;
    unsigned char *bytes = buffer;
    while (size > 0) {
        size_t part = size;
        if (run->ask) {
            part = size < PAWL_WIRE_RANDOM_MOST ? size : PAWL_WIRE_RANDOM_MOST;
            int32_t status = ask_random(run, bytes, part);
            if (status != PAWL_OK)
                return status;
        } else {
            ssize_t got = getrandom(bytes, size, 0);
            if (got < 0 && errno != EINTR)
                return PAWL_E_SYSTEM;
            part = got < 0 ? 0 : (size_t)got;
        }
        bytes += part;
        size -= part;
    }
    return PAWL_OK;
}
