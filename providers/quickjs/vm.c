#include "vm.h"

#include <string.h>

#define INSTANCE(vm) (&(vm)->box->instance)

/* --- Memory --------------------------------------------------------------------------------------
 */

void *vm_at(struct vm *vm, vm_address address, uint32_t size)
{
    if ((uint64_t)address + size > INSTANCE(vm)->w2c_memory.size)
        box_trap(vm->box, WASM_RT_TRAP_OOB);
    return box_at(vm->box, address);
}

JSValue vm_argument(struct vm *vm, uint32_t argc, vm_address argv, uint32_t i)
{
    JSValue value = JS_UNDEFINED;
    if (i < argc)
        memcpy(&value, vm_at(vm, argv + i * 8, 8), sizeof value);
    return value;
}

vm_address vm_push(struct vm *vm, uint32_t size)
{
    size = (size + 15) & ~15u;
    const uint32_t top = INSTANCE(vm)->w2c___stack_pointer;
    if (size > top)
        box_trap(vm->box, WASM_RT_TRAP_EXHAUSTION);
    vm_at(vm, top - size, size);
    return INSTANCE(vm)->w2c___stack_pointer = top - size;
}

void vm_pop(struct vm *vm, uint32_t size)
{
    INSTANCE(vm)->w2c___stack_pointer += (size + 15) & ~15u;
}

vm_address vm_copy_in(struct vm *vm, const char *text, size_t size)
{
    if (size >= UINT32_MAX)
        box_leave(vm->box, BOX_NO_MEMORY);
    const vm_address copy = Z_qjsZ_malloc(INSTANCE(vm), (uint32_t)size + 1);
    if (!copy)
        box_leave(vm->box, BOX_NO_MEMORY);
    char *to = vm_at(vm, copy, (uint32_t)size + 1);
    if (size > 0)
        memcpy(to, text, size);
    to[size] = '\0';
    return copy;
}

void vm_free(struct vm *vm, vm_address address)
{
    Z_qjsZ_free(INSTANCE(vm), address);
}

/* --- Values --------------------------------------------------------------------------------------
 */

JSValue JS_DupValue(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_DupValue(INSTANCE(vm), vm->context, value);
}

void JS_FreeValue(struct vm *vm, JSValue value)
{
    Z_qjsZ_JS_FreeValue(INSTANCE(vm), vm->context, value);
}

JSValue JS_NewFloat64(struct vm *vm, double number)
{
    return Z_qjsZ_JS_NewNumber(INSTANCE(vm), vm->context, number);
}

JSValue JS_NewStringLen(struct vm *vm, const char *text, size_t size)
{
    const vm_address copy = vm_copy_in(vm, text, size);
    const JSValue value = Z_qjsZ_JS_NewStringLen(INSTANCE(vm), vm->context, copy, (uint32_t)size);
    vm_free(vm, copy);
    return value;
}

JSValue JS_NewObject(struct vm *vm)
{
    return Z_qjsZ_JS_NewObject(INSTANCE(vm), vm->context);
}

JSValue JS_NewObjectProto(struct vm *vm, JSValue prototype)
{
    return Z_qjsZ_JS_NewObjectProto(INSTANCE(vm), vm->context, prototype);
}

JSValue JS_NewArray(struct vm *vm)
{
    return Z_qjsZ_JS_NewArray(INSTANCE(vm), vm->context);
}

JSValue JS_GetGlobalObject(struct vm *vm)
{
    return Z_qjsZ_JS_GetGlobalObject(INSTANCE(vm), vm->context);
}

/* Values laid out for the engine. */
static vm_address push_values(struct vm *vm, uint32_t count, const JSValue *values)
{
    const vm_address address = vm_push(vm, count * 8);
    if (count > 0)
        memcpy(vm_at(vm, address, count * 8), values, (size_t)count * 8);
    return address;
}

JSValue JS_NewCFunctionData(struct vm *vm, uint32_t function, int length, int magic,
                            uint32_t data_count, const JSValue *data)
{
    const vm_address values = push_values(vm, data_count, data);
    const JSValue value = Z_qjsZ_JS_NewCFunctionData(
        INSTANCE(vm), vm->context, function, (uint32_t)length, (uint32_t)magic, data_count, values);
    vm_pop(vm, data_count * 8);
    return value;
}

const char *JS_ToCStringLen(struct vm *vm, uint32_t *size, JSValue value, vm_address *text)
{
    const vm_address length = vm_push(vm, 4);
    *text = Z_qjsZ_JS_ToCStringLen2(INSTANCE(vm), vm->context, length, value, 0);
    memcpy(size, vm_at(vm, length, 4), 4);
    vm_pop(vm, 4);
    return *text ? vm_at(vm, *text, *size) : NULL;
}

void JS_FreeCString(struct vm *vm, vm_address text)
{
    Z_qjsZ_JS_FreeCString(INSTANCE(vm), vm->context, text);
}

