#include "number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bignum.h"

#define MANTISSA_BITS 53
#define HIDDEN_BIT    ((uint64_t)1 << (MANTISSA_BITS - 1))
#define MIN_EXPONENT  (-1074) /* of the last bit of a mantissa */
#define DIGITS_MAX    17

/* ---- printing ---- */

/* The decimal digits of a number 0.DIGITS * 10^point. */
struct decimal {
    char digits[DIGITS_MAX + 1];
    int count, point;
};

static bool is_at_least(const struct bignum *left, const struct bignum *right, bool or_equal)
{
    int order = bignum_compare(left, right);
    return order > 0 || (or_equal && order == 0);
}

/* The free-format algorithm of Burger and Dybvig ("Printing Floating-Point Numbers Quickly and
 * Accurately", 1996). The value is rest/scale; what lies less than low/scale below it and
 * high/scale above it reads as the same double, and so do the limits themselves if the mantissa is
 * even. */
static void to_decimal(uint64_t mantissa, int exponent, struct decimal *decimal)
{
    struct bignum rest, scale, low, high, sum;
    const bool even = mantissa % 2 == 0;
    /* Below a power of two, doubles are twice as close as above it. */
    const bool narrow = mantissa == HIDDEN_BIT && exponent > MIN_EXPONENT;
    int bits = 0, point;
    for (uint64_t m = mantissa; m > 0; m >>= 1)
        bits++;

    bignum_set(&rest, mantissa);
    bignum_set(&scale, 1);
    bignum_set(&low, 1);
    bignum_shift(&rest, 1u + narrow);
    bignum_shift(&scale, 1u + narrow);
    if (exponent >= 0) {
        bignum_shift(&rest, (unsigned)exponent);
        bignum_shift(&low, (unsigned)exponent);
    } else {
        bignum_shift(&scale, (unsigned)-exponent);
    }
    high = low;
    bignum_shift(&high, narrow);

    /* ceil(log10(value)), or one less. */
    double estimate = (exponent + bits - 1) * 0.30102999566398120 - 1e-10;
    point = (int)estimate + (estimate > (int)estimate);
    if (point >= 0) {
        bignum_multiply_power10(&scale, (unsigned)point);
    } else {
        bignum_multiply_power10(&rest, (unsigned)-point);
        bignum_multiply_power10(&low, (unsigned)-point);
        bignum_multiply_power10(&high, (unsigned)-point);
    }
    sum = rest;
    bignum_add(&sum, &high);
    if (is_at_least(&sum, &scale, even)) {
        point++;
    } else {
        bignum_multiply(&rest, 10, 0);
        bignum_multiply(&low, 10, 0);
        bignum_multiply(&high, 10, 0);
    }

    decimal->point = point;
    decimal->count = 0;
    for (;;) {
        int digit = 0;
        bool may_stop_below, may_stop_above;
        while (bignum_compare(&rest, &scale) >= 0) {
            bignum_subtract(&rest, &scale);
            digit++;
        }
        may_stop_below = is_at_least(&low, &rest, even);
        sum = rest;
        bignum_add(&sum, &high);
        may_stop_above = is_at_least(&sum, &scale, even);
        if (may_stop_below && may_stop_above) {
            bignum_shift(&rest, 1);
            int order = bignum_compare(&rest, &scale);
            digit += order > 0 || (order == 0 && digit % 2 == 1);
        } else if (may_stop_above) {
            digit++;
        }
        decimal->digits[decimal->count++] = (char)('0' + digit);
        if (may_stop_below || may_stop_above)
            break;
        bignum_multiply(&rest, 10, 0);
        bignum_multiply(&low, 10, 0);
        bignum_multiply(&high, 10, 0);
    }
}

static char *put(char *out, const char *text, int length)
{
    memcpy(out, text, (size_t)length);
    return out + length;
}

static char *put_zeros(char *out, int count)
{
    memset(out, '0', (size_t)count);
    return out + count;
}

