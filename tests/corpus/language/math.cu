// The mathematical library in float and double, and the mixtures of clamp, min and max that programs are full of.
#include <cuda_runtime.h>
#include <math.h>
#include <math_constants.h>

__device__ __forceinline__ float clampf(float x, float a, float b) { return fmaxf(a, fminf(x, b)); }

__global__ void elementary(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = x[i];
    float* o = out + 16 * i;
    o[0] = sinf(v) * cosf(v) + tanf(0.3f * v);
    o[1] = asinf(v / 10) + acosf(v / 10) + atan2f(v, 2.0f);
    o[2] = sinhf(v / 4) + coshf(v / 4) - tanhf(v);
    o[3] = exp2f(v) + exp10f(v / 8) + expm1f(v / 16);
    o[4] = log2f(v) + log10f(v) + log1pf(v);
    o[5] = powf(v, 1.7f) + cbrtf(v) + rcbrtf(v);
    o[6] = hypotf(v, 3.0f) + rhypotf(v, 4.0f);
    o[7] = erff(v / 3) + erfcf(v / 3);
    o[8] = tgammaf(v) + lgammaf(v + 1);
    o[9] = floorf(v) + 10 * ceilf(v) + 100 * truncf(-v) + 1000 * rintf(v) + 10000 * roundf(v);
    o[10] = fmodf(v, 1.3f) + remainderf(v, 1.7f);
    o[11] = copysignf(v, -1.0f) + fdimf(v, 2.0f) + fabsf(-v);
    int exponent;
    o[12] = frexpf(v, &exponent) + exponent + ldexpf(v, 3) + scalbnf(v, -2);
    float whole;
    o[13] = modff(v, &whole) * 10 + whole;
    o[14] = isnan(v / 0.0f - v / 0.0f) + 2 * isinf(v / 0.0f) + 4 * isfinite(v) + 8 * signbit(-v);
    o[15] = normcdff(v - 3) + sinpif(v / 8) + cospif(v / 8);
}

__global__ void elementaryDouble(const double* x, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double v = x[i];
    double* o = out + 8 * i;
    o[0] = sin(v) + cos(v) + tan(v / 4);
    o[1] = exp(v) + log(v) + pow(v, 2.5);
    o[2] = sqrt(v) + cbrt(v) + rsqrt(v);
    o[3] = fma(v, v, v) + fmin(v, 2.0) + fmax(v, 3.0);
    o[4] = floor(v) + ceil(v) + round(v) + rint(v);
    o[5] = fmod(v, 1.3) + hypot(v, 2.0);
    o[6] = atan2(v, -1.0) + asinh(v) + acosh(v + 1) + atanh(v / 20);
    o[7] = erf(v / 2) + tgamma(v) + log1p(v) + expm1(-v);
}

__global__ void mixtures(const int* a, const int* b, const float* f, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int low = min(a[i], b[i]), high = max(a[i], b[i]);
    const unsigned int u = max((unsigned int)low & 0xff, 7u);
    const long long wide = min((long long)a[i] * b[i], 1LL << 40);
    out[i] = clampf(f[i], -1.0f, 1.0f) + high - low + u + (float)wide + __saturatef(f[i]) + abs(a[i]) + fabs(f[i]) +
             min(f[i], 0.5f) + max(2.0f, f[i]) + (int)truncf(f[i]) + __float2int_rz(f[i] * 3);
}

__global__ void specials(float* out) {
    out[0] = CUDART_INF_F;
    out[1] = -INFINITY;
    out[2] = NAN;
    out[3] = CUDART_PI_F;
    out[4] = __int_as_float(0x7f7fffff);
    out[5] = nextafterf(1.0f, 2.0f);
    out[6] = fmaxf(NAN, 3.0f);
    out[7] = __fadd_rn(1.0f, 2.0f) * __fmul_rn(3.0f, 4.0f) + __fmaf_rn(2.0f, 3.0f, 4.0f) + __frcp_rn(4.0f);
}
