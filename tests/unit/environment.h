/*
 * environment.h - hosts that forbid things. Each of these turns the calling process into one; it is
 * to be called in a process made for that. NULL, or why it cannot be done here.
 */
#ifndef TESTS_ENVIRONMENT_H
#define TESTS_ENVIRONMENT_H

/* An ordinary user, whom nobody else is; as one already, nothing changes. */
const char *environment_ordinary(void);

/* As such a user: at most a hundred namespaces of each kind at once; no user namespace at all. */
const char *environment_few_namespaces(void);
const char *environment_no_namespaces(void);

/* What Docker's default seccomp profile and capabilities leave. */
const char *environment_container(void);

/* A kernel without Landlock; without Landlock and user namespaces; without seccomp filters. */
const char *environment_no_landlock(void);
const char *environment_seccomp_alone(void);
const char *environment_no_seccomp(void);

/* /proc as containers mask it; none at all. Need root. */
const char *environment_masked_proc(void);
const char *environment_no_proc(void);

#endif
