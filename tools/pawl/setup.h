/* setup.h - what every subcommand stands on: the configuration, the registry, the ring. */
#ifndef PAWL_TOOLS_SETUP_H
#define PAWL_TOOLS_SETUP_H

#include <stdbool.h>

#include <pawl/pawl.h>

#include "tools/pawl/options.h"

struct setup {
    pawl_config *config;
    pawl_registry *registry;
    pawl_ring *ring;
};

/* The options that every subcommand has; their targets are in this struct, which must be the first
 * member of the subcommand's settings. */
struct common_settings {
    const char *config;
    bool json;
};
extern const struct option common_options[];

/* Loads the configuration and applies it. EXIT_OK, or the exit status after it said what is wrong.
 * The setup is to be closed in either case. */
int setup_open(struct setup *setup, const struct common_settings *settings);
void setup_close(struct setup *setup);

/* The options that say what is asked of a run, for `run` and `resolve`. */
struct demand {
    struct level_choice level;
    const char *language;
    const char *provider;
    struct pawl_budget budget;
    uint64_t max_output;
    uint32_t egress;
    const char *proxy;
};
struct demand_settings {
    struct common_settings common;
    struct demand demand;
};
extern const struct option demand_options[];

/* Makes the request that a demand describes, with a program. EXIT_OK, or the exit status after it
 * said what is wrong. */
int setup_request(const struct setup *setup, const struct demand_settings *settings,
                  const char *program, size_t size, pawl_request **request);

/* The same for what was recorded, except for what the demand asks for. */
int setup_recorded_request(const struct setup *setup, const struct demand_settings *settings,
                           const pawl_record *record, bool functions, pawl_request **request);

#endif
