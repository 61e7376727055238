// Arithmetic on vectors, by the names that CUDA's samples give it.
#pragma once
#include <cuda_runtime.h>

#define __LP_ALL(f, ...) f(float, float, __VA_ARGS__) f(int, int, __VA_ARGS__) f(uint, unsigned, __VA_ARGS__)

// Vectors made of a number for all, and of other vectors.
#define __LP_MAKE(name, _T, other1, other2)                                                          \
  __LP_BOTH name##2 make_##name##2(_T s) { return {s, s}; }                                          \
  __LP_BOTH name##2 make_##name##2(name##3 v) { return {v.x, v.y}; }                                 \
  __LP_BOTH name##2 make_##name##2(other1##2 v) { return {(_T)v.x, (_T)v.y}; }                       \
  __LP_BOTH name##2 make_##name##2(other2##2 v) { return {(_T)v.x, (_T)v.y}; }                       \
  __LP_BOTH name##3 make_##name##3(_T s) { return {s, s, s}; }                                       \
  __LP_BOTH name##3 make_##name##3(name##2 v) { return {v.x, v.y, 0}; }                              \
  __LP_BOTH name##3 make_##name##3(name##2 v, _T s) { return {v.x, v.y, s}; }                        \
  __LP_BOTH name##3 make_##name##3(name##4 v) { return {v.x, v.y, v.z}; }                            \
  __LP_BOTH name##3 make_##name##3(other1##3 v) { return {(_T)v.x, (_T)v.y, (_T)v.z}; }              \
  __LP_BOTH name##3 make_##name##3(other2##3 v) { return {(_T)v.x, (_T)v.y, (_T)v.z}; }              \
  __LP_BOTH name##4 make_##name##4(_T s) { return {s, s, s, s}; }                                    \
  __LP_BOTH name##4 make_##name##4(name##3 v) { return {v.x, v.y, v.z, 0}; }                         \
  __LP_BOTH name##4 make_##name##4(name##3 v, _T s) { return {v.x, v.y, v.z, s}; }                   \
  __LP_BOTH name##4 make_##name##4(other1##4 v) { return {(_T)v.x, (_T)v.y, (_T)v.z, (_T)v.w}; }     \
  __LP_BOTH name##4 make_##name##4(other2##4 v) { return {(_T)v.x, (_T)v.y, (_T)v.z, (_T)v.w}; }
__LP_MAKE(float, float, int, uint)
__LP_MAKE(int, int, float, uint)
__LP_MAKE(uint, unsigned, float, int)
#undef __LP_MAKE

// Element by element: f(x, y), with numbers in a vector's place.
#define __LP_EACH(_V2, _V3, _V4, _T, name, f)                                                                 \
  __LP_BOTH _V2 name(_V2 a, _V2 b) { return {f(a.x, b.x), f(a.y, b.y)}; }                                     \
  __LP_BOTH _V3 name(_V3 a, _V3 b) { return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)}; }                        \
  __LP_BOTH _V4 name(_V4 a, _V4 b) { return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)}; }
#define __LP_ONE(name, _T, op, _N)                                                             \
  __LP_BOTH name##_N operator op(name##_N a, _T s) { return a op make_##name##_N(s); }         \
  __LP_BOTH name##_N operator op(_T s, name##_N a) { return make_##name##_N(s) op a; }         \
  __LP_BOTH void operator op##=(name##_N &a, name##_N b) { a = a op b; }                       \
  __LP_BOTH void operator op##=(name##_N &a, _T s) { a = a op make_##name##_N(s); }
