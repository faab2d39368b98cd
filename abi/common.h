/*
 * pawl/common.h - what every pawl plugin and the library agree on.
 *
 * Contents: versions, the struct header, status codes, text, levels, budgets, policy, sinks.
 *
 * Rules of this interface, for every struct that crosses between a plugin and the library:
 *
 *  - It begins with struct pawl_header and only ever grows at its end. Whoever reads a struct that
 *    the other side made looks at header.size before it touches a member (PAWL_HAS).
 *  - It has no enums, bool, bit-fields, long, size_t or implicit padding: pointers and fixed-width
 *    integers only. Pointers to many things are arrays of pointers, because the things may grow.
 *  - Text is UTF-8. A `const char *` ends in NUL; a struct pawl_text has a length and may hold NUL.
 *  - Inputs stay valid until the call that got them returns. Nobody frees what the other side made:
 *    outputs go into a sink by call.
 *  - No errno, exit, abort, longjmp or C++ exception crosses the boundary.
 */
#ifndef PAWL_COMMON_H
#define PAWL_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The major version is part of the name of a plugin's entry function, so that a plugin for another
 * major is recognised before any of its code runs. A minor version adds members at the end. */
#define PAWL_ABI_MAJOR 1u
#define PAWL_ABI_MINOR 0u

#define PAWL_EXPORT __attribute__((visibility("default")))

/* What every struct that crosses begins with. */
struct pawl_header {
    uint32_t magic; /* PAWL_MAGIC_*: which struct this is */
    uint32_t size;  /* sizeof the whole struct, as its maker was compiled */
    uint32_t major; /* PAWL_ABI_MAJOR of its maker */
    uint32_t minor; /* PAWL_ABI_MINOR of its maker */
};

#define PAWL_MAGIC(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define PAWL_MAGIC_BUDGET PAWL_MAGIC('P', 'W', 'b', 'u')
#define PAWL_MAGIC_POLICY PAWL_MAGIC('P', 'W', 'p', 'o')
#define PAWL_MAGIC_SINK   PAWL_MAGIC('P', 'W', 's', 'i')

/* An initialiser for a header: struct pawl_budget b = {.header = PAWL_HEADER(BUDGET, b)}; */
#define PAWL_HEADER(kind, object)                                                   \
    {                                                                               \
        PAWL_MAGIC_##kind, (uint32_t)sizeof(object), PAWL_ABI_MAJOR, PAWL_ABI_MINOR \
    }

/* Whether the maker of *object knew `member`: never touch a member that was added in a later minor
 * version without asking. */
#define PAWL_HAS(object, member)      \
    ((size_t)(object)->header.size >= \
     (size_t)((const char *)(&(object)->member + 1) - (const char *)(object)))

/* Text with a length, so that it may hold U+0000. Never owned by who receives it. */
struct pawl_text {
    const char *data; /* UTF-8; may be NULL when size is 0; need not end in NUL */
    uint32_t size;    /* bytes */
    uint32_t reserved;
};

/*
 * Status codes: 0 is success, every failure is a small negative number. A text through a sink says
 * what was wrong, where, and what to do; the code is for programs.
 */
