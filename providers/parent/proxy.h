/* proxy.h - where a proxy is, and connecting to it. */
#ifndef PARENT_PROXY_H
#define PARENT_PROXY_H

#include <sys/socket.h>

#include "providers/wire/text.h"

struct proxy {
    struct sockaddr_storage address;
    socklen_t size;
};

/* Finds the address of `unix:/PATH` or `http://HOST[:PORT]` that can be connected to now, trying
 * until CLOCK_MONOTONIC reaches `until`. PAWL_OK; PAWL_E_MEMORY, or PAWL_E_UNAVAILABLE and the
 * reason. */
int32_t proxy_find(struct proxy *proxy, const char *url, uint64_t until, struct text *why);

/* Begins to connect: a socket that does not block and is writable once it is connected; -1 and
 * errno. */
int proxy_connect(const struct proxy *proxy);

/* How that came out: 0, or an errno. */
int proxy_connected(int fd);

#endif
