#include "bignum.h"

#include <string.h>

void bignum_set(struct bignum *number, uint64_t value)
{
    number->count = 0;
    for (; value > 0; value >>= 32)
        number->limbs[number->count++] = (uint32_t)value;
}

void bignum_multiply(struct bignum *number, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (unsigned i = 0; i < number->count; i++) {
        carry += (uint64_t)number->limbs[i] * factor;
        number->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0)
        number->limbs[number->count++] = (uint32_t)carry;
}

void bignum_multiply_power10(struct bignum *number, unsigned exponent)
{
    static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    for (; exponent >= 9; exponent -= 9)
        bignum_multiply(number, 1000000000, 0);
    if (exponent > 0)
        bignum_multiply(number, powers[exponent % 9], 0);
}

void bignum_shift(struct bignum *number, unsigned bits)
{
    const unsigned limbs = bits / 32, rest = bits % 32;
    if (number->count == 0)
        return;
    if (rest > 0) {
        uint32_t carry = 0;
        for (unsigned i = 0; i < number->count; i++) {
            uint32_t limb = number->limbs[i];
            number->limbs[i] = limb << rest | carry;
            carry = limb >> (32 - rest);
        }
        if (carry > 0)
            number->limbs[number->count++] = carry;
    }
    if (limbs > 0) {
        memmove(number->limbs + limbs, number->limbs, number->count * sizeof *number->limbs);
        memset(number->limbs, 0, limbs * sizeof *number->limbs);
        number->count += limbs;
    }
}

void bignum_add(struct bignum *number, const struct bignum *summand)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < summand->count || carry > 0; i++) {
        if (i == number->count)
            number->limbs[number->count++] = 0;
        carry += number->limbs[i];
        if (i < summand->count)
            carry += summand->limbs[i];
        number->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void bignum_subtract(struct bignum *number, const struct bignum *subtrahend)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < number->count; i++) {
        uint64_t taken = borrow + (i < subtrahend->count ? subtrahend->limbs[i] : 0);
        borrow = number->limbs[i] < taken;
        number->limbs[i] = (uint32_t)(number->limbs[i] - taken);
    }
    while (number->count > 0 && number->limbs[number->count - 1] == 0)
        number->count--;
}

int bignum_compare(const struct bignum *left, const struct bignum *right)
{
    if (left->count != right->count)
        return left->count < right->count ? -1 : 1;
    for (unsigned i = left->count; i-- > 0;)
        if (left->limbs[i] != right->limbs[i])
            return left->limbs[i] < right->limbs[i] ? -1 : 1;
    return 0;
}

unsigned bignum_bits(const struct bignum *number)
{
    unsigned bits = 0;
    if (number->count == 0)
        return 0;
    for (uint32_t last = number->limbs[number->count - 1]; last > 0; last >>= 1)
        bits++;
    return bits + 32 * (number->count - 1);
}
