/* number.c - Number's built-ins. libmujs prints about one decimal sum in six with a wrong last
 * digit, reads literals of 17 digits wrongly, and formats as C does. */
#include "builtins.h"

#include "providers/program/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 100

static int is_inner_space(char c)
{
    return (c >= 9 && c <= 13) || c == ' ';
}

static void parse_float(js_State *J)
{
    const char *text = js_tostring(J, 1);
    double number;

    while (is_inner_space(*text))
        text++;
    if (program_number_parse(text, strlen(text), &number) > 0)
        js_pushnumber(J, number);
    else if (strncmp(text + (*text == '+' || *text == '-'), "Infinity", 8) == 0)
        js_pushnumber(J, *text == '-' ? -INFINITY : INFINITY);
    else
        js_pushnumber(J, NAN);
}

/* Pushes Number(value). libmujs reads everything but decimal literals well enough. */
static void push_number(js_State *J, int idx)
{
    if (js_isstring(J, idx)) {
        const char *text = js_tostring(J, idx);
        double number;
        size_t size;

        while (is_inner_space(*text))
            text++;
        size = program_number_parse(text, strlen(text), &number);
        if (size > 0 || *text == 0) {
            text += size;
            while (is_inner_space(*text))
                text++;
            if (*text == 0) {
                js_pushnumber(J, number);
                return;
            }
        }
    }
    js_pushnumber(J, js_tonumber(J, idx));
}

static void call_Number(js_State *J)
{
    if (js_gettop(J) > 1)
        push_number(J, 1);
    else
        js_pushnumber(J, 0);
}

static void new_Number(js_State *J)
{
    call_Number(J);
    js_newnumber(J, js_tonumber(J, -1));
}

/* --- Printing ------------------------------------------------------------------------------ */

static double this_number(js_State *J)
{
    if (!js_isnumber(J, 0) && !js_isnumberobject(J, 0))
        js_typeerror(J, "a number method was called on something else");
    return js_tonumber(J, 0);
}

static void push_decimal(js_State *J, double number)
{
    char text[PROGRAM_NUMBER_SIZE];

    program_number_print(number, text);
    js_pushstring(J, text);
}

static void Np_toString(js_State *J)
{
    double number = this_number(J);

    if (js_isundefined(J, 1) || js_tointeger(J, 1) == 10 || !isfinite(number)) {
        push_decimal(J, number);
        return;
    }
    js_getregistry(J, "Number.prototype.toString");
    js_copy(J, 0);
    js_copy(J, 1);
    js_call(J, 1);
}

static void Np_toLocaleString(js_State *J)
{
    push_decimal(J, this_number(J));
}

/* A C conversion without its locale: whatever separates the fraction becomes a point. */
static void print_c(char *out, size_t size, const char *format, int digits, double number)
{
    char *to = out;

    snprintf(out, size, format, digits, number);
    for (const char *from = out; *from != 0; from++)
        if (strchr("0123456789e+-", *from) != NULL)
            *to++ = *from;
        else if (to == out || to[-1] != '.')
            *to++ = '.';
    *to = 0;
}

/* Adds one to the last digit of decimal digits with a point somewhere. Returns whether that carried
 * beyond the first. */
static int round_up(char *text)
{
    for (size_t i = strlen(text); i-- > 0;) {
        if (text[i] == '.')
            continue;
        if (text[i] != '9') {
            text[i]++;
            return 0;
        }
        text[i] = '0';
    }
    return 1;
}

/* Prints a number of at most 1e21 with that many digits behind the point, ties away from zero. C
 * rounds them to the even digit; a tie is exact with one more digit. */
static char *print_fixed(double size, int digits, char *text, size_t room)
{
    double scaled = ldexp(size, digits + 1);
    size_t last;
    int up;

    if (scaled != floor(scaled)) {
        print_c(text, room, "%.*f", digits, size);
        return text;
    }
    text[0] = '1'; /* for a carry */
    print_c(text + 1, room - 1, "%.*f", digits + 1, size);
    last = strlen(text) - 1;
    up = text[last] >= '5';
    text[text[last - 1] == '.' ? last - 1 : last] = 0;
    return up && round_up(text + 1) ? text : text + 1;
}

