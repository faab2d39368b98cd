/* dice.h - numbers that one seed decides, whatever the threads do: those of run N are always the
 * same. */
#ifndef SOAK_DICE_H
#define SOAK_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state;
};

/* splitmix64 */
static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline unsigned dice_below(struct dice *dice, unsigned bound)
{
    return (unsigned)(dice_next(dice) % bound);
}

static inline struct dice dice_of(uint64_t seed, uint64_t number)
{
    struct dice dice = {seed};
    dice.state = dice_next(&dice) ^ number * UINT64_C(0xd1342543de82ef95);
    dice_next(&dice);
    return dice;
}

#endif
