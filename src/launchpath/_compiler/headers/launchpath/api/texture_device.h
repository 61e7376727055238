// Textures and surfaces on the device. OpenCL devices here get plain pointers, so reads are done in software.
//
// A texture or surface object (cudaTextureObject_t, hipTextureObject_t, ...) is the device address of a descriptor: 64
// bytes that the host writes. A texture reference (`texture<float, 2> t;`) and a surface reference are device variables
// that begin with one; a texture's type says what its elements are, so that bytes 24 to 35 and 56 to 59 of its
// descriptor are not looked at. Programs may have macros for any name but CUDA's own and reserved ones.
#pragma once

struct __lp_texture {
  const void *__data;                     //  0: the first element, aligned to its size
  unsigned int __width;                   //  8: in elements; 0 in a reference that nothing is bound to: all reads are 0
  unsigned int __height;                  // 12: 0 is 1
  unsigned int __depth;                   // 16: or the number of layers; 0 is 1
  unsigned int __pitch;                   // 20: bytes from row to row, 0 if rows touch; a slice or layer is height rows
  unsigned int __channels;                // 24: 1, 2 or 4
  unsigned int __kind;                    // 28: 0 unsigned int, 1 int, 2 float
  unsigned int __bits;                    // 32: of a channel: 8, 16 or 32
  unsigned int __address_mode[3];         // 36: 0 wrap, 1 clamp, 2 mirror, 3 border, which is zeros
  unsigned int __linear;                  // 48: 0 the nearest element, 1 linear interpolation, if reads give floats
  unsigned int __normalized_coordinates;  // 52: 0 in elements, 1 from 0 to 1
  unsigned int __normalized_read;         // 56: 1 if integers of 8 or 16 bits are read as floats up to 1
  unsigned int __reserved;                // 60: 0
};
static_assert(sizeof(__lp_texture) == 64, "hosts write it");

template <class _T, bool = __lp::is_number<_T>> struct __lp_texel {
  typedef _T __element;
  static constexpr unsigned int __channels = 1;
};
template <class _T> struct __lp_texel<_T, false> {
  typedef decltype(_T::x) __element;
  static constexpr unsigned int __channels = sizeof(_T) / sizeof(__element);
};
template <> struct __lp_texel<void, false> {};
template <class _T> using __lp_texel_element = typename __lp_texel<_T>::__element;

// What a reference's reads give: the elements, or floats in their place.
template <class _T, int _M, unsigned int = __lp_texel<_T>::__channels> struct __lp_texture_read { typedef _T __type; };
template <class _T> struct __lp_texture_read<_T, 1, 1> {
  typedef __lp::conditional_t<__lp::is_number<_T>, float, float1> __type;
};
template <class _T> struct __lp_texture_read<_T, 1, 2> { typedef float2 __type; };
template <class _T> struct __lp_texture_read<_T, 1, 4> { typedef float4 __type; };

struct __lp_channel_format {
  int x, y, z, w, f;
  template <class _C> __LP_MEMBER __lp_channel_format &operator=(const _C &__from) {
    x = __from.x, y = __from.y, z = __from.z, w = __from.w, f = (int)__from.f;
    return *this;
  }
};
struct textureReference {
  const void *__data = nullptr;
  unsigned int __size[3] = {}, __pitch = 0, __element[3] = {};
  int addressMode[3] = {1, 1, 1}, filterMode = 0, normalized = 0;
  unsigned int __read = 0, __reserved = 0;
  __lp_channel_format channelDesc = {};
  int sRGB = 0;
};
// The attributes make variables of these types the device's, without `__device__`.
template <class _T, int _D = 1, int _M = 0>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __LP_MEMBER constexpr texture(int __normalized = 0, int __filter = 0, int __address = 1) {
    normalized = __normalized, filterMode = __filter;
    addressMode[0] = addressMode[1] = addressMode[2] = __address;
  }
  template <class _C>
  __LP_MEMBER constexpr texture(int __normalized, int __filter, int __address, const _C &)
      : texture(__normalized, __filter, __address) {}
};
template <class _T, int _D = 1> struct __attribute__((device_builtin_surface_type)) surface {
  __lp_texture __descriptor = {};
};

#ifndef __LP_OUTLINE__
typedef __attribute__((address_space(1))) unsigned char *__lp_texture_bytes;

// -- what is read

