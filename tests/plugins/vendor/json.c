#define _GNU_SOURCE
#include "json.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper values are refused: reading and writing take C stack for each level. */
#define DEPTH 200

const char json_null;

/* --- Writing ------------------------------------------------------------------------------- */

struct writer {
    lua_State *L;
    FILE *out;
    char path[512]; /* of the value that is being written */
    const char *why;
};

static int write_value(struct writer *w, int index, int depth);

static int refuse(struct writer *w, const char *why)
{
    w->why = why;
    return 0;
}

static int write_string(struct writer *w, int index)
{
    size_t size;
    const unsigned char *s = (const unsigned char *)lua_tolstring(w->L, index, &size);
    fputc('"', w->out);
    for (size_t i = 0; i < size; i++) {
        if (s[i] == '"' || s[i] == '\\')
            fprintf(w->out, "\\%c", s[i]);
        else if (s[i] < ' ')
            fprintf(w->out, "\\u%04x", s[i]);
        else
            fputc(s[i], w->out);
    }
    fputc('"', w->out);
    return 1;
}

static int write_number(struct writer *w, int index)
{
    if (lua_isinteger(w->L, index)) {
        fprintf(w->out, "%lld", (long long)lua_tointeger(w->L, index));
        return 1;
    }
    double number = lua_tonumber(w->L, index);
    char text[32];
    if (!isfinite(number))
        return refuse(w, isnan(number) ? "is NaN" : "is infinite");
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, w->out);
    return 1;
}

/* A table is a list if it was made of one, or if its keys are 1 to n; one without keys is an
 * object. -1: neither. */
static long long list_length(lua_State *L, int index)
{
    long long keys = 0, length = (long long)lua_rawlen(L, index);
    int marked = luaL_getmetafield(L, index, "list") != LUA_TNIL;
    if (marked)
        lua_pop(L, 1);
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        lua_pop(L, 1);
        keys++;
    }
    return keys == length && (keys > 0 || marked) ? length : -1;
}

static int write_member(struct writer *w, const char *name, long long number, int depth)
{
    size_t used = strlen(w->path);
    if (name != NULL)
        snprintf(w->path + used, sizeof(w->path) - used, ".%s", name);
    else
        snprintf(w->path + used, sizeof(w->path) - used, "[%lld]", number);
    if (!write_value(w, lua_gettop(w->L), depth))
        return 0; /* the path stays: it is where the problem is */
    w->path[used] = '\0';
    return 1;
}

static int write_list(struct writer *w, int index, long long length, int depth)
{
    fputc('[', w->out);
    for (long long i = 1; i <= length; i++) {
        if (i > 1)
            fputc(',', w->out);
        lua_rawgeti(w->L, index, i);
        if (!write_member(w, NULL, i, depth))
            return 0;
        lua_pop(w->L, 1);
    }
    fputc(']', w->out);
    return 1;
}

static int write_object(struct writer *w, int index, int depth)
{
    int first = 1;
    fputc('{', w->out);
    lua_pushnil(w->L);
    while (lua_next(w->L, index) != 0) {
        if (lua_type(w->L, -2) != LUA_TSTRING)
            return refuse(w, "is a table that is neither a list nor one of names");
        if (!first)
            fputc(',', w->out);
        first = 0;
        write_string(w, lua_gettop(w->L) - 1);
        fputc(':', w->out);
        if (!write_member(w, lua_tostring(w->L, -2), 0, depth))
            return 0;
        lua_pop(w->L, 1);
    }
    fputc('}', w->out);
    return 1;
}

static int write_value(struct writer *w, int index, int depth)
{
    if (depth == DEPTH || !lua_checkstack(w->L, 8))
        return refuse(w, "is nested too deep");
    switch (lua_type(w->L, index)) {
    case LUA_TBOOLEAN:
        fputs(lua_toboolean(w->L, index) ? "true" : "false", w->out);
        return 1;
    case LUA_TNUMBER:
        return write_number(w, index);
    case LUA_TSTRING:
        return write_string(w, index);
    case LUA_TLIGHTUSERDATA:
        fputs("null", w->out); /* a program has no other */
        return 1;
    case LUA_TTABLE: {
        long long length = list_length(w->L, index);
        return length >= 0 ? write_list(w, index, length, depth + 1)
                           : write_object(w, index, depth + 1);
    }
    case LUA_TNIL:
        return refuse(w, "is nil");
    default:
        return refuse(w, "is a function");
    }
}

