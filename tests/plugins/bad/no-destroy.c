/* It has no function 'destroy'. */
#include "good.h"

PROVIDER_ENTRY("no-destroy", provider.destroy = 0)
