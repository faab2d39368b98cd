/*
 * filter.h - which system calls a locked child may make, as a program for seccomp(2).
 *
 * What an engine may do works on the process itself: its memory, its clock, its signals, and
 * descriptors that it has already. Nothing here takes a path, an address or another process's
 * number. A few calls that libraries make out of habit fail with an error; everything else kills
 * the process.
 *
 * A command is executed behind the filter, and reads its own files: it may also open, map and
 * execute what its root has, and use the sockets that it is handed. It makes no socket that could
 * be connected, and no process. What is not in its table does not exist.
 */
#ifndef LOCK_FILTER_H
#define LOCK_FILTER_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum filter_arch { FILTER_X86_64, FILTER_AARCH64, FILTER_ARCHES };

#if defined(__x86_64__)
#define FILTER_NATIVE FILTER_X86_64
#elif defined(__aarch64__)
#define FILTER_NATIVE FILTER_AARCH64
#else
#error "filter: say what this architecture's system calls are (rules.c, filter.c)"
#endif

/* What is locked: a process with an engine in it, or a command. */
enum filter_profile { FILTER_ENGINE, FILTER_COMMAND, FILTER_PROFILES };

/* When a rule holds. Arguments are compared in their low 32 bits: the kernel reads those that are
 * tested here as an int, or tests single bits of them. */
enum filter_test {
    FILTER_ALWAYS,
    FILTER_CLEAR, /* none of the bits of `value` is set */
    FILTER_SET,   /* one of them is */
    FILTER_EQUAL,
    FILTER_SELF, /* it is the process's own number */
};

struct filter_rule {
    const char *name;
    int16_t number[FILTER_ARCHES]; /* -1: the architecture has no such call */
    uint16_t error;                /* 0: the call is made; otherwise it fails with this */
    uint8_t test;                  /* enum filter_test */
    uint8_t argument;              /* the one that is tested, counted from 0 */
    uint32_t value;
};

/* The rules of a profile, in the order in which they are tried: the first one that holds decides.
 * NULL: there are no more. */
const struct filter_rule *filter_rule(enum filter_profile profile, size_t index);

/* SECCOMP_RET_*: what becomes of a call that no rule decides. */
uint32_t filter_otherwise(enum filter_profile profile);

#define FILTER_MOST 512 /* instructions */

/* Writes the program for an architecture and a process. Returns how many instructions it has. */
size_t filter_compile(enum filter_profile profile, enum filter_arch arch, pid_t self,
                      struct sock_filter program[FILTER_MOST]);

#endif
