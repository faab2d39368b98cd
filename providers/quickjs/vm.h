/* vm.h - the QuickJS C API, as it is reached through a box.
 *
 * Names and meanings are those of quickjs.h; what differs: pointers are addresses of the linear
 * memory (vm_address), text is copied in and out, and nothing returns when the run is over: the
 * box is left then. So a function that may run JavaScript must not hold what only it would free.
 *
 * All of this is only called from inside box_run. */
#ifndef QUICKJS_VM_H
#define QUICKJS_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "box.h"

typedef uint32_t vm_address; /* of the linear memory; 0: NULL */
typedef uint32_t JSAtom;
typedef uint64_t JSValue; /* NaN boxing: the tag is the upper half */

struct vm {
    struct box *box;
    vm_address runtime, context;
};

/* A function of the host that JavaScript calls. `magic` is what JS_NewCFunctionData was given. The
 * first argument is the box, in the type that the generated code has for it. */
typedef JSValue vm_function(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                            uint32_t argc, vm_address argv, uint32_t magic, vm_address data);

enum {
    JS_TAG_FIRST = -9,
    JS_TAG_BIG_INT = -9,
    JS_TAG_SYMBOL = -8,
    JS_TAG_STRING = -7,
    JS_TAG_STRING_ROPE = -6,
    JS_TAG_OBJECT = -1,
    JS_TAG_INT = 0,
    JS_TAG_BOOL = 1,
    JS_TAG_NULL = 2,
    JS_TAG_UNDEFINED = 3,
    JS_TAG_EXCEPTION = 6,
    JS_TAG_SHORT_BIG_INT = 7,
};

#define JS_MKVAL(tag, value) ((uint64_t)(uint32_t)(tag) << 32 | (uint32_t)(value))
#define JS_NULL              JS_MKVAL(JS_TAG_NULL, 0)
#define JS_UNDEFINED         JS_MKVAL(JS_TAG_UNDEFINED, 0)
#define JS_FALSE             JS_MKVAL(JS_TAG_BOOL, 0)
#define JS_TRUE              JS_MKVAL(JS_TAG_BOOL, 1)
#define JS_EXCEPTION         JS_MKVAL(JS_TAG_EXCEPTION, 0)

#define JS_EVAL_TYPE_GLOBAL            0u
#define JS_EVAL_FLAG_STRICT            (1u << 3)
#define JS_EVAL_FLAG_COMPILE_ONLY      (1u << 5)
#define JS_EVAL_FLAG_BACKTRACE_BARRIER (1u << 6)

#define JS_WRITE_OBJ_BYTECODE     (1u << 0)
#define JS_WRITE_OBJ_STRIP_SOURCE (1u << 4)
#define JS_READ_OBJ_BYTECODE      (1u << 0)

#define JS_PROP_CONFIGURABLE (1u << 0)
#define JS_PROP_WRITABLE     (1u << 1)
#define JS_PROP_ENUMERABLE   (1u << 2)
#define JS_PROP_C_W_E        (JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE | JS_PROP_ENUMERABLE)

#define JS_GPN_STRING_MASK (1u << 0)
#define JS_GPN_SYMBOL_MASK (1u << 1)
#define JS_GPN_ENUM_ONLY   (1u << 4)
#define JS_GPN_SET_ENUM    (1u << 5)

/* The name of an array's element. */
#define JS_ATOM_OF_INDEX(index) ((JSAtom)(index) | 1u << 31)

enum { JS_PROMISE_PENDING, JS_PROMISE_FULFILLED, JS_PROMISE_REJECTED };

static inline int32_t JS_VALUE_GET_TAG(JSValue value)
{
    return (int32_t)(value >> 32);
}

static inline uint32_t JS_VALUE_GET_PTR(JSValue value)
{
    return (uint32_t)value;
}

static inline int32_t JS_VALUE_GET_INT(JSValue value)
{
    return (int32_t)value;
}

static inline bool JS_IsException(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_EXCEPTION;
}

static inline bool JS_IsUndefined(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_UNDEFINED;
}

static inline bool JS_IsNull(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_NULL;
}

static inline bool JS_IsObject(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_OBJECT;
}

static inline bool JS_IsString(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_STRING ||
           JS_VALUE_GET_TAG(value) == JS_TAG_STRING_ROPE;
}

static inline bool JS_IsInt(JSValue value)
{
    return JS_VALUE_GET_TAG(value) == JS_TAG_INT;
}

/* Every tag above the last one is the upper half of a shifted double. */
static inline bool JS_IsFloat64(JSValue value)
{
    return (uint32_t)(JS_VALUE_GET_TAG(value) - JS_TAG_FIRST) > JS_TAG_SHORT_BIG_INT - JS_TAG_FIRST;
}

