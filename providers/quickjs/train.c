/*
 * train TRAIN.js - runs a script in the engine, for the compiler to see what the engine does.
 *
 * It is linked with an engine that counts how often its code is run, and leaves the counts in a
 * file (see compile). Nothing is imported from the host but a clock that stands still, so that
 * every build sees the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"

typedef struct Z_env_instance_t env;
typedef struct Z_wasi_snapshot_preview1_instance_t wasi;

u32 Z_envZ_host_interrupt(env *instance)
{
    (void)instance;
    return 0;
}

u32 Z_envZ_host_get_timezone_offset(env *instance, u32 high, u32 low)
{
    (void)instance, (void)high, (void)low;
    return 0;
}

u32 Z_envZ_host_call(env *instance, u32 name, u32 size, u32 this_value, u32 argc, u32 argv)
{
    (void)instance, (void)name, (void)size, (void)this_value, (void)argc, (void)argv;
    abort();
}

u32 Z_envZ_host_module_load(env *instance, u32 name, u32 size)
{
    (void)instance, (void)name, (void)size;
    abort();
}

u32 Z_envZ_host_module_normalize(env *instance, u32 base, u32 name)
{
    (void)instance, (void)base, (void)name;
    abort();
}

void Z_envZ_host_promise_rejection(env *instance, u32 promise, u32 reason, u32 handled)
{
    (void)instance, (void)promise, (void)reason, (void)handled;
}

u32 Z_wasi_snapshot_preview1Z_clock_time_get(wasi *instance, u32 id, u64 precision, u32 result)
{
    (void)id, (void)precision;
    memset(box_at((struct box *)(void *)instance, result), 0, 8);
    return 0;
}

u32 Z_wasi_snapshot_preview1Z_random_get(wasi *instance, u32 buffer, u32 size)
{
    memset(box_at((struct box *)(void *)instance, buffer), 0, size);
    return 0;
}

u32 Z_wasi_snapshot_preview1Z_fd_close(wasi *instance, u32 fd)
{
    (void)instance, (void)fd;
    abort();
}

u32 Z_wasi_snapshot_preview1Z_fd_fdstat_get(wasi *instance, u32 fd, u32 result)
{
    (void)instance, (void)fd, (void)result;
    abort();
}

u32 Z_wasi_snapshot_preview1Z_fd_seek(wasi *instance, u32 fd, u64 offset, u32 whence, u32 result)
{
    (void)instance, (void)fd, (void)offset, (void)whence, (void)result;
    abort();
}

u32 Z_wasi_snapshot_preview1Z_fd_write(wasi *instance, u32 fd, u32 vectors, u32 count, u32 result)
{
    (void)instance, (void)fd, (void)vectors, (void)count, (void)result;
    abort();
}

struct training {
    struct box *box;
    char text[65536]; /* with a zero behind it */
    uint32_t size;
    int failed;
};

static void train(void *context)
{
    enum { FULFILLED = 1 };
    struct training *training = context;
    Z_qjs_instance_t *instance = &training->box->instance;
    Z_qjsZ__initialize(instance);
    Z_qjsZ_qjs_init(instance);
    const u32 runtime = Z_qjsZ_qjs_get_runtime_ptr(instance);
    const u32 engine = Z_qjsZ_qjs_get_context_ptr(instance);
    const u32 text = Z_qjsZ_malloc(instance, training->size + 1);
    const u32 job = Z_qjsZ_malloc(instance, 4);
    memcpy(box_at(training->box, text), training->text, training->size + 1);
    const u64 promise =
        Z_qjsZ_JS_Eval(instance, engine, text, training->size, text + training->size, 0);
    while ((int)Z_qjsZ_JS_ExecutePendingJob(instance, runtime, job) > 0)
        continue;
    training->failed = Z_qjsZ_JS_PromiseState(instance, engine, promise) != FULFILLED;
}

int main(int argc, char **argv)
{
    static struct training training;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: train TRAIN.js\n");
        return 2;
    }
    training.size = (uint32_t)fread(training.text, 1, sizeof training.text - 1, file);
    fclose(file);
    training.box = box_create((uint64_t)256 << 20);
    if (!training.box || box_run(training.box, train, &training) != BOX_RETURNED ||
        training.failed) {
        fprintf(stderr, "train: the script failed\n");
        return 1;
    }
    box_destroy(training.box);
    return 0;
}
