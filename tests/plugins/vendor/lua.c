/*
 * A provider of Lua 5.4 for pawl, in the host's own process: an example of one that is built
 * outside of pawl's tree, with what pawl installs.
 *
 * A program is a Lua chunk. It has the functions of its namespaces, print, null, now() and what is
 * harmless of Lua's own libraries; not the rest: no files, no modules, no metatables (whose
 * functions would run while a program is being stopped), no coroutines, and no patterns, because
 * nothing can interrupt the search for one.
 */
#define _GNU_SOURCE
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pawl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define DEFAULT_MEMORY (UINT64_C(256) << 20)
#define LEAST_MEMORY   (UINT64_C(1) << 20)
#define INSTRUCTIONS   100 /* between two looks at the clock: one of them may be a long call */

/* One run. */
struct run {
    const struct pawl_run *host;
    uint64_t used, limit;
    int full; /* memory ran out */
    int over; /* the host said that the run is over */
};

static struct run *run_of(lua_State *L)
{
    return *(struct run **)lua_getextraspace(L);
}

/* --- Limits -------------------------------------------------------------------------------- */

static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
    struct run *run = context;
    if (old == NULL)
        old_size = 0; /* Lua says there what kind of object it is for */
    if (size == 0) {
        run->used -= old_size;
        free(old);
        return NULL;
    }
    void *made = run->used - old_size + size <= run->limit ? realloc(old, size) : NULL;
    if (made != NULL)
        run->used += size - old_size;
    return made;
}

/* Ends the program: every pcall passes this on. */
static int stop(lua_State *L)
{
    run_of(L)->over = 1;
    lua_pushnil(L);
    return lua_error(L);
}

static int check(lua_State *L, int32_t status)
{
    if (status == PAWL_E_ENDED)
        return stop(L);
    return status == PAWL_OK ? 0 : luaL_error(L, "pawl failed (%d)", (int)status);
}

static void look_at_the_clock(lua_State *L, lua_Debug *what)
{
    (void)what;
    const struct pawl_run *host = run_of(L)->host;
    if (host->cancelled(host->context) != PAWL_END_NONE)
        stop(L);
}

/* --- What a program calls ------------------------------------------------------------------ */

/* Raises the error of a failed call: a table whose identity leads back to the call. */
static int raise(lua_State *L, const struct pawl_settlement *settled)
{
    const struct pawl_namespace *space = lua_touserdata(L, lua_upvalueindex(2));
    lua_newtable(L);
    lua_pushlstring(L, settled->text.data, settled->text.size);
    lua_setfield(L, -2, "message");
    lua_pushstring(L, settled->code);
    lua_setfield(L, -2, "code");
    lua_pushstring(L, space->error_class != NULL ? space->error_class : "Error");
    lua_setfield(L, -2, "name");
    if (space->member_property != NULL) {
        lua_pushvalue(L, lua_upvalueindex(3));
        lua_setfield(L, -2, space->member_property);
    }
    lua_pushvalue(L, -1);
    lua_pushinteger(L, (lua_Integer)settled->id);
    lua_rawset(L, LUA_REGISTRYINDEX);
    return lua_error(L);
}

static int call(lua_State *L)
{
    const struct pawl_run *host = run_of(L)->host;
    uint32_t function = (uint32_t)lua_tointeger(L, lua_upvalueindex(1));
    int count = lua_gettop(L);
    char *text, problem[600];
    size_t size;
    uint64_t id;
    lua_createtable(L, count, 0);
    luaL_setmetatable(L, "list");
    lua_insert(L, 1);
    for (int i = count; i >= 1; i--)
        lua_rawseti(L, 1, i);
    if (!json_write(L, 1, &text, &size, problem, sizeof(problem)))
        return luaL_error(L, "an argument is no JSON: %s", problem);
    int32_t status = host->call(host->context, function, text, size, &id);
    free(text);
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    while (status == PAWL_OK && settled.id != id)
        status = host->next(host->context, -1, &settled);
    check(L, status);
    if (settled.status != PAWL_SETTLED_OK)
        return raise(L, &settled);
    json_push(L, settled.text.data, settled.text.size);
    return 1;
}

static void keep_answer(void *context, const char *text, size_t size)
{
    json_push(context, text, size); /* the library answers in one piece */
}

static int discover(lua_State *L)
{
    const struct pawl_run *host = run_of(L)->host;
    size_t size;
    const char *query = luaL_checklstring(L, 1, &size);
    struct pawl_sink sink = {.header = PAWL_HEADER(SINK, sink), .context = L, .write = keep_answer};
    check(L, host->discover(host->context, query, size, &sink));
    return 1;
}

static int print(lua_State *L)
{
    const struct pawl_run *host = run_of(L)->host;
    int count = lua_gettop(L);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&b, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    return check(L, host->log(host->context, text, size));
}

