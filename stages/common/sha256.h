/* sha256.h - the hash by which a file's bytes are known (FIPS 180-4). */
#ifndef PAWL_STAGES_SHA256_H
#define PAWL_STAGES_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);

/* Ends it: 64 lower-case hexadecimal digits and a NUL. */
#define SHA256_TEXT 65
void sha256_end(struct sha256 *hash, char text[SHA256_TEXT]);

/* That of a whole file, from its beginning, whatever its offset is. 0, or -1 with errno. */
int sha256_file(int file, char text[SHA256_TEXT]);

#endif
