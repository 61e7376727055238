// SHA-256 of messages of one block each, a thread a message; and how often a digest begins with zero bits.
#include <hip/hip_runtime.h>
#include <cstdint>

__constant__ uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))

union Block {
    uint8_t bytes[64];
    uint32_t words[16];
};

struct Digest {
    uint32_t h[8];
};

__device__ inline uint32_t swapBytes(uint32_t x) { return __byte_perm(x, 0, 0x0123); }

__device__ Digest compressOnce(const Block& block) {
    Digest d = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    uint32_t w[64];
#pragma unroll
    for (int i = 0; i < 16; ++i) w[i] = swapBytes(block.words[i]);
    for (int i = 16; i < 64; ++i) {
        const uint32_t s0 = ROTR(w[i - 15], 7) ^ ROTR(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const uint32_t s1 = ROTR(w[i - 2], 17) ^ ROTR(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t v[8];
    for (int i = 0; i < 8; ++i) v[i] = d.h[i];
    for (int i = 0; i < 64; ++i) {
        const uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        const uint32_t t1 =
            v[7] + (ROTR(v[4], 6) ^ ROTR(v[4], 11) ^ ROTR(v[4], 25)) + choose + roundConstants[i] + w[i];
        const uint32_t t2 = (ROTR(v[0], 2) ^ ROTR(v[0], 13) ^ ROTR(v[0], 22)) + majority;
        for (int k = 7; k > 0; --k) v[k] = v[k - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) d.h[i] += v[i];
    return d;
}

// Messages are at most 55 bytes long, each at a multiple of `pitch`.
__global__ void sha256(const uint8_t* messages, const int* lengths, int pitch, uint8_t* digests, int count) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count) return;
    Block block;
    for (int i = 0; i < 64; ++i) block.bytes[i] = i < lengths[m] ? messages[m * pitch + i] : 0;
    block.bytes[lengths[m]] = 0x80;
    block.words[15] = swapBytes(lengths[m] * 8);
    const Digest d = compressOnce(block);
    for (int i = 0; i < 32; ++i) digests[m * 32 + i] = static_cast<uint8_t>(d.h[i / 4] >> (24 - i % 4 * 8));
}

__global__ void mine(uint32_t firstNonce, int zeroBits, uint32_t* best, int each) {
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < each; ++i) {
        const uint32_t nonce = firstNonce + thread * each + i;
        Block block = {};
        block.words[0] = nonce;
        block.bytes[4] = 0x80;
        block.words[15] = swapBytes(32);
        if (__clz(compressOnce(block).h[0]) >= zeroBits) atomicMin(best, nonce);
    }
}
