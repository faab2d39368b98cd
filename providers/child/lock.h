/* lock.h - confinement: what the child takes away from itself between loading its engine and
 * saying `ready`. */
#ifndef CHILD_LOCK_H
#define CHILD_LOCK_H

#include "providers/wire/json.h"

/* Locks the process as a launch frame's `lock` demands (absent: not at all). Appends members to
 * the object `locked` of the ready frame. PAWL_OK, or PAWL_E_UNAVAILABLE with the step that failed
 * in `why`; then the process must not go on. */
int32_t lock_down(struct json demand, struct text *locked, struct text *why);

#endif