#define PAWL_OK              0
#define PAWL_E_MEMORY        (-1)  /* no memory for it */
#define PAWL_E_ARGUMENT      (-2)  /* the caller passed something malformed */
#define PAWL_E_STATE         (-3)  /* not now: out of order, or said twice */
#define PAWL_E_UNSUPPORTED   (-4)  /* this cannot be done here by design */
#define PAWL_E_UNAVAILABLE   (-5)  /* this machine does not allow it now */
#define PAWL_E_ENDED         (-6)  /* the run is over: stop the program, do not let it catch this */
#define PAWL_E_TIMEOUT       (-7)  /* nothing happened within the time given */
#define PAWL_E_SYSTEM        (-8)  /* the operating system refused */
#define PAWL_E_CONFIG        (-9)  /* a configuration is malformed */
#define PAWL_E_PLUGIN        (-10) /* a plugin cannot be loaded or broke this interface */
#define PAWL_E_DUPLICATE     (-11) /* the id exists already */
#define PAWL_E_UNKNOWN       (-12) /* no level, provider, stage or language of that name */
#define PAWL_E_NAME          (-13) /* a name that is not allowed there */
#define PAWL_E_SIGNATURE     (-14) /* a malformed signature */
#define PAWL_E_COLLISION     (-15) /* two bindings would have one name */
#define PAWL_E_LIMIT         (-16) /* larger than what is accepted */
#define PAWL_E_NO_PROVIDER   (-17) /* no provider satisfies the request */
#define PAWL_E_NOT_ENFORCED  (-18) /* nobody says that they enforce the egress or file policy */
#define PAWL_E_ALREADY_TAKEN (-19) /* a process-wide resource (a signal) has another owner */
#define PAWL_E_RECORD        (-20) /* the record of a run cannot be written */

/*
 * Levels: how little a program can reach, weakest first. Zero is the weakest, so that a struct that
 * nobody filled in claims nothing.
 */
#define PAWL_LEVEL_NONE    0u /* the program has the host's own rights */
#define PAWL_LEVEL_PROCESS 1u /* an interpreter's own walls; not a kernel boundary */
#define PAWL_LEVEL_OS      2u /* the kernel cuts files, network and system calls */
#define PAWL_LEVEL_MACHINE 3u /* its own kernel and virtual devices */

/* What a run may spend. Zero means not asked for. */
struct pawl_budget {
    struct pawl_header header; /* PAWL_MAGIC_BUDGET */
    uint64_t wall_clock;       /* milliseconds from the start of the program to its result */
    uint64_t max_calls;        /* calls of bindings, failed ones included */
    uint64_t max_bytes;        /* sum of the JSON bytes that bindings returned */
    uint64_t max_memory;       /* bytes that the program may hold at once */
};

/* Bits that name the items of a budget, in the order of the struct. */
#define PAWL_BUDGET_WALL_CLOCK (1u << 0)
#define PAWL_BUDGET_MAX_CALLS  (1u << 1)
#define PAWL_BUDGET_MAX_BYTES  (1u << 2)
#define PAWL_BUDGET_MAX_MEMORY (1u << 3)

/* Egress: what network a program may reach. */
#define PAWL_EGRESS_ANY   0u /* unrestricted, or not asked about */
#define PAWL_EGRESS_PROXY 1u /* only through the proxy that the policy names */
#define PAWL_EGRESS_NONE  2u /* none at all */

/* File modes: what host files a program may touch. */
#define PAWL_FILES_UNSPECIFIED     0u
#define PAWL_FILES_NONE            1u /* the program sees no host file */
#define PAWL_FILES_READ_ONLY       2u
#define PAWL_FILES_WORKSPACE_WRITE 3u /* may write the working directory and the named others */
#define PAWL_FILES_FULL_ACCESS     4u

/* What a program may reach. */
struct pawl_policy {
    struct pawl_header header; /* PAWL_MAGIC_POLICY */
    uint32_t files;            /* PAWL_FILES_* */
    uint32_t egress;           /* PAWL_EGRESS_* */
    const char *working_directory;
    const char *const *writable; /* directories beside it; ends in NULL; NULL when there are none */
    const char *proxy;           /* URL; NULL unless egress is PAWL_EGRESS_PROXY */
};

/* Where text goes: an error's explanation, a path that was looked up, the answer of a discovery.
 * `write` may be called several times; the pieces are joined. [the thread that got the sink, before
 * the call that got it returns] */
struct pawl_sink {
    struct pawl_header header; /* PAWL_MAGIC_SINK */
    void *context;
    void (*write)(void *context, const char *text, size_t size);
};

#ifdef __cplusplus
}
#endif
#endif
