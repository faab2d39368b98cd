/*
 * proof.h - whether a child that says it is locked is locked.
 *
 * There are two accounts: the child's own, of what it did and of what it then tried in vain; and
 * the kernel's, of the process that the parent started. Only where they agree with each other and
 * with what was demanded is the child sent a program.
 */
#ifndef CONFINE_PROOF_H
#define CONFINE_PROOF_H

#include "providers/parent/worker.h"

/* PAWL_OK; PAWL_E_MEMORY, or PAWL_E_UNAVAILABLE with what differs, and both accounts of it. A
 * `verify` of struct recipe. */
int32_t proof_check(void *context, const struct worker *worker, struct text *why);

/* States the facts that were proven. A `state_facts` of struct recipe. */
void proof_state_facts(void *context, const struct worker *worker, const struct pawl_run *run);

#endif
