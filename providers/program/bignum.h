/* Whole numbers of up to BIGNUM_LIMBS * 32 bits, as large as the exact conversion between decimal
 * text and doubles needs: 800 digits, or a power of ten of up to 1,200, and 1,000 bits of room.
 * Nothing is allocated. The caller keeps within the size. [any thread] */
#ifndef PROGRAM_BIGNUM_H
#define PROGRAM_BIGNUM_H

#include <stdbool.h>
#include <stdint.h>

#define BIGNUM_LIMBS 160

struct bignum {
    unsigned count;               /* of limbs in use; the last one is not 0 */
    uint32_t limbs[BIGNUM_LIMBS]; /* the least significant first */
};

void bignum_set(struct bignum *number, uint64_t value);
/* number = number * factor + summand */
void bignum_multiply(struct bignum *number, uint32_t factor, uint32_t summand);
/* number = number * 10^exponent */
void bignum_multiply_power10(struct bignum *number, unsigned exponent);
/* number = number * 2^bits */
void bignum_shift(struct bignum *number, unsigned bits);
void bignum_add(struct bignum *number, const struct bignum *summand);
/* number = number - subtrahend, which is not larger */
void bignum_subtract(struct bignum *number, const struct bignum *subtrahend);
/* Negative, 0 or positive. */
int bignum_compare(const struct bignum *left, const struct bignum *right);
unsigned bignum_bits(const struct bignum *number);

#endif