__LP_DEVICE __lp_texture __lp_texture_of(unsigned long long __object) {
  return *(const __lp_texture *)(__attribute__((address_space(1))) const __lp_texture *)__object;
}
template <class _T, int _D, int _M> __LP_DEVICE __lp_texture __lp_texture_of(const texture<_T, _D, _M> &__t) {
  typedef __lp_texel_element<_T> _E;
  constexpr unsigned int __kind = __lp::is_float<_E> ? 2 : (_E)-1 < (_E)0;
  return {__t.__data, __t.__size[0], __t.__size[1], __t.__size[2], __t.__pitch, __lp_texel<_T>::__channels, __kind,
          8 * sizeof(_E), {(unsigned int)__t.addressMode[0], (unsigned int)__t.addressMode[1],
          (unsigned int)__t.addressMode[2]}, (unsigned int)__t.filterMode, __t.normalized != 0, _M == 1, 0};
}
template <class _T, int _D> __LP_DEVICE __lp_texture __lp_texture_of(const surface<_T, _D> &__s) {
  return __s.__descriptor;
}

__LP_DEVICE __lp_texture_bytes __lp_texture_at(const __lp_texture &__t, unsigned int __i, unsigned int __j,
                                               unsigned int __k) {
  unsigned long __size = __t.__channels * (__t.__bits / 8), __pitch = __t.__pitch ? __t.__pitch : __t.__width * __size;
  unsigned long __row = (unsigned long)__k * (__t.__height ? __t.__height : 1) + __j;
  return (__lp_texture_bytes)__t.__data + __row * __pitch + __i * __size;
}

// A channel in 32 bits, as registers have it.
__LP_DEVICE unsigned int __lp_texture_channel(const __lp_texture &__t, __lp_texture_bytes __at) {
  typedef __attribute__((address_space(1))) const unsigned short *_Short;
  typedef __attribute__((address_space(1))) const unsigned int *_Int;
  if (__t.__bits == 8) return __t.__kind == 1 ? (unsigned int)(int)(signed char)*__at : *__at;
  if (__t.__bits == 16) return __t.__kind == 1 ? (unsigned int)(int)(short)*(_Short)__at : *(_Short)__at;
  return *(_Int)__at;
}
__LP_DEVICE float __lp_texture_half(unsigned int __h) {
  unsigned int __sign = (__h & 0x8000) << 16, __rest = __h & 0x7fff;
  if (__rest >= 0x7c00) return __builtin_bit_cast(float, __sign | 0x7f800000 | __rest << 13);
  // Subnormal halves by their integer: subnormal floats may be taken for zero.
  float __value = __rest < 0x400 ? __rest * 0x1p-24f : __builtin_bit_cast(float, (__rest << 13) + 0x38000000);
  return __sign ? -__value : __value;
}
template <class _E> __LP_DEVICE _E __lp_texture_value(const __lp_texture &__t, unsigned int __raw) {
  if constexpr (!__lp::is_float<_E>) return (_E)__raw;
  else if (__t.__kind == 2 && __t.__bits == 16) return __lp_texture_half(__raw);
  else if (__t.__kind == 2 || !__t.__normalized_read || __t.__bits == 32) return __builtin_bit_cast(float, __raw);
  else if (__t.__kind == 0) return (float)__raw / (__t.__bits == 8 ? 255.0f : 65535.0f);
  else return __builtin_fmaxf((float)(int)__raw / (__t.__bits == 8 ? 127.0f : 32767.0f), -1.0f);
}
template <class _T> __LP_DEVICE _T __lp_texture_made(const __lp_texel_element<_T> *__e) {
  if constexpr (__lp::is_number<_T>) return *__e;
  else {
    _T __made;
    __made.x = __e[0];
    if constexpr (__lp_texel<_T>::__channels > 1) __made.y = __e[1];
    if constexpr (__lp_texel<_T>::__channels > 2) __made.z = __e[2];
    if constexpr (__lp_texel<_T>::__channels > 3) __made.w = __e[3];
    return __made;
  }
}

// -- where it is read

