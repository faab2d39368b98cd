#include "gateway.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "proxy.h"
#include "worker.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* How long a proxy may take to accept the first connection. */
#define PATIENCE (10 * UINT64_C(1000000000))

#define CONNECTIONS_MOST 16
#define CHUNK            16384

/* Bytes on their way in one direction. */
struct flow {
    size_t from, to; /* the part of `data` that was read and not yet written */
    bool ended;      /* there is nothing more to read */
    bool passed_on;  /* the other side was told so */
    char data[CHUNK];
};

struct connection {
    int child, proxy;
    bool connecting;
    struct flow out, in;
};

struct gateway {
    struct proxy proxy;
    int requests;
    int closing; /* eventfd */
    pthread_t thread;
    struct connection *connections[CONNECTIONS_MOST]; /* NULL: free */
};

/* --- One connection -------------------------------------------------------------------------- */

static void free_connection(struct connection *connection)
{
    close(connection->child);
    close(connection->proxy);
    free(connection);
}

static bool is_empty(const struct flow *flow)
{
    return flow->from == flow->to;
}

static bool is_transient(int error)
{
    return error == EAGAIN || error == EINTR;
}

/* Moves what can be moved from one side to the other. False: the connection is broken. */
static bool move(struct flow *flow, int from, int to)
{
    if (is_empty(flow) && !flow->ended) {
        ssize_t got = recv(from, flow->data, CHUNK, MSG_DONTWAIT);
        if (got < 0 && !is_transient(errno))
            return false;
        flow->ended = got == 0;
        flow->from = 0;
        flow->to = got < 0 ? 0 : (size_t)got;
    }
    if (!is_empty(flow)) {
        ssize_t sent =
            send(to, flow->data + flow->from, flow->to - flow->from, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && !is_transient(errno))
            return false;
        flow->from += sent < 0 ? 0 : (size_t)sent;
    }
    if (flow->ended && is_empty(flow) && !flow->passed_on) {
        flow->passed_on = true;
        return shutdown(to, SHUT_WR) == 0;
    }
    return true;
}

/* What to wait for on one side: to read for one direction, to write for the other. */
static short wanted(const struct flow *reads, const struct flow *writes)
{
    return (short)((is_empty(reads) && !reads->ended ? POLLIN : 0) |
                   (is_empty(writes) ? 0 : POLLOUT));
}

/* A side of which nothing is wanted is not watched: it may have hung up, and would say so for ever.
 * But a child that has hung up, when all that it said was passed on, needs no more answers. */
static void watch(const struct connection *connection, struct pollfd *child, struct pollfd *proxy)
{
    const short of_child = wanted(&connection->out, &connection->in);
    const short of_proxy =
        connection->connecting ? POLLOUT : wanted(&connection->in, &connection->out);
    const bool parting = connection->out.passed_on;
    *child = (struct pollfd){of_child != 0 || parting ? connection->child : -1, of_child, 0};
    *proxy = (struct pollfd){of_proxy != 0 ? connection->proxy : -1, of_proxy, 0};
}

/* Whether it goes on. */
static bool serve(struct connection *connection, short child, short proxy)
{
    if (connection->connecting && proxy != 0) {
        connection->connecting = false;
        if (proxy_connected(connection->proxy) != 0)
            return false;
    }
    if (connection->connecting)
        return (child & POLLHUP) == 0;
    if (child == 0 && proxy == 0)
        return true;
    return !(connection->out.passed_on && (child & POLLHUP)) &&
           move(&connection->out, connection->child, connection->proxy) &&
           move(&connection->in, connection->proxy, connection->child) &&
           !(connection->out.passed_on && connection->in.passed_on);
}

/* --- Requests -------------------------------------------------------------------------------- */

