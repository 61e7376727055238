// C++ forms of functions of arrays and textures, and what makes their structs. See types.h for how it is included.

inline __LP_API(PitchedPtr) __LP_MAKE(PitchedPtr)(void *data, size_t pitch, size_t width, size_t height) {
  return {data, pitch, width, height};
}
inline __LP_API(Extent) __LP_MAKE(Extent)(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline __LP_API(Pos) __LP_MAKE(Pos)(size_t x, size_t y, size_t z) { return {x, y, z}; }

inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDesc)(int x, int y, int z, int w,
                                                               enum __LP_API(ChannelFormatKind) kind) {
  return {x, y, z, w, kind};
}
template <class _T> inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDesc)() {
  typedef typename __lp_texel<_T>::__element _E;
  constexpr int bits = 8 * sizeof(_E), n = sizeof(_T) / sizeof(_E);
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
          __lp::is_float<_E> ? __LP_API(ChannelFormatKindFloat)
          : (_E)-1 < (_E)0   ? __LP_API(ChannelFormatKindSigned)
                             : __LP_API(ChannelFormatKindUnsigned)};
}
inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDescHalf)() {
  return {16, 0, 0, 0, __LP_API(ChannelFormatKindFloat)};
}
inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDescHalf1)() {
  return {16, 0, 0, 0, __LP_API(ChannelFormatKindFloat)};
}
inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDescHalf2)() {
  return {16, 16, 0, 0, __LP_API(ChannelFormatKindFloat)};
}
inline __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDescHalf4)() {
  return {16, 16, 16, 16, __LP_API(ChannelFormatKindFloat)};
}

// -- texture and surface references: what they are bound to is written into the device's variable

template <class _R> inline __LP_API(Error_t) __LP_API(__lp_bind)(const _R &reference, const _R &bound) {
  return __LP_API(MemcpyToSymbol)((const void *)__builtin_addressof(reference), (const void *)__builtin_addressof(bound),
                                  sizeof(_R), 0, __LP_API(MemcpyHostToDevice));
}
// Without a size, as far as indices go.
template <class _T, int _D, int _M>
__LP_INLINE(BindTexture)(size_t *offset, const texture<_T, _D, _M> &reference, const void *data,
                         const __LP_API(ChannelFormatDesc) &, size_t size = 0xFFFFFFFF) {
  texture<_T, _D, _M> bound = reference;
  bound.__data = data;
  bound.__size[0] = size / sizeof(_T) > 0x8000000 ? 0x8000000 : size / sizeof(_T);
  bound.__size[1] = bound.__size[2] = bound.__pitch = 0;
  if (offset) *offset = 0;
  return __LP_API(__lp_bind)(reference, bound);
}
template <class _T, int _D, int _M>
__LP_INLINE(BindTexture)(size_t *offset, const texture<_T, _D, _M> &reference, const void *data,
                         size_t size = 0xFFFFFFFF) {
  return __LP_API(BindTexture)(offset, reference, data, __LP_API(CreateChannelDesc)<_T>(), size);
}
template <class _T, int _D, int _M>
__LP_INLINE(BindTexture2D)(size_t *offset, const texture<_T, _D, _M> &reference, const void *data,
                           const __LP_API(ChannelFormatDesc) &, size_t width, size_t height, size_t pitch) {
  texture<_T, _D, _M> bound = reference;
  bound.__data = data, bound.__pitch = pitch;
  bound.__size[0] = width, bound.__size[1] = height, bound.__size[2] = 0;
  if (offset) *offset = 0;
  return __LP_API(__lp_bind)(reference, bound);
}
template <class _T, int _D, int _M>
__LP_INLINE(BindTexture2D)(size_t *offset, const texture<_T, _D, _M> &reference, const void *data, size_t width,
                           size_t height, size_t pitch) {
  return __LP_API(BindTexture2D)(offset, reference, data, __LP_API(CreateChannelDesc)<_T>(), width, height, pitch);
}
// Where an array's elements are is known of a texture object over it: its descriptor says.
inline __LP_API(Error_t) __LP_API(__lp_describe)(__lp_texture *described, __LP_API(Array_const_t) array) {
  struct __LP_API(ResourceDesc) resource = {};
  struct __LP_API(TextureDesc) reads = {};
  resource.resType = __LP_API(ResourceTypeArray);
  resource.res.array.array = (__LP_API(Array_t))array;
  __LP_API(TextureObject_t) object = 0;
  __LP_API(Error_t) error = __LP_API(CreateTextureObject)(&object, &resource, &reads, nullptr);
  if (error != __LP_API(Success)) return error;
  error = __LP_API(Memcpy)(described, (const void *)object, sizeof(__lp_texture), __LP_API(MemcpyDeviceToHost));
  __LP_API(Error_t) destroyed = __LP_API(DestroyTextureObject)(object);
  return error != __LP_API(Success) ? error : destroyed;
}
template <class _T, int _D, int _M>
__LP_INLINE(BindTextureToArray)(const texture<_T, _D, _M> &reference, __LP_API(Array_const_t) array,
                                const __LP_API(ChannelFormatDesc) &) {
  __lp_texture described;
  __LP_API(Error_t) error = __LP_API(__lp_describe)(&described, array);
  if (error != __LP_API(Success)) return error;
  texture<_T, _D, _M> bound = reference;
  bound.__data = described.__data, bound.__pitch = described.__pitch;
  bound.__size[0] = described.__width, bound.__size[1] = described.__height, bound.__size[2] = described.__depth;
  return __LP_API(__lp_bind)(reference, bound);
}
template <class _T, int _D, int _M>
__LP_INLINE(BindTextureToArray)(const texture<_T, _D, _M> &reference, __LP_API(Array_const_t) array) {
  return __LP_API(BindTextureToArray)(reference, array, __LP_API(CreateChannelDesc)<_T>());
}
template <class _T, int _D, int _M> __LP_INLINE(UnbindTexture)(const texture<_T, _D, _M> &reference) {
  return __LP_API(__lp_bind)(reference, texture<_T, _D, _M>());
}
template <class _T, int _D, int _M>
__LP_INLINE(GetTextureAlignmentOffset)(size_t *offset, const texture<_T, _D, _M> &) {
  *offset = 0;
  return __LP_API(Success);
}
template <class _T, int _D>
__LP_INLINE(BindSurfaceToArray)(const surface<_T, _D> &reference, __LP_API(Array_const_t) array,
                                const __LP_API(ChannelFormatDesc) &) {
  surface<_T, _D> bound;
  __LP_API(Error_t) error = __LP_API(__lp_describe)(&bound.__descriptor, array);
  return error != __LP_API(Success) ? error : __LP_API(__lp_bind)(reference, bound);
}
template <class _T, int _D>
__LP_INLINE(BindSurfaceToArray)(const surface<_T, _D> &reference, __LP_API(Array_const_t) array) {
  return __LP_API(BindSurfaceToArray)(reference, array, __LP_API(ChannelFormatDesc)());
}
