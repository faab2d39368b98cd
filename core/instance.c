#include "core/registry.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/serial.h"

#define ID_MAX        128
#define LANGUAGES_MAX 64
#define LANGUAGE_MAX  64

/* --- Entering an instance ------------------------------------------------------------------ */

static void lock_if(pthread_mutex_t *lock)
{
    if (lock != NULL)
        pthread_mutex_lock(lock);
}

static void unlock_if(pthread_mutex_t *lock)
{
    if (lock != NULL)
        pthread_mutex_unlock(lock);
}

/* How long to wait for another run before looking whether this one is over. */
#define TURN_NS 10000000

bool provider_enter(struct provider_instance *provider, bool (*over)(void *context), void *context)
{
    if (provider->serial == NULL || pthread_mutex_trylock(provider->serial) == 0)
        return true;
    while (!over(context)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TURN_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_mutex_timedlock(provider->serial, &until) == 0)
            return true;
    }
    return false;
}

void provider_leave(struct provider_instance *provider)
{
    unlock_if(provider->serial);
}

void provider_ask(struct provider_instance *provider)
{
    lock_if(provider->plugin_lock);
}

void provider_asked(struct provider_instance *provider)
{
    unlock_if(provider->plugin_lock);
}

bool provider_runs(const struct provider_instance *provider, const char *language)
{
    for (const char *const *own = provider->languages; *own != NULL; own++)
        if (strcmp(*own, language) == 0)
            return true;
    return false;
}

/* --- Making and freeing -------------------------------------------------------------------- */

int provider_check_id(const char *id, pawl_error **error)
{
    size_t length = strlen(id);
    bool printable = length > 0 && length <= ID_MAX;
    for (size_t i = 0; printable && i < length; i++)
        printable = id[i] > ' ' && id[i] < 0x7f && id[i] != '"' && id[i] != '\\';
    if (printable)
        return PAWL_OK;
    return error_set(error, PAWL_E_NAME,
                     "a provider's id is 1 to %d visible ASCII characters without quotation mark "
                     "and backslash",
                     ID_MAX);
}

static int check_languages(const char *const *languages, pawl_error **error)
{
    if (languages == NULL || languages[0] == NULL)
        return error_set(error, PAWL_E_PLUGIN, "it lists no language");
    for (size_t i = 0; languages[i] != NULL; i++) {
        size_t length = strnlen(languages[i], LANGUAGE_MAX + 1);
        if (i == LANGUAGES_MAX)
            return error_set(error, PAWL_E_PLUGIN, "it lists more than %d languages",
                             LANGUAGES_MAX);
        if (length == 0 || length > LANGUAGE_MAX)
            return error_set(error, PAWL_E_PLUGIN,
                             "it lists a language whose name does not have 1 to %d bytes",
                             LANGUAGE_MAX);
    }
    return PAWL_OK;
}

/* Asks a new instance what it is. [asking] */
static int ask_identity(struct provider_instance *provider, pawl_error **error)
{
    const struct pawl_provider *descriptor = &provider->descriptor;
    provider->level = descriptor->level(provider->instance);
    if (pawl_level_name(provider->level) == NULL)
        return error_set(error, PAWL_E_PLUGIN, "its level is %u, which does not exist",
                         provider->level);
    if (provider->plugin != NULL && provider->level > provider->plugin->verified)
        return error_set(
            error, PAWL_E_PLUGIN, "its level is %s, and it was only verified to hold the level %s",
            pawl_level_name(provider->level), pawl_level_name(provider->plugin->verified));
    provider->languages = descriptor->languages(provider->instance);
    int code = check_languages(provider->languages, error);
    if (code != PAWL_OK)
        return code;
    if (descriptor->egress != NULL)
        provider->egress = descriptor->egress(provider->instance);
    if (provider->egress > PAWL_EGRESS_NONE)
        return error_set(error, PAWL_E_PLUGIN, "it enforces the egress %u, which does not exist",
                         provider->egress);
    return PAWL_OK;
}

/* Has the plugin make the instance and checks what it says of itself. */
static int create(struct provider_instance *provider, const struct pawl_host *host,
                  const char *config, pawl_error **error)
{
    struct buffer words BUFFER_CLEANUP = {0};
    struct pawl_sink why = plugin_words_sink(&words);
    provider_ask(provider);
    int32_t status = provider->descriptor.create(host, config, &why, &provider->instance);
    int code = PAWL_OK;
    if (status == PAWL_OK) {
        code = ask_identity(provider, error);
        if (code != PAWL_OK)
            provider->descriptor.destroy(provider->instance);
    }
    provider_asked(provider);
    if (status != PAWL_OK)
        return plugin_error(error, status, &words, "it could not be created");
    return code;
}

/* Puts an instance in its place in the list. */
static void provider_free(struct provider_instance *provider)
{
    serial_give_back(provider->plugin_lock);
    pthread_mutex_destroy(&provider->own_lock);
    free(provider->id);
    free(provider);
}

void provider_destroy(struct provider_instance *provider)
{
    provider_ask(provider);
    provider->descriptor.destroy(provider->instance);
    provider_asked(provider);
    provider_free(provider);
}

int provider_new(const struct provider_origin *origin, const char *id, const struct pawl_host *host,
                 const char *config, struct provider_instance **made, pawl_error **error)
{
    struct provider_instance *provider = calloc(1, sizeof(*provider));
    if (provider == NULL)
        return error_memory(error);
    pthread_mutex_init(&provider->own_lock, NULL);
    provider->id = strdup(id);
    provider->plugin = origin->plugin;
    provider->descriptor = *origin->descriptor;
    bool complete = provider->id != NULL;
    if (complete && provider->descriptor.threads == PAWL_THREADS_SERIAL) {
        provider->serial = provider->plugin_lock = serial_take(origin->identity);
        complete = provider->serial != NULL;
    } else if (provider->descriptor.threads == PAWL_THREADS_INSTANCE) {
        provider->serial = &provider->own_lock;
    }
    int code = complete ? create(provider, host, config != NULL ? config : "{}", error)
                        : error_memory(error);
    if (code != PAWL_OK) {
        provider_free(provider);
        return code;
    }
    *made = provider;
    return PAWL_OK;
}