struct __lp_texture_place {
  int __low, __high;
  float __weight;  // the high one's
};
__LP_DEVICE int __lp_texture_index(unsigned int __mode, int __size, int __i) {
  if (__mode == 0) __i = __i < 0 ? __i + __size : __i >= __size ? __i - __size : __i;
  if (__mode == 3) return __i;
  __i = __i < __size ? __i : __size - 1;
  return __i > 0 ? __i : 0;
}
__LP_DEVICE __lp_texture_place __lp_texture_find(const __lp_texture &__t, unsigned int __mode, int __size, float __x) {
  if (!__t.__normalized_coordinates) {
    __mode = __mode == 3 ? 3 : 1;
  } else {
    if (__mode == 0 || __mode == 2) {
      float __whole = __builtin_floorf(__x), __half = 0.5f * __whole;
      __x -= __whole;
      if (__mode == 2 && __half != __builtin_floorf(__half)) __x = 1.0f - __x;
    }
    __x *= (float)__size;
  }
  if (__t.__linear) __x -= 0.5f;
  // Far outside is as good as just outside, and fits an integer. NaN becomes the lower bound.
  __x = __builtin_fminf(__builtin_fmaxf(__x, -2.0f), (float)__size + 1.0f);
  float __low = __builtin_floorf(__x);
  int __i = (int)__low;
  return {__lp_texture_index(__mode, __size, __i), __lp_texture_index(__mode, __size, __i + 1), __x - __low};
}

// The channels of one element; zeros outside.
template <class _T, int _D>
__LP_DEVICE void __lp_texture_load(const __lp_texture &__t, int __i, int __j, int __k, __lp_texel_element<_T> *__to) {
  typedef __lp_texel_element<_T> _E;
  static_assert(sizeof(_E) <= 4, "the channels of textures have 8, 16 or 32 bits");
  constexpr unsigned int __count = __lp_texel<_T>::__channels;
  bool __inside = (unsigned int)__i < __t.__width;
  if (_D > 1) __inside = __inside && (unsigned int)__j < (__t.__height ? __t.__height : 1);
  if (_D > 2) __inside = __inside && (unsigned int)__k < (__t.__depth ? __t.__depth : 1);
  if (!__inside) return;
  __lp_texture_bytes __at = __lp_texture_at(__t, __i, __j, __k);
  for (unsigned int __c = 0; __c < __count; ++__c)
    if (__c < __t.__channels)
      __to[__c] = __lp_texture_value<_E>(__t, __lp_texture_channel(__t, __at + __c * (__t.__bits / 8)));
}

// What is at a point of a texture of _D dimensions; with layers, __layer is one.
template <class _T, int _D>
__LP_DEVICE _T __lp_texture_sample(const __lp_texture &__t, float __x, float __y = 0, float __z = 0, int __layer = 0) {
  typedef __lp_texel_element<_T> _E;
  constexpr unsigned int __count = __lp_texel<_T>::__channels;
  __lp_texture_place __a = __lp_texture_find(__t, __t.__address_mode[0], __t.__width, __x), __b = {}, __c = {};
  if (_D > 1) __b = __lp_texture_find(__t, __t.__address_mode[1], __t.__height ? __t.__height : 1, __y);
  if (_D > 2) __c = __lp_texture_find(__t, __t.__address_mode[2], __t.__depth ? __t.__depth : 1, __z);
  else __c.__low = __lp_texture_index(1, __t.__depth ? __t.__depth : 1, __layer);
  _E __sum[__count] = {};
  if (!__lp::is_float<_E> || !__t.__linear) {
    __lp_texture_load<_T, _D>(__t, __a.__low, __b.__low, __c.__low, __sum);
    return __lp_texture_made<_T>(__sum);
  }
  if constexpr (__lp::is_float<_E>) {
#pragma clang loop unroll(disable)
    for (int __corner = 0; __corner < 1 << _D; ++__corner) {
      bool __right = __corner & 1, __below = __corner & 2, __behind = __corner & 4;
      float __weight = __right ? __a.__weight : 1 - __a.__weight;
      if (_D > 1) __weight *= __below ? __b.__weight : 1 - __b.__weight;
      if (_D > 2) __weight *= __behind ? __c.__weight : 1 - __c.__weight;
      _E __value[__count] = {};
      __lp_texture_load<_T, _D>(__t, __right ? __a.__high : __a.__low, __below ? __b.__high : __b.__low,
                                __behind ? __c.__high : __c.__low, __value);
      for (unsigned int __i = 0; __i < __count; ++__i) __sum[__i] += __weight * __value[__i];
    }
  }
  return __lp_texture_made<_T>(__sum);
}
// One channel of the four elements that interpolation would read: lower left, lower right, upper right, upper left.
template <class _E> struct __lp_texture_four { _E x, y, z, w; };
template <class _T> __LP_DEVICE _T __lp_texture_gather(__lp_texture __t, float __x, float __y, int __channel) {
  typedef __lp_texel_element<_T> _E;
  __t.__linear = 1;
  __lp_texture_place __a = __lp_texture_find(__t, __t.__address_mode[0], __t.__width, __x);
  __lp_texture_place __b = __lp_texture_find(__t, __t.__address_mode[1], __t.__height ? __t.__height : 1, __y);
  _E __gathered[4] = {};
  for (int __corner = 0; __corner < 4; ++__corner) {
    bool __right = __corner == 1 || __corner == 2, __below = __corner < 2;
    _E __value[4] = {};
    __lp_texture_load<__lp_texture_four<_E>, 2>(__t, __right ? __a.__high : __a.__low,
                                                __below ? __b.__high : __b.__low, 0, __value);
    __gathered[__corner] = __value[__channel & 3];
  }
  return __lp_texture_made<_T>(__gathered);
}
// By its index, whatever the texture's modes.
template <class _T> __LP_DEVICE _T __lp_texture_fetch(const __lp_texture &__t, int __i) {
  __lp_texel_element<_T> __value[__lp_texel<_T>::__channels] = {};
  __lp_texture_load<_T, 1>(__t, __i, 0, 0, __value);
  return __lp_texture_made<_T>(__value);
}

