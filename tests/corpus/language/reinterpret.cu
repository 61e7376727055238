// Bits seen as other types: unions, intrinsics, memcpy, pointers; keys that sort as floats do.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstring>

union FloatBits {
    float f;
    uint32_t u;
    struct {
        uint32_t mantissa : 23;
        uint32_t exponent : 8;
        uint32_t sign : 1;
    } parts;
};

__device__ float fastInverseRoot(float x) {
    FloatBits bits;
    bits.f = x;
    bits.u = 0x5f3759dfu - (bits.u >> 1);
    float y = bits.f;
    y *= 1.5f - 0.5f * x * y * y;
    y *= 1.5f - 0.5f * x * y * y;
    return y;
}

__global__ void inverseRoots(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fastInverseRoot(x[i]);
}

__global__ void takeApart(const float* x, int* sign, int* exponent, unsigned int* mantissa, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    FloatBits bits;
    bits.f = x[i];
    sign[i] = bits.parts.sign;
    exponent[i] = (int)bits.parts.exponent - 127;
    mantissa[i] = bits.parts.mantissa;
}

// Order kept: negative floats are inverted, positive ones get the top bit.
__device__ __forceinline__ uint32_t flipped(uint32_t f) {
    const uint32_t mask = -(int)(f >> 31) | 0x80000000;
    return f ^ mask;
}

__global__ void sortableKeys(const float* x, uint32_t* keys, uint64_t* wideKeys, const double* wide, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    keys[i] = flipped(__float_as_uint(x[i]));
    uint64_t bits;
    memcpy(&bits, &wide[i], sizeof bits);
    wideKeys[i] = bits ^ ((bits >> 63) ? ~0ULL : 1ULL << 63);
}

// Four bytes at once: the largest of each lane, and sixteen bytes at once copied.
__global__ void wordsAsBytes(const uint32_t* a, const uint32_t* b, uint32_t* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t wa = a[i], wb = b[i];
    const unsigned char* pa = reinterpret_cast<const unsigned char*>(&wa);
    const unsigned char* pb = reinterpret_cast<const unsigned char*>(&wb);
    unsigned char result[4];
    for (int k = 0; k < 4; ++k) result[k] = pa[k] > pb[k] ? pa[k] : pb[k];
    out[i] = *reinterpret_cast<uint32_t*>(result);
}

__global__ void copyWide(const float* in, float* out, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}

__global__ void splitDoubles(const double* x, int2* halves, double* back, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    halves[i] = make_int2(__double2loint(x[i]), __double2hiint(x[i]));
    back[i] = __hiloint2double(halves[i].y, halves[i].x);
}
