/*
 * pawl-child - the program that isolating providers start: it loads one engine plugin, confines
 * itself, runs one program and exits; or it confines itself and becomes a command that does so. It
 * speaks abi/wire.md and links nothing but libc.
 */
#include <config.h> /* the one that configure made */

#include <errno.h>
#include <fcntl.h>
#include <pawl/wire.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "command.h"
#include "engine.h"
#include "limits.h"
#include "lock.h"
#include "program.h"
#include "run.h"

/* Takes the launch frame: what to load, how to lock, how large a frame may be. */
static int32_t read_launch(struct channel *channel, struct json_member *launch, size_t count,
                           struct text *why)
{
    struct frame frame;
    struct json value;
    int32_t status = channel_receive_launch(channel, &frame);
    if (status == PAWL_E_MEMORY)
        return status;
    if (status != PAWL_OK)
        channel_lost();
    if (frame.type != PAWL_WIRE_LAUNCH || !json_check(frame.text, frame.size, &value)) {
        text_string(why, "the first frame is no launch frame");
        return PAWL_E_STATE;
    }
    if (!json_members(value, launch, count, why))
        return PAWL_E_STATE;
    uint64_t protocol, limit;
    json_unsigned(launch[0].value, &protocol);
    json_unsigned(launch[1].value, &limit);
    if (protocol < PAWL_WIRE_PROTOCOL) {
        text_format(why, "the parent speaks protocol %llu at most, this child speaks %u",
                    (unsigned long long)protocol, PAWL_WIRE_PROTOCOL);
        return PAWL_E_STATE;
    }
    if (limit < PAWL_WIRE_FRAME_LEAST || limit > PAWL_WIRE_FRAME_MOST) {
        text_string(why, "member \"frame_limit\" is out of range");
        return PAWL_E_STATE;
    }
    channel->frame_limit = (size_t)limit;
    return PAWL_OK;
}

static int32_t report_ready(struct channel *channel, const struct engine *engine,
                            const struct text *locked)
{
    struct text *text = frame_begin(&channel->report, PAWL_WIRE_READY);
    text_format(text, "{\"protocol\":%u,\"name\":\"pawl-child " PACKAGE_VERSION "\",\"languages\":",
                PAWL_WIRE_PROTOCOL);
    const char *const *languages = engine->provider.languages(engine->instance);
    text_append(text, "[", 1);
    for (size_t i = 0; languages[i] != NULL; i++) {
        text_string(text, i == 0 ? "" : ",");
        text_json_string(text, languages[i], strlen(languages[i]));
    }
    text_string(text, "],\"engine\":{\"name\":");
    text_json_string(text, engine->provider.name, strlen(engine->provider.name));
    text_string(text, ",\"version\":");
    text_json_string(text, engine->provider.version, strlen(engine->provider.version));
    text_format(text, ",\"level\":%u,\"egress\":%u,\"memory\":%s},\"locked\":{", engine->level,
                engine->egress, engine->bounds_memory ? "true" : "false");
    text_append(text, locked->data, locked->size);
    bool images = (engine->provider.offers_bits & PAWL_OFFERS_IMAGE) != 0;
    text_format(text, "},\"images\":%s}", images ? "true" : "false");
    return channel_report(channel);
}

/* What a launch frame has. */
enum { PROTOCOL, LIMIT, ENGINE, LOCK, COMMAND, LAUNCH_MEMBERS };

/* Everything up to `ready`. The order matters: descriptors first, so that none of the host's is
 * open when foreign code is loaded; limits last, because loading needs what they forbid. */
