/* json.h - values that leave the engine as JSON, without loss or not at all. */
#ifndef QUICKJS_JSON_H
#define QUICKJS_JSON_H

#include "providers/program/buffer.h"
#include "vm.h"

enum json_status {
    JSON_OK,
    JSON_NOTHING, /* the value is undefined */
    JSON_LOSSY,   /* it cannot be written without loss: see the problem */
    JSON_THREW,   /* a getter or toJSON of the program threw; the exception is pending */
    JSON_NO_MEMORY,
    JSON_TOO_LONG, /* for the buffer's limit */
};

struct json_problem {
    char message[512]; /* names the place: `value.items[3].score is NaN` */
    char subject[64];  /* the class of the value that does not cross, such as `Map`; may be empty */
};

/* What the writer must know of the engine; the same in every box. */
struct json_classes {
    JSAtom to_json; /* the name `toJSON` */
    uint32_t object, array;
    JSValue object_prototype;
    JSValue class_name; /* a function: what an object is, for messages */
};

/* The objects that are being written, outermost first. It belongs to the caller, because the writer
 * does not return when the run ends inside a getter. Zeroed: empty. */
struct json_stack {
    struct json_frame *frame;
    size_t depth, capacity;
};
void json_stack_release(struct json_stack *stack);

/* Appends the JSON text of `value`. `root` names it in messages. */
enum json_status json_write(struct vm *vm, const struct json_classes *classes, JSValue value,
                            const char *root, struct json_stack *stack, struct program_buffer *out,
                            struct json_problem *problem);

#endif
