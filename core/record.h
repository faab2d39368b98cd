/* record.h - the record of a run, read again. See recorder.h, and pawl-record(5). */
#ifndef PAWL_CORE_RECORD_H
#define PAWL_CORE_RECORD_H

#include <stdbool.h>

#include <pawl/pawl.h>

#include "core/request.h"
#include "providers/wire/text.h"

/* The format's name and version: the first member of the first line. */
#define RECORD_FORMAT "pawl-record/1"

enum record_type {
    RECORD_CALL,
    RECORD_SETTLED,
    RECORD_TIMEOUT,
    RECORD_CLOCK,
    RECORD_RANDOM,
    RECORD_DISCOVER,
    RECORD_LOG,
    RECORD_END,
    RECORD_RESUMED,
};

/* A line after the first. */
struct record_entry {
    enum record_type type;
    uint32_t status;       /* of a settlement: PAWL_SETTLED_* */
    bool late;             /* a settlement that the program was not told any more */
    uint64_t id;           /* of a call */
    uint64_t microseconds; /* of a settlement */
    int64_t number;        /* the clock; the status of an answer to discover */
    const char *code;      /* of a settlement that is no value: a constant */
    char *name;            /* of a function; what was sought; the kind of the end; decoded */
    size_t name_size;
    char *text; /* arguments, a value or an answer: JSON; a message, a log entry, bytes: decoded */
    size_t text_size;
};

struct pawl_record {
    char *header;          /* the first line: JSON of the right members, as a text */
    pawl_request *request; /* as it describes it; its functions do nothing */
    char *host;            /* what the host added to it, JSON; NULL: nothing */
    struct record_entry *entries;
    size_t count;
    size_t capacity;
    size_t padding;    /* bytes of white space that values had */
    struct text image; /* of a suspended program; empty: there is none */
};

/* How the run ended: the last entry, if it says so; NULL: it was cut off. */
const struct record_entry *record_end(const pawl_record *record);

#endif
