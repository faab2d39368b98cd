#include <config.h> /* the one that configure made */

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <pawl/wire.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "limits.h"
#include "lock.h"

static char *copy(struct json value)
{
    struct text text TEXT_CLEANUP = {0};
    json_decode(value, &text);
    const char *string = text_get(&text);
    return string == NULL ? NULL : strdup(string);
}

static int32_t read_arguments(struct json command, char ***arguments, struct text *why)
{
    struct json_iterator iterator = json_iterate(command);
    struct json element;
    size_t count = 0;
    while (json_next(&iterator, NULL, &element))
        count++;
    char **array = calloc(count + 1, sizeof(*array));
    *arguments = array;
    iterator = json_iterate(command);
    for (size_t i = 0; array != NULL && json_next(&iterator, NULL, &element); i++) {
        if (json_type(element) == JSON_STRING && (array[i] = copy(element)) == NULL)
            return PAWL_E_MEMORY;
    }
    if (array == NULL)
        return PAWL_E_MEMORY;
    if (count > 0 && array[0] != NULL && array[0][0] == '/')
        return PAWL_OK;
    text_string(why, "the launch frame's command is no absolute path");
    return PAWL_E_STATE;
}

/* For the parent to believe or not, before there is a command that could say the same. */
static int32_t report_locked(struct channel *channel, const struct text *locked)
{
    struct text *text = frame_begin(&channel->report, PAWL_WIRE_READY);
    text_format(text,
                "{\"protocol\":%u,\"name\":\"pawl-child " PACKAGE_VERSION
                "\",\"languages\":[],\"locked\":{",
                PAWL_WIRE_PROTOCOL);
    text_append(text, locked->data, locked->size);
    text_string(text, "}}");
    return channel_report(channel);
}

/* Sleeps until the parent, which has looked at this process meanwhile, sends what the command is to
 * read. */
static void wait_for_approval(void)
{
    struct pollfd launch = {.fd = PAWL_WIRE_FD_LAUNCH, .events = POLLIN};
    while (poll(&launch, 1, -1) < 0 && errno == EINTR)
        ;
    if ((launch.revents & POLLIN) == 0)
        _exit(0);
}

int32_t command_become(struct channel *channel, struct json command, struct json lock,
                       struct text *why)
{
    struct text locked TEXT_CLEANUP = {0};
    char **arguments, *environment[] = {NULL};
    int32_t status = read_arguments(command, &arguments, why);
    if (status != PAWL_OK)
        return status;
    if (lock.text == NULL) {
        text_string(why, "a command that is not confined needs no pawl-child");
        return PAWL_E_STATE;
    }
    fcntl(PAWL_WIRE_FD_CALLS, F_SETFL, O_WRONLY); /* as abi/wire.md promises */
    status = limits_apply(true, &locked, why);
    if (status == PAWL_OK)
        status = lock_down(lock, &locked, why);
    if (status == PAWL_OK)
        status = report_locked(channel, &locked);
    if (status != PAWL_OK)
        return status;
    wait_for_approval();
    execve(arguments[0], arguments, environment);
    text_format(why, "%s cannot be executed in its root: %s", arguments[0], strerror(errno));
    if (errno == ENOENT)
        text_string(why, " (does \"visible\" name it, its interpreter and its libraries?)");
    return PAWL_E_UNAVAILABLE;
}
