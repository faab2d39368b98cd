#include "stages/approve/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#define MAX_QUESTION_BYTES 8192
#define MAX_NAME_BYTES     1024
#define MAX_SHOWN_BYTES    4096

/* A process that another one has pushed into the background would be stopped as a whole, with the
 * host in it, when it writes or reads; with these blocked it gets EIO instead. */
static void block_stops(sigset_t *before)
{
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTIN);
    sigaddset(&stops, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stops, before);
}

static enum answer put(int tty, const struct text *text, struct asking *asking)
{
    for (size_t done = 0; done < text->size;) {
        struct pollfd fd = {tty, POLLOUT, 0};
        enum answer ready = asking_wait(asking, &fd, 1);
        if (ready != ANSWER_YES)
            return ready;
        ssize_t put = write(tty, text->data + done, text->size - done);
        if (put < 0 && errno != EAGAIN && errno != EINTR)
            return asking_broke(asking, "the terminal cannot be written", errno);
        done += put > 0 ? (size_t)put : 0;
    }
    return ANSWER_YES;
}

static enum answer put_question(int tty, const struct pawl_stage_call *call, struct asking *asking)
{
    char memory[MAX_QUESTION_BYTES];
    struct text text = {.data = memory, .capacity = sizeof(memory)};
    size_t name_size = strlen(call->name), size = call->arguments.size;
    /* \r and "erase to the end of the line": the host may show its progress there. */
    text_format(&text, "\r\033[KThe program wants to call ");
    if (text_plain(&text, call->name, name_size, MAX_NAME_BYTES) != name_size)
        return asking_broke(asking, "the function's name cannot be shown", E2BIG);
    text_format(&text, "\n  ");
    size_t shown = text_plain(&text, call->arguments.data, size, MAX_SHOWN_BYTES);
    if (shown < size)
        text_format(&text, "\n  (and %zu more bytes of arguments, which are not shown)",
                    size - shown);
    text_format(&text, "\nAllow it? [y/N] ");
    return put(tty, &text, asking);
}

static void put_words(int tty, const char *words)
{
    (void)!write(tty, words, strlen(words)); /* a courtesy: the answer is known */
}

/* Reads a line; its beginning is all that matters. An end of file is no yes. */
static enum answer read_line(int tty, char *line, size_t size, struct asking *asking)
{
    size_t length = 0;
    for (;;) {
        struct pollfd fd = {tty, POLLIN, 0};
        enum answer ready = asking_wait(asking, &fd, 1);
        if (ready != ANSWER_YES)
            return ready;
        char piece[256];
        ssize_t got = read(tty, piece, sizeof(piece));
        if (got == 0)
            return ANSWER_NO;
        if (got < 0 && errno != EAGAIN && errno != EINTR)
            return asking_broke(asking, "the terminal cannot be read", errno);
        for (ssize_t i = 0; i < got; i++) {
            if (piece[i] == '\n' || piece[i] == '\r') {
                line[length] = '\0';
                return ANSWER_YES;
            }
            line[length] = piece[i];
            length += length + 1 < size;
        }
    }
}

static enum answer ask(int tty, const struct pawl_stage_call *call, struct asking *asking)
{
    if (tcgetpgrp(tty) != getpgrp())
        return asking_broke(asking, "the host is not in the foreground of the terminal", EPERM);
    /* What was typed before the question is no answer to it. */
    if (tcflush(tty, TCIFLUSH) != 0)
        return asking_broke(asking, "the terminal cannot be used", errno);
    enum answer answer = put_question(tty, call, asking);
    char line[16];
    if (answer == ANSWER_YES)
        answer = read_line(tty, line, sizeof(line), asking);
    if (answer == ANSWER_YES && strcasecmp(line, "y") != 0 && strcasecmp(line, "yes") != 0)
        answer = ANSWER_NO;
    if (answer == ANSWER_LATE)
        put_words(tty, "\nThere was no answer in time: it is denied.\n");
    else if (answer == ANSWER_CANCELLED)
        put_words(tty, "\n");
    if (answer == ANSWER_LATE || answer == ANSWER_CANCELLED)
        tcflush(tty, TCIFLUSH); /* half a line */
    return answer;
}

enum answer terminal_ask(const char *path, const struct pawl_stage_call *call,
                         struct asking *asking)
{
    int tty = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (tty < 0)
        return asking_broke(asking, "there is no terminal to ask on", errno);
    sigset_t before;
    block_stops(&before);
    enum answer answer = ask(tty, call, asking);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(tty);
    return answer;
}
