/* The places of the highest and the lowest bit of a number that is not 0. */
#ifndef LAUNCHPATH_BITS_H
#define LAUNCHPATH_BITS_H

#include <stdint.h>

#ifdef _MSC_VER
#include <intrin.h>
static inline int lp_highest_bit(uint64_t bits) {
    unsigned long place;
    _BitScanReverse64(&place, bits);
    return (int)place;
}
static inline int lp_lowest_bit(uint64_t bits) {
    unsigned long place;
    _BitScanForward64(&place, bits);
    return (int)place;
}
#else
static inline int lp_highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }
static inline int lp_lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
#endif

#endif
