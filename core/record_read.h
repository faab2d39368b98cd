/* record_read.h - reading a record: what its two files share. */
#ifndef PAWL_CORE_RECORD_READ_H
#define PAWL_CORE_RECORD_READ_H

#include "core/record.h"
#include "providers/wire/json.h"

/* The bytes of a string, or a value as it stands, with a NUL behind them. NULL: no memory. `size`
 * may be NULL. */
char *record_copy_string(struct json value, size_t *size);
char *record_copy_json(struct json value, size_t *size);

/* A number; of an absent one 0. */
static inline uint64_t record_number(struct json value)
{
    uint64_t number = 0;
    if (value.text != NULL)
        json_unsigned(value, &number);
    return number;
}

/* record_request.c: a request as the first line describes it, which was checked to be JSON; with
 * `functions` also those that it names, which do nothing. `host`, unless NULL, becomes what the
 * host added. */
int record_make_request(struct json header, bool functions, pawl_request **request,
                        struct json *host, pawl_error **error);

#endif
