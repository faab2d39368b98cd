#include "core/serial.h"

#include <stddef.h>
#include <stdlib.h>

struct serial {
    pthread_mutex_t lock; /* first, so that it is found from its address */
    const void *descriptor;
    size_t users;
    struct serial *next;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct serial *list;

static struct serial *find_or_add(const void *descriptor)
{
    for (struct serial *serial = list; serial != NULL; serial = serial->next)
        if (serial->descriptor == descriptor)
            return serial;
    struct serial *serial = calloc(1, sizeof(*serial));
    if (serial == NULL)
        return NULL;
    pthread_mutex_init(&serial->lock, NULL);
    serial->descriptor = descriptor;
    serial->next = list;
    list = serial;
    return serial;
}

pthread_mutex_t *serial_take(const void *descriptor)
{
    pthread_mutex_lock(&list_lock);
    struct serial *serial = find_or_add(descriptor);
    if (serial != NULL)
        serial->users++;
    pthread_mutex_unlock(&list_lock);
    return serial != NULL ? &serial->lock : NULL;
}

void serial_give_back(pthread_mutex_t *lock)
{
    if (lock == NULL)
        return;
    pthread_mutex_lock(&list_lock);
    struct serial **link = &list;
    while (&(*link)->lock != lock)
        link = &(*link)->next;
    struct serial *serial = *link;
    if (--serial->users == 0) {
        *link = serial->next;
        pthread_mutex_destroy(&serial->lock);
        free(serial);
    }
    pthread_mutex_unlock(&list_lock);
}
