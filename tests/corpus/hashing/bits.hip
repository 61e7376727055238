// Bits: reversal by hand and by intrinsic, counts, Gray codes, Morton order, rotation, parity, packing of bytes.
#include <hip/hip_runtime.h>

__device__ unsigned int reverseByHand(unsigned int x) {
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}

__global__ void bitCounts(const unsigned int* in, int4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int x = in[i];
    out[i] = make_int4(__popc(x), __clz(x), __ffs(x), __popc(x) & 1);
}

__global__ void bitCounts64(const unsigned long long* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long x = in[i];
    out[3 * i] = __popcll(x);
    out[3 * i + 1] = __clzll(x);
    out[3 * i + 2] = __ffsll(x);
}

__global__ void reversals(const unsigned int* in, unsigned int* byHand, unsigned int* byIntrinsic, unsigned long long* wide,
                          int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    byHand[i] = reverseByHand(in[i]);
    byIntrinsic[i] = __brev(in[i]);
    wide[i] = __brevll((unsigned long long)in[i]);
}

__device__ unsigned long long spread(unsigned int v) {
    unsigned long long x = v;
    x = (x | x << 16) & 0x0000ffff0000ffffull;
    x = (x | x << 8) & 0x00ff00ff00ff00ffull;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
    x = (x | x << 2) & 0x3333333333333333ull;
    return (x | x << 1) & 0x5555555555555555ull;
}

__global__ void morton(const uint2* points, unsigned long long* codes, unsigned int* gray, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    codes[i] = spread(points[i].x) | spread(points[i].y) << 1;
    gray[i] = points[i].x ^ points[i].x >> 1;
}

template <int BITS>
__device__ constexpr unsigned int rotate(unsigned int x) {
    return x << BITS | x >> (32 - BITS);
}

__global__ void packBytes(const uchar4* in, unsigned int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int word = in[i].x | in[i].y << 8 | in[i].z << 16 | (unsigned int)in[i].w << 24;
    out[i] = rotate<7>(word) ^ __funnelshift_l(word, ~word, 5);
}
