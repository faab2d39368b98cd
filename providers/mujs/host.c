#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Goes on, or leaves the program, as a service's status says. */
static void check(struct vm *vm, int32_t status)
{
    if (status == PAWL_OK)
        return;
    if (status == PAWL_E_ENDED)
        vm_leave(vm, VM_OVER);
    vm->status = status;
    vm_leave(vm, VM_BROKEN);
}

static int32_t call_and_wait(const struct pawl_run *run, uint32_t function, const char *arguments,
                             size_t size, struct pawl_settlement *settlement)
{
    uint64_t id;
    int32_t status = run->call(run->context, function, arguments, size, &id);

    while (status == PAWL_OK) {
        *settlement = (struct pawl_settlement){.header = PAWL_HEADER(SETTLEMENT, *settlement)};
        status = run->next(run->context, -1, settlement);
        if (status == PAWL_OK && settlement->id == id)
            return PAWL_OK;
        if (status == PAWL_E_TIMEOUT)
            status = PAWL_OK;
    }
    return status;
}

void host_call(js_State *J, uint32_t function, const char *arguments, size_t size,
               struct pawl_settlement *settlement)
{
    struct vm *vm = vm_of(J);
    int32_t status;

    preempt_hold(&vm->preempt);
    status = call_and_wait(vm->run, function, arguments, size, settlement);
    preempt_release(&vm->preempt);
    check(vm, status);
}

void host_log(js_State *J, const char *text, size_t size)
{
    struct vm *vm = vm_of(J);
    int32_t status;

    preempt_hold(&vm->preempt);
    status = vm->run->log(vm->run->context, text, size);
    preempt_release(&vm->preempt);
    check(vm, status);
}

static void write_host_text(void *context, const char *text, size_t size)
{
    struct vm *vm = context;

    if (vm->host_text_room - vm->host_text_size < size) {
        size_t room = (vm->host_text_size + size) * 2;
        char *grown = room > ARENA_MAX ? NULL : realloc(vm->host_text, room);

        if (grown == NULL) {
            vm->host_text_failed = 1;
            return;
        }
        vm->host_text = grown;
        vm->host_text_room = room;
    }
    memcpy(vm->host_text + vm->host_text_size, text, size);
    vm->host_text_size += size;
}

void host_discover(js_State *J, const char *query, size_t size)
{
    struct vm *vm = vm_of(J);
    struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = vm, .write = write_host_text};
    int32_t status;

    vm->host_text_size = 0;
    vm->host_text_failed = 0;
    preempt_hold(&vm->preempt);
    status = vm->run->discover(vm->run->context, query, size, &sink);
    preempt_release(&vm->preempt);
    check(vm, status == PAWL_OK && vm->host_text_failed ? PAWL_E_MEMORY : status);
}

double host_clock(js_State *J)
{
    struct vm *vm = vm_of(J);
    int64_t now = 0;
    int32_t status;

    if (vm->run == NULL) /* the template is being made */
        return 0;
    preempt_hold(&vm->preempt);
    status = vm->run->clock(vm->run->context, &now);
    preempt_release(&vm->preempt);
    check(vm, status);
    return floor((double)now / 1e6);
}

double host_random(js_State *J)
{
    struct vm *vm = vm_of(J);
    uint64_t bits = 0;
    int32_t status;

    if (vm->run == NULL)
        return 0;
    preempt_hold(&vm->preempt);
    status = vm->run->random(vm->run->context, &bits, sizeof bits);
    preempt_release(&vm->preempt);
    check(vm, status);
    return (double)(bits >> 11) * 0x1p-53;
}
