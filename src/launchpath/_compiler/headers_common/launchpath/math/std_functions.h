// The math functions as std:: functions, also of sources that do not include <cmath>: nvcc includes it always.
#pragma once

namespace std {
#define __LP_STD1(name) using ::name; using ::name##f;
__LP_STD1(sin) __LP_STD1(cos) __LP_STD1(tan) __LP_STD1(asin) __LP_STD1(acos) __LP_STD1(atan) __LP_STD1(atan2)
__LP_STD1(sinh) __LP_STD1(cosh) __LP_STD1(tanh) __LP_STD1(asinh) __LP_STD1(acosh) __LP_STD1(atanh)
__LP_STD1(exp) __LP_STD1(exp2) __LP_STD1(expm1) __LP_STD1(log) __LP_STD1(log2) __LP_STD1(log10) __LP_STD1(log1p)
__LP_STD1(sqrt) __LP_STD1(cbrt) __LP_STD1(pow) __LP_STD1(hypot) __LP_STD1(fabs) __LP_STD1(floor) __LP_STD1(ceil)
__LP_STD1(trunc) __LP_STD1(rint) __LP_STD1(nearbyint) __LP_STD1(round) __LP_STD1(fmin) __LP_STD1(fmax) __LP_STD1(fmod)
__LP_STD1(fma) __LP_STD1(fdim) __LP_STD1(remainder) __LP_STD1(remquo) __LP_STD1(copysign) __LP_STD1(nextafter)
__LP_STD1(erf) __LP_STD1(erfc) __LP_STD1(lgamma) __LP_STD1(tgamma) __LP_STD1(ldexp) __LP_STD1(frexp) __LP_STD1(modf)
__LP_STD1(scalbn) __LP_STD1(scalbln) __LP_STD1(ilogb) __LP_STD1(logb) __LP_STD1(lrint) __LP_STD1(llrint)
__LP_STD1(lround) __LP_STD1(llround) __LP_STD1(nan)
#undef __LP_STD1
using ::abs;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::signbit;
}  // namespace std
