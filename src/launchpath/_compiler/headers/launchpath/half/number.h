// A type of 16 bits, and the pair of it: the classes and their operators. No guard: included once for each type, with
//   __LP_H, __LP_H2, __LP_RAW, __LP_RAW2  the names of the four classes
//   __LP_DATA                             the compiler's type of the numbers, if it has one
//   __LP_BITS                             the name of the member that holds the bits
//   __LP_WORK                             the type that arithmetic is done in
//   __LP_TO_BITS, __LP_FROM_BITS          to and from the type that arithmetic is done in
// defined.

struct __LP_RAW {
  unsigned short x;
};
struct alignas(4) __LP_RAW2 {
  unsigned short x, y;
};

struct __LP_H {
  unsigned short __LP_BITS;

  __LP_H() = default;
  __LP_MEMBER constexpr __LP_H(__LP_RAW raw) : __LP_BITS(raw.x) {}
  template <class _T, class = __lp::enable_if_t<__lp::is_number<_T>>>
  __LP_MEMBER constexpr __LP_H(_T v) : __LP_BITS(__bits_of(v)) {}
#ifdef __LP_NATIVE
  __LP_MEMBER constexpr __LP_H(__LP_NATIVE v) : __LP_BITS(__LP_TO_BITS(v)) {}
#endif

  __LP_MEMBER constexpr operator float() const { return (float)__value(); }
  __LP_MEMBER constexpr operator __LP_RAW() const { return {__LP_BITS}; }

  __LP_MEMBER constexpr __LP_WORK __value() const { return __LP_FROM_BITS(__LP_BITS); }
  __LP_MEMBER static constexpr __LP_H __from(unsigned short bits) { return __LP_H(__LP_RAW{bits}); }
  __LP_MEMBER static constexpr __LP_H __round(__LP_WORK v) { return __from(__LP_TO_BITS(v)); }
  template <class _T> __LP_MEMBER static constexpr unsigned short __bits_of(_T v) {
#ifdef __LP_NATIVE
    return __LP_TO_BITS((__LP_WORK)v);
#else
    if constexpr (__lp::is_same<_T, float> || (__lp::is_integer<_T> && sizeof(_T) < 4)) return __LP_TO_BITS((float)v);
#ifndef __LP_NO_FP64__
    else if constexpr (sizeof(_T) < 8 || __lp::is_same<_T, double>) return __LP_TO_BITS(__lp::odd_float((double)v));
#endif
    else return __LP_TO_BITS((float)v);
#endif
  }

  template <class _T, class = __lp::enable_if_t<__lp::is_number<_T>>> __LP_MEMBER constexpr __LP_H &operator=(_T v) {
    __LP_BITS = __bits_of(v);
    return *this;
  }
  __LP_MEMBER constexpr __LP_H &operator+=(__LP_H b) { return *this = __round(__value() + b.__value()); }
  __LP_MEMBER constexpr __LP_H &operator-=(__LP_H b) { return *this = __round(__value() - b.__value()); }
  __LP_MEMBER constexpr __LP_H &operator*=(__LP_H b) { return *this = __round(__value() * b.__value()); }
  __LP_MEMBER constexpr __LP_H &operator/=(__LP_H b) { return *this = __round(__value() / b.__value()); }
  __LP_MEMBER constexpr __LP_H &operator++() { return *this += __LP_H(1); }
  __LP_MEMBER constexpr __LP_H &operator--() { return *this -= __LP_H(1); }
  __LP_MEMBER constexpr __LP_H operator++(int) {
    __LP_H old = *this;
    ++*this;
    return old;
  }
  __LP_MEMBER constexpr __LP_H operator--(int) {
    __LP_H old = *this;
    --*this;
    return old;
  }
  __LP_MEMBER constexpr __LP_H operator+() const { return *this; }
  __LP_MEMBER constexpr __LP_H operator-() const { return __from((unsigned short)(__LP_BITS ^ 0x8000u)); }
  // Below the template that its conversion needs: Clang makes that where it is first used.
  __LP_MEMBER static constexpr __LP_H round_to_bfloat16(float v) { return __LP_H(v); }
};

struct alignas(4) __LP_H2 {
#if defined(__LP_NATIVE__) && defined(__LP_DATA)
  union {
    struct {
      __LP_H x, y;
    };
    struct {
      __LP_DATA x, y;
    } data;  // HIP's name of the numbers, which host code writes
  };
#else
  __LP_H x, y;
#endif

