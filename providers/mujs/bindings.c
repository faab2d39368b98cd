#include "bindings.h"
#include "host.h"
#include "json.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* A function of a namespace; in the arena. */
struct binding {
    const struct pawl_namespace *space;
    const struct pawl_function *function;
};

/* Converts a name of the host for use as a key. */
static const char *intern_utf8(js_State *J, const char *name)
{
    const char *interned;

    text_push_utf8(J, name, strlen(name));
    interned = js_intern(J, js_tostring(J, -1));
    js_pop(J, 1);
    return interned;
}

/* --- Error classes ------------------------------------------------------------------------- */

/* Pushes the name of the registry's entry for an error class. */
static const char *class_key(js_State *J, const char *name)
{
    char key[512];

    snprintf(key, sizeof key, "class %s", name);
    return js_intern(J, key);
}

/* Replaces the prototype at the top by an error object of its class with a message (which is below
 * it, and goes), and where the call stands. */
static void make_error(js_State *J)
{
    js_Object *object = jsV_newobject(J, MUJS_CLASS_ERROR, js_toobject(J, -1));

    js_pop(J, 1);
    js_pushobject(J, object);
    js_rot2(J);
    js_defproperty(J, -2, "message", JS_DONTENUM);
    js_newerror(J, "");
    js_getproperty(J, -1, "stackTrace");
    js_rot2pop1(J);
    js_defproperty(J, -2, "stackTrace", JS_DONTENUM);
}

static void construct_error(js_State *J)
{
    if (js_isdefined(J, 1))
        js_pushstring(J, js_tostring(J, 1));
    else
        js_pushliteral(J, "");
    js_currentfunction(J);
    js_getproperty(J, -1, "prototype");
    js_rot2pop1(J);
    make_error(J);
}

/* Makes sure that the class exists as a global, and keeps its prototype. */
static void install_class(js_State *J, const char *name)
{
    js_getglobal(J, name);
    if (!js_iscallable(J, -1)) {
        js_pop(J, 1);
        js_getglobal(J, "Error");
        js_getproperty(J, -1, "prototype");
        js_rot2pop1(J);
        js_pushobject(J, jsV_newobject(J, MUJS_CLASS_ERROR, js_toobject(J, -1)));
        js_rot2pop1(J);
        js_pushstring(J, name);
        js_defproperty(J, -2, "name", JS_DONTENUM);
        js_newcconstructor(J, construct_error, construct_error, name, 1);
        js_copy(J, -1);
        js_defglobal(J, name, JS_DONTENUM);
    }
    js_getproperty(J, -1, "prototype");
    js_setregistry(J, class_key(J, name));
    js_pop(J, 1);
}

static const char *error_class(const struct pawl_namespace *space)
{
    return space->error_class != NULL ? space->error_class : "Error";
}

/* --- Failed calls -------------------------------------------------------------------------- */

/* Remembers that the error at the top is that call's, and keeps it, so that no other object gets
 * its address. */
static void remember(js_State *J, uint64_t call)
{
    struct vm *vm = vm_of(J);
    int count = vm->call_error_count;

    js_copy(J, -1);
    js_ref(J);
    if ((count & (count - 1)) == 0) /* room for the next power of two */
        vm->call_errors = js_realloc(J, vm->call_errors,
                                     (count == 0 ? 1 : 2 * count) * (int)sizeof *vm->call_errors);
    vm->call_errors[count] = (struct vm_call_error){.object = js_toobject(J, -1), .call = call};
    vm->call_error_count = count + 1;
}

uint64_t bindings_call_of(js_State *J, int idx)
{
    const struct vm *vm = vm_of(J);

    if (!js_isobject(J, idx))
        return 0;
    for (int i = 0; i < vm->call_error_count; i++)
        if (vm->call_errors[i].object == js_toobject(J, idx))
            return vm->call_errors[i].call;
    return 0;
}

/* Throws the error of a call; its message is at the top. */
JS_NORETURN static void throw_error(js_State *J, const struct binding *binding, const char *code,
                                    uint64_t call)
{
    js_getregistry(J, class_key(J, error_class(binding->space)));
    make_error(J);
    js_pushstring(J, code);
    js_defproperty(J, -2, "code", 0);
    if (binding->space->member_property != NULL) {
        text_push_utf8(J, binding->function->name, strlen(binding->function->name));
        js_defproperty(J, -2, intern_utf8(J, binding->space->member_property), 0);
    }
    if (call != 0)
        remember(J, call);
    js_throw(J);
}

