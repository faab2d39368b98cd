#include "channel.h"

#include <pawl/wire.h>
#include <string.h>
#include <unistd.h>

_Noreturn void channel_lost(void)
{
    _exit(1);
}

int32_t channel_receive_launch(struct channel *channel, struct frame *frame)
{
    for (;;) {
        int32_t taken = frame_take(&channel->launch, frame);
        if (taken != 0)
            return taken > 0 ? PAWL_OK : PAWL_E_ENDED;
        int32_t got = frame_read(&channel->launch, PAWL_WIRE_FD_LAUNCH);
        if (got <= 0)
            return got == PAWL_E_MEMORY ? PAWL_E_MEMORY : PAWL_E_ENDED;
    }
}

int32_t channel_report(struct channel *channel)
{
    int32_t status = frame_end(&channel->report, channel->frame_limit);
    if (status != PAWL_OK)
        return status;
    if (frame_flush(&channel->report, PAWL_WIRE_FD_REPORT) != PAWL_OK)
        channel_lost();
    return PAWL_OK;
}

/* The words of abi/wire.md for a status. */
static const char *status_word(int32_t status)
{
    switch (status) {
    case PAWL_E_UNAVAILABLE:
        return "unavailable";
    case PAWL_E_MEMORY:
        return "memory";
    case PAWL_E_PLUGIN:
        return "plugin";
    case PAWL_E_CONFIG:
        return "config";
    case PAWL_E_UNSUPPORTED:
        return "image";
    case PAWL_E_STATE:
        return "protocol";
    default:
        return "system";
    }
}

void channel_report_error(struct channel *channel, int32_t status, const char *message)
{
    static const char no_memory[] =
        "\x31\0\0\0x{\"status\":\"memory\",\"message\":\"no memory is left\"}";
    struct text *text = frame_begin(&channel->report, PAWL_WIRE_ERROR);
    text_format(text, "{\"status\":\"%s\",\"message\":", status_word(status));
    text_json_string(text, message, strlen(message));
    text_string(text, "}");
    if (channel_report(channel) != PAWL_OK &&
        write(PAWL_WIRE_FD_REPORT, no_memory, sizeof(no_memory) - 1) < 0)
        channel_lost();
}
