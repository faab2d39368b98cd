#include "box.h"

#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define HOST_PAGE   4096u
#define COMMIT_STEP (1u << 20)
#define STACK_SIZE  ((size_t)48 << 20)
/* What is never used by functions that look: it is for those that do not (translate.mjs), and for
 * the host's functions. */
#define STACK_RESERVE ((size_t)512 << 10)
/* Above that, what the engine may use to notice that its stack is low, and to throw. */
#define STACK_LOW ((size_t)4 << 20)

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

/* --- What is one for all boxes: the numbers of the function types ----------------------------- */

#define MAX_TYPES     160
#define MAX_TYPE_SIZE 32

static struct {
    pthread_once_t once;
    uint32_t count;
    uint8_t type[MAX_TYPES][MAX_TYPE_SIZE];
    uint32_t host_type[3];
} types = {.once = PTHREAD_ONCE_INIT};

uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
    uint8_t type[MAX_TYPE_SIZE] = {(uint8_t)params, (uint8_t)results};
    if (params + results + 2 > MAX_TYPE_SIZE)
        abort(); /* the module that was built in has a type like no other */
    va_list list;
    va_start(list, results);
    for (uint32_t i = 0; i < params + results; i++)
        type[2 + i] = (uint8_t)(1 + va_arg(list, int));
    va_end(list);
    for (uint32_t i = 0; i < types.count; i++) {
        if (memcmp(types.type[i], type, sizeof type) == 0)
            return i + 1;
    }
    if (types.count == MAX_TYPES)
        abort();
    memcpy(types.type[types.count++], type, sizeof type);
    return types.count;
}

static void register_types(void)
{
    Z_qjs_init_module();
    types.host_type[BOX_TYPE_FUNCTION] =
        wasm_rt_register_func_type(6, 1, WASM_RT_I32, WASM_RT_I64, WASM_RT_I32, WASM_RT_I32,
                                   WASM_RT_I32, WASM_RT_I32, WASM_RT_I64);
    types.host_type[BOX_TYPE_INTERRUPT] =
        wasm_rt_register_func_type(2, 1, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32);
    types.host_type[BOX_TYPE_REJECTION] = wasm_rt_register_func_type(
        5, 0, WASM_RT_I32, WASM_RT_I64, WASM_RT_I64, WASM_RT_I32, WASM_RT_I32);
}

uint32_t box_type(enum box_type type)
{
    pthread_once(&types.once, register_types);
    return types.host_type[type];
}

bool wasm_rt_is_initialized(void)
{
    return true;
}

/* Only reached when the module's own segments do not fit into the module's own memory and table. */
_Noreturn void wasm_rt_trap(wasm_rt_trap_t trap)
{
    (void)trap;
    abort();
}

/* --- Memory and table --------------------------------------------------------------------------
 */

static struct box *of_memory(wasm_rt_memory_t *memory)
{
    return (struct box *)(void *)((char *)memory - offsetof(struct box, instance.w2c_memory));
}

