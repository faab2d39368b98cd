#include "tests/wire/forgery.h"

#include "abi/wire.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define READY "{\"protocol\":1,\"name\":\"forge\",\"languages\":[\"" FORGE_LANGUAGE "\"]}"

static void put(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t written = write(fd, at, size);
        if (written <= 0)
            _exit(9);
        at += written;
        size -= (size_t)written;
    }
}

static void header(int fd, char type, uint32_t size)
{
    const unsigned char bytes[5] = {(unsigned char)size, (unsigned char)(size >> 8),
                                    (unsigned char)(size >> 16), (unsigned char)(size >> 24),
                                    (unsigned char)type};
    put(fd, bytes, sizeof(bytes));
}

static void frame(int fd, char type, const char *text)
{
    size_t size = strlen(text);
    char *whole = malloc(size + 6);
    strcpy(whole + 5, text);
    for (int i = 0; i < 4; i++)
        whole[i] = (char)(size >> 8 * i);
    whole[4] = type;
    put(fd, whole, size + 5);
    free(whole);
}

/* Takes one frame from fd 0. */
static void take(void)
{
    unsigned char bytes[5];
    for (size_t got = 0; got < 5;) {
        ssize_t size = read(0, bytes + got, 5 - got);
        if (size <= 0)
            _exit(0);
        got += (size_t)size;
    }
    size_t size = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16;
    while (size > 0) {
        char buffer[4096];
        ssize_t part = read(0, buffer, size < sizeof(buffer) ? size : sizeof(buffer));
        if (part <= 0)
            _exit(0);
        size -= (size_t)part;
    }
}

static _Noreturn void hang(void)
{
    for (;;)
        pause();
}

static void nested(int fd, char type, const char *before, size_t depth, const char *after)
{
    size_t size = strlen(before) + 2 * depth + strlen(after);
    char *text = malloc(size + 1), *at = stpcpy(text, before);
    memset(at, '[', depth);
    memset(at + depth, ']', depth);
    strcpy(at + 2 * depth, after);
    frame(fd, type, text);
    free(text);
}

/* One frame after another of the same kind, for ever. */
static void flood(int fd, char type, const char *text)
{
    for (;;)
        frame(fd, type, text);
}

static void flood_calls(void)
{
    char text[128];
    for (uint64_t id = 1;; id++) {
        snprintf(text, sizeof(text), "{\"id\":%llu,\"function\":0,\"arguments\":[]}",
                 (unsigned long long)id);
        frame(3, 'c', text);
    }
}

/* What it does instead of becoming ready. */
static void before_ready(const char *how)
{
    if (strcmp(how, "start-nothing") == 0)
        _exit(0);
    if (strcmp(how, "start-closed") == 0) {
        close(1);
        hang();
    }
    if (strcmp(how, "start-garbage") == 0)
        put(1, "hello, this is no frame", 23);
    if (strcmp(how, "start-value") == 0)
        frame(1, 'v', "{}");
    if (strcmp(how, "start-version") == 0)
        frame(1, 'r', "{\"protocol\":2,\"languages\":[\"stub\"]}");
    if (strcmp(how, "start-no-languages") == 0)
        frame(1, 'r', "{\"protocol\":1}");
    if (strcmp(how, "start-empty-languages") == 0)
        frame(1, 'r', "{\"protocol\":1,\"languages\":[]}");
    if (strcmp(how, "start-error") == 0)
        frame(1, 'x', "{\"status\":\"unavailable\",\"message\":\"not here\"}");
    if (strcmp(how, "start-bad-error") == 0)
        frame(1, 'x', "{\"status\":7}");
    if (strncmp(how, "start-", 6) == 0)
        hang();
}

/* Writes what stands in a file: even bytes count what follows for fd 1, odd ones for fd 3; then it
 * exits. */
