#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

/* Each returns 0 if it got out, or the error that stopped it. */

static int open_file(void)
{
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

static int create_file(void)
{
    int fd = open("/pawl-canary", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    close(fd);
    unlink("/pawl-canary");
    return 0;
}

/* 192.0.2.1 is nobody's; connecting a datagram socket sends nothing. */
static int find_route(void)
{
    const struct sockaddr_in nobody = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0xc0000201)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int error = connect(fd, (const struct sockaddr *)&nobody, sizeof(nobody)) == 0 ? 0 : errno;
    close(fd);
    return error;
}

static int see_process(void)
{
    return kill(getppid() == 0 ? 2 : getppid(), 0) == 0 ? 0 : errno;
}

static int become_root(void)
{
    return setresuid(0, 0, 0) == 0 ? 0 : errno;
}

static int mount_something(void)
{
    return mount("pawl", "/", "tmpfs", 0, NULL) == 0 ? 0 : errno;
}

static int raise_limit(void)
{
    const struct rlimit some = {1, 1};
    return setrlimit(RLIMIT_NPROC, &some) == 0 ? 0 : errno;
}

static int start_thread(void)
{
    return syscall(SYS_clone3, NULL, 0) == 0 ? 0 : errno;
}

struct canary {
    const char *name;
    int (*try)(void);
};

static const struct canary before_filter[] = {
    {"open", open_file},          {"create", create_file},
    {"route", find_route},        {"process", see_process},
    {"root", become_root},        {"mount", mount_something},
    {"raise_limit", raise_limit}, {NULL, NULL},
};

/* Only what fails: the rest of what the filter forbids is not survived. */
static const struct canary behind_filter[] = {
    {"filtered_open", open_file},
    {"filtered_clone3", start_thread},
    {NULL, NULL},
};

static void send_out(struct lock *lock, const struct canary *canary)
{
    for (const char *comma = ""; canary->name != NULL; canary++, comma = ",") {
        int error = canary->try();
        const char *name = error == 0 ? "done" : strerrorname_np(error);
        text_format(lock->locked, "%s\"%s\":\"%s\"", comma, canary->name,
                    name == NULL ? "unknown" : name);
    }
}

int32_t lock_canaries_before_filter(struct lock *lock)
{
    text_string(lock->locked, ",\"canaries\":{");
    send_out(lock, before_filter);
    text_string(lock->locked, "}");
    return PAWL_OK;
}

int32_t lock_canaries_behind_filter(struct lock *lock)
{
    text_string(lock->locked, ",\"behind_filter\":{");
    send_out(lock, behind_filter);
    text_string(lock->locked, "}");
    return PAWL_OK;
}
