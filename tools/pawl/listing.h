/* listing.h - showing what a registry lists. */
#ifndef PAWL_TOOLS_LISTING_H
#define PAWL_TOOLS_LISTING_H

#include <stdbool.h>

#include "tools/pawl/setup.h"

/* Prints the entries of one kind (PAWL_LISTED_PROVIDER or PAWL_LISTED_STAGE) and the refused
 * candidates of that kind, for people or (settings->json) as {"providers" or "stages": [...],
 * "refused": [...]}. Returns the exit status. */
int listing_print(const struct setup *setup, const struct common_settings *settings, uint32_t what);

#endif
