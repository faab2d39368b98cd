/* suggestions.h - what the author of a failed program can do about it. */
#ifndef PAWL_CORE_SUGGESTIONS_H
#define PAWL_CORE_SUGGESTIONS_H

#include "core/result.h"

/* Adds the suggestions for a failed result: `subject` is what its provider said that the failure is
 * about, an unknown name or member. A success that returned nothing gets a note instead. */
void suggestions_add(pawl_result *result, const pawl_request *request, const char *subject,
                     size_t size);

#endif