/* The margin behind them must be accessible, too. */
bool box_commit(struct box *box, uint64_t size)
{
    const uint64_t available = box->mapping_size - BOX_MEMORY_OFFSET;
    uint64_t wanted = size + BOX_MARGIN;
    if (wanted <= box->usable)
        return true;
    wanted = (wanted + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
    if (wanted > available)
        wanted = available;
    if (wanted < size + BOX_MARGIN ||
        mprotect(box_at(box, 0) + box->usable, wanted - box->usable, PROT_READ | PROT_WRITE) != 0)
        return false;
    box->usable = wanted;
    return true;
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages)
{
    (void)max_pages; /* the box has its own */
    if ((uint64_t)pages * BOX_PAGE < BOX_FIRST_SIZE)
        abort(); /* a module with less memory than the one that was built in */
    memory->data = box_at(of_memory(memory), 0);
    memory->pages = pages;
    memory->size = (uint64_t)pages * BOX_PAGE;
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages)
{
    struct box *box = of_memory(memory);
    const uint32_t before = memory->pages;
    if (pages > memory->max_pages - before ||
        !box_commit(box, ((uint64_t)before + pages) * BOX_PAGE))
        box_leave(box, BOX_NO_MEMORY);
    memory->pages = before + pages;
    memory->size = (uint64_t)memory->pages * BOX_PAGE;
    if (memory->size > box->peak)
        box->peak = memory->size;
    return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory)
{
    (void)memory; /* goes with the box */
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size, uint32_t max)
{
    struct box *box =
        (struct box *)(void *)((char *)table -
                               offsetof(struct box, instance.w2c___indirect_function_table));
    (void)max;
    if (size > BOX_TABLE_MAX)
        abort(); /* a module with more functions than the one that was built in */
    table->data = box->table;
    table->size = size;
    table->max_size = BOX_TABLE_MAX;
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table)
{
    (void)table;
}

uint32_t box_add_function(struct box *box, wasm_rt_function_ptr_t function, uint32_t type)
{
    wasm_rt_funcref_table_t *table = &box->instance.w2c___indirect_function_table;
    if (table->size == BOX_TABLE_MAX)
        abort();
    table->data[table->size] = (wasm_rt_funcref_t){type, function, box};
    return table->size++;
}

/* --- A box -------------------------------------------------------------------------------------
 */

struct box *box_create(uint64_t max_bytes)
{
    pthread_once(&types.once, register_types);
    const uint64_t most = (uint64_t)UINT32_MAX - BOX_PAGE;
    max_bytes = max_bytes > most ? most : max_bytes;
    max_bytes = (max_bytes + BOX_PAGE - 1) / BOX_PAGE * BOX_PAGE;
    const size_t size = BOX_MEMORY_OFFSET + max_bytes + BOX_MARGIN;

    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *mapping = mmap(NULL, size, PROT_NONE, flags, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    uint8_t *stack = mmap(NULL, STACK_SIZE, PROT_NONE, flags | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        munmap(mapping, size);
        return NULL;
    }
    /* The lowest page of the stack stays inaccessible. Huge pages would make a small program touch
     * megabytes. */
    if (mprotect(mapping, BOX_MEMORY_OFFSET, PROT_READ | PROT_WRITE) != 0 ||
        mprotect(stack + HOST_PAGE, STACK_SIZE - HOST_PAGE, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, size);
        munmap(stack, STACK_SIZE);
        return NULL;
    }
    madvise(mapping, size, MADV_NOHUGEPAGE);
    madvise(stack, STACK_SIZE, MADV_NOHUGEPAGE);

    struct box *box = (struct box *)(void *)mapping;
    box->mapping = mapping;
    box->mapping_size = size;
    box->stack = stack;
    box->stack_limit = (uintptr_t)stack + STACK_LOW;
    box_set_maximum(box, max_bytes);
    if (!box_commit(box, BOX_FIRST_SIZE)) {
        box_destroy(box);
        return NULL;
    }
    /* Both import objects are the box itself: the imported functions find it there. */
    Z_qjs_instantiate(&box->instance, (struct Z_env_instance_t *)(void *)box,
                      (struct Z_wasi_snapshot_preview1_instance_t *)(void *)box);
    box->peak = box->instance.w2c_memory.size;
    return box;
}

void box_destroy(struct box *box)
{
    if (!box)
        return;
    munmap(box->stack, STACK_SIZE);
    munmap(box->mapping, box->mapping_size);
}

uint64_t box_capacity(const struct box *box)
{
    return box->mapping_size - BOX_MEMORY_OFFSET - BOX_MARGIN;
}

void box_trim(struct box *box, uint64_t size)
{
    size = (size + HOST_PAGE - 1) / HOST_PAGE * HOST_PAGE;
    if (box->instance.w2c_memory.size > size)
        madvise(box_at(box, 0) + size, box->usable - size, MADV_DONTNEED);
}

void box_set_maximum(struct box *box, uint64_t max_bytes)
{
    const uint64_t available = box_capacity(box);
    box->instance.w2c_memory.max_pages =
        (uint32_t)((max_bytes < available ? max_bytes : available) / BOX_PAGE);
}

/* --- Running -----------------------------------------------------------------------------------
 */

struct switching {
    ucontext_t outside, inside;
#ifdef HAVE_ASAN
    void *fake_stack;
    const void *outside_stack;
    size_t outside_size;
#endif
};

/* What runs on the box's stack. makecontext hands over ints only: the pointer comes in two. */
static void inside(unsigned low, unsigned high)
{
    struct box *box = (struct box *)((uintptr_t)low | (uintptr_t)high << 16 << 16);
    struct switching *switching = box->switching;
#ifdef HAVE_ASAN
    __sanitizer_finish_switch_fiber(NULL, &switching->outside_stack, &switching->outside_size);
#endif
    if (sigsetjmp(box->exit, 0) == 0) {
        box->function(box->context);
        box->end = BOX_RETURNED;
    }
#ifdef HAVE_ASAN
    __sanitizer_start_switch_fiber(NULL, switching->outside_stack, switching->outside_size);
#endif
    setcontext(&switching->outside);
}

enum box_end box_run(struct box *box, box_function *function, void *context)
{
    struct switching switching;
    box->function = function;
    box->context = context;
    box->switching = &switching; // cppcheck-suppress autoVariables
    box->fault = NULL;
    box->is_low = false;
    box->stack_limit = (uintptr_t)box->stack + STACK_LOW;
    if (getcontext(&switching.inside) != 0) { // cppcheck-suppress getcontextCalled
        box->fault = "the machine gave no context";
        return BOX_FAULT;
    }
    switching.inside.uc_stack.ss_sp = box->stack;
    switching.inside.uc_stack.ss_size = STACK_SIZE;
    switching.inside.uc_link = NULL;
    const uintptr_t address = (uintptr_t)box;
    makecontext(&switching.inside, (void (*)(void))inside, 2, (unsigned)address,
                (unsigned)(address >> 16 >> 16));
#ifdef HAVE_ASAN
    __sanitizer_start_switch_fiber(&switching.fake_stack, box->stack, STACK_SIZE);
#endif
    swapcontext(&switching.outside, &switching.inside); // cppcheck-suppress swapcontextCalled
#ifdef HAVE_ASAN
    __sanitizer_finish_switch_fiber(switching.fake_stack, NULL, NULL);
#endif
    box->switching = NULL;
    return box->end;
}

void box_leave(struct box *box, enum box_end end)
{
    box->end = end;
    siglongjmp(box->exit, 1);
}

void box_trap(struct box *box, wasm_rt_trap_t trap)
{
    static const char *const names[] = {
        [WASM_RT_TRAP_NONE] = "no trap",
        [WASM_RT_TRAP_OOB] = "an access outside of its memory",
        [WASM_RT_TRAP_INT_OVERFLOW] = "an integer overflow",
        [WASM_RT_TRAP_DIV_BY_ZERO] = "a division by zero",
        [WASM_RT_TRAP_INVALID_CONVERSION] = "an invalid conversion",
        [WASM_RT_TRAP_UNREACHABLE] = "reaching what cannot be reached",
        [WASM_RT_TRAP_CALL_INDIRECT] = "a call of what is no such function",
        [WASM_RT_TRAP_EXHAUSTION] = "using up its stack",
    };
    box->fault = names[trap];
    box_leave(box, trap == WASM_RT_TRAP_EXHAUSTION ? BOX_NO_STACK : BOX_FAULT);
}

void box_stack_is_low(struct box *box, uintptr_t frame)
{
    const uintptr_t bottom = (uintptr_t)box->stack;
    if (frame < bottom + STACK_RESERVE)
        box_trap(box, WASM_RT_TRAP_EXHAUSTION);
    const bool is_low = frame < bottom + STACK_LOW;
    if (is_low == box->is_low || box->runtime == 0)
        return;
    /* While it is low, every function that looks comes here, so that its end is seen too. */
    box->is_low = is_low;
    box->stack_limit = is_low ? UINTPTR_MAX : bottom + STACK_LOW;
    Z_qjsZ_JS_SetMaxStackSize(&box->instance, box->runtime, is_low ? 1 : box->engine_stack_size);
}

void box_will_throw(struct box *box, uint32_t message)
{
    static const char *const out_of_memory[] = {"string too long", "invalid string length",
                                                "out of memory"};
    for (size_t i = 0; i < sizeof out_of_memory / sizeof *out_of_memory; i++) {
        const size_t size = strlen(out_of_memory[i]) + 1;
        if ((uint64_t)message + size <= box->instance.w2c_memory.size &&
            memcmp(box_at(box, message), out_of_memory[i], size) == 0)
            box_leave(box, BOX_NO_MEMORY);
    }
}

uint32_t box_words(struct box *box, uint32_t message)
{
    static const char vague[] = "not a function";
    if (box->type_error && (uint64_t)message + sizeof vague <= box->instance.w2c_memory.size &&
        memcmp(box_at(box, message), vague, sizeof vague) == 0)
        return box->type_error(box, message);
    return message;
}
