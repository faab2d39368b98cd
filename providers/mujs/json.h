/*
 * json.h - JSON text and values of the VM, both ways, without recursion on the C stack.
 */
#ifndef MUJS_JSON_H
#define MUJS_JSON_H

#include "buffer.h"

#include <stdint.h>

#define JSON_MAX_DEPTH 10000

enum json_mode {
    JSON_CROSS,     /* what leaves the program: refuses what JSON cannot hold */
    JSON_STRINGIFY, /* as JSON.stringify: leaves such things out */
    JSON_INSPECT,   /* for console: shows them */
};

struct json_options {
    enum json_mode mode;
    const char *root;   /* JSON_CROSS: what the value is called in messages: "value", "arguments" */
    int replacer;       /* absolute stack index of JSON.stringify's function or list; 0: none */
    const char *indent; /* put before each member, once for each level; NULL: all on one line */
};

/* Why a value does not cross. */
struct json_problem {
    char *message;       /* "value.items[3].score is NaN"; in the VM's heap */
    const char *subject; /* what it is, in the words of providers/program/suggest.h; static */
};

/*
 * Appends the text of the value at `idx` to `out`. Returns 1; or 0 when nothing was written because
 * the value has no text (undefined; with JSON_STRINGIFY also a function); or -1 with JSON_CROSS,
 * and *problem filled in. Calls the program (toJSON, getters, the replacer), and throws what that
 * throws.
 */
int json_write(js_State *J, int idx, const struct json_options *options, struct buffer *out,
               struct json_problem *problem);

/* Where and why text is not JSON. */
struct json_error {
    const char *message; /* static */
    size_t offset;       /* in bytes */
};

/* Pushes the value that the text, UTF-8 or a string of the VM, stands for. Returns 0 and pushes
 * nothing when it is not JSON, the whole of it. */
int json_read_utf8(js_State *J, const char *text, size_t size, struct json_error *error);
int json_read_string(js_State *J, const char *text, struct json_error *error);

/* Installs JSON.parse and JSON.stringify, and what json_write calls. */
void json_install(js_State *J);

#endif
