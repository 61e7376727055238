/* HIP and CUDA spelled for OpenCL: what all dialects share. */
#define __lpi_inline __attribute__((always_inline))
#define __global__ __lpi_inline __lpi_overloadable
#define __device__ __lpi_overloadable
#define __host__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __lpi_inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __lpi static inline __lpi_inline __lpi_overloadable

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
#define assert(x) ((void)0)
#define LLONG_MAX LONG_MAX
#define LLONG_MIN LONG_MIN
#define ULLONG_MAX ULONG_MAX

/* As CUDA aligns dynamic shared memory. */
typedef struct { char x; } __attribute__((aligned(16))) __lpi_aligned;

/* OpenCL pads vectors of three to four; CUDA does not. */
#define __lpi_vector3(T, C) typedef struct { C x, y, z; } __lpi_##T##3;
__lpi_vector3(char, signed char) __lpi_vector3(uchar, unsigned char)
__lpi_vector3(short, short) __lpi_vector3(ushort, unsigned short)
__lpi_vector3(int, int) __lpi_vector3(uint, unsigned)
__lpi_vector3(long, long) __lpi_vector3(ulong, unsigned long) __lpi_vector3(float, float)
#ifdef __lpi_uses_make
#define __lpi_make(T)                                                                          \
  __lpi T##2 make_##T##2(T x, T y) { T##2 v; v.x = x; v.y = y; return v; }                     \
  __lpi __lpi_##T##3 make_##T##3(T x, T y, T z) {                                              \
    __lpi_##T##3 v; v.x = x; v.y = y; v.z = z; return v;                                       \
  }                                                                                            \
  __lpi T##4 make_##T##4(T x, T y, T z, T w) { T##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }
__lpi_make(char) __lpi_make(uchar) __lpi_make(short) __lpi_make(ushort)
__lpi_make(int) __lpi_make(uint) __lpi_make(long) __lpi_make(ulong) __lpi_make(float)
#ifdef __lpi_fp64
__lpi double2 make_double2(double x, double y) { double2 v; v.x = x; v.y = y; return v; }
#endif
#endif
#define char3 __lpi_char3
#define uchar3 __lpi_uchar3
#define short3 __lpi_short3
#define ushort3 __lpi_ushort3
#define int3 __lpi_int3
#define uint3 __lpi_uint3
#define long3 __lpi_long3
#define ulong3 __lpi_ulong3
#define float3 __lpi_float3
#define longlong2 long2
#define ulonglong2 ulong2
#define dim3 __lpi_uint3

#define __lpi_index(name, get) \
  __lpi uint3 name(void) { uint3 v; v.x = (uint)get(0); v.y = (uint)get(1); v.z = (uint)get(2); return v; }
__lpi_index(__lpi_thread_idx, get_local_id)
__lpi_index(__lpi_block_idx, get_group_id)
__lpi_index(__lpi_block_dim, get_local_size)
__lpi_index(__lpi_grid_dim, get_num_groups)
#define threadIdx __lpi_thread_idx()
#define blockIdx __lpi_block_idx()
#define blockDim __lpi_block_dim()
#define gridDim __lpi_grid_dim()

/* Functions rather than macros from here on: the source may give OpenCL's names, such as barrier or clamp, to
   something of its own, and they are renamed by macros after this text. */
__lpi void __syncthreads(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

#define __ldg(p) (*(p))
__lpi int __mul24(int a, int b) { return mul24(a, b); }
__lpi unsigned __umul24(unsigned a, unsigned b) { return mul24(a, b); }
__lpi int __mulhi(int a, int b) { return mul_hi(a, b); }
__lpi unsigned __umulhi(unsigned a, unsigned b) { return mul_hi(a, b); }
__lpi long __mul64hi(long a, long b) { return mul_hi(a, b); }
__lpi unsigned long __umul64hi(unsigned long a, unsigned long b) { return mul_hi(a, b); }
__lpi int __popc(unsigned x) { return (int)popcount(x); }
__lpi int __popcll(unsigned long x) { return (int)popcount(x); }
__lpi int __clz(int x) { return (int)clz((unsigned)x); }
__lpi int __clzll(long x) { return (int)clz((unsigned long)x); }
__lpi int __ffs(int x) { return x == 0 ? 0 : 32 - (int)clz((unsigned)x & -(unsigned)x); }
__lpi int __ffsll(long x) { return x == 0 ? 0 : 64 - (int)clz((unsigned long)x & -(unsigned long)x); }
__lpi unsigned __brev(unsigned x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}
__lpi unsigned long __brevll(unsigned long x) {
  return ((unsigned long)__brev((unsigned)x) << 32) | __brev((unsigned)(x >> 32));
}
__lpi int __float_as_int(float x) { return as_int(x); }
__lpi unsigned __float_as_uint(float x) { return as_uint(x); }
__lpi float __int_as_float(int x) { return as_float(x); }
__lpi float __uint_as_float(unsigned x) { return as_float(x); }
#ifdef __lpi_fp64
__lpi long __double_as_longlong(double x) { return as_long(x); }
__lpi double __longlong_as_double(long x) { return as_double(x); }
#endif
__lpi int __float2int_rn(float x) { return convert_int_rte(x); }
__lpi int __float2int_rz(float x) { return convert_int_rtz(x); }
__lpi int __float2int_rd(float x) { return convert_int_rtn(x); }
__lpi int __float2int_ru(float x) { return convert_int_rtp(x); }
__lpi unsigned __float2uint_rn(float x) { return convert_uint_rte(x); }
__lpi unsigned __float2uint_rz(float x) { return convert_uint_rtz(x); }
__lpi float __int2float_rn(int x) { return convert_float_rte(x); }
__lpi float __uint2float_rn(unsigned x) { return convert_float_rte(x); }
