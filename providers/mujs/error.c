/* error.c - Error's built-ins: `stack`, as the other engines have it. */
#include "builtins.h"
#include "position.h"

#include <string.h>

/* What libmujs knows is the property stackTrace: "\n\tat NAME (FILE:LINE)" for each call. Only the
 * program's own positions are shown. */
static void push_stack(js_State *J)
{
    struct buffer *out = buffer_push(J);

    js_getregistry(J, "Error.prototype.toString");
    js_copy(J, 0);
    js_call(J, 0);
    buffer_add_text(J, out, js_tostring(J, -1));
    js_pop(J, 1);
    js_getproperty(J, 0, "stackTrace");
    if (js_isstring(J, -1))
        position_add_frames(J, out, js_tostring(J, -1));
    js_pop(J, 1);
    js_pushlstring(J, out->data, out->size);
    buffer_clear(J, out);
}

static void get_stack(js_State *J)
{
    if (js_iserror(J, 0))
        push_stack(J);
    else
        js_pushundefined(J);
}

static void set_stack(js_State *J)
{
    if (js_isobject(J, 0)) {
        js_copy(J, 1);
        js_defproperty(J, 0, "stack", JS_DONTENUM);
    }
    js_pushundefined(J);
}

void error_install(js_State *J)
{
    builtins_push_prototype(J, "Error");
    js_getproperty(J, -1, "toString");
    builtins_keep(J, "Error.prototype.toString");
    js_newcfunction(J, get_stack, "stack", 0);
    js_newcfunction(J, set_stack, "stack", 1);
    js_defaccessor(J, -3, "stack", JS_DONTENUM);
    js_pop(J, 1);
}
