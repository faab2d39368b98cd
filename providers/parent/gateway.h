/*
 * gateway.h - the only way out of a confined command: connections to the host's proxy.
 *
 * The command asks for each over a socket that it has from its start (abi/wire.md), and is handed
 * one end of a pair of sockets. The connection itself is made, and carried to and fro, by a thread
 * here: a socket that could be connected to something else never reaches the command.
 */
#ifndef PARENT_GATEWAY_H
#define PARENT_GATEWAY_H

#include "providers/wire/text.h"

struct gateway;

/* Opens the way to a proxy, `unix:/PATH` or `http://HOST[:PORT]`, for who is at the other end of
 * `requests`, which stays the caller's. A connection is tried first, until CLOCK_MONOTONIC reaches
 * `deadline` (nanoseconds; 0: ten seconds). PAWL_OK; PAWL_E_MEMORY, or PAWL_E_UNAVAILABLE and the
 * reason. */
int32_t gateway_open(struct gateway **gateway, int requests, const char *url, uint64_t deadline,
                     struct text *why);

/* Closes all connections. NULL is allowed. */
void gateway_close(struct gateway *gateway);

#endif
