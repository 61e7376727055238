#pragma once
// Small generators of random numbers, a state for each thread.
#include <stdint.h>

// Spreads consecutive seeds: without it neighbours' first numbers would be alike.
__host__ __device__ inline uint64_t splitmix64(uint64_t& state) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

class Xorshift128 {
  public:
    __host__ __device__ explicit Xorshift128(uint64_t seed) {
        const uint64_t a = splitmix64(seed), b = splitmix64(seed);
        s_[0] = (uint32_t)a;
        s_[1] = (uint32_t)(a >> 32);
        s_[2] = (uint32_t)b;
        s_[3] = (uint32_t)(b >> 32) | 1u;
    }
    __host__ __device__ uint32_t next() {
        uint32_t t = s_[3];
        const uint32_t s = s_[0];
        s_[3] = s_[2];
        s_[2] = s_[1];
        s_[1] = s;
        t ^= t << 11;
        t ^= t >> 8;
        s_[0] = t ^ s ^ (s >> 19);
        return s_[0];
    }
    // In [0, 1), with 24 bits: every value is exact in a float.
    __host__ __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }

  private:
    uint32_t s_[4];
};

struct Lcg {
    uint32_t state;
    __host__ __device__ uint32_t operator()() { return state = state * 1664525u + 1013904223u; }
};