int json_write(lua_State *L, int index, char **text, size_t *size, char *problem, size_t room)
{
    int top = lua_gettop(L);
    struct writer w = {.L = L, .path = "value"};
    *text = NULL;
    w.out = open_memstream(text, size);
    int written = w.out != NULL && write_value(&w, lua_absindex(L, index), 0);
    if (w.out == NULL || fclose(w.out) != 0)
        written = refuse(&w, "is too large");
    lua_settop(L, top);
    if (written)
        return 1;
    snprintf(problem, room, "%s %s", w.path, w.why);
    free(*text);
    *text = NULL;
    return 0;
}

/* --- Reading ------------------------------------------------------------------------------- */

struct reader {
    lua_State *L;
    const char *at, *end;
};

static void skip_space(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) != NULL)
        r->at++;
}

static unsigned read_hex(struct reader *r)
{
    char digits[5] = {r->at[0], r->at[1], r->at[2], r->at[3], '\0'};
    r->at += 4;
    return (unsigned)strtoul(digits, NULL, 16);
}

/* What stands behind "\u". Half a pair alone stays what it is, in the form of UTF-8. */
static void read_escape(struct reader *r, luaL_Buffer *b)
{
    unsigned c = read_hex(r);
    if (c >= 0xd800 && c < 0xdc00 && r->end - r->at > 6 && r->at[0] == '\\' && r->at[1] == 'u') {
        const char *back = r->at;
        r->at += 2;
        unsigned low = read_hex(r);
        if (low >= 0xdc00 && low < 0xe000)
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        else
            r->at = back;
    }
    lua_pushfstring(r->L, "%U", (long)c);
    luaL_addvalue(b);
}

static void read_string(struct reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    luaL_Buffer b;
    luaL_buffinit(r->L, &b);
    for (r->at++; *r->at != '"';) {
        if (*r->at != '\\') {
            luaL_addchar(&b, *r->at++);
            continue;
        }
        r->at += 2;
        if (r->at[-1] == 'u')
            read_escape(r, &b);
        else
            luaL_addchar(&b, to[strchr(from, r->at[-1]) - from]);
    }
    r->at++;
    luaL_pushresult(&b);
}

static void read_number(struct reader *r)
{
    char text[64];
    size_t size = strspn(r->at, "+-0123456789.eE");
    if (size >= sizeof(text))
        luaL_error(r->L, "a number has too many digits");
    memcpy(text, r->at, size);
    text[size] = '\0';
    r->at += size;
    if (strcmp(text, "-0") == 0 || lua_stringtonumber(r->L, text) == 0)
        lua_pushnumber(r->L, -0.0);
}

static void read_value(struct reader *r, int depth)
{
    skip_space(r);
    if (depth == DEPTH)
        luaL_error(r->L, "a value is nested deeper than %d", DEPTH);
    luaL_checkstack(r->L, 8, NULL);
    char first = *r->at;
    if (first == '"') {
        read_string(r);
    } else if (first == '[' || first == '{') {
        lua_newtable(r->L);
        if (first == '[')
            luaL_setmetatable(r->L, "list");
        r->at++;
        for (lua_Integer i = 1;; i++) {
            skip_space(r);
            if (*r->at == ',')
                r->at++;
            skip_space(r);
            if (*r->at == ']' || *r->at == '}')
                break;
            if (first == '{') {
                read_string(r);
                skip_space(r);
                r->at++; /* the colon */
            }
            read_value(r, depth + 1);
            if (first == '{')
                lua_rawset(r->L, -3);
            else
                lua_rawseti(r->L, -2, i);
        }
        r->at++;
    } else if (first == 't' || first == 'f') {
        lua_pushboolean(r->L, first == 't');
        r->at += first == 't' ? 4 : 5;
    } else if (first == 'n') {
        lua_pushlightuserdata(r->L, JSON_NULL);
        r->at += 4;
    } else {
        read_number(r);
    }
}

void json_push(lua_State *L, const char *text, size_t size)
{
    struct reader reader = {.L = L, .at = text, .end = text + size};
    read_value(&reader, 0);
}
