// Parameters of every kind: bool, char, short, enum, references to nothing, small and big structs, arrays inside structs.
#include <hip/hip_runtime.h>
#include <stdint.h>

enum Mode { ADD, SUBTRACT, REVERSE_SUBTRACT };
enum class Rounding : unsigned char { Down, Up, Nearest };

struct __align__(16) Matrix4 {
    float m[4][4];
};

struct Big {
    double table[40];
    int indices[17];
    bool enabled[5];
    char name[12];
    const float* data;
    Matrix4 transform;
};

struct Bits {
    unsigned int low : 5;
    unsigned int middle : 11;
    int high : 16;
};

__global__ void smallParameters(bool negate, char c, signed char sc, unsigned char uc, short s, unsigned short us, long l,
                                unsigned long long ull, float f, double* out) {
    double sum = c + 2 * sc + 3 * uc + 4 * s + 5 * us + 6.0 * l + 7.0 * ull + 8.0 * f;
    *out = negate ? -sum : sum;
}

__global__ void byMode(const int* a, const int* b, int* out, int n, Mode mode) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (mode) {
        case ADD: out[i] = a[i] + b[i]; break;
        case SUBTRACT: out[i] = a[i] - b[i]; break;
        case REVERSE_SUBTRACT: out[i] = b[i] - a[i]; break;
    }
}

__global__ void byRounding(const float* in, int* out, int n, Rounding rounding) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (rounding) {
        case Rounding::Down: out[i] = __float2int_rd(in[i]); return;
        case Rounding::Up: out[i] = __float2int_ru(in[i]); return;
        default: out[i] = __float2int_rn(in[i]);
    }
}

__global__ void bigStruct(const Big big, double* out) {
    const int i = threadIdx.x;
    if (i < 40) out[i] = big.table[i] + big.indices[i % 17] + (big.enabled[i % 5] ? 1000 : 0) + big.name[i % 12];
    if (i == 40) out[i] = big.data[2] * big.transform.m[1][3];
}

__global__ void transformPoints(float4* points, Matrix4 matrix, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = points[i];
    float* r = &points[i].x;
    for (int row = 0; row < 4; ++row)
        r[row] = matrix.m[row][0] * p.x + matrix.m[row][1] * p.y + matrix.m[row][2] * p.z + matrix.m[row][3] * p.w;
}

__global__ void bitFields(Bits bits, const Bits* more, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (int)(bits.low + more[i].low) * 100000 + (int)(bits.middle + more[i].middle) + bits.high - more[i].high;
}
