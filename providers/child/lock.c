#include "lock.h"

int32_t lock_down(struct json demand, struct text *locked, struct text *why)
{
    (void)locked;
    if (demand.text == NULL)
        return PAWL_OK;
    text_string(why, "this pawl-child was built without confinement");
    return PAWL_E_UNAVAILABLE;
}
