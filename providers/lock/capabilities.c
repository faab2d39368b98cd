#include <errno.h>
#include <linux/securebits.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "step.h"

/* No user is special, and no exec gives a capability; nothing of it can be changed back. */
#define SECURE_BITS                                                                          \
    (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |                         \
     SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | \
     SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

/* Needs CAP_SETPCAP, which there is inside a user namespace and as root. An ordinary user without
 * one keeps the bounding set, and no_new_privs makes it worth nothing. */
int32_t lock_bounding_set(struct lock *lock)
{
    cap_flag_value_t able = CAP_CLEAR;
    cap_t own = cap_get_proc();
    if (own == NULL)
        return lock_failed(lock, "cap_get_proc");
    cap_get_flag(own, CAP_SETPCAP, CAP_EFFECTIVE, &able);
    cap_free(own);
    if (able != CAP_SET && lock->namespaces)
        return lock_unproven(lock, "CAP_SETPCAP is missing in the user namespace");
    if (able == CAP_SET) {
        if (cap_reset_ambient() != 0)
            return lock_failed(lock, "cap_reset_ambient");
        cap_value_t cap = 0;
        while (cap_drop_bound(cap) == 0)
            cap++;
        if (errno != EINVAL || cap_get_bound(cap) >= 0) /* otherwise there are no more */
            return lock_failed(lock, "cap_drop_bound");
        while (--cap >= 0)
            if (cap_get_bound(cap) != 0)
                return lock_unproven(lock, "the capability bounding set is not empty");
        if (cap_set_secbits(SECURE_BITS) != 0)
            return lock_failed(lock, "cap_set_secbits");
        if (cap_get_secbits() != SECURE_BITS)
            return lock_unproven(lock, "the secure bits are not set");
    }
    text_format(lock->locked, ",\"bounding\":\"%s\"", able == CAP_SET ? "empty" : "kept");
    return PAWL_OK;
}

int32_t lock_capabilities(struct lock *lock)
{
    cap_t none = cap_init();
    if (none == NULL)
        return lock_failed(lock, "cap_init");
    int set = cap_set_proc(none);
    int error = errno;
    cap_t now = set == 0 ? cap_get_proc() : NULL;
    bool empty = now != NULL && cap_compare(now, none) == 0;
    cap_free(now);
    cap_free(none);
    errno = error;
    if (set != 0)
        return lock_failed(lock, "cap_set_proc");
    if (!empty)
        return lock_unproven(lock, "the process still has capabilities");
    if (setuid(0) == 0)
        return lock_unproven(lock, "the process can become root again");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return lock_failed(lock, "prctl(PR_SET_NO_NEW_PRIVS)");
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return lock_unproven(lock, "no_new_privs is not set");
    text_string(lock->locked, ",\"capabilities\":\"none\",\"no_new_privs\":1");
    return PAWL_OK;
}