static inline double JS_VALUE_GET_FLOAT64(JSValue value)
{
    const uint64_t bits = value + ((uint64_t)(0x7ff80000 - JS_TAG_FIRST + 1) << 32);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline JSValue JS_NewInt32(int32_t value)
{
    return JS_MKVAL(JS_TAG_INT, value);
}

/* --- Memory --------------------------------------------------------------------------------------
 */

/* `size` bytes of the linear memory, which the engine must own: checked, and the run ends if the
 * engine handed out an address that is none. */
void *vm_at(struct vm *vm, vm_address address, uint32_t size);

/* The i-th argument of a host function; undefined when it was not given. */
JSValue vm_argument(struct vm *vm, uint32_t argc, vm_address argv, uint32_t i);

/* Room on the engine's own stack: what is pushed last is popped first, by the same size. */
vm_address vm_push(struct vm *vm, uint32_t size);
void vm_pop(struct vm *vm, uint32_t size);

/* Text copied into the engine, with a zero behind it; free with vm_free. */
vm_address vm_copy_in(struct vm *vm, const char *text, size_t size);
void vm_free(struct vm *vm, vm_address address);

/* --- Values --------------------------------------------------------------------------------------
 */

JSValue JS_DupValue(struct vm *vm, JSValue value);
void JS_FreeValue(struct vm *vm, JSValue value);
JSValue JS_NewFloat64(struct vm *vm, double number);
JSValue JS_NewStringLen(struct vm *vm, const char *text, size_t size);
JSValue JS_NewObject(struct vm *vm);
JSValue JS_NewObjectProto(struct vm *vm, JSValue prototype);
JSValue JS_NewArray(struct vm *vm);
JSValue JS_GetGlobalObject(struct vm *vm);

/* A function of the host: `function` is what box_add_function returned for it. */
JSValue JS_NewCFunctionData(struct vm *vm, uint32_t function, int length, int magic,
                            uint32_t data_count, const JSValue *data);

/* The text of a value, valid until JS_FreeCString; NULL: it threw. UTF-8, but lone surrogates are
 * encoded as if they were characters. */
const char *JS_ToCStringLen(struct vm *vm, uint32_t *size, JSValue value, vm_address *text);
void JS_FreeCString(struct vm *vm, vm_address text);
bool JS_ToFloat64(struct vm *vm, double *number, JSValue value); /* false: it threw */
bool JS_ToBool(struct vm *vm, JSValue value);

/* --- Objects -------------------------------------------------------------------------------------
 */

JSAtom JS_NewAtomLen(struct vm *vm, const char *text, size_t size);
void JS_FreeAtom(struct vm *vm, JSAtom atom);
JSValue JS_AtomToString(struct vm *vm, JSAtom atom);
JSValue JS_GetProperty(struct vm *vm, JSValue object, JSAtom name);
JSValue JS_GetPropertyStr(struct vm *vm, JSValue object, const char *name);
JSValue JS_GetPropertyUint32(struct vm *vm, JSValue object, uint32_t index);
/* These take the value over. Negative: it threw. */
int JS_DefinePropertyValue(struct vm *vm, JSValue object, JSAtom name, JSValue value,
                           uint32_t flags);
int JS_DefinePropertyValueStr(struct vm *vm, JSValue object, const char *name, JSValue value,
                              uint32_t flags);
int JS_SetPropertyUint32(struct vm *vm, JSValue object, uint32_t index, JSValue value);
JSValue JS_GetPrototype(struct vm *vm, JSValue object);
int64_t JS_GetLength(struct vm *vm, JSValue object); /* negative: it threw */

/* The own property names: an array of `*count` pairs of a flag and an atom, to be freed with
 * JS_FreePropertyEnum. Negative: it threw. */
int JS_GetOwnPropertyNames(struct vm *vm, vm_address *names, uint32_t *count, JSValue object,
                           uint32_t flags);
JSAtom vm_property_name(struct vm *vm, vm_address names, uint32_t index);
void JS_FreePropertyEnum(struct vm *vm, vm_address names, uint32_t count);

uint32_t JS_GetClassID(struct vm *vm, JSValue value);
bool JS_IsArray(struct vm *vm, JSValue value);
bool JS_IsFunction(struct vm *vm, JSValue value);
bool JS_IsError(struct vm *vm, JSValue value);
bool JS_IsProxy(struct vm *vm, JSValue value);
bool JS_IsStrictEqual(struct vm *vm, JSValue a, JSValue b);

/* --- Running -------------------------------------------------------------------------------------
 */

JSValue JS_Eval(struct vm *vm, const char *text, size_t size, const char *name, uint32_t flags);
JSValue JS_EvalFunction(struct vm *vm, JSValue function); /* takes the function over */
/* A compiled text without its source, so that its functions look like built-in ones. Takes it over.
 */
JSValue vm_without_source(struct vm *vm, JSValue function);
JSValue JS_Call(struct vm *vm, JSValue function, JSValue this_value, uint32_t argc,
                const JSValue *argv);
JSValue JS_ParseJSON(struct vm *vm, const char *text, size_t size, const char *name);
JSValue JS_Throw(struct vm *vm, JSValue value); /* takes the value over; returns JS_EXCEPTION */
JSValue JS_GetException(struct vm *vm);
JSValue vm_throw_type_error(struct vm *vm, const char *message);

JSValue JS_NewPromiseCapability(struct vm *vm, JSValue resolving[2]);
int JS_PromiseState(struct vm *vm, JSValue promise); /* JS_PROMISE_*; negative: no promise */
JSValue JS_PromiseResult(struct vm *vm, JSValue promise);
int JS_ExecutePendingJob(struct vm *vm); /* 0: there was none; negative: it threw */
bool JS_IsJobPending(struct vm *vm);

#endif
