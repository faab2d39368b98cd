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

int32_t lock_root(struct lock *lock)
{
    struct statfs statfs_;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return lock_failed(lock, "mount(/, MS_PRIVATE)");
    if (mount("pawl", PLACE, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
              "size=4k,nr_inodes=1,mode=0555") != 0)
        return lock_failed(lock, "mount(tmpfs)");
    if (chdir(PLACE) != 0)
        return lock_failed(lock, "chdir");
    /* The old root ends on top of the new one, from where it can be taken off. */
    if (syscall(SYS_pivot_root, ".", ".") != 0)
        return lock_failed(lock, "pivot_root");
    if (umount2(".", MNT_DETACH) != 0)
        return lock_failed(lock, "umount2(the old root)");
    if (chdir("/") != 0)
        return lock_failed(lock, "chdir(/)");
    if (statfs("/", &statfs_) != 0)
        return lock_failed(lock, "statfs(/)");
    if (statfs_.f_type != TMPFS_MAGIC || (statfs_.f_flags & ST_RDONLY) == 0 || !is_empty("/"))
        return lock_unproven(lock, "the root is not the empty read-only directory it should be");
    text_string(lock->locked, ",\"root\":\"empty\"");
    return PAWL_OK;
}
