// Checksums of many messages: CRC-32 with a table in constant memory and without, Adler-32, FNV-1a of 64 bits.
#include <cuda_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

__constant__ uint32_t crcTable[256];
__device__ uint32_t madeTable[256];

__host__ __device__ inline uint32_t crcOfByte(uint32_t byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
    return crc;
}

__global__ void makeTable() { madeTable[threadIdx.x] = crcOfByte(threadIdx.x); }

__global__ void crc32Table(const uint8_t* messages, int length, uint32_t* out, int count) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count) return;
    uint32_t crc = ~0u;
    for (int i = 0; i < length; ++i) crc = crcTable[(crc ^ messages[m * length + i]) & 0xFF] ^ (crc >> 8);
    out[m] = ~crc;
}

__global__ void crc32Bits(const uint8_t* messages, int length, uint32_t* out, int count) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count) return;
    uint32_t crc = 0xFFFFFFFF;
    const uint8_t* at = messages + m * length;
    while (at != messages + (m + 1) * length) crc = crcOfByte((crc ^ *at++) & 0xFF) ^ (crc >> 8);
    out[m] = ~crc;
}

__global__ void adler32(const uint8_t* messages, int length, uint32_t* out, int count) {
    const uint32_t modulus = 65521;
    for (int m = blockIdx.x * blockDim.x + threadIdx.x; m < count; m += gridDim.x * blockDim.x) {
        uint32_t a = 1, b = 0;
        for (int i = 0; i < length; ++i) {
            a = (a + messages[m * length + i]) % modulus;
            b = (b + a) % modulus;
        }
        out[m] = (b << 16) | a;
    }
}

__global__ void fnv1a(const char* messages, int length, unsigned long long* out, int count) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count) return;
    unsigned long long hash = 14695981039346656037ULL;
    for (int i = 0; i < length; ++i) {
        hash ^= (unsigned char)messages[m * length + i];
        hash *= 1099511628211ULL;
    }
    out[m] = hash;
}

int main() {
    uint32_t table[256];
    for (int i = 0; i < 256; ++i) table[i] = crcOfByte(i);
    cudaMemcpyToSymbol(crcTable, table, sizeof(table));
    const int count = 1 << 16, length = 64;
    uint8_t* messages;
    uint32_t* out;
    unsigned long long* wide;
    cudaMalloc(&messages, count * length);
    cudaMalloc(&out, count * sizeof(uint32_t));
    cudaMalloc(&wide, count * sizeof(unsigned long long));
    cudaMemset(messages, 'x', count * length);
    makeTable<<<1, 256>>>();
    crc32Table<<<count / 256, 256>>>(messages, length, out, count);
    crc32Bits<<<count / 256, 256>>>(messages, length, out, count);
    adler32<<<count / 256, 256>>>(messages, length, out, count);
    fnv1a<<<count / 256, 256>>>((const char*)messages, length, wide, count);
    uint32_t first;
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    printf("%08x\n", first);
    return 0;
}
