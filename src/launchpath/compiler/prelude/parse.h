/* What the parser knows of HIP and CUDA. It is read for structure only: an undeclared function is no
   error here (the device's compiler has the last word), so declarations are loose. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __lpi_bounds(...) __attribute__((annotate("launch_bounds=" #__VA_ARGS__)))
#define __launch_bounds__(...) __lpi_bounds(__VA_ARGS__)

#undef __CUDA__
#undef __CUDA_ARCH__
#undef __NVPTX__
#undef __linux__
#undef __x86_64__

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

namespace __lpi {
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifndef __lpi_no_vectors
#define __lpi_vector(T, name, align2, align4)                                  \
  struct name##1 { T x; };                                                     \
  struct __attribute__((aligned(align2))) name##2 { T x, y; };                 \
  struct name##3 { T x, y, z; };                                               \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };           \
  __device__ name##1 make_##name##1(T);                                        \
  __device__ name##2 make_##name##2(T, T);                                     \
  __device__ name##3 make_##name##3(T, T, T);                                  \
  __device__ name##4 make_##name##4(T, T, T, T);
__lpi_vector(signed char, char, 2, 4)
__lpi_vector(unsigned char, uchar, 2, 4)
__lpi_vector(short, short, 4, 8)
__lpi_vector(unsigned short, ushort, 4, 8)
__lpi_vector(int, int, 8, 16)
__lpi_vector(unsigned, uint, 8, 16)
__lpi_vector(long, long, 16, 16)
__lpi_vector(unsigned long, ulong, 16, 16)
__lpi_vector(long, longlong, 16, 16)
__lpi_vector(unsigned long, ulonglong, 16, 16)
__lpi_vector(float, float, 8, 16)
__lpi_vector(double, double, 16, 16)
struct index : uint3 {};
#else
struct index { unsigned x, y, z; };
#endif
#ifndef __lpi_no_dim3
struct dim3 {
  unsigned x, y, z;
  __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __device__ constexpr dim3(index v) : x(v.x), y(v.y), z(v.z) {}
};
#endif
extern const __device__ index threadIdx, blockIdx, blockDim, gridDim;
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
#define __lpi_1(f) template <class A> __device__ A f(A);
#define __lpi_2(f) template <class A, class B> __device__ A f(A, B);
#define __lpi_3(f) template <class A, class B, class C> __device__ A f(A, B, C);
#define __lpi_m1(g) __lpi_1(g) __lpi_1(g##f)
#define __lpi_m2(g) __lpi_2(g) __lpi_2(g##f)
__lpi_m1(sin) __lpi_m1(cos) __lpi_m1(tan) __lpi_m1(asin) __lpi_m1(acos) __lpi_m1(atan)
__lpi_m1(sinh) __lpi_m1(cosh) __lpi_m1(tanh) __lpi_m1(exp) __lpi_m1(exp2) __lpi_m1(log)
__lpi_m1(log2) __lpi_m1(log10) __lpi_m1(sqrt) __lpi_m1(rsqrt) __lpi_m1(cbrt) __lpi_m1(fabs)
__lpi_m1(floor) __lpi_m1(ceil) __lpi_m1(round) __lpi_m1(trunc) __lpi_m1(rint) __lpi_m1(erf)
__lpi_m2(pow) __lpi_m2(fmod) __lpi_m2(fmin) __lpi_m2(fmax) __lpi_m2(atan2) __lpi_m2(hypot)
__lpi_2(min) __lpi_2(max) __lpi_1(abs) __lpi_3(fma) __lpi_3(fmaf)
template <class A> __device__ A __ldg(const A *);
#define __lpi_a(f) template <class A, class B> __device__ A f(A *, B);
__lpi_a(atomicAdd) __lpi_a(atomicSub) __lpi_a(atomicExch) __lpi_a(atomicMin) __lpi_a(atomicMax)
__lpi_a(atomicAnd) __lpi_a(atomicOr) __lpi_a(atomicXor) __lpi_a(atomicInc) __lpi_a(atomicDec)
template <class A, class B, class C> __device__ A atomicCAS(A *, B, C);
template <class... A> __device__ int printf(const char *, A...);
} // namespace __lpi
using namespace __lpi;

#define NULL 0
#define assert(x) ((void)0)
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define CHAR_BIT 8
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LLONG_MAX __LONG_MAX__
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define M_PI 3.14159265358979323846
#define M_PI_F 3.14159274101257f
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_E 2.71828182845904523536
#define M_SQRT2 1.41421356237309504880