  __LP_H2() = default;
  __LP_MEMBER constexpr __LP_H2(__LP_H a, __LP_H b) : x(a), y(b) {}
#ifdef __LP_CUDA__
  __LP_MEMBER explicit constexpr __LP_H2(__LP_H a) : x(a), y(a) {}
#else  // any number, as HIP's vector of two makes of it
  __LP_MEMBER constexpr __LP_H2(__LP_H a) : x(a), y(a) {}
  template <class _T, class = __lp::enable_if_t<__lp::is_number<_T>>>
  __LP_MEMBER constexpr __LP_H2(_T v) : x(v), y(v) {}
#endif
  __LP_MEMBER constexpr __LP_H2(__LP_RAW2 raw) : x(__LP_RAW{raw.x}), y(__LP_RAW{raw.y}) {}
  __LP_MEMBER constexpr operator __LP_RAW2() const { return {x.__LP_BITS, y.__LP_BITS}; }
  __LP_MEMBER constexpr operator float2() const { return {(float)x, (float)y}; }
  __LP_MEMBER constexpr __LP_H2 &operator+=(__LP_H2 b) { return *this = {x += b.x, y += b.y}; }
  __LP_MEMBER constexpr __LP_H2 &operator-=(__LP_H2 b) { return *this = {x -= b.x, y -= b.y}; }
  __LP_MEMBER constexpr __LP_H2 &operator*=(__LP_H2 b) { return *this = {x *= b.x, y *= b.y}; }
  __LP_MEMBER constexpr __LP_H2 &operator/=(__LP_H2 b) { return *this = {x /= b.x, y /= b.y}; }
  __LP_MEMBER constexpr __LP_H2 operator+() const { return *this; }
  __LP_MEMBER constexpr __LP_H2 operator-() const { return {-x, -y}; }
};

// With a plain number the operators are templates: conversions both ways would leave the choice open.
#define __LP_OPERATOR(op)                                                                                       \
  __LP_BOTH constexpr __LP_H operator op(__LP_H a, __LP_H b) { return __LP_H::__round(a.__value() op b.__value()); } \
  template <class _T> __LP_BOTH constexpr __lp::mixed<__LP_H, _T> operator op(__LP_H a, _T b) {                    \
    if constexpr (__lp::is_float<_T>) return (_T)(float)a op b;                                                   \
    else return a op __LP_H(b);                                                                                 \
  }                                                                                                             \
  template <class _T> __LP_BOTH constexpr __lp::mixed<__LP_H, _T> operator op(_T a, __LP_H b) {                    \
    if constexpr (__lp::is_float<_T>) return a op (_T)(float)b;                                                   \
    else return __LP_H(a) op b;                                                                                 \
  }                                                                                                             \
  __LP_BOTH constexpr __LP_H2 operator op(__LP_H2 a, __LP_H2 b) { return {a.x op b.x, a.y op b.y}; }
__LP_OPERATOR(+)
__LP_OPERATOR(-)
__LP_OPERATOR(*)
__LP_OPERATOR(/)
#undef __LP_OPERATOR

#define __LP_COMPARISON(op)                                                                              \
  __LP_BOTH constexpr bool operator op(__LP_H a, __LP_H b) { return a.__value() op b.__value(); }        \
  template <class _T> __LP_BOTH constexpr __lp::enable_if_t<__lp::is_number<_T>, bool> operator op(__LP_H a, _T b) { \
    return (float)a op b;                                                                                \
  }                                                                                                      \
  template <class _T> __LP_BOTH constexpr __lp::enable_if_t<__lp::is_number<_T>, bool> operator op(_T a, __LP_H b) { \
    return a op (float)b;                                                                                \
  }
__LP_COMPARISON(==)
__LP_COMPARISON(!=)
__LP_COMPARISON(<)
__LP_COMPARISON(<=)
__LP_COMPARISON(>)
__LP_COMPARISON(>=)
#undef __LP_COMPARISON
#define __LP_COMPARISON(op, join) \
  __LP_BOTH constexpr bool operator op(__LP_H2 a, __LP_H2 b) { return a.x op b.x join a.y op b.y; }
__LP_COMPARISON(==, &&)
__LP_COMPARISON(!=, ||)
__LP_COMPARISON(<, &&)
__LP_COMPARISON(<=, &&)
__LP_COMPARISON(>, &&)
__LP_COMPARISON(>=, &&)
#undef __LP_COMPARISON
