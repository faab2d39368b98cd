/* How the generated code reaches its linear memory and its stack. Included by it, in the place of
 * the accessors that wasm2c wrote (see translate.mjs).
 *
 * The memory stands at a fixed distance from the instance, so no pointer to it is loaded. An
 * address is a base and a constant offset. For a small offset only the base is compared with the
 * size: what lies at most BOX_MARGIN behind the end belongs to the box too. So neighbouring members
 * of one struct need one comparison. What the module has from the start needs none.
 *
 * Everything in the linear memory is accessed as a member of one union, which no other object is:
 * so the compiler knows that a store there does not change the memory's size, and need not compare
 * the same base with it again until a function is called. */
#ifndef WASM_ACCESS_H
#define WASM_ACCESS_H

#include "box.h"

#undef TRAP
#define TRAP(x) (box_trap((struct box *)instance, WASM_RT_TRAP_##x), 0)

union linear {
    u8 as_u8;
    s8 as_s8;
    u16 as_u16;
    s16 as_s16;
    u32 as_u32;
    s32 as_s32;
    u64 as_u64;
    s64 as_s64;
    f32 as_f32;
    f64 as_f64;
} __attribute__((packed));

#define LINEAR(base, offset) \
    ((union linear *)(void *)(box_at((struct box *)instance, base) + (offset)))

#define IN_MEMORY(base, offset, bytes)                                                          \
    ((__builtin_constant_p(base) && (uint64_t)(base) + (offset) + (bytes) <= BOX_FIRST_SIZE) || \
     ((offset) + (bytes) > BOX_MARGIN                                                           \
          ? (uint64_t)(base) + (offset) + (bytes) <= instance->w2c_memory.size                  \
          : (base) < instance->w2c_memory.size))

#define LOAD(base, offset, type, extended, result)             \
    ({                                                         \
        const uint32_t base_ = (base);                         \
        if (UNLIKELY(!IN_MEMORY(base_, offset, sizeof(type)))) \
            TRAP(OOB);                                         \
        (result)(extended) LINEAR(base_, offset)->as_##type;   \
    })

#define STORE(base, offset, value, type)                       \
    do {                                                       \
        const uint32_t base_ = (base);                         \
        if (UNLIKELY(!IN_MEMORY(base_, offset, sizeof(type)))) \
            TRAP(OOB);                                         \
        LINEAR(base_, offset)->as_##type = (type)(value);      \
    } while (0)

#define i32_load(memory, base, offset)           LOAD(base, offset, u32, u32, u32)
#define i64_load(memory, base, offset)           LOAD(base, offset, u64, u64, u64)
#define f32_load(memory, base, offset)           LOAD(base, offset, f32, f32, f32)
#define f64_load(memory, base, offset)           LOAD(base, offset, f64, f64, f64)
#define i32_load8_s(memory, base, offset)        LOAD(base, offset, s8, s32, u32)
#define i64_load8_s(memory, base, offset)        LOAD(base, offset, s8, s64, u64)
#define i32_load8_u(memory, base, offset)        LOAD(base, offset, u8, u32, u32)
#define i64_load8_u(memory, base, offset)        LOAD(base, offset, u8, u64, u64)
#define i32_load16_s(memory, base, offset)       LOAD(base, offset, s16, s32, u32)
#define i64_load16_s(memory, base, offset)       LOAD(base, offset, s16, s64, u64)
#define i32_load16_u(memory, base, offset)       LOAD(base, offset, u16, u32, u32)
#define i64_load16_u(memory, base, offset)       LOAD(base, offset, u16, u64, u64)
#define i64_load32_s(memory, base, offset)       LOAD(base, offset, s32, s64, u64)
#define i64_load32_u(memory, base, offset)       LOAD(base, offset, u32, u64, u64)
#define i32_store(memory, base, offset, value)   STORE(base, offset, value, u32)
#define i64_store(memory, base, offset, value)   STORE(base, offset, value, u64)
#define f32_store(memory, base, offset, value)   STORE(base, offset, value, f32)
#define f64_store(memory, base, offset, value)   STORE(base, offset, value, f64)
#define i32_store8(memory, base, offset, value)  STORE(base, offset, value, u8)
#define i32_store16(memory, base, offset, value) STORE(base, offset, value, u16)
#define i64_store8(memory, base, offset, value)  STORE(base, offset, value, u8)
#define i64_store16(memory, base, offset, value) STORE(base, offset, value, u16)
#define i64_store32(memory, base, offset, value) STORE(base, offset, value, u32)

#define memory_fill(memory, to, byte, bytes)                             \
    do {                                                                 \
        const uint32_t to_ = (to), size_ = (bytes);                      \
        if (UNLIKELY((uint64_t)to_ + size_ > instance->w2c_memory.size)) \
            TRAP(OOB);                                                   \
        memset(box_at((struct box *)instance, to_), (int)(byte), size_); \
    } while (0)

#define memory_copy(memory_to, memory_from, to, from, bytes)                                \
    do {                                                                                    \
        const uint32_t to_ = (to), from_ = (from), size_ = (bytes);                         \
        if (UNLIKELY((uint64_t)to_ + size_ > instance->w2c_memory.size ||                   \
                     (uint64_t)from_ + size_ > instance->w2c_memory.size))                  \
            TRAP(OOB);                                                                      \
        memmove(box_at((struct box *)instance, to_), box_at((struct box *)instance, from_), \
                size_);                                                                     \
    } while (0)

#define CHECK_STACK                                                     \
    do {                                                                \
        const uintptr_t frame_ = (uintptr_t)__builtin_frame_address(0); \
        if (UNLIKELY(frame_ < ((struct box *)instance)->stack_limit))   \
            box_stack_is_low((struct box *)instance, frame_);           \
    } while (0)

#endif
