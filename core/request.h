/* request.h - what a request holds; a host fills it in through pawl_request_*. */
#ifndef PAWL_CORE_REQUEST_H
#define PAWL_CORE_REQUEST_H

#include <stdbool.h>

#include <pawl/pawl.h>

/* The most calls that a request may have in flight together; the calls of a run keep as many. */
#define REQUEST_MAX_CONCURRENCY 64

struct parameter {
    char *name;
    bool optional;
};

/* A parsed signature (signature.h). */
struct signature {
    struct parameter *parameters;
    size_t count;
    size_t required;
};

/* A binding: what the provider sees of it, and what the host does when it is called. */
struct binding {
    struct pawl_function view;
    char *full_name; /* `namespace.function` */
    char *name;
    char *alias;
    char *signature_text;
    char *description;
    struct signature signature;
    bool has_signature;
    bool concurrent;
    uint64_t timeout;            /* milliseconds, 0: none */
    pawl_host_function function; /* NULL: a constant */
    void *data;
    char *value; /* of a constant: JSON */
    size_t value_size;
};

struct binding_namespace {
    struct pawl_namespace view;
    char *name;
    char *error_class;
    char *member_property;
    struct binding **bindings;
    const struct pawl_function **functions; /* the views, for the provider */
    size_t count;
};

/* A copy of a policy that owns its texts. */
struct policy {
    struct pawl_policy view;
    char *working_directory;
    char *proxy;
    char **writable;
};

struct pawl_request {
    char *program;
    size_t program_size;
    char *language;
    char *provider; /* NULL: any */
    uint32_t level;
    bool has_level;
    struct pawl_budget budget;
    uint64_t output_limit;
    uint32_t concurrency;
    struct policy policy;
    char *enforcer_name;
    pawl_egress_enforcer enforcer;
    void *enforcer_data;
    const pawl_ring *ring;
    pawl_discoverer discoverer;
    void *discoverer_data;
    pawl_cancel *cancel;
    pawl_event_function event;
    void *event_data;
    pawl_recorder recorder; /* NULL: the run is not recorded */
    void *recorder_data;
    char *record_host;         /* JSON that is added to the record; NULL: none */
    const pawl_record *record; /* what the run is to go by; NULL: nothing */
    bool resumes;              /* and go on after it */
    struct binding_namespace **namespaces;
    const struct pawl_namespace **views; /* of the namespaces, for the provider */
    size_t namespace_count;
    struct binding **bindings; /* all of them, by index */
    size_t binding_count;
};

/* A copy of a policy; `from` NULL: nothing asked for. */
int policy_copy(struct policy *policy, const struct pawl_policy *from, pawl_error **error);
void policy_clear(struct policy *policy);

#endif