static _Noreturn void replay(const char *path)
{
    unsigned char length, bytes[256];
    FILE *file = fopen(path, "r");
    while (file != NULL && fread(&length, 1, 1, file) == 1) {
        size_t size = fread(bytes, 1, length / 2, file);
        put(length % 2 == 0 ? 1 : 3, bytes, size);
    }
    _exit(0);
}

void forge_run(const char *how)
{
    static const struct {
        const char *how;
        int fd;
        char type;
        const char *text;
    } frames[] = {
        {"value", 1, 'v', "{\"value\":1}"},
        {"unknown-type", 1, 'z', "{}"},
        {"wrong-channel", 1, 'l', "{\"text\":\"x\"}"},
        {"value-on-calls", 3, 'v', "{}"},
        {"second-ready", 1, 'r', READY},
        {"no-json", 1, 'v', "{\"value\":}"},
        {"no-object", 1, 'v', "[]"},
        {"empty-frame", 1, 'v', ""},
        {"two-values-in-one", 1, 'v', "{\"value\":1,\"value\":2}"},
        {"injected", 1, 'v', "{\"value\":1}{\"value\":2}"},
        {"not-utf8", 1, 'v', "{\"value\":\"\xff\"}"},
        {"surrogate-utf8", 1, 'v', "{\"value\":\"\xed\xa0\x80\"}"},
        {"control-character", 1, 'v', "{\"value\":\"\n\"}"},
        {"nan", 1, 'v', "{\"value\":NaN}"},
        {"leading-zero", 1, 'v', "{\"value\":01}"},
        {"unknown-kind", 1, 'f', "{\"kind\":\"deadline\",\"message\":\"x\"}"},
        {"claimed-exit", 1, 'f', "{\"kind\":\"worker_exit\",\"message\":\"x\"}"},
        {"no-message", 1, 'f', "{\"kind\":\"runtime\"}"},
        {"bad-line", 1, 'f', "{\"kind\":\"runtime\",\"message\":\"x\",\"line\":-1}"},
        {"unknown-call", 1, 'f', "{\"kind\":\"runtime\",\"message\":\"x\",\"call\":1}"},
        {"bad-suggestions", 1, 'f', "{\"kind\":\"runtime\",\"message\":\"x\",\"suggestions\":[1]}"},
        {"many-suggestions", 1, 'f',
         "{\"kind\":\"runtime\",\"message\":\"x\",\"suggestions\":[\"\",\"\",\"\",\"\",\"\",\"\","
         "\"\",\"\","
         "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"]}"},
        {"stopped", 1, 's', "{}"},
        {"call-zero", 3, 'c', "{\"id\":0,\"function\":0,\"arguments\":[]}"},
        {"call-undeclared", 3, 'c', "{\"id\":1,\"function\":4000,\"arguments\":[]}"},
        {"call-huge-function", 3, 'c', "{\"id\":1,\"function\":4294967296,\"arguments\":[]}"},
        {"call-no-array", 3, 'c', "{\"id\":1,\"function\":0,\"arguments\":{}}"},
        {"call-no-id", 3, 'c', "{\"function\":0,\"arguments\":[]}"},
        {"call-real-id", 3, 'c', "{\"id\":1.0,\"function\":0,\"arguments\":[]}"},
        {"call-overflow", 3, 'c', "{\"id\":18446744073709551616,\"function\":0,\"arguments\":[]}"},
        {"log-no-text", 3, 'l', "{}"},
        {"log-number", 3, 'l', "{\"text\":1}"},
        {"discover", 3, 'd', "{\"query\":\"x\"}"},
        {"random-none", 3, 'n', "{\"size\":0}"},
        {"random-much", 3, 'n', "{\"size\":4097}"},
        {"fact-no-name", 1, 'k', "{\"value\":1}"},
    };
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
        if (strcmp(how, frames[i].how) == 0)
            frame(frames[i].fd, frames[i].type, frames[i].text);
    if (strcmp(how, "oversized") == 0)
        header(1, 'v', 0x110001);
    else if (strcmp(how, "oversized-most") == 0)
        header(3, 'l', 0xffffffff);
    else if (strcmp(how, "truncated") == 0) {
        header(1, 'v', 100);
        close(1);
    } else if (strcmp(how, "truncated-exit") == 0) {
        header(1, 'v', 100);
        _exit(0);
    } else if (strcmp(how, "call-twice") == 0) {
        frame(3, 'c', "{\"id\":5,\"function\":1,\"arguments\":[]}");
        frame(3, 'c', "{\"id\":5,\"function\":1,\"arguments\":[]}");
    } else if (strcmp(how, "call-backwards") == 0) {
        frame(3, 'c', "{\"id\":5,\"function\":1,\"arguments\":[]}");
        frame(3, 'c', "{\"id\":4,\"function\":1,\"arguments\":[]}");
    } else if (strcmp(how, "deep") == 0) {
        nested(1, 'v', "{\"value\":", PAWL_WIRE_DEPTH, "}");
    } else if (strcmp(how, "deep-call") == 0) {
        nested(3, 'c', "{\"id\":1,\"function\":0,\"arguments\":", 400000, "}");
    } else if (strcmp(how, "value-and-failure") == 0) {
        static const char both[] = "\x0b\0\0\0v{\"value\":1}\x1f\0\0\0f{\"kind\":\"runtime\","
                                   "\"message\":\"\"}";
        put(1, both, sizeof(both) - 1);
    } else if (strcmp(how, "value-twice") == 0) {
        static const char both[] = "\x02\0\0\0v{}\x02\0\0\0v{}";
        put(1, both, sizeof(both) - 1);
    } else if (strcmp(how, "flood-logs") == 0) {
        flood(3, 'l', "{\"text\":\"once more\"}");
    } else if (strcmp(how, "flood-facts") == 0) {
        flood(1, 'k', "{\"name\":\"something\",\"value\":1}");
    } else if (strcmp(how, "flood-calls") == 0) {
        flood_calls();
    } else if (strcmp(how, "flood-questions") == 0) {
        flood(3, 'n', "{\"size\":4096}");
    } else if (strcmp(how, "flood-stderr") == 0) {
        for (;;)
            put(2, "all work and no play\n", 21);
    } else if (strcmp(how, "close-launch") == 0) {
        close(0);
        frame(1, 'v', "{\"value\":1}");
    } else if (strcmp(how, "close-report") == 0) {
        close(1);
    } else if (strcmp(how, "close-calls") == 0) {
        close(3);
    } else if (strcmp(how, "close-answers") == 0) {
        close(4);
    } else if (strcmp(how, "close-stderr") == 0) {
        close(2);
        frame(1, 'v', "{\"value\":1}");
    } else if (strcmp(how, "grandchild") == 0) {
        if (fork() > 0)
            _exit(7);
    } else if (strcmp(how, "grandchild-value") == 0) {
        if (fork() > 0)
            frame(1, 'v', "{\"value\":1}");
    } else if (strcmp(how, "ignore-term") == 0) {
        signal(SIGTERM, SIG_IGN);
    }
    hang();
}

void forge_child(const char *how, const char *file)
{
    take();
    before_ready(how);
    if (strcmp(how, "eager-value") == 0) {
        /* Before there is a program. */
        char both[256];
        int size = snprintf(both, sizeof(both), "%c%c%c%cr%s%c%c%c%cv{}", (int)strlen(READY), 0, 0,
                            0, READY, 2, 0, 0, 0);
        put(1, both, (size_t)size);
        hang();
    }
    if (strcmp(how, "never-read") == 0) {
        frame(1, 'r', READY);
        hang();
    }
    frame(1, 'r', READY);
    take();
    if (strcmp(how, "replay") == 0 && file != NULL)
        replay(file);
    forge_run(how);
}