/* Answers a request: with a descriptor, or else with words. */
static bool answer(int requests, int fd, const char *words)
{
    union {
        char data[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec text = {.iov_base = (char *)words, .iov_len = strlen(words)};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = control.data;
        message.msg_controllen = sizeof(control.data);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd, sizeof(fd));
    }
    return sendmsg(requests, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* A connection that is being made; its other end is `handed`. NULL and errno. */
static struct connection *begin_connection(const struct proxy *proxy, int *handed)
{
    int pair[2];
    struct connection *connection = calloc(1, sizeof(*connection));
    if (connection == NULL)
        return NULL;
    connection->connecting = true;
    connection->proxy = proxy_connect(proxy);
    if (connection->proxy >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        connection->child = pair[0];
        *handed = pair[1];
        return connection;
    }
    int error = errno;
    if (connection->proxy >= 0)
        close(connection->proxy);
    free(connection);
    errno = error;
    return NULL;
}

static void open_connection(struct gateway *gateway)
{
    struct connection **place = gateway->connections;
    int handed = -1;
    while (place < gateway->connections + CONNECTIONS_MOST && *place != NULL)
        place++;
    if (place == gateway->connections + CONNECTIONS_MOST) {
        answer(gateway->requests, -1, "too many connections are open");
        return;
    }
    struct connection *connection = begin_connection(&gateway->proxy, &handed);
    if (connection == NULL) {
        answer(gateway->requests, -1, strerror(errno));
        return;
    }
    /* Who does not take its answers gets none. */
    if (answer(gateway->requests, handed, "open"))
        *place = connection;
    else
        free_connection(connection);
    close(handed);
}

/* A message is a request, whatever it says. False: nobody is there to ask any more. */
static bool take_request(struct gateway *gateway)
{
    char request[16];
    ssize_t got = recv(gateway->requests, request, sizeof(request), MSG_DONTWAIT);
    if (got > 0)
        open_connection(gateway);
    return got > 0 || (got < 0 && is_transient(errno));
}

/* --- The thread ------------------------------------------------------------------------------ */

static void *carry(void *argument)
{
    struct gateway *gateway = argument;
    bool asks = true;
    for (;;) {
        struct pollfd fds[2 + 2 * CONNECTIONS_MOST];
        fds[0] = (struct pollfd){gateway->closing, POLLIN, 0};
        fds[1] = (struct pollfd){asks ? gateway->requests : -1, POLLIN, 0};
        for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
            struct pollfd *pair = &fds[2 + 2 * i];
            pair[0].fd = pair[1].fd = -1;
            if (gateway->connections[i] != NULL)
                watch(gateway->connections[i], &pair[0], &pair[1]);
        }
        if (poll(fds, LENGTH(fds), -1) < 0 && errno != EINTR)
            return NULL;
        if (fds[0].revents != 0)
            return NULL;
        for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
            struct connection **place = &gateway->connections[i];
            if (*place == NULL || serve(*place, fds[2 + 2 * i].revents, fds[3 + 2 * i].revents))
                continue;
            free_connection(*place);
            *place = NULL;
        }
        if (fds[1].revents != 0)
            asks = take_request(gateway);
    }
}

int32_t gateway_open(struct gateway **result, int requests, const char *url, uint64_t deadline,
                     struct text *why)
{
    const uint64_t patience = worker_now() + PATIENCE;
    struct gateway *gateway = calloc(1, sizeof(*gateway));
    if (gateway == NULL)
        return PAWL_E_MEMORY;
    gateway->requests = requests;
    int32_t status = proxy_find(&gateway->proxy, url,
                                deadline != 0 && deadline < patience ? deadline : patience, why);
    if (status != PAWL_OK) {
        free(gateway);
        return status;
    }
    gateway->closing = eventfd(0, EFD_CLOEXEC);
    sigset_t all, before;
    sigfillset(&all); /* the host's signals are for its own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error =
        gateway->closing < 0 ? errno : pthread_create(&gateway->thread, NULL, carry, gateway);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) {
        *result = gateway;
        return PAWL_OK;
    }
    text_format(why, "connections to the proxy cannot be carried: %s", strerror(error));
    if (gateway->closing >= 0)
        close(gateway->closing);
    free(gateway);
    return PAWL_E_UNAVAILABLE;
}

void gateway_close(struct gateway *gateway)
{
    const uint64_t one = 1;
    if (gateway == NULL)
        return;
    ssize_t written = write(gateway->closing, &one, sizeof(one));
    (void)written; /* a fresh event takes it */
    pthread_join(gateway->thread, NULL);
    for (size_t i = 0; i < CONNECTIONS_MOST; i++)
        if (gateway->connections[i] != NULL)
            free_connection(gateway->connections[i]);
    close(gateway->closing);
    free(gateway);
}
