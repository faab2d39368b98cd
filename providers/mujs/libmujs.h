/*
 * libmujs.h - <mujs.h>, and what libmujs 1.3 exports without declaring it there.
 *
 * Objects, properties and values stay opaque: nothing here depends on the layout of a struct of
 * libmujs, except that a js_Value has 16 bytes.
 */
#ifndef MUJS_LIBMUJS_H
#define MUJS_LIBMUJS_H

#include <mujs.h>

_Static_assert(JS_VERSION_MAJOR == 1 && JS_VERSION_MINOR == 3,
               "written for libmujs 1.3: check this against that version's jsi.h and jsvalue.h");

typedef struct js_Object js_Object;
typedef struct js_Property js_Property;

#define MUJS_CLASS_ERROR 5 /* enum js_Class: JS_CERROR */

void js_pushobject(js_State *J, js_Object *object);
js_Object *js_toobject(js_State *J, int idx);
js_Object *jsV_newobject(js_State *J, int js_class, js_Object *prototype);
js_Property *jsV_getownproperty(js_State *J, js_Object *object, const char *name);

void *js_malloc(js_State *J, int size);
void *js_realloc(js_State *J, void *block, int size);
void js_free(js_State *J, void *block);
const char *js_intern(js_State *J, const char *text);

int js_isarrayindex(js_State *J, const char *text, int *index);

#endif
