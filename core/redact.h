/*
 * redact.h - taking credentials out of text that others will read: tails of stderr, error messages.
 *
 * It knows the shapes of credentials, not their values: URLs with passwords, Authorization headers
 * and bearer tokens, values of names such as password, api_key or token, AWS, GitHub, OpenAI,
 * Anthropic and similar keys, JSON web tokens, PEM blocks. It is a safety net, not a proof: what
 * looks like none of these passes.
 *
 * It needs nothing but the C library, so that plugins can contain it.
 */
#ifndef PAWL_CORE_REDACT_H
#define PAWL_CORE_REDACT_H

#include <stddef.h>

#define REDACTED "[redacted]"

/* Returns the text with every credential replaced by REDACTED, to be freed; it ends in NUL, and its
 * length goes to *result_size. NULL: no memory. [any thread] */
char *redact(const char *text, size_t size, size_t *result_size);

#endif
