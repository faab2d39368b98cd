#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "step.h"

/* Any directory that exists on every system: it is covered for this process alone. */
#define PLACE "/proc"

static bool is_empty(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    if (directory == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count == 0;
}

/* Room for the directories and empty files that the visible paths are mounted on. */
#define WITH_VIEW "size=256k,nr_inodes=1024,mode=0555"
#define EMPTY     "size=4k,nr_inodes=1,mode=0555"

#define FLAGS (MS_NOSUID | MS_NODEV | MS_NOEXEC)

static int32_t make_root(struct lock *lock)
{
    const bool empty = lock->visible.text == NULL;
    if (mount("pawl", PLACE, "tmpfs", FLAGS | (empty ? MS_RDONLY : 0), empty ? EMPTY : WITH_VIEW) !=
        0)
        return lock_failed(lock, "mount(tmpfs)");
    if (empty)
        return PAWL_OK;
    int32_t status = lock_view(lock, PLACE);
    if (status == PAWL_OK &&
        mount("pawl", PLACE, "tmpfs", FLAGS | MS_REMOUNT | MS_RDONLY, WITH_VIEW) != 0)
        status = lock_failed(lock, "mount(tmpfs, MS_REMOUNT)");
    return status;
}

int32_t lock_root(struct lock *lock)
{
    struct statfs statfs_;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return lock_failed(lock, "mount(/, MS_PRIVATE)");
    int32_t status = make_root(lock);
    if (status != PAWL_OK)
        return status;
    if (chdir(PLACE) != 0)
        return lock_failed(lock, "chdir");
    /* The old root ends on top of the new one, from where it can be taken off. */
    if (syscall(SYS_pivot_root, ".", ".") != 0) {
        /* The first file system of all cannot be left. */
        const bool first = errno == EINVAL;
        lock_failed(lock, "pivot_root");
        if (first)
            text_string(lock->why, " (is the host's root an initramfs?)");
        return PAWL_E_UNAVAILABLE;
    }
    if (umount2(".", MNT_DETACH) != 0)
        return lock_failed(lock, "umount2(the old root)");
    if (chdir("/") != 0)
        return lock_failed(lock, "chdir(/)");
    if (statfs("/", &statfs_) != 0)
        return lock_failed(lock, "statfs(/)");
    const bool empty = lock->visible.text == NULL;
    if (statfs_.f_type != TMPFS_MAGIC || (statfs_.f_flags & ST_RDONLY) == 0 ||
        (empty && !is_empty("/")))
        return lock_unproven(lock, empty ? "the root is not an empty read-only directory"
                                         : "the root is not a read-only directory of its own");
    text_format(lock->locked, ",\"root\":\"%s\"", empty ? "empty" : "view");
    return PAWL_OK;
}
