/* forgery.h - frames that break the protocol of abi/wire.md, each in one way. */
#ifndef TESTS_WIRE_FORGERY_H
#define TESTS_WIRE_FORGERY_H

/* The language that a forging child says it runs. */
#define FORGE_LANGUAGE "stub"

/* All that a child does, from its first frame on; never returns. `how` names the way; `file` is
 * what "replay" writes, or NULL. */
void forge_child(const char *how, const char *file);

/* The same from when a child has its program. Whoever calls it is that child. "value" is the one
 * way that breaks nothing: the program returns 1. */
void forge_run(const char *how);

#endif
