// Fast intrinsics, made of the same few as on CUDA's hardware: sine, cosine, and powers and logarithms of 2. (The
// device's other native functions may be far worse: native_exp is wrong by 2e-4 on Intel's CPU runtime.)
#pragma once
#include <launchpath/keywords.h>

__LP_PURE float __spirv_ocl_native_sin(float);
__LP_PURE float __spirv_ocl_native_cos(float);
__LP_PURE float __spirv_ocl_native_exp2(float);
__LP_PURE float __spirv_ocl_native_log2(float);

__LP_DEVICE float __sinf(float x) { return __spirv_ocl_native_sin(x); }
__LP_DEVICE float __cosf(float x) { return __spirv_ocl_native_cos(x); }
__LP_DEVICE float __tanf(float x) { return __sinf(x) / __cosf(x); }
__LP_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
__LP_DEVICE float __exp2f(float x) { return __spirv_ocl_native_exp2(x); }
__LP_DEVICE float __expf(float x) { return __exp2f(x * 1.4426950408889634f); }
__LP_DEVICE float __exp10f(float x) { return __exp2f(x * 3.3219280948873623f); }
__LP_DEVICE float __log2f(float x) { return __spirv_ocl_native_log2(x); }
__LP_DEVICE float __logf(float x) { return __log2f(x) * 0.6931471805599453f; }
__LP_DEVICE float __log10f(float x) { return __log2f(x) * 0.3010299956639812f; }
__LP_DEVICE float __powf(float x, float y) { return __exp2f(y * __log2f(x)); }
__LP_DEVICE float __tanhf(float x) { return __builtin_tanhf(x); }
__LP_DEVICE float __fdividef(float x, float y) { return x / y; }
__LP_DEVICE float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
