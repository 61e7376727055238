// The conversions as functions, of one platform: `__nv_cvt_float_to_fp8` and its like. No guard: included for each, with
//   __LP_1(name)                   the platform's prefix put before a name: __LP_1(cvt_float_to_fp8)
//   __LP_SATURATION, __LP_FORMATS  its enumerations
//   __LP_FINITE                    the value of the first that saturates
//   __LP_AMD                       whether AMD's rules hold
// defined.

typedef unsigned char __LP_1(fp8_storage_t);
typedef unsigned short __LP_1(fp8x2_storage_t);
typedef unsigned int __LP_1(fp8x4_storage_t);

#define __LP_CONVERTED(name, pair, _T, _T2)                                                              \
  __LP_BOTH __LP_1(fp8_storage_t) __LP_1(name)(_T v, __LP_SATURATION saturation, __LP_FORMATS format) {   \
    return __lp::fp8_of(v, saturation == __LP_FINITE, (__lp::fp8_format)format, __LP_AMD);                \
  }                                                                                                       \
  __LP_BOTH __LP_1(fp8x2_storage_t) __LP_1(pair)(_T2 v, __LP_SATURATION saturation, __LP_FORMATS format) { \
    return (unsigned short)(__LP_1(name)(v.x, saturation, format) | __LP_1(name)(v.y, saturation, format) << 8); \
  }
__LP_CONVERTED(cvt_float_to_fp8, cvt_float2_to_fp8x2, float, float2)
#ifndef __LP_NO_FP64__
__LP_CONVERTED(cvt_double_to_fp8, cvt_double2_to_fp8x2, double, double2)
#endif
#undef __LP_CONVERTED

__LP_BOTH __LP_1(fp8_storage_t) __LP_1(cvt_halfraw_to_fp8)(__half_raw v, __LP_SATURATION saturation, __LP_FORMATS format) {
  return __LP_1(cvt_float_to_fp8)((float)__half(v), saturation, format);
}
__LP_BOTH __LP_1(fp8_storage_t) __LP_1(cvt_bfloat16raw_to_fp8)(__nv_bfloat16_raw v, __LP_SATURATION saturation,
                                                               __LP_FORMATS format) {
  return __LP_1(cvt_float_to_fp8)((float)__nv_bfloat16(v), saturation, format);
}
__LP_BOTH __LP_1(fp8x2_storage_t) __LP_1(cvt_halfraw2_to_fp8x2)(__half2_raw v, __LP_SATURATION saturation,
                                                                __LP_FORMATS format) {
  __half_raw x, y;
  x.x = v.x, y.x = v.y;
  return (unsigned short)(__LP_1(cvt_halfraw_to_fp8)(x, saturation, format) |
                          __LP_1(cvt_halfraw_to_fp8)(y, saturation, format) << 8);
}
__LP_BOTH __LP_1(fp8x2_storage_t) __LP_1(cvt_bfloat16raw2_to_fp8x2)(__nv_bfloat162_raw v, __LP_SATURATION saturation,
                                                                    __LP_FORMATS format) {
  __nv_bfloat16_raw x, y;
  x.x = v.x, y.x = v.y;
  return (unsigned short)(__LP_1(cvt_bfloat16raw_to_fp8)(x, saturation, format) |
                          __LP_1(cvt_bfloat16raw_to_fp8)(y, saturation, format) << 8);
}
__LP_BOTH __half_raw __LP_1(cvt_fp8_to_halfraw)(__LP_1(fp8_storage_t) x, __LP_FORMATS format) {
  __half_raw made;
  made.x = 0x7fff;  // NaN, whichever it was
  if (__lp::fp8_is_nan(x, (__lp::fp8_format)format)) return made;
  return (__half_raw)__half(__lp::fp8_value(x, (__lp::fp8_format)format));
}
__LP_BOTH __half2_raw __LP_1(cvt_fp8x2_to_halfraw2)(__LP_1(fp8x2_storage_t) x, __LP_FORMATS format) {
  __half2_raw made;
  made.x = __LP_1(cvt_fp8_to_halfraw)((unsigned char)x, format).x;
  made.y = __LP_1(cvt_fp8_to_halfraw)((unsigned char)(x >> 8), format).x;
  return made;
}
#undef __LP_1
#undef __LP_SATURATION
#undef __LP_FORMATS
#undef __LP_FINITE
