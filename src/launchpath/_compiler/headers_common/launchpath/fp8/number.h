// A format of 8 bits: the class, and those of two and four. No guard: included once for each format, with
//   __LP_F, __LP_F2, __LP_F4  the names of the three classes
//   __LP_FORMAT               the format
//   __LP_AMD                  whether AMD's rules hold
//   __LP_EXPLICIT             `explicit` if conversions are, else nothing
// defined.

struct __LP_F {
  unsigned char __x;

  __LP_F() = default;
  __LP_EXPLICIT __LP_MEMBER __LP_F(__half v) : __x(__of((float)v)) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F(__nv_bfloat16 v) : __x(__of((float)v)) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F(float v) : __x(__of(v)) {}
#ifndef __LP_NO_FP64__
  __LP_EXPLICIT __LP_MEMBER __LP_F(double v) : __x(__lp::fp8_of(v, true, __lp::__LP_FORMAT, __LP_AMD)) {}
  explicit __LP_MEMBER operator double() const { return (double)__value(); }
#endif
#define __LP_INTEGER(_T)                                            \
  __LP_EXPLICIT __LP_MEMBER __LP_F(_T v) : __x(__of((float)v)) {} \
  explicit __LP_MEMBER operator _T() const { return __lp::fp8_integer<_T>(__value()); }
  __LP_INTEGER(short)
  __LP_INTEGER(unsigned short)
  __LP_INTEGER(int)
  __LP_INTEGER(unsigned int)
  __LP_INTEGER(long)
  __LP_INTEGER(unsigned long)
  __LP_INTEGER(long long)
  __LP_INTEGER(unsigned long long)
#undef __LP_INTEGER
  __LP_EXPLICIT __LP_MEMBER operator float() const { return __value(); }
  explicit __LP_MEMBER operator __half() const { return __half(__value()); }
  explicit __LP_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16(__value()); }
  explicit __LP_MEMBER operator char() const { return __lp::fp8_integer<char>(__value()); }
  explicit __LP_MEMBER operator signed char() const { return __lp::fp8_integer<signed char>(__value()); }
  explicit __LP_MEMBER operator unsigned char() const { return __lp::fp8_integer<unsigned char>(__value()); }
  explicit __LP_MEMBER operator bool() const { return __value() != 0.0f; }

  __LP_MEMBER float __value() const { return __lp::fp8_value(__x, __lp::__LP_FORMAT); }
  __LP_MEMBER static unsigned char __of(float v) { return __lp::fp8_of(v, true, __lp::__LP_FORMAT, __LP_AMD); }
};

struct alignas(2) __LP_F2 {
  unsigned short __x;

  __LP_F2() = default;
  __LP_EXPLICIT __LP_MEMBER __LP_F2(__half2 v) : __x(__of(v)) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F2(__nv_bfloat162 v) : __x(__of(v)) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F2(float2 v) : __x(__of(v)) {}
#ifndef __LP_NO_FP64__
  __LP_EXPLICIT __LP_MEMBER __LP_F2(double2 v) : __x((unsigned short)(__LP_F(v.x).__x | __LP_F(v.y).__x << 8)) {}
#endif
  __LP_EXPLICIT __LP_MEMBER operator float2() const {
    float2 v;
    v.x = __lp::fp8_value((unsigned char)__x, __lp::__LP_FORMAT);
    v.y = __lp::fp8_value((unsigned char)(__x >> 8), __lp::__LP_FORMAT);
    return v;
  }
  explicit __LP_MEMBER operator __half2() const {
    float2 v = (float2)*this;
    return __half2(__half(v.x), __half(v.y));
  }
  explicit __LP_MEMBER operator __nv_bfloat162() const {
    float2 v = (float2)*this;
    return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y));
  }

  template <class _T> __LP_MEMBER static unsigned short __of(_T v) {
    return (unsigned short)(__LP_F::__of((float)v.x) | __LP_F::__of((float)v.y) << 8);
  }
};

struct alignas(4) __LP_F4 {
  unsigned int __x;

  __LP_F4() = default;
  __LP_EXPLICIT __LP_MEMBER __LP_F4(__half2 low, __half2 high) : __x(__LP_F2::__of(low) | (unsigned)__LP_F2::__of(high) << 16) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F4(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(__LP_F2::__of(low) | (unsigned)__LP_F2::__of(high) << 16) {}
  __LP_EXPLICIT __LP_MEMBER __LP_F4(float4 v)
      : __x(__LP_F::__of(v.x) | (unsigned)__LP_F::__of(v.y) << 8 | (unsigned)__LP_F::__of(v.z) << 16 |
            (unsigned)__LP_F::__of(v.w) << 24) {}
#ifndef __LP_NO_FP64__
  __LP_EXPLICIT __LP_MEMBER __LP_F4(double4 v)
      : __x(__LP_F(v.x).__x | (unsigned)__LP_F(v.y).__x << 8 | (unsigned)__LP_F(v.z).__x << 16 |
            (unsigned)__LP_F(v.w).__x << 24) {}
#endif
  __LP_EXPLICIT __LP_MEMBER operator float4() const {
    float4 v;
    v.x = __lp::fp8_value((unsigned char)__x, __lp::__LP_FORMAT);
    v.y = __lp::fp8_value((unsigned char)(__x >> 8), __lp::__LP_FORMAT);
    v.z = __lp::fp8_value((unsigned char)(__x >> 16), __lp::__LP_FORMAT);
    v.w = __lp::fp8_value((unsigned char)(__x >> 24), __lp::__LP_FORMAT);
    return v;
  }
};
#undef __LP_F
#undef __LP_F2
#undef __LP_F4
#undef __LP_FORMAT