static int32_t prepare(struct channel *channel, struct engine *engine, bool command,
                       struct text *why)
{
    struct json_member launch[LAUNCH_MEMBERS] = {
        [PROTOCOL] = {.name = "protocol", .type = JSON_UNSIGNED, .required = true},
        [LIMIT] = {.name = "frame_limit", .type = JSON_UNSIGNED, .required = true},
        [ENGINE] = {.name = "engine", .type = JSON_OBJECT, .required = !command},
        [LOCK] = {.name = "lock", .type = JSON_OBJECT},
        [COMMAND] = {.name = "command", .type = JSON_ARRAY, .required = command},
    };
    struct text locked TEXT_CLEANUP = {0};
    int32_t status =
        limits_close_descriptors(command ? PAWL_WIRE_FD_GATEWAY + 1 : PAWL_WIRE_FDS, why);
    if (status == PAWL_OK)
        status = read_launch(channel, launch, LAUNCH_MEMBERS, why);
    if (status == PAWL_OK && command)
        return command_become(channel, launch[COMMAND].value, launch[LOCK].value, why);
    if (status == PAWL_OK)
        status = engine_load(engine, launch[ENGINE].value, why);
    if (status == PAWL_OK)
        status = run_prepare(why);
    if (status == PAWL_OK)
        status = limits_apply(false, &locked, why);
    if (status == PAWL_OK)
        status = lock_down(launch[LOCK].value, &locked, why);
    if (status == PAWL_OK)
        status = report_ready(channel, engine, &locked);
    return status;
}

/* Answers whether the engine keeps a budget. */
static bool report_supported(struct channel *channel, struct engine *engine, struct json question)
{
    struct pawl_budget budget;
    struct text why TEXT_CLEANUP = {0};
    uint32_t missing = 0;
    if (!program_read_budget(question, &budget, &why))
        return false;
    int32_t status = engine_supports(engine, &budget, &missing, &why);
    struct text *text = frame_begin(&channel->report, PAWL_WIRE_SUPPORTED);
    text_format(text, "{\"status\":%d,\"missing\":%u,\"why\":", status != PAWL_OK, missing);
    text_json_string(text, why.data, why.size);
    text_append(text, "}", 1);
    return channel_report(channel) == PAWL_OK;
}

/* Waits for the program, answering questions meanwhile. False: nobody needs this child. */
static bool wait_for_program(struct channel *channel, struct engine *engine, struct json *program)
{
    struct frame frame;
    int32_t status;
    while ((status = channel_receive_launch(channel, &frame)) == PAWL_OK) {
        bool good = json_check(frame.text, frame.size, program);
        if (good && frame.type == PAWL_WIRE_PROGRAM)
            return true;
        if (good && frame.type == PAWL_WIRE_SUPPORTS && report_supported(channel, engine, *program))
            continue;
        channel_report_error(channel, PAWL_E_STATE, "a frame that is no program frame");
        return false;
    }
    if (status == PAWL_E_MEMORY)
        channel_report_error(channel, status, "no memory for the program");
    return false;
}

static void serve(bool command)
{
    struct channel channel = {
        .launch.limit = PAWL_WIRE_FRAME_MOST,
        .answers.limit = PAWL_WIRE_FRAME_MOST,
        .frame_limit = PAWL_WIRE_FRAME_DEFAULT,
    };
    struct engine engine = {0};
    struct text why = {0};
    int32_t status = prepare(&channel, &engine, command, &why);
    if (status != PAWL_OK) {
        const char *explanation = why.size == 0 ? NULL : text_get(&why);
        channel_report_error(&channel, status, explanation == NULL ? "no memory" : explanation);
        return;
    }
    struct json program;
    if (wait_for_program(&channel, &engine, &program))
        run_serve(&channel, &engine, program);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("pawl-child %s (protocol %u)\n", PACKAGE_VERSION, PAWL_WIRE_PROTOCOL);
        return 0;
    }
    const bool command = argc == 2 && strcmp(argv[1], COMMAND_ARGUMENT) == 0;
    if ((argc > 1 && !command) || fcntl(PAWL_WIRE_FD_CALLS, F_GETFD) < 0 ||
        fcntl(PAWL_WIRE_FD_ANSWERS, F_GETFD) < 0) {
        fprintf(stderr, "usage: pawl-child --version\n"
                        "Otherwise it is started by pawl's isolating providers.\n");
        return 2;
    }
    /* Only this end of the pipe: that the parent reads slowly must not stop the child from taking
     * answers meanwhile. */
    fcntl(PAWL_WIRE_FD_CALLS, F_SETFL, O_WRONLY | O_NONBLOCK);
    serve(command);
    _exit(0);
}