#define __LP_OPERATOR(name, _T, op, f)                         \
  __LP_EACH(name##2, name##3, name##4, _T, operator op, f)     \
  __LP_ONE(name, _T, op, 2) __LP_ONE(name, _T, op, 3) __LP_ONE(name, _T, op, 4)
#define __LP_ADD(x, y) (x) + (y)
#define __LP_SUB(x, y) (x) - (y)
#define __LP_MUL(x, y) (x) * (y)
#define __LP_DIV(x, y) (x) / (y)
#define __LP_LESS(x, y) (y) < (x) ? (y) : (x)
#define __LP_MORE(x, y) (x) < (y) ? (y) : (x)
__LP_ALL(__LP_OPERATOR, +, __LP_ADD)
__LP_ALL(__LP_OPERATOR, -, __LP_SUB)
__LP_ALL(__LP_OPERATOR, *, __LP_MUL)
__LP_OPERATOR(float, float, /, __LP_DIV)
__LP_EACH(float2, float3, float4, float, fminf, __LP_LESS)
__LP_EACH(float2, float3, float4, float, fmaxf, __LP_MORE)
__LP_EACH(int2, int3, int4, int, min, __LP_LESS)
__LP_EACH(int2, int3, int4, int, max, __LP_MORE)
__LP_EACH(uint2, uint3, uint4, unsigned, min, __LP_LESS)
__LP_EACH(uint2, uint3, uint4, unsigned, max, __LP_MORE)
__LP_EACH(float2, float3, float4, float, fmodf, fmodf)
#undef __LP_OPERATOR
#undef __LP_ONE
#undef __LP_EACH

// Element by element: f(x).
#define __LP_EACH(_V2, _V3, _V4, name, f)                                     \
  __LP_BOTH _V2 name(_V2 a) { return {f(a.x), f(a.y)}; }                      \
  __LP_BOTH _V3 name(_V3 a) { return {f(a.x), f(a.y), f(a.z)}; }              \
  __LP_BOTH _V4 name(_V4 a) { return {f(a.x), f(a.y), f(a.z), f(a.w)}; }
__LP_EACH(float2, float3, float4, operator-, -)
__LP_EACH(int2, int3, int4, operator-, -)
__LP_EACH(float2, float3, float4, floorf, floorf)
__LP_EACH(float2, float3, float4, fabs, fabsf)
__LP_EACH(int2, int3, int4, abs, abs)
__LP_BOTH float fracf(float x) { return x - floorf(x); }
__LP_EACH(float2, float3, float4, fracf, fracf)
#undef __LP_EACH

#define __LP_DOT(name, _T, ...)                                                                           \
  __LP_BOTH _T dot(name##2 a, name##2 b) { return a.x * b.x + a.y * b.y; }                                \
  __LP_BOTH _T dot(name##3 a, name##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                    \
  __LP_BOTH _T dot(name##4 a, name##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__LP_ALL(__LP_DOT, )
__LP_BOTH float lerp(float a, float b, float t) { return a + t * (b - a); }
__LP_BOTH float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
__LP_BOTH int clamp(int v, int a, int b) { return __LP_MORE(a, (__LP_LESS(v, b))); }
__LP_BOTH unsigned clamp(unsigned v, unsigned a, unsigned b) { return __LP_MORE(a, (__LP_LESS(v, b))); }
__LP_BOTH float smoothstep(float a, float b, float x) {
  float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
#define __LP_GEOMETRY(_V, make)                                                                  \
  __LP_BOTH _V lerp(_V a, _V b, float t) { return a + t * (b - a); }                             \
  __LP_BOTH _V clamp(_V v, _V a, _V b) { return fmaxf(a, fminf(v, b)); }                         \
  __LP_BOTH _V clamp(_V v, float a, float b) { return clamp(v, make(a), make(b)); }              \
  __LP_BOTH float length(_V v) { return sqrtf(dot(v, v)); }                                      \
  __LP_BOTH _V normalize(_V v) { return v * (1.0f / sqrtf(dot(v, v))); }                         \
  __LP_BOTH _V reflect(_V i, _V n) { return i - 2.0f * n * dot(n, i); }                          \
  __LP_BOTH _V smoothstep(_V a, _V b, _V x) {                                                    \
    _V t = clamp((x - a) / (b - a), 0.0f, 1.0f);                                                 \
    return t * t * (make(3.0f) - make(2.0f) * t);                                                \
  }
__LP_GEOMETRY(float2, make_float2)
__LP_GEOMETRY(float3, make_float3)
__LP_GEOMETRY(float4, make_float4)
#define __LP_CLAMP(_V, make, _T)                                               \
  __LP_BOTH _V clamp(_V v, _V a, _V b) { return max(a, min(v, b)); }           \
  __LP_BOTH _V clamp(_V v, _T a, _T b) { return clamp(v, make(a), make(b)); }
__LP_CLAMP(int2, make_int2, int)
__LP_CLAMP(int3, make_int3, int)
__LP_CLAMP(int4, make_int4, int)
__LP_CLAMP(uint2, make_uint2, unsigned)
__LP_CLAMP(uint3, make_uint3, unsigned)
__LP_CLAMP(uint4, make_uint4, unsigned)
__LP_BOTH float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#undef __LP_CLAMP
#undef __LP_GEOMETRY
#undef __LP_DOT
#undef __LP_ALL
#undef __LP_ADD
#undef __LP_SUB
#undef __LP_MUL
#undef __LP_DIV
#undef __LP_LESS
#undef __LP_MORE
