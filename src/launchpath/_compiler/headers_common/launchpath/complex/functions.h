// Complex numbers as pairs, and their functions, as HIP and CUDA have them but for the first letters: __LP_C(name).
// No guard: included once for each.

typedef float2 __LP_C(FloatComplex);
typedef double2 __LP_C(DoubleComplex);
typedef float2 __LP_C(Complex);

#define __LP_COMPLEX(C, _T, f, make, hypotenuse)                                                   \
  __LP_BOTH C make(_T re, _T im) { return C{re, im}; }                                              \
  __LP_BOTH _T __LP_C(Creal##f)(C z) { return z.x; }                                               \
  __LP_BOTH _T __LP_C(Cimag##f)(C z) { return z.y; }                                               \
  __LP_BOTH C __LP_C(Conj##f)(C z) { return C{z.x, -z.y}; }                                       \
  __LP_BOTH C __LP_C(Cadd##f)(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                       \
  __LP_BOTH C __LP_C(Csub##f)(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                       \
  __LP_BOTH C __LP_C(Cmul##f)(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  /* Scaled, so that b's square neither overflows nor vanishes. */                               \
  __LP_BOTH C __LP_C(Cdiv##f)(C a, C b) {                                                         \
    _T scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                              \
    _T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                     \
    _T inverse = 1 / (bx * bx + by * by);                                                          \
    return C{(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                       \
  }                                                                                               \
  __LP_BOTH _T __LP_C(Cabs##f)(C z) { return hypotenuse(z.x, z.y); }                               \
  __LP_BOTH _T __LP_C(Csqabs##f)(C z) { return z.x * z.x + z.y * z.y; }                            \
  __LP_BOTH C __LP_C(Cfma##f)(C a, C b, C c) {                                                    \
    return C{a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                           \
  }
__LP_COMPLEX(float2, float, f, __LP_MAKE(FloatComplex), ::hypotf)
__LP_COMPLEX(double2, double, , __LP_MAKE(DoubleComplex), ::hypot)
#undef __LP_COMPLEX
__LP_BOTH float2 __LP_MAKE(Complex)(float re, float im) { return float2{re, im}; }
__LP_BOTH double2 __LP_C(ComplexFloatToDouble)(float2 z) { return double2{z.x, z.y}; }
__LP_BOTH float2 __LP_C(ComplexDoubleToFloat)(double2 z) { return float2{(float)z.x, (float)z.y}; }