/* --- Calls --------------------------------------------------------------------------------- */

/* Writes the arguments of the running C function as a JSON array. Arguments at the end that are
 * undefined were not given. */
static void write_arguments(js_State *J, const struct binding *binding, struct buffer *out)
{
    static const struct json_options options = {.mode = JSON_CROSS, .root = "arguments"};
    struct json_problem problem;
    int count = js_gettop(J) - 1; /* without the buffer's object, which is at the top */

    while (count > 1 && js_isundefined(J, count - 1))
        count--;
    js_newarray(J);
    for (int i = 1; i < count; i++) {
        js_copy(J, i);
        js_setindex(J, -2, i - 1);
    }
    if (json_write(J, -1, &options, out, &problem) < 0) {
        struct buffer *message = buffer_push(J);

        buffer_add_text(J, message, binding->space->name);
        buffer_add_text(J, message, ".");
        buffer_add_text(J, message, binding->function->name);
        buffer_add_text(J, message, ": ");
        buffer_add_text(J, message, problem.message);
        text_push_utf8(J, message->data, (size_t)message->size);
        throw_error(J, binding, "bad_arguments", 0);
    }
}

static void call_binding(js_State *J)
{
    const struct binding *binding = js_currentfunctiondata(J);
    struct pawl_settlement settlement;
    struct json_error error;
    struct buffer *arguments = buffer_push(J);

    write_arguments(J, binding, arguments);
    host_call(J, binding->function->index, arguments->data, (size_t)arguments->size, &settlement);
    buffer_clear(J, arguments);
    if (settlement.status != PAWL_SETTLED_OK) {
        char code[64];
        uint64_t call = settlement.id;

        snprintf(code, sizeof code, "%s", settlement.code != NULL ? settlement.code : "tool_error");
        text_push_utf8(J, settlement.text.data, settlement.text.size);
        throw_error(J, binding, code, call);
    }
    if (!json_read_utf8(J, settlement.text.data, settlement.text.size, &error)) {
        js_pushstring(J, "the function returned text that is not JSON: ");
        js_pushstring(J, error.message);
        js_concat(J);
        throw_error(J, binding, "tool_error", settlement.id);
    }
}

static int is_identifier(const char *name)
{
    if (*name == 0 || (*name >= '0' && *name <= '9'))
        return 0;
    for (; *name != 0; name++)
        if (!(*name == '_' || *name == '$' || (*name >= '0' && *name <= '9') ||
              (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z')))
            return 0;
    return 1;
}

static void install_function(js_State *J, const struct pawl_namespace *space,
                             const struct pawl_function *function)
{
    struct binding *binding = js_malloc(J, sizeof *binding);
    /* What a stack trace shows. */
    const char *shown = is_identifier(function->name) ? function->name
                        : function->alias != NULL     ? function->alias
                                                      : "function";

    *binding = (struct binding){.space = space, .function = function};
    js_newcfunctionx(J, call_binding, shown, 0, binding, NULL);
    if (function->alias != NULL) {
        js_copy(J, -1);
        js_defproperty(J, -3, intern_utf8(J, function->alias), 0);
    }
    js_defproperty(J, -2, intern_utf8(J, function->name), 0);
}

static void install_namespace(js_State *J, const struct pawl_namespace *space)
{
    install_class(J, error_class(space));
    js_pushnull(J);
    js_newobjectx(J);
    for (uint32_t i = 0; i < space->function_count; i++)
        install_function(J, space, space->functions[i]);
    js_defglobal(J, space->name, JS_DONTENUM);
}

static void discover(js_State *J)
{
    struct vm *vm = vm_of(J);
    struct json_error error;
    struct buffer *query = buffer_push(J);

    if (js_isdefined(J, 1))
        text_add_string(J, query, js_tostring(J, 1));
    host_discover(J, query->data != NULL ? query->data : "", (size_t)query->size);
    buffer_clear(J, query);
    if (!json_read_utf8(J, vm->host_text, vm->host_text_size, &error))
        js_error(J, "discover: the answer is not JSON: %s", error.message);
}

void bindings_install(js_State *J)
{
    const struct pawl_run *run = vm_of(J)->run;

    for (uint32_t i = 0; i < run->namespace_count; i++)
        install_namespace(J, run->namespaces[i]);
    if (run->flags & PAWL_RUN_DISCOVER) {
        js_newcfunction(J, discover, "discover", 1);
        js_defglobal(J, "discover", JS_DONTENUM);
    }
}