/* The layout of Number::toString. */
static char *put_decimal(char *out, const struct decimal *decimal)
{
    const char *digits = decimal->digits;
    const int count = decimal->count, point = decimal->point;
    if (count <= point && point <= 21) {
        out = put(out, digits, count);
        return put_zeros(out, point - count);
    }
    if (0 < point && point <= 21) {
        out = put(out, digits, point);
        *out++ = '.';
        return put(out, digits + point, count - point);
    }
    if (-6 < point && point <= 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, -point);
        return put(out, digits, count);
    }
    *out++ = digits[0];
    if (count > 1) {
        *out++ = '.';
        out = put(out, digits + 1, count - 1);
    }
    return out + sprintf(out, "e%+d", point - 1);
}

static char *put_whole(char *out, uint64_t value)
{
    char digits[20];
    int count = 0;
    do
        digits[sizeof digits - (size_t)++count] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return put(out, digits + sizeof digits - count, count);
}

size_t program_number_print(double value, char out[PROGRAM_NUMBER_SIZE])
{
    char *end = out;
    const double magnitude = fabs(value);
    if (isnan(value))
        return (size_t)sprintf(out, "NaN");
    if (value < 0)
        *end++ = '-';
    if (isinf(value)) {
        end = put(end, "Infinity", 8);
    } else if (magnitude < 9007199254740992.0 && magnitude == (double)(uint64_t)magnitude) {
        end = put_whole(end, (uint64_t)magnitude);
    } else {
        struct decimal decimal;
        uint64_t bits, mantissa;
        int exponent;
        memcpy(&bits, &value, sizeof bits);
        mantissa = bits & (HIDDEN_BIT - 1);
        exponent = (int)(bits >> (MANTISSA_BITS - 1) & 0x7FF);
        if (exponent > 0) {
            mantissa |= HIDDEN_BIT;
            exponent--;
        }
        to_decimal(mantissa, exponent + MIN_EXPONENT, &decimal);
        end = put_decimal(end, &decimal);
    }
    *end = 0;
    return (size_t)(end - out);
}

size_t program_number_print_json(double value, char out[PROGRAM_NUMBER_SIZE])
{
    if (!isfinite(value)) {
        out[0] = 0;
        return 0;
    }
    if (value == 0 && signbit(value))
        return (size_t)sprintf(out, "-0");
    return program_number_print(value, out);
}

/* ---- reading ---- */

/* More digits than these cannot change which double is nearest, only whether they are all zero. */
#define SIGNIFICANT_MAX 800

