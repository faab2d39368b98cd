/*
 * oom.h - the n-th allocation fails, for every n.
 *
 * The program is linked with -Wl,--wrap=malloc and so on (oom_ldflags in local.mk), so that what
 * the code under test asks for passes here: memory, and with it the descriptors and threads that it
 * makes, which can be refused just as well. What libraries allocate for themselves does not.
 */
#ifndef TEST_OOM_H
#define TEST_OOM_H

#include <stdbool.h>

/* Calls `trial` on a thread of its own with the first allocation failing, then with the second, and
 * so on until none fails; once with that allocation alone and once with all that follow it, too.
 * Asserts that each trial frees what it allocated. */
void oom_each(void (*trial)(void));

/* Ends the failures of this trial. Whether there was one. */
bool oom_stop(void);

#endif