// -- textures: each function with an object, with a pointer for the result, and with a reference

#define __LP_LIST(...) __VA_ARGS__
#define __LP_READ(name, does, parameters, arguments)                                                          \
  template <class _T> __LP_DEVICE _T name(unsigned long long __object, __LP_LIST parameters) {                \
    return does(__lp_texture_of(__object), __LP_LIST arguments);                                              \
  }                                                                                                           \
  template <class _T> __LP_DEVICE void name(_T *__out, unsigned long long __object, __LP_LIST parameters) {   \
    *__out = does(__lp_texture_of(__object), __LP_LIST arguments);                                            \
  }                                                                                                           \
  template <class _R, int _D, int _M>                                                                         \
  __LP_DEVICE typename __lp_texture_read<_R, _M>::__type name(const texture<_R, _D, _M> &__reference,         \
                                                              __LP_LIST parameters) {                         \
    typedef typename __lp_texture_read<_R, _M>::__type _T;                                                    \
    return does(__lp_texture_of(__reference), __LP_LIST arguments);                                           \
  }
#define __LP_SAMPLE(dimensions) __lp_texture_sample<_T, dimensions>
__LP_READ(tex1Dfetch, __lp_texture_fetch<_T>, (int __i), (__i))
__LP_READ(tex1D, __LP_SAMPLE(1), (float __x), (__x))
__LP_READ(tex2D, __LP_SAMPLE(2), (float __x, float __y), (__x, __y))
__LP_READ(tex3D, __LP_SAMPLE(3), (float __x, float __y, float __z), (__x, __y, __z))
__LP_READ(tex1DLayered, __LP_SAMPLE(1), (float __x, int __layer), (__x, 0, 0, __layer))
__LP_READ(tex2DLayered, __LP_SAMPLE(2), (float __x, float __y, int __layer), (__x, __y, 0, __layer))
__LP_READ(tex2Dgather, __lp_texture_gather<_T>, (float __x, float __y, int __channel = 0), (__x, __y, __channel))
// There is one level of detail.
__LP_READ(tex1DLod, __LP_SAMPLE(1), (float __x, float), (__x))
__LP_READ(tex2DLod, __LP_SAMPLE(2), (float __x, float __y, float), (__x, __y))
__LP_READ(tex3DLod, __LP_SAMPLE(3), (float __x, float __y, float __z, float), (__x, __y, __z))
__LP_READ(tex1DLayeredLod, __LP_SAMPLE(1), (float __x, int __layer, float), (__x, 0, 0, __layer))
__LP_READ(tex2DLayeredLod, __LP_SAMPLE(2), (float __x, float __y, int __layer, float), (__x, __y, 0, __layer))
__LP_READ(tex1DGrad, __LP_SAMPLE(1), (float __x, float, float), (__x))
__LP_READ(tex2DGrad, __LP_SAMPLE(2), (float __x, float __y, float2, float2), (__x, __y))
__LP_READ(tex3DGrad, __LP_SAMPLE(3), (float __x, float __y, float __z, float4, float4), (__x, __y, __z))
#undef __LP_READ
#undef __LP_SAMPLE
template <class _T, class _O>
__attribute__((device, unavailable("kernels cannot read cube maps here: use tex2DLayered"))) _T
texCubemap(_O, float, float, float);

