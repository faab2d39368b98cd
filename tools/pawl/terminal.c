#include "tools/pawl/terminal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* --- Text --------------------------------------------------------------------------------- */

static bool is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

static bool has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return is_terminal(stream) && (no_colour == NULL || *no_colour == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

/* The code point of a control character at text[0] (C0, DEL, C1) and its length; 0: it is none. */
static size_t control_character(const char *text, size_t size, unsigned *code)
{
    unsigned char first = (unsigned char)text[0];
    *code = first;
    if (first < 0x20 || first == 0x7F)
        return 1;
    if (first != 0xC2 || size < 2 || (unsigned char)text[1] < 0x80 || (unsigned char)text[1] > 0x9F)
        return 0;
    *code = (unsigned char)text[1];
    return 2;
}

/* Writes text to a terminal with its control characters as \u001b. */
static void print_visible(FILE *stream, const char *text, size_t size)
{
    size_t plain = 0;
    for (size_t i = 0; i < size;) {
        unsigned code;
        size_t length = control_character(text + i, size - i, &code);
        if (length == 0 || code == '\n' || code == '\t') {
            i++;
            continue;
        }
        fwrite(text + plain, 1, i - plain, stream);
        fprintf(stream, "\\u%04x", code);
        i += length;
        plain = i;
    }
    fwrite(text + plain, 1, size - plain, stream);
}

void terminal_print(FILE *stream, enum style style, const char *text, size_t size)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "",        [STYLE_BOLD] = "\033[1m", [STYLE_ERROR] = "\033[1;31m",
        [STYLE_HINT] = "\033[36m", [STYLE_DIM] = "\033[2m",
    };
    if (!is_terminal(stream)) {
        fwrite(text, 1, size, stream);
        return;
    }
    bool colour = style != STYLE_PLAIN && has_colour(stream);
    if (colour)
        fputs(codes[style], stream);
    print_visible(stream, text, size);
    if (colour)
        fputs("\033[0m", stream);
}

void terminal_format(FILE *stream, enum style style, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    terminal_print(stream, style, text, (size_t)length);
    free(text);
}

void terminal_message(const char *message)
{
    terminal_format(stderr, STYLE_ERROR, "pawl:");
    terminal_format(stderr, STYLE_PLAIN, " %s\n", message);
}

/* --- The live line ------------------------------------------------------------------------ */

#define LIVE_CALLS 64 /* as many as can be in flight together */
#define LIVE_NAME  64

struct live {
    pthread_mutex_t lock;
    bool line; /* there is a terminal to draw it on */
    bool logs;
    bool drawn;
    bool ended; /* what comes now comes too late */
    size_t logged;
    size_t settled;
    size_t in_flight;
    struct {
        uint64_t call; /* 0: free */
        char name[LIVE_NAME];
    } calls[LIVE_CALLS];
};

struct live *live_new(bool logs)
{
    struct live *live = calloc(1, sizeof(*live));
    if (live == NULL)
        return NULL;
    if (pthread_mutex_init(&live->lock, NULL) != 0) {
        free(live);
        return NULL;
    }
    live->line = is_terminal(stderr);
    live->logs = logs;
    return live;
}

static void erase(struct live *live)
{
    if (live->drawn)
        fputs("\r\033[K", stderr);
    live->drawn = false;
}

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20 ? size.ws_col : 80;
}

static void draw(struct live *live)
{
    if (!live->line)
        return;
    erase(live);
    if (live->in_flight > 0) {
        char text[512];
        size_t used = (size_t)snprintf(text, sizeof(text),
                                       "%zu in flight, %zu done:", live->in_flight, live->settled);
        for (size_t i = 0; i < LIVE_CALLS && used < sizeof(text); i++)
            if (live->calls[i].call != 0)
                used +=
                    (size_t)snprintf(text + used, sizeof(text) - used, " %s", live->calls[i].name);
        size_t width = terminal_width() - 1;
        if (used >= sizeof(text))
            used = sizeof(text) - 1;
        while (used > width || (used > 0 && ((unsigned char)text[used] & 0xC0) == 0x80))
            used--;
        terminal_print(stderr, STYLE_DIM, text, used);
        live->drawn = true;
    }
    fflush(stderr);
}

static void call_started(struct live *live, const struct pawl_event *event)
{
    for (size_t i = 0; i < LIVE_CALLS; i++)
        if (live->calls[i].call == 0) {
            live->in_flight++;
            live->calls[i].call = event->call;
            snprintf(live->calls[i].name, LIVE_NAME, "%s", event->name);
            /* A name could hold a line end: the line must stay one. */
            for (char *p = live->calls[i].name; *p != '\0'; p++)
                if (*p == '\n' || *p == '\t')
                    *p = ' ';
            return;
        }
}

static void call_settled(struct live *live, const struct pawl_event *event)
{
    live->settled++;
    for (size_t i = 0; i < LIVE_CALLS; i++)
        if (live->calls[i].call == event->call) {
            live->calls[i].call = 0;
            live->in_flight--;
            return;
        }
}

void live_event(const struct pawl_event *event, void *data)
{
    struct live *live = data;
    pthread_mutex_lock(&live->lock);
    if (live->ended) {
        pthread_mutex_unlock(&live->lock);
        return;
    }
    if (event->what == PAWL_EVENT_CALL_STARTED)
        call_started(live, event);
    else if (event->what == PAWL_EVENT_CALL_SETTLED)
        call_settled(live, event);
    else if (event->what == PAWL_EVENT_LOG && live->logs) {
        erase(live);
        terminal_print(stderr, STYLE_PLAIN, event->text.data, event->text.size);
        fputc('\n', stderr);
        live->logged++;
    }
    draw(live);
    pthread_mutex_unlock(&live->lock);
}

size_t live_end(struct live *live)
{
    pthread_mutex_lock(&live->lock);
    erase(live);
    fflush(stderr);
    live->ended = true;
    size_t logged = live->logged;
    pthread_mutex_unlock(&live->lock);
    return logged;
}

void live_free(struct live *live)
{
    if (live == NULL)
        return;
    pthread_mutex_destroy(&live->lock);
    free(live);
}
