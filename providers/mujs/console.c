/* console.c - console.log and its relatives: one entry of the run's log for each call. */
#include "builtins.h"
#include "host.h"
#include "json.h"
#include "text.h"

static void console_log(js_State *J)
{
    static const struct json_options options = {.mode = JSON_INSPECT};
    int top = js_gettop(J);
    struct buffer *out = buffer_push(J);

    for (int i = 1; i < top; i++) {
        if (i > 1)
            buffer_add_char(J, out, ' ');
        if (js_isstring(J, i))
            text_add_string(J, out, js_tostring(J, i));
        else
            json_write(J, i, &options, out, NULL);
    }
    host_log(J, out->data != NULL ? out->data : "", (size_t)out->size);
    buffer_clear(J, out);
    js_pushundefined(J);
}

void console_install(js_State *J)
{
    static const char *const names[] = {"log", "info", "warn", "error", "debug"};

    js_newobject(J);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        builtins_method(J, names[i], console_log, 0);
    js_defglobal(J, "console", JS_DONTENUM);
}
