/* A hash of bytes, at the speed of memory: equal bytes have equal hashes, and 64 bits tell others apart. */
#ifndef LAUNCHPATH_TRACE_HASH_H
#define LAUNCHPATH_TRACE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#define HASH_A 0x9E3779B97F4A7C15u
#define HASH_B 0xC2B2AE3D27D4EB4Fu
#define HASH_C 0xA0761D6478BD642Fu
#define HASH_D 0xE7037ED1A0B428DBu

/* Both halves of the product of two numbers. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    uint64_t high, low = _umul128(a, b, &high);
    return low ^ high;
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return (a * b) ^ (ah * bh + (middle >> 32) + (other >> 32));
#endif
}

static inline uint64_t hash_word(const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The hash of more bytes, after those whose hash is `seed`. */
static inline uint64_t content_hash(const void *bytes, size_t size, uint64_t seed) {
    const char *at = (const char *)bytes;
    uint64_t lanes[4] = {seed ^ HASH_A, seed ^ HASH_B, seed + HASH_C, seed + HASH_D};
    size_t left = size;
    char rest[64];
    int lane;
    if (size <= 8) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        return hash_mix(hash_mix(word ^ HASH_A, seed ^ HASH_B), size ^ HASH_C);
    }
    while (left >= 64) {
        for (lane = 0; lane < 4; lane++) lanes[lane] = hash_mix(hash_word(at + 16 * lane) ^ HASH_C, hash_word(at + 16 * lane + 8) ^ lanes[lane]);
        at += 64, left -= 64;
    }
    if (left) {
        memset(rest, 0, sizeof rest);
        memcpy(rest, at, left);
        for (lane = 0; lane < 4 && 16 * (size_t)lane < left; lane++)
            lanes[lane] = hash_mix(hash_word(rest + 16 * lane) ^ HASH_C, hash_word(rest + 16 * lane + 8) ^ lanes[lane]);
    }
    return hash_mix(hash_mix(lanes[0] ^ HASH_B, lanes[1] ^ size), hash_mix(lanes[2] ^ HASH_D, lanes[3] ^ HASH_A));
}

#endif
