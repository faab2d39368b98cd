#include "filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdbool.h>

/* Numbers from here on are x32's: calls with 32-bit pointers, which the table does not know. */
#define X32 0x40000000u

/* Rules that are tried one by one. */
#define LEAF 4

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
    uint32_t otherwise; /* what becomes of a call that no rule decides */
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

/* Rules of one architecture, by number; those of the same number in the order of the table. */
struct sorted {
    const struct filter_rule *rules[FILTER_MOST / 2];
    size_t count;
};

static void sort_rules(enum filter_profile profile, enum filter_arch arch, struct sorted *sorted)
{
    sorted->count = 0;
    const struct filter_rule *rule;
    for (size_t i = 0; (rule = filter_rule(profile, i)) != NULL; i++) {
        size_t at = sorted->count;
        if (rule->number[arch] < 0)
            continue;
        for (; at > 0 && sorted->rules[at - 1]->number[arch] > rule->number[arch]; at--)
            sorted->rules[at] = sorted->rules[at - 1];
        sorted->rules[at] = rule;
        sorted->count++;
    }
}

/* A search tree, because the kernel walks through it for every number when it is loaded, and for
 * some at each call. Few rules are tried one by one. */
static void put_tree(struct writer *writer, enum filter_arch arch,
                     const struct filter_rule *const *rules, size_t count)
{
    size_t middle = count / 2;
    while (middle < count && middle > 0 &&
           rules[middle]->number[arch] == rules[middle - 1]->number[arch])
        middle++;
    if (count > LEAF && middle < count) {
        struct sock_filter *branch = writer->at++;
        put_tree(writer, arch, rules, middle);
        *branch = (struct sock_filter)JUMP(BPF_JGE, (uint32_t)rules[middle]->number[arch],
                                           (uint8_t)(writer->at - branch - 1), 0);
        put_tree(writer, arch, rules + middle, count - middle);
        return;
    }
    for (size_t i = 0; i < count; i++)
        put_rule(writer, (uint32_t)rules[i]->number[arch], rules[i]);
    put(writer, (struct sock_filter)RETURN(writer->otherwise));
}

size_t filter_compile(enum filter_profile profile, enum filter_arch arch, pid_t self,
                      struct sock_filter program[FILTER_MOST])
{
    struct writer writer = {program, (uint32_t)self, filter_otherwise(profile)};
    struct sorted sorted;
    put(&writer, (struct sock_filter)LOAD(ARCH));
    put(&writer, (struct sock_filter)JUMP(BPF_JEQ, audit_arch[arch], 1, 0));
    put(&writer, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    put(&writer, (struct sock_filter)LOAD(NUMBER));
    if (arch == FILTER_X86_64) {
        put(&writer, (struct sock_filter)JUMP(BPF_JGE, X32, 0, 1));
        put(&writer, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    }
    sort_rules(profile, arch, &sorted);
    put_tree(&writer, arch, sorted.rules, sorted.count);
    return (size_t)(writer.at - program);
}
