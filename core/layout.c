/* The layout of the structs that cross between a host program and the library (see abi/layout.c).
 */
#include <pawl/pawl.h>

#include "abi/layout.h"

/* clang-format off */

SIZE(pawl_listed, 72, 44, 44)
AT(pawl_listed, what, 0, 0, 0)
AT(pawl_listed, level, 4, 4, 4)
AT(pawl_listed, id, 8, 8, 8)
AT(pawl_listed, plugin, 16, 12, 12)
AT(pawl_listed, path, 24, 16, 16)
AT(pawl_listed, version, 32, 20, 20)
AT(pawl_listed, description, 40, 24, 24)
AT(pawl_listed, languages, 48, 28, 28)
AT(pawl_listed, threads, 56, 32, 32)
AT(pawl_listed, egress, 60, 36, 36)
AT(pawl_listed, reason, 64, 40, 40)

SIZE(pawl_function_options, 32, 24, 24)
AT(pawl_function_options, size, 0, 0, 0)
AT(pawl_function_options, concurrent, 4, 4, 4)
AT(pawl_function_options, timeout, 8, 8, 8)
AT(pawl_function_options, signature, 16, 16, 16)
AT(pawl_function_options, description, 24, 20, 20)

SIZE(pawl_event, 40, 32, 32)
AT(pawl_event, what, 0, 0, 0)
AT(pawl_event, status, 4, 4, 4)
AT(pawl_event, call, 8, 8, 8)
AT(pawl_event, name, 16, 16, 16)
AT(pawl_event, text, 24, 20, 20)

SIZE(pawl_call_record, 40, 32, 32)
AT(pawl_call_record, bytes, 0, 0, 0)
AT(pawl_call_record, microseconds, 8, 8, 8)
AT(pawl_call_record, name, 16, 16, 16)
AT(pawl_call_record, error, 24, 20, 20)
AT(pawl_call_record, status, 32, 24, 24)
AT(pawl_call_record, abandoned, 36, 28, 28)