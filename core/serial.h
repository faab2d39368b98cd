/*
 * serial.h - the locks of plugins that take one call at a time.
 *
 * A loaded plugin exists once in a process, however many registries use it, so its lock does too.
 * This list, with an entry for each descriptor that a living registry uses, and the mutex that
 * loads one plugin at a time (plugin.c) are the only state of the library that belongs to no
 * object.
 */
#ifndef PAWL_CORE_SERIAL_H
#define PAWL_CORE_SERIAL_H

#include <pthread.h>

/* The lock for calls through a descriptor, made when first asked for; NULL: no memory. To be given
 * back as often as it was taken. [any thread] */
pthread_mutex_t *serial_take(const void *descriptor);
void serial_give_back(pthread_mutex_t *lock);

#endif