/* Milliseconds since 1970. */
static int now(lua_State *L)
{
    const struct pawl_run *host = run_of(L)->host;
    int64_t nanoseconds = 0;
    check(L, host->clock(host->context, &nanoseconds));
    lua_pushinteger(L, nanoseconds / 1000000);
    return 1;
}

/* Lua's, but for what no program may catch. */
static int pcall(lua_State *L)
{
    struct run *run = run_of(L);
    luaL_checkany(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    run->full = run->full || status == LUA_ERRMEM;
    if (run->over || run->full)
        return lua_error(L);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* Where a text stands in another, without patterns, in linear time. */
static int find(lua_State *L)
{
    size_t size, sought_size;
    const char *s = luaL_checklstring(L, 1, &size), *sought = luaL_checklstring(L, 2, &sought_size);
    const char *found = memmem(s, size, sought, sought_size);
    if (found == NULL)
        return 0;
    lua_pushinteger(L, found - s + 1);
    lua_pushinteger(L, found - s + (lua_Integer)sought_size);
    return 2;
}

/* --- The state ----------------------------------------------------------------------------- */

/* Takes functions out of a table of a library, or of the globals. */
static void remove_names(lua_State *L, const char *table, const char *const *names)
{
    lua_getglobal(L, table);
    for (; *names != NULL; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

static void open_libraries(lua_State *L)
{
    static const char *const base[] = {"collectgarbage", "dofile",   "getmetatable",
                                       "load",           "loadfile", "setmetatable",
                                       "warn",           "xpcall",   NULL};
    static const char *const string[] = {"dump", "gmatch", "gsub", "match", NULL};
    static const char *const table[] = {"move", NULL};
    static const char *const math[] = {"randomseed", NULL};
    luaL_requiref(L, "_G", luaopen_base, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    luaL_requiref(L, "table", luaopen_table, 1);
    luaL_requiref(L, "math", luaopen_math, 1);
    luaL_requiref(L, "utf8", luaopen_utf8, 1);
    remove_names(L, "_G", base);
    remove_names(L, "string", string);
    remove_names(L, "table", table);
    lua_getglobal(L, "string");
    lua_pushcfunction(L, find);
    lua_setfield(L, -2, "find");
    luaL_newmetatable(L, "list");
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "list");
    lua_register(L, "print", print);
    lua_register(L, "pcall", pcall);
    lua_register(L, "now", now);
    lua_pushlightuserdata(L, JSON_NULL);
    lua_setglobal(L, "null");
    /* Chance comes from the host. */
    const struct pawl_run *host = run_of(L)->host;
    lua_Integer seed[2] = {0, 0};
    check(L, host->random(host->context, seed, sizeof(seed)));
    lua_getglobal(L, "math");
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, seed[0]);
    lua_pushinteger(L, seed[1]);
    lua_call(L, 2, 0);
    remove_names(L, "math", math);
}

static void add_namespaces(lua_State *L, const struct pawl_run *host)
{
    for (uint32_t i = 0; i < host->namespace_count; i++) {
        const struct pawl_namespace *space = host->namespaces[i];
        lua_newtable(L);
        for (uint32_t j = 0; j < space->function_count; j++) {
            const struct pawl_function *function = space->functions[j];
            lua_pushinteger(L, function->index);
            lua_pushlightuserdata(L, (void *)(uintptr_t)space);
            lua_pushstring(L, function->name);
            lua_pushcclosure(L, call, 3);
            if (function->alias != NULL) {
                lua_pushvalue(L, -1);
                lua_setfield(L, -3, function->alias);
            }
            lua_setfield(L, -2, function->name);
        }
        lua_setglobal(L, space->name);
    }
    if ((host->flags & PAWL_RUN_DISCOVER) != 0)
        lua_register(L, "discover", discover);
}

/* --- How it came out ----------------------------------------------------------------------- */

/* Runs where an error was raised: puts the line of the program before it. */
static int find_line(lua_State *L)
{
    lua_Debug frame;
    int line = 0;
    for (int level = 0; line <= 0 && lua_getstack(L, level, &frame); level++)
        if (lua_getinfo(L, "Sl", &frame) && strcmp(frame.source, "=program") == 0)
            line = frame.currentline;
    lua_pushinteger(L, line);
    lua_setfield(L, LUA_REGISTRYINDEX, "line");
    return 1;
}

static void fail(lua_State *L, const char *kind, const char *message, size_t size)
{
    const struct pawl_run *host = run_of(L)->host;
    struct pawl_failure failure = {.header = PAWL_HEADER(FAILURE, failure),
                                   .kind = kind,
                                   .message = {message, (uint32_t)size, 0}};
    int skip = 0;
    unsigned line = 0;
    if (strcmp(kind, "runtime") == 0) {
        lua_getfield(L, LUA_REGISTRYINDEX, "line");
        failure.line = (uint32_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
        lua_pushvalue(L, 1);
        lua_rawget(L, LUA_REGISTRYINDEX);
        if (lua_istable(L, 1))
            failure.call = (uint64_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    if (sscanf(message, "program:%u: %n", &line, &skip) == 1 && skip > 0) {
        failure.message.data += skip;
        failure.message.size -= (uint32_t)skip;
        if (failure.line == 0)
            failure.line = line;
    }
    host->fail(host->context, &failure);
}

/* The error is at 1. */
static void state_error(lua_State *L, int status, const char *kind)
{
    struct run *run = run_of(L);
    size_t size;
    if (run->over)
        return;
    if (status == LUA_ERRMEM || run->full) {
        fail(L, "budget_memory", "", 0);
        return;
    }
    if (lua_istable(L, 1))
        lua_getfield(L, 1, "message");
    else
        lua_pushvalue(L, 1);
    const char *message = luaL_tolstring(L, -1, &size);
    fail(L, kind, message, size);
}

static void state_value(lua_State *L)
{
    const struct pawl_run *host = run_of(L)->host;
    char *text, problem[600];
    size_t size;
    if (lua_isnil(L, 1)) {
        host->value(host->context, NULL, 0);
    } else if (json_write(L, 1, &text, &size, problem, sizeof(problem))) {
        host->value(host->context, text, size);
        free(text);
    } else {
        fail(L, "bad_result", problem, strlen(problem));
    }
}

/* Everything that may raise an error of Lua's own is within a protected call. */
static int run_program(lua_State *L)
{
    struct run *run = run_of(L);
    const struct pawl_run *host = run->host;
    lua_settop(L, 0);
    open_libraries(L);
    add_namespaces(L, host);
    lua_settop(L, 0);
    lua_sethook(L, look_at_the_clock, LUA_MASKCOUNT, INSTRUCTIONS);
    look_at_the_clock(L, NULL);
    int status = luaL_loadbufferx(L, host->program.data, host->program.size, "=program", "t");
    if (status != LUA_OK) {
        state_error(L, status, "syntax");
        return 0;
    }
    lua_pushcfunction(L, find_line);
    lua_insert(L, 1);
    status = lua_pcall(L, 0, 1, 1);
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, 1);
    if (status == LUA_OK)
        state_value(L);
    else
        state_error(L, status, "runtime");
    return 0;
}

static int32_t run(void *instance, const struct pawl_run *host, const struct pawl_sink *why)
{
    static const char fact[] = "{\"grade\":\"full\",\"by\":\"lua: its allocator counts\"}";
    struct run run = {.host = host, .limit = host->budget->max_memory};
    (void)instance, (void)why;
    if (run.limit == 0)
        run.limit = DEFAULT_MEMORY;
    host->fact(host->context, "memory", fact, sizeof(fact) - 1);
    lua_State *L = lua_newstate(allocate, &run);
    if (L == NULL)
        return PAWL_E_MEMORY;
    *(struct run **)lua_getextraspace(L) = &run;
    lua_pushcfunction(L, run_program);
    int status = lua_pcall(L, 0, 0, 0);
    if (status != LUA_OK && !run.over) {
        /* Memory ran out where not even that could be said. */
        const struct pawl_failure failure = {.header = PAWL_HEADER(FAILURE, failure),
                                             .kind = "budget_memory"};
        host->fail(host->context, &failure);
    }
    lua_close(L);
    return PAWL_OK;
}

/* --- The provider -------------------------------------------------------------------------- */

static void say(const struct pawl_sink *why, const char *text)
{
    why->write(why->context, text, strlen(text));
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static char one; /* instances have nothing of their own */
    int end = 0;
    (void)host;
    sscanf(config, " { } %n", &end);
    if (end == 0 || config[end] != '\0') {
        say(why, "there is nothing to configure: the configuration must be {}");
        return PAWL_E_CONFIG;
    }
    *instance = &one;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static int32_t supports(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing)
{
    (void)instance;
    *missing = 0;
    if (budget->max_memory == 0 || budget->max_memory >= LEAST_MEMORY)
        return PAWL_OK;
    *missing = PAWL_BUDGET_MAX_MEMORY;
    say(why, "Lua needs a max_memory of 1 MiB at least");
    return PAWL_E_UNSUPPORTED;
}

static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *languages(void *instance)
{
    static const char *const own[] = {"lua", NULL};
    (void)instance;
    return own;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "lua",
    .version = "1",
    .description = "Lua 5.4 in the caller's process",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = destroy,
    .level = level,
    .supports = supports,
    .egress = egress,
    .languages = languages,
    .run = run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
