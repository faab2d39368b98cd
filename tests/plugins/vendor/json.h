/* json.h - Lua values as JSON, and back. */
#ifndef LUA_JSON_H
#define LUA_JSON_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

/* What stands for JSON's null, which Lua's nil cannot: nil is nothing, also in a table. */
#define JSON_NULL ((void *)(uintptr_t)&json_null)
extern const char json_null;

/* Writes the value at an index into *text, to be freed by free(3). 0: it is no JSON, and `problem`
 * says where and why: "value.items[2] is a function". Raises no error. */
int json_write(lua_State *L, int index, char **text, size_t *size, char *problem, size_t room);

/* Pushes the value of a JSON text, which the host has checked. Raises an error when it is nested
 * too deep, or when there is no memory. */
void json_push(lua_State *L, const char *text, size_t size);

#endif
