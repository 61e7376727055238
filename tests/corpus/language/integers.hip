// Integers of 64 bits and more: modular powers, greatest common divisors, 128-bit products, fixed point, primes.
#include <hip/hip_runtime.h>

#include <cinttypes>
#include <climits>
#include <cstdio>

typedef unsigned long long u64;
typedef long long i64;

__device__ u64 mulMod(u64 a, u64 b, u64 m) {
    u64 result = 0;
    for (a %= m; b; b >>= 1) {
        if (b & 1) result = result >= m - a ? result - (m - a) : result + a;
        a = a >= m - a ? a - (m - a) : a + a;
    }
    return result;
}

__device__ u64 powMod(u64 base, u64 exponent, u64 m) {
    u64 result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = mulMod(result, base, m);
        base = mulMod(base, base, m);
    }
    return result;
}

__global__ void modularPowers(const u64* base, const u64* exponent, u64 modulus, u64* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = powMod(base[i], exponent[i], modulus);
}

template <typename Int>
__host__ __device__ Int gcd(Int a, Int b) {
    while (b != 0) {
        Int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

template <typename Int>
__global__ void commonDivisors(const Int* a, const Int* b, Int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = gcd(a[i], b[i]);
}

__global__ void wideProducts(const u64* a, const u64* b, ulonglong2* products, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) products[i] = make_ulonglong2(a[i] * b[i], __umul64hi(a[i], b[i]));
}

__global__ void highHalves(const int* a, const int* b, int* high, unsigned int* uhigh, i64* full, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    high[i] = __mulhi(a[i], b[i]);
    uhigh[i] = __umulhi((unsigned)a[i], (unsigned)b[i]);
    full[i] = (i64)a[i] * b[i];
}

// Q16.16 with saturation.
struct Fixed {
    int raw;
    __device__ static Fixed of(i64 wide) {
        return Fixed{wide > INT_MAX ? INT_MAX : wide < INT_MIN ? INT_MIN : (int)wide};
    }
    __device__ Fixed operator*(Fixed o) const { return of(((i64)raw * o.raw) >> 16); }
    __device__ Fixed operator+(Fixed o) const { return of((i64)raw + o.raw); }
    __device__ Fixed operator/(Fixed o) const { return of(((i64)raw << 16) / o.raw); }
};

__global__ void fixedPoint(const int* x, const int* y, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (Fixed{x[i]} * Fixed{y[i]} + Fixed{x[i]} / Fixed{y[i]}).raw;
}

__global__ void primes(unsigned char* composite, unsigned int limit, unsigned int* count) {
    // One block; its threads strike out multiples together.
    for (unsigned int p = 2; p * p <= limit; ++p) {
        if (!composite[p])
            for (unsigned int m = p * p + threadIdx.x * p; m <= limit; m += blockDim.x * p) composite[m] = 1;
        __syncthreads();
    }
    unsigned int mine = 0;
    for (unsigned int i = 2 + threadIdx.x; i <= limit; i += blockDim.x) mine += !composite[i];
    atomicAdd(count, mine);
}

__global__ void collatz(const u64* start, int* steps, u64* highest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 x = start[i], top = x;
    int count = 0;
    while (x != 1) {
        x = (x & 1) ? 3 * x + 1 : x >> 1;
        top = x > top ? x : top;
        ++count;
    }
    steps[i] = count;
    highest[i] = top;
}

int main() {
    u64 *a, *out;
    hipMalloc(&a, 64 * sizeof(u64));
    hipMalloc(&out, 64 * sizeof(u64));
    modularPowers<<<1, 64>>>(a, a, 1000000007ull, out, 64);
    commonDivisors<<<1, 64>>>(a, a, out, 64);
    commonDivisors<int><<<1, 64>>>((int*)a, (int*)a, (int*)out, 64);
    u64 first = 0;
    hipMemcpy(&first, out, sizeof(first), hipMemcpyDeviceToHost);
    printf("%" PRIu64 "\n", (uint64_t)first);
    return 0;
}