// -- surfaces: bytes as they are, at a column counted in bytes; each function with an object and with a reference

// The number of cudaBoundaryModeClamp and hipBoundaryModeClamp.
#ifdef __LP_CUDA__
static constexpr int __lp_surface_clamp = 1;
#else
static constexpr int __lp_surface_clamp = 2;
#endif
// Where it is; null outside. A device that traps there is not asked to: it reads zeros and writes nothing.
template <class _T>
__LP_DEVICE __lp_texture_bytes __lp_surface_find(const __lp_texture &__t, int __mode, int __x, int __y = 0,
                                                 int __z = 0) {
  int __columns = __t.__width * __t.__channels * (__t.__bits / 8) / sizeof(_T);
  int __rows = __t.__height ? __t.__height : 1, __slices = __t.__depth ? __t.__depth : 1;
  int __i = __x < 0 ? -1 : __x / (int)sizeof(_T);
  if (__mode == __lp_surface_clamp) {
    __i = __lp_texture_index(1, __columns, __i);
    __y = __lp_texture_index(1, __rows, __y), __z = __lp_texture_index(1, __slices, __z);
  }
  if ((unsigned int)__i >= (unsigned int)__columns) return nullptr;
  if ((unsigned int)__y >= (unsigned int)__rows || (unsigned int)__z >= (unsigned int)__slices) return nullptr;
  return __lp_texture_at(__t, 0, __y, __z) + (unsigned long)__i * sizeof(_T);
}
template <class _T> __LP_DEVICE _T __lp_surface_load(__lp_texture_bytes __at) {
  if (__at) return *(const _T *)__at;
  return _T{};
}
template <class _T> __LP_DEVICE void __lp_surface_store(__lp_texture_bytes __at, const _T &__value) {
  if (__at) *(_T *)__at = __value;
}

#define __LP_SURFACE_OF(name, kind, more, parameters, arguments)                                                       \
  template <class _T __LP_LIST more>                                                                                   \
  __LP_DEVICE _T name##read(kind __s, __LP_LIST parameters, int __mode = 0) {                                          \
    return __lp_surface_load<_T>(__lp_surface_find<_T>(__lp_texture_of(__s), __mode, __LP_LIST arguments));         \
  }                                                                                                                    \
  template <class _T __LP_LIST more>                                                                                   \
  __LP_DEVICE void name##read(_T *__out, kind __s, __LP_LIST parameters, int __mode = 0) {                             \
    *__out = __lp_surface_load<_T>(__lp_surface_find<_T>(__lp_texture_of(__s), __mode, __LP_LIST arguments));       \
  }                                                                                                                    \
  template <class _T __LP_LIST more>                                                                                   \
  __LP_DEVICE void name##write(_T __value, kind __s, __LP_LIST parameters, int __mode = 0) {                           \
    __lp_surface_store<_T>(__lp_surface_find<_T>(__lp_texture_of(__s), __mode, __LP_LIST arguments), __value);      \
  }
#define __LP_SURFACE(name, parameters, arguments)                             \
  __LP_SURFACE_OF(name, unsigned long long, (), parameters, arguments)        \
  __LP_SURFACE_OF(name, const __LP_SURFACE_TYPE &, (, class _V, int _D), parameters, arguments)
#define __LP_SURFACE_TYPE surface<_V, _D>
__LP_SURFACE(surf1D, (int __x), (__x))
__LP_SURFACE(surf2D, (int __x, int __y), (__x, __y))
__LP_SURFACE(surf3D, (int __x, int __y, int __z), (__x, __y, __z))
__LP_SURFACE(surf1DLayered, (int __x, int __layer), (__x, 0, __layer))
__LP_SURFACE(surf2DLayered, (int __x, int __y, int __layer), (__x, __y, __layer))
#undef __LP_SURFACE
#undef __LP_SURFACE_OF
#undef __LP_SURFACE_TYPE
#undef __LP_LIST
#endif
