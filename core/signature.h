/* signature.h - `get_logs(host, count?)`: from positional arguments to named ones. */
#ifndef PAWL_CORE_SIGNATURE_H
#define PAWL_CORE_SIGNATURE_H

#include "core/buffer.h"
#include "core/request.h"

#define SIGNATURE_MAX_PARAMETERS 64

/* Parses a signature of the function `name`. PAWL_E_SIGNATURE with the place that is wrong. */
int signature_parse(const char *text, const char *name, struct signature *signature,
                    pawl_error **error);
void signature_clear(struct signature *signature);

/*
 * Turns the JSON array of a call's positional arguments into what the host function gets, appended
 * to `out`: with a signature a JSON object, by name; without one (`signature` NULL) the single
 * argument, or {} when there is none. One object whose keys are all names of parameters is taken as
 * it is.
 *
 * `arguments` must be valid JSON. Returns PAWL_OK; PAWL_E_ARGUMENT with a message in `why` that
 * names the signature; or PAWL_E_MEMORY.
 */
int signature_bind(const struct signature *signature, const char *signature_text,
                   const char *arguments, size_t size, struct buffer *out, struct buffer *why);

#endif
