/* lock_numbers.h - the numbers that the kernel's own headers give to system calls, by name. */
#ifndef LOCK_NUMBERS_H
#define LOCK_NUMBERS_H

/* -1: the architecture has none of that name; -2: its headers are not here. */
int number_x86_64(const char *name);
int number_aarch64(const char *name);

#endif