bool JS_ToFloat64(struct vm *vm, double *number, JSValue value)
{
    const vm_address result = vm_push(vm, 8);
    const int status = (int)Z_qjsZ_JS_ToFloat64(INSTANCE(vm), vm->context, result, value);
    memcpy(number, vm_at(vm, result, 8), 8);
    vm_pop(vm, 8);
    return status >= 0;
}

bool JS_ToBool(struct vm *vm, JSValue value)
{
    return (int)Z_qjsZ_JS_ToBool(INSTANCE(vm), vm->context, value) > 0;
}

/* --- Objects -------------------------------------------------------------------------------------
 */

JSAtom JS_NewAtomLen(struct vm *vm, const char *text, size_t size)
{
    const vm_address copy = vm_copy_in(vm, text, size);
    const JSAtom atom = Z_qjsZ_JS_NewAtomLen(INSTANCE(vm), vm->context, copy, (uint32_t)size);
    vm_free(vm, copy);
    return atom;
}

void JS_FreeAtom(struct vm *vm, JSAtom atom)
{
    Z_qjsZ_JS_FreeAtom(INSTANCE(vm), vm->context, atom);
}

JSValue JS_AtomToString(struct vm *vm, JSAtom atom)
{
    return Z_qjsZ_JS_AtomToString(INSTANCE(vm), vm->context, atom);
}

JSValue JS_GetProperty(struct vm *vm, JSValue object, JSAtom name)
{
    return Z_qjsZ_JS_GetProperty(INSTANCE(vm), vm->context, object, name);
}

JSValue JS_GetPropertyStr(struct vm *vm, JSValue object, const char *name)
{
    const JSAtom atom = JS_NewAtomLen(vm, name, strlen(name));
    const JSValue value = JS_GetProperty(vm, object, atom);
    JS_FreeAtom(vm, atom);
    return value;
}

JSValue JS_GetPropertyUint32(struct vm *vm, JSValue object, uint32_t index)
{
    return Z_qjsZ_JS_GetPropertyUint32(INSTANCE(vm), vm->context, object, index);
}

int JS_DefinePropertyValue(struct vm *vm, JSValue object, JSAtom name, JSValue value,
                           uint32_t flags)
{
    return (int)Z_qjsZ_JS_DefinePropertyValue(INSTANCE(vm), vm->context, object, name, value,
                                              flags);
}

int JS_DefinePropertyValueStr(struct vm *vm, JSValue object, const char *name, JSValue value,
                              uint32_t flags)
{
    const JSAtom atom = JS_NewAtomLen(vm, name, strlen(name));
    const int status = JS_DefinePropertyValue(vm, object, atom, value, flags);
    JS_FreeAtom(vm, atom);
    return status;
}

int JS_SetPropertyUint32(struct vm *vm, JSValue object, uint32_t index, JSValue value)
{
    return (int)Z_qjsZ_JS_SetPropertyUint32(INSTANCE(vm), vm->context, object, index, value);
}

JSValue JS_GetPrototype(struct vm *vm, JSValue object)
{
    return Z_qjsZ_JS_GetPrototype(INSTANCE(vm), vm->context, object);
}

int64_t JS_GetLength(struct vm *vm, JSValue object)
{
    int64_t length;
    const vm_address result = vm_push(vm, 8);
    const int status = (int)Z_qjsZ_JS_GetLength(INSTANCE(vm), vm->context, object, result);
    memcpy(&length, vm_at(vm, result, 8), 8);
    vm_pop(vm, 8);
    return status < 0 ? -1 : length;
}

int JS_GetOwnPropertyNames(struct vm *vm, vm_address *names, uint32_t *count, JSValue object,
                           uint32_t flags)
{
    const vm_address result = vm_push(vm, 8);
    const int status = (int)Z_qjsZ_JS_GetOwnPropertyNames(INSTANCE(vm), vm->context, result,
                                                          result + 4, object, flags);
    const uint8_t *at = vm_at(vm, result, 8);
    memcpy(names, at, 4);
    memcpy(count, at + 4, 4);
    vm_pop(vm, 8);
    return status;
}

JSAtom vm_property_name(struct vm *vm, vm_address names, uint32_t index)
{
    JSAtom atom;
    memcpy(&atom, vm_at(vm, names + index * 8 + 4, 4), 4);
    return atom;
}

void JS_FreePropertyEnum(struct vm *vm, vm_address names, uint32_t count)
{
    Z_qjsZ_JS_FreePropertyEnum(INSTANCE(vm), vm->context, names, count);
}

uint32_t JS_GetClassID(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_GetClassID(INSTANCE(vm), value);
}

bool JS_IsArray(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_IsArray(INSTANCE(vm), value) & 1;
}

bool JS_IsFunction(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_IsFunction(INSTANCE(vm), vm->context, value) & 1;
}

bool JS_IsError(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_IsError(INSTANCE(vm), value) & 1;
}