static void Np_toFixed(js_State *J)
{
    char text[MAX_DIGITS + 32], *shown;
    double number = this_number(J);
    int digits = js_tointeger(J, 1);

    if (digits < 0 || digits > MAX_DIGITS)
        js_rangeerror(J, "toFixed: %d digits", digits);
    if (!(fabs(number) < 1e21)) {
        push_decimal(J, number);
        return;
    }
    shown = print_fixed(fabs(number), digits, text + 1, sizeof text - 1);
    if (number < 0)
        *--shown = '-';
    js_pushstring(J, shown);
}

/* The digits of a number in scientific notation: "d.ddd", and the exponent of ten. */
static int scientific(double size, int digits, char *text, size_t room)
{
    char *e;
    int exponent;

    print_c(text, room, "%.*e", digits - 1, size);
    e = strchr(text, 'e');
    exponent = atoi(e + 1);
    *e = 0;
    return exponent;
}

/* The fewest digits that tell the number from every other. */
static int shortest(double size)
{
    char text[PROGRAM_NUMBER_SIZE];
    int digits = 0, zeros = 0;

    program_number_print(size, text);
    for (const char *at = text; *at != 0 && *at != 'e'; at++) {
        if (*at == '.' || (*at == '0' && digits == 0))
            continue;
        digits++;
        zeros = *at == '0' ? zeros + 1 : 0;
    }
    return digits - zeros < 1 ? 1 : digits - zeros;
}

static void Np_toExponential(js_State *J)
{
    char text[MAX_DIGITS + 32];
    double number = this_number(J);
    int digits = js_isundefined(J, 1) ? shortest(fabs(number)) - 1 : js_tointeger(J, 1), exponent;

    if (!isfinite(number)) {
        push_decimal(J, number);
        return;
    }
    if (digits < 0 || digits > MAX_DIGITS)
        js_rangeerror(J, "toExponential: %d digits", digits);
    text[0] = '-';
    exponent = scientific(fabs(number), digits + 1, text + 1, sizeof text - 1);
    snprintf(text + strlen(text), sizeof text - strlen(text), "e%+d", exponent);
    js_pushstring(J, number < 0 ? text : text + 1);
}

static void Np_toPrecision(js_State *J)
{
    char text[MAX_DIGITS + 32];
    double number = this_number(J), size = fabs(number);
    int digits, exponent;

    if (js_isundefined(J, 1) || !isfinite(number)) {
        push_decimal(J, number);
        return;
    }
    digits = js_tointeger(J, 1);
    if (digits < 1 || digits > MAX_DIGITS)
        js_rangeerror(J, "toPrecision: %d digits", digits);
    text[0] = '-';
    exponent = scientific(size, digits, text + 1, sizeof text - 1);
    if (exponent < -6 || exponent >= digits) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "e%+d", exponent);
    } else {
        print_c(text + 1, sizeof text - 1, "%.*f", digits - 1 - exponent, size);
    }
    js_pushstring(J, number < 0 ? text : text + 1);
}

static void copy_constant(js_State *J, const char *name)
{
    js_getregistry(J, "Number");
    js_getproperty(J, -1, name);
    js_rot2pop1(J);
    js_defproperty(J, -2, name, JS_READONLY | JS_DONTENUM | JS_DONTCONF);
}

void number_install(js_State *J)
{
    js_getglobal(J, "Number");
    builtins_keep(J, "Number");
    builtins_constructor(J, "Number", call_Number, new_Number, 0);
    copy_constant(J, "MAX_VALUE");
    copy_constant(J, "MIN_VALUE");
    copy_constant(J, "NaN");
    copy_constant(J, "NEGATIVE_INFINITY");
    copy_constant(J, "POSITIVE_INFINITY");
    js_newcfunction(J, parse_float, "parseFloat", 1);
    js_copy(J, -1);
    js_defglobal(J, "parseFloat", JS_DONTENUM);
    js_defproperty(J, -2, "parseFloat", JS_DONTENUM);
    js_getglobal(J, "parseInt");
    js_defproperty(J, -2, "parseInt", JS_DONTENUM);

    js_getproperty(J, -1, "prototype");
    js_getproperty(J, -1, "toString");
    builtins_keep(J, "Number.prototype.toString");
    builtins_method(J, "toString", Np_toString, 1);
    builtins_method(J, "toLocaleString", Np_toLocaleString, 0);
    builtins_method(J, "toFixed", Np_toFixed, 1);
    builtins_method(J, "toExponential", Np_toExponential, 1);
    builtins_method(J, "toPrecision", Np_toPrecision, 1);
    js_pop(J, 2);
}
