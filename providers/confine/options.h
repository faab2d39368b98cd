/*
 * options.h - what the confine provider's configuration has beside that of every isolating provider
 * (providers/parent/instance.h):
 *
 *   namespaces   "required" (the default): the program is in namespaces of its own, or not run at
 *                all; "optional": where the host forbids them, it is run without
 *   id           as root: the user and group that a child becomes (65532)
 *   visible      of a command: absolute paths that its root has, read-only
 */
#ifndef CONFINE_OPTIONS_H
#define CONFINE_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "providers/wire/text.h"

struct options {
    bool namespaces_optional;
    uid_t id;
    bool command;        /* there is one, not an engine */
    struct text visible; /* JSON array; empty: none */
    struct text rest;    /* the configuration without these keys */
};

/* PAWL_OK; PAWL_E_MEMORY, or PAWL_E_CONFIG and the reason. What was read is to be freed
 * in any case. */
int32_t options_read(struct options *options, const char *config, struct text *why);
void options_free(struct options *options);

#endif
