#include "filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdbool.h>

/* Numbers from here on are x32's: calls with 32-bit pointers, which the table does not know. */
#define X32 0x40000000u

#define LOAD(what)             BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (what))
#define JUMP(test, k, yes, no) BPF_JUMP(BPF_JMP | (test) | BPF_K, (k), (yes), (no))
#define RETURN(action)         BPF_STMT(BPF_RET | BPF_K, (action))

#define NUMBER offsetof(struct seccomp_data, nr)
#define ARCH   offsetof(struct seccomp_data, arch)
/* The low half of an argument; both architectures are little-endian. */
#define ARGUMENT(i) (offsetof(struct seccomp_data, args) + 8 * (i))

static const uint32_t audit_arch[FILTER_ARCHES] = {
    [FILTER_X86_64] = AUDIT_ARCH_X86_64,
    [FILTER_AARCH64] = AUDIT_ARCH_AARCH64,
};

struct writer {
    struct sock_filter *at;
    uint32_t self;
};

static void put(struct writer *writer, struct sock_filter instruction)
{
    *writer->at++ = instruction;
}

/* A rule: with the call's number loaded it either decides, or leaves the number loaded. */
static void put_rule(struct writer *writer, uint32_t number, const struct filter_rule *rule)
{
    const uint32_t action = rule->error == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | rule->error;
    if (rule->test == FILTER_ALWAYS) {
        put(writer, (struct sock_filter)JUMP(BPF_JEQ, number, 0, 1));
        put(writer, (struct sock_filter)RETURN(action));
        return;
    }
    put(writer, (struct sock_filter)JUMP(BPF_JEQ, number, 0, 4));
    put(writer, (struct sock_filter)LOAD(ARGUMENT(rule->argument)));
    if (rule->test == FILTER_CLEAR)
        put(writer, (struct sock_filter)JUMP(BPF_JSET, rule->value, 1, 0));
    else if (rule->test == FILTER_SET)
        put(writer, (struct sock_filter)JUMP(BPF_JSET, rule->value, 0, 1));
    else
        put(writer, (struct sock_filter)JUMP(
                        BPF_JEQ, rule->test == FILTER_SELF ? writer->self : rule->value, 0, 1));
    put(writer, (struct sock_filter)RETURN(action));
    put(writer, (struct sock_filter)LOAD(NUMBER));
}

size_t filter_compile(enum filter_arch arch, pid_t self, struct sock_filter program[FILTER_MOST])
{
    struct writer writer = {program, (uint32_t)self};
    put(&writer, (struct sock_filter)LOAD(ARCH));
    put(&writer, (struct sock_filter)JUMP(BPF_JEQ, audit_arch[arch], 1, 0));
    put(&writer, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    put(&writer, (struct sock_filter)LOAD(NUMBER));
    if (arch == FILTER_X86_64) {
        put(&writer, (struct sock_filter)JUMP(BPF_JGE, X32, 0, 1));
        put(&writer, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    }
    for (size_t i = 0; i < filter_rule_count; i++)
        if (filter_rules[i].number[arch] >= 0)
            put_rule(&writer, (uint32_t)filter_rules[i].number[arch], &filter_rules[i]);
    put(&writer, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    return (size_t)(writer.at - program);
}
