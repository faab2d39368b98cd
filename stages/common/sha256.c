#include "stages/common/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

static void take_block(struct sha256 *hash)
{
    uint32_t w[64], s[8];
    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *p = hash->block + i * 4;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, hash->state, sizeof(s));
    for (unsigned i = 0; i < 64; i++) {
        uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof(s[0]));
        s[4] += first;
        s[0] = first + second;
    }
    for (unsigned i = 0; i < 8; i++)
        hash->state[i] += s[i];
}

void sha256_init(struct sha256 *hash)
{
    static const uint32_t initial[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(hash->state, initial, sizeof(initial));
    hash->size = 0;
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
    const unsigned char *from = data;
    while (size > 0) {
        size_t used = hash->size % sizeof(hash->block), room = sizeof(hash->block) - used;
        size_t piece = size < room ? size : room;
        memcpy(hash->block + used, from, piece);
        hash->size += piece;
        from += piece;
        size -= piece;
        if (piece == room)
            take_block(hash);
    }
}

void sha256_end(struct sha256 *hash, char text[SHA256_TEXT])
{
    static const unsigned char one = 0x80, zero;
    unsigned char bits[8];
    uint64_t size = hash->size * 8;
    for (unsigned i = 0; i < 8; i++)
        bits[i] = (unsigned char)(size >> (56 - 8 * i));
    sha256_add(hash, &one, 1);
    while (hash->size % sizeof(hash->block) != 56)
        sha256_add(hash, &zero, 1);
    sha256_add(hash, bits, sizeof(bits));
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + (size_t)i * 8, 9, "%08x", hash->state[i]);
}

int sha256_file(int file, char text[SHA256_TEXT])
{
    struct sha256 hash;
    char piece[16384];
    off_t offset = 0;
    sha256_init(&hash);
    for (;;) {
        ssize_t size = pread(file, piece, sizeof(piece), offset);
        if (size < 0 && errno != EINTR)
            return -1;
        if (size == 0)
            break;
        if (size > 0) {
            sha256_add(&hash, piece, (size_t)size);
            offset += size;
        }
    }
    sha256_end(&hash, text);
    return 0;
}