bool JS_IsProxy(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_IsProxy(INSTANCE(vm), value) & 1;
}

bool JS_IsStrictEqual(struct vm *vm, JSValue a, JSValue b)
{
    return Z_qjsZ_JS_IsStrictEqual(INSTANCE(vm), vm->context, a, b) & 1;
}

/* --- Running -------------------------------------------------------------------------------------
 */

JSValue JS_Eval(struct vm *vm, const char *text, size_t size, const char *name, uint32_t flags)
{
    const vm_address copy = vm_copy_in(vm, text, size);
    const vm_address name_copy = vm_copy_in(vm, name, strlen(name));
    const JSValue value =
        Z_qjsZ_JS_Eval(INSTANCE(vm), vm->context, copy, (uint32_t)size, name_copy, flags);
    vm_free(vm, name_copy);
    vm_free(vm, copy);
    return value;
}

JSValue JS_EvalFunction(struct vm *vm, JSValue function)
{
    return Z_qjsZ_JS_EvalFunction(INSTANCE(vm), vm->context, function);
}

JSValue vm_without_source(struct vm *vm, JSValue function)
{
    uint32_t size;
    const vm_address length = vm_push(vm, 4);
    const vm_address code =
        Z_qjsZ_JS_WriteObject(INSTANCE(vm), vm->context, length, function,
                              JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
    memcpy(&size, vm_at(vm, length, 4), 4);
    vm_pop(vm, 4);
    JS_FreeValue(vm, function);
    if (!code)
        return JS_EXCEPTION;
    const JSValue read =
        Z_qjsZ_JS_ReadObject(INSTANCE(vm), vm->context, code, size, JS_READ_OBJ_BYTECODE);
    Z_qjsZ_js_free(INSTANCE(vm), vm->context, code);
    return read;
}

JSValue JS_Call(struct vm *vm, JSValue function, JSValue this_value, uint32_t argc,
                const JSValue *argv)
{
    const vm_address values = push_values(vm, argc, argv);
    const JSValue value =
        Z_qjsZ_JS_Call(INSTANCE(vm), vm->context, function, this_value, argc, values);
    vm_pop(vm, argc * 8);
    return value;
}

JSValue JS_ParseJSON(struct vm *vm, const char *text, size_t size, const char *name)
{
    const vm_address copy = vm_copy_in(vm, text, size);
    const vm_address name_copy = vm_copy_in(vm, name, strlen(name));
    const JSValue value =
        Z_qjsZ_JS_ParseJSON(INSTANCE(vm), vm->context, copy, (uint32_t)size, name_copy);
    vm_free(vm, name_copy);
    vm_free(vm, copy);
    return value;
}

JSValue JS_Throw(struct vm *vm, JSValue value)
{
    return Z_qjsZ_JS_Throw(INSTANCE(vm), vm->context, value);
}

JSValue JS_GetException(struct vm *vm)
{
    return Z_qjsZ_JS_GetException(INSTANCE(vm), vm->context);
}

/* The engine takes a format and its arguments, which in WebAssembly stand in memory. */
JSValue vm_throw_type_error(struct vm *vm, const char *message)
{
    const vm_address format = vm_copy_in(vm, "%s", 2);
    const vm_address text = vm_copy_in(vm, message, strlen(message));
    const vm_address arguments = vm_push(vm, 4);
    memcpy(vm_at(vm, arguments, 4), &text, 4);
    const JSValue value = Z_qjsZ_JS_ThrowTypeError(INSTANCE(vm), vm->context, format, arguments);
    vm_pop(vm, 4);
    vm_free(vm, text);
    vm_free(vm, format);
    return value;
}

JSValue JS_NewPromiseCapability(struct vm *vm, JSValue resolving[2])
{
    const vm_address functions = vm_push(vm, 16);
    const JSValue promise = Z_qjsZ_JS_NewPromiseCapability(INSTANCE(vm), vm->context, functions);
    memcpy(resolving, vm_at(vm, functions, 16), 16);
    vm_pop(vm, 16);
    return promise;
}

int JS_PromiseState(struct vm *vm, JSValue promise)
{
    return (int)Z_qjsZ_JS_PromiseState(INSTANCE(vm), vm->context, promise);
}

JSValue JS_PromiseResult(struct vm *vm, JSValue promise)
{
    return Z_qjsZ_JS_PromiseResult(INSTANCE(vm), vm->context, promise);
}

int JS_ExecutePendingJob(struct vm *vm)
{
    const vm_address context = vm_push(vm, 4);
    const int status = (int)Z_qjsZ_JS_ExecutePendingJob(INSTANCE(vm), vm->runtime, context);
    vm_pop(vm, 4);
    return status;
}

bool JS_IsJobPending(struct vm *vm)
{
    return Z_qjsZ_JS_IsJobPending(INSTANCE(vm), vm->runtime) & 1;
}