struct numeral {
    const char *digits; /* from the first that is not 0 on; there can be a point among them */
    size_t length;      /* of that text */
    size_t count;       /* of digits in it */
    int64_t exponent;   /* the value is DIGITS * 10^exponent */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads an exponent at `at`, if there is one. Returns the offset behind it. */
static size_t read_exponent(const char *text, size_t length, size_t at, int64_t *exponent)
{
    bool negative = false;
    int64_t value = 0;
    size_t digit = at + 1;
    *exponent = 0;
    if (at == length || (text[at] != 'e' && text[at] != 'E'))
        return at;
    if (digit < length && (text[digit] == '+' || text[digit] == '-'))
        negative = text[digit++] == '-';
    if (digit == length || !is_digit(text[digit]))
        return at;
    for (; digit < length && is_digit(text[digit]); digit++)
        if (value < 1000000000000)
            value = value * 10 + (text[digit] - '0');
    *exponent = negative ? -value : value;
    return digit;
}

static size_t read_numeral(const char *text, size_t length, size_t at, struct numeral *numeral)
{
    bool has_digit = false, has_point = false, is_significant = false;
    int64_t fraction = 0, exponent;
    *numeral = (struct numeral){0};
    for (; at < length; at++) {
        if (text[at] == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (!is_digit(text[at]))
            break;
        has_digit = true;
        fraction += has_point;
        if (!is_significant && text[at] != '0') {
            is_significant = true;
            numeral->digits = text + at;
        }
        numeral->count += is_significant;
    }
    if (!has_digit)
        return 0;
    if (is_significant)
        numeral->length = (size_t)(text + at - numeral->digits);
    at = read_exponent(text, length, at, &exponent);
    numeral->exponent = exponent - fraction;
    return at;
}

/* quotient * 2^exponent, and something more if `inexact`, made into the nearest double. The
 * quotient has 63 or 64 bits. */
static double round_quotient(uint64_t quotient, int exponent, bool inexact)
{
    int bits = quotient >> 63 ? 64 : 63;
    int kept = MANTISSA_BITS, dropped;
    uint64_t mantissa, rest, half;
    if (exponent + bits - MANTISSA_BITS < MIN_EXPONENT)
        kept = exponent + bits - MIN_EXPONENT; /* a subnormal double has fewer bits */
    if (kept < 0)
        return 0;
    dropped = bits - kept;
    half = (uint64_t)1 << (dropped - 1);
    mantissa = dropped < 64 ? quotient >> dropped : 0;
    rest = dropped < 64 ? quotient & (half * 2 - 1) : quotient;
    if (rest > half || (rest == half && (inexact || mantissa % 2 == 1)))
        mantissa++;
    return ldexp((double)mantissa, exponent + dropped);
}

static double divide(struct bignum *numerator, struct bignum *denominator)
{
    /* Shifted so that the quotient has 63 or 64 bits. */
    int shift = 63 - (int)bignum_bits(numerator) + (int)bignum_bits(denominator);
    uint64_t quotient = 0;
    if (shift >= 0)
        bignum_shift(numerator, (unsigned)shift);
    else
        bignum_shift(denominator, (unsigned)-shift);
    bignum_shift(denominator, 63);
    for (int i = 0; i < 64; i++) {
        quotient <<= 1;
        if (bignum_compare(numerator, denominator) >= 0) {
            bignum_subtract(numerator, denominator);
            quotient |= 1;
        }
        bignum_shift(numerator, 1);
    }
    return round_quotient(quotient, -shift, numerator->count > 0);
}

/* The digits as one number. Those beyond SIGNIFICANT_MAX are left out, and *exponent adjusted; one
 * more digit stands for them if they are not all zero. */
static void read_digits(const struct numeral *numeral, struct bignum *number, int64_t *exponent)
{
    size_t used = 0;
    bool more = false;
    bignum_set(number, 0);
    for (size_t i = 0; i < numeral->length && !more; i++) {
        if (numeral->digits[i] == '.')
            continue;
        if (used < SIGNIFICANT_MAX) {
            bignum_multiply(number, 10, (uint32_t)(numeral->digits[i] - '0'));
            used++;
        } else {
            more = numeral->digits[i] != '0';
        }
    }
    *exponent += (int64_t)(numeral->count - used);
    if (more) {
        bignum_multiply(number, 10, 1);
        *exponent -= 1;
    }
}

static double to_double(const struct numeral *numeral)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct bignum numerator, denominator;
    int64_t exponent = numeral->exponent;
    const int64_t point = exponent + (int64_t)numeral->count;
    if (numeral->count == 0 || point < -325)
        return 0;
    if (point > 310)
        return HUGE_VAL;

    read_digits(numeral, &numerator, &exponent);
    /* Whole numbers below 2^53 and these powers are exact, so one operation rounds correctly. */
    if (bignum_bits(&numerator) <= MANTISSA_BITS && exponent >= -22 && exponent <= 22) {
        uint64_t whole = numerator.limbs[0];
        if (numerator.count > 1)
            whole |= (uint64_t)numerator.limbs[1] << 32;
        return exponent < 0 ? (double)whole / powers[-exponent] : (double)whole * powers[exponent];
    }
    bignum_set(&denominator, 1);
    if (exponent >= 0)
        bignum_multiply_power10(&numerator, (unsigned)exponent);
    else
        bignum_multiply_power10(&denominator, (unsigned)-exponent);
    return divide(&numerator, &denominator);
}

size_t program_number_parse(const char *text, size_t length, double *value)
{
    struct numeral numeral;
    bool negative = length > 0 && text[0] == '-';
    size_t sign = negative || (length > 0 && text[0] == '+');
    size_t end = read_numeral(text, length, sign, &numeral);
    *value = end > 0 ? to_double(&numeral) : 0;
    if (negative && end > 0)
        *value = -*value;
    return end;
}
