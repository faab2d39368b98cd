#include "proxy.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "worker.h"

#define HOST_MOST 256

int proxy_connect(const struct proxy *proxy)
{
    const struct sockaddr *address = (const struct sockaddr *)&proxy->address;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, address, proxy->size) == 0 || errno == EINPROGRESS)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int proxy_connected(int fd)
{
    int error = 0;
    socklen_t size = sizeof(error);
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/* Whether the proxy is there: 0, or an errno. */
static int try_proxy(const struct proxy *proxy, uint64_t until)
{
    int fd = proxy_connect(proxy);
    if (fd < 0)
        return errno;
    struct pollfd connected = {.fd = fd, .events = POLLOUT};
    int ready;
    do
        ready = poll(&connected, 1, worker_timeout(until));
    while (ready < 0 && errno == EINTR);
    int error = ready < 0 ? errno : ready == 0 ? ETIMEDOUT : proxy_connected(fd);
    close(fd);
    return error;
}

static int32_t unusable(struct text *why, const char *reason)
{
    text_format(why, "the proxy cannot be used: %s", reason);
    return PAWL_E_UNAVAILABLE;
}

static int32_t find_unix(struct proxy *proxy, const char *path, uint64_t until, struct text *why)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strncmp(path, "//", 2) == 0)
        path += 2;
    if (*path != '/' || strlen(path) >= sizeof(address.sun_path))
        return unusable(why, "unix: must be followed by an absolute path of at most 107 bytes");
    strcpy(address.sun_path, path);
    memcpy(&proxy->address, &address, sizeof(address));
    proxy->size = sizeof(address);
    int error = try_proxy(proxy, until);
    return error == 0 ? PAWL_OK : unusable(why, strerror(error));
}

/* Splits HOST[:PORT][/], with HOST perhaps in brackets, and perhaps behind USER:PASSWORD@, which is
 * for the proxy to ask for. */
static bool split(const char *rest, char host[HOST_MOST], char port[HOST_MOST])
{
    size_t size = strcspn(rest, "/?#");
    const char *at = memrchr(rest, '@', size);
    const char *end = rest + size;
    const char *begin = at == NULL ? rest : at + 1;
    const char *bracket = *begin == '[' ? memchr(begin, ']', (size_t)(end - begin)) : NULL;
    const char *host_end = bracket != NULL ? bracket : memchr(begin, ':', (size_t)(end - begin));
    const char *colon = bracket != NULL ? bracket + 1 : host_end;
    if (host_end == NULL)
        host_end = colon = end;
    begin += bracket != NULL;
    if (host_end == begin || (*begin == '[' && bracket == NULL) || host_end - begin >= HOST_MOST ||
        end - colon >= HOST_MOST || (colon < end && *colon != ':'))
        return false;
    memcpy(host, begin, (size_t)(host_end - begin));
    host[host_end - begin] = '\0';
    strcpy(port, "80");
    if (end - colon > 1) {
        memcpy(port, colon + 1, (size_t)(end - colon - 1));
        port[end - colon - 1] = '\0';
    }
    return true;
}

static int32_t find_host(struct proxy *proxy, const char *rest, uint64_t until, struct text *why)
{
    char host[HOST_MOST], port[HOST_MOST];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    if (!split(rest, host, port))
        return unusable(why, "http:// must be followed by a host, and perhaps a port");
    int failed = getaddrinfo(host, port, &hints, &found);
    if (failed != 0)
        return unusable(why, failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
    int error = ENOENT;
    for (const struct addrinfo *info = found; error != 0 && info != NULL; info = info->ai_next) {
        memcpy(&proxy->address, info->ai_addr, info->ai_addrlen);
        proxy->size = info->ai_addrlen;
        error = try_proxy(proxy, until);
    }
    freeaddrinfo(found);
    return error == 0 ? PAWL_OK : unusable(why, strerror(error));
}

int32_t proxy_find(struct proxy *proxy, const char *url, uint64_t until, struct text *why)
{
    if (strncmp(url, "unix:", 5) == 0)
        return find_unix(proxy, url + 5, until, why);
    if (strncmp(url, "http://", 7) == 0)
        return find_host(proxy, url + 7, until, why);
    return unusable(why, "its URL must be unix:/PATH or http://HOST:PORT");
}
