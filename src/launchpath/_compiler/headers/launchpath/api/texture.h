// Arrays and textures as the host has them; kernels read them by texture_device.h. See types.h for how it is included.

enum __LP_API(ChannelFormatKind) {
  __LP_API(ChannelFormatKindSigned) = 0,
  __LP_API(ChannelFormatKindUnsigned) = 1,
  __LP_API(ChannelFormatKindFloat) = 2,
  __LP_API(ChannelFormatKindNone) = 3
};
struct __LP_API(ChannelFormatDesc) {
  int x, y, z, w;
  enum __LP_API(ChannelFormatKind) f;
};
struct __LP_API(Extent) { size_t width, height, depth; };
struct __LP_API(Pos) { size_t x, y, z; };
struct __LP_API(PitchedPtr) {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct __LP_API(Memcpy3DParms) {
  __LP_API(Array_t) srcArray;
  struct __LP_API(Pos) srcPos;
  struct __LP_API(PitchedPtr) srcPtr;
  __LP_API(Array_t) dstArray;
  struct __LP_API(Pos) dstPos;
  struct __LP_API(PitchedPtr) dstPtr;
  struct __LP_API(Extent) extent;
  enum __LP_API(MemcpyKind) kind;
};
enum __LP_API(TextureAddressMode) {
  __LP_API(AddressModeWrap) = 0,
  __LP_API(AddressModeClamp) = 1,
  __LP_API(AddressModeMirror) = 2,
  __LP_API(AddressModeBorder) = 3
};
enum __LP_API(TextureFilterMode) { __LP_API(FilterModePoint) = 0, __LP_API(FilterModeLinear) = 1 };
enum __LP_API(TextureReadMode) { __LP_API(ReadModeElementType) = 0, __LP_API(ReadModeNormalizedFloat) = 1 };
enum __LP_API(ResourceType) {
  __LP_API(ResourceTypeArray) = 0,
  __LP_API(ResourceTypeMipmappedArray) = 1,
  __LP_API(ResourceTypeLinear) = 2,
  __LP_API(ResourceTypePitch2D) = 3
};
enum __LP_API(SurfaceBoundaryMode) {
  __LP_API(BoundaryModeZero) = 0,
  __LP_API(BoundaryModeClamp) = 1,
  __LP_API(BoundaryModeTrap) = 2
};
struct __LP_API(ResourceDesc) {
  enum __LP_API(ResourceType) resType;
  union {
    struct { __LP_API(Array_t) array; } array;
    struct { __LP_API(MipmappedArray_t) mipmap; } mipmap;
    struct {
      void *devPtr;
      struct __LP_API(ChannelFormatDesc) desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      struct __LP_API(ChannelFormatDesc) desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct __LP_API(TextureDesc) {
  enum __LP_API(TextureAddressMode) addressMode[3];
  enum __LP_API(TextureFilterMode) filterMode;
  enum __LP_API(TextureReadMode) readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum __LP_API(TextureFilterMode) mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
struct __LP_API(ResourceViewDesc) {
  int format;
  size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
static constexpr int __LP_API(TextureType1D) = 1;
static constexpr int __LP_API(TextureType2D) = 2;
static constexpr int __LP_API(TextureType3D) = 3;
static constexpr int __LP_API(TextureTypeCubemap) = 0x0C;
static constexpr int __LP_API(TextureType1DLayered) = 0xF1;
static constexpr int __LP_API(TextureType2DLayered) = 0xF2;
static constexpr int __LP_API(TextureTypeCubemapLayered) = 0xFC;
static constexpr int __LP_API(SurfaceType1D) = 1;
static constexpr int __LP_API(SurfaceType2D) = 2;
static constexpr int __LP_API(SurfaceType3D) = 3;
static constexpr int __LP_API(SurfaceTypeCubemap) = 0x0C;
static constexpr int __LP_API(SurfaceType1DLayered) = 0xF1;
static constexpr int __LP_API(SurfaceType2DLayered) = 0xF2;
static constexpr int __LP_API(SurfaceTypeCubemapLayered) = 0xFC;

#ifdef __LP_CALLS__
__LP_API(ChannelFormatDesc) __LP_API(CreateChannelDesc)(int, int, int, int, enum __LP_API(ChannelFormatKind));
template <class _T> __LP_API(ChannelFormatDesc) __LP_API(CreateChannelDesc)() { return {}; }
__LP_API(PitchedPtr) __LP_MAKE(PitchedPtr)(void *, size_t, size_t, size_t);
__LP_API(Extent) __LP_MAKE(Extent)(size_t, size_t, size_t);
__LP_API(Pos) __LP_MAKE(Pos)(size_t, size_t, size_t);

__LP_CALL(CreateTextureObject)(__LP_API(TextureObject_t) *, const __LP_API(ResourceDesc) *,
                               const __LP_API(TextureDesc) *, const __LP_API(ResourceViewDesc) *);
__LP_CALL(DestroyTextureObject)(__LP_API(TextureObject_t));
__LP_CALL(GetTextureObjectResourceDesc)(__LP_API(ResourceDesc) *, __LP_API(TextureObject_t));
__LP_CALL(CreateSurfaceObject)(__LP_API(SurfaceObject_t) *, const __LP_API(ResourceDesc) *);
__LP_CALL(DestroySurfaceObject)(__LP_API(SurfaceObject_t));
__LP_CALL(GetChannelDesc)(__LP_API(ChannelFormatDesc) *, __LP_API(Array_const_t));
__LP_CALL(MallocArray)(__LP_API(Array_t) *, const __LP_API(ChannelFormatDesc) *, size_t, size_t = 0,
                       unsigned int = 0);
__LP_CALL(Malloc3DArray)(__LP_API(Array_t) *, const __LP_API(ChannelFormatDesc) *, __LP_API(Extent),
                         unsigned int = 0);
__LP_CALL(MallocMipmappedArray)(__LP_API(MipmappedArray_t) *, const __LP_API(ChannelFormatDesc) *, __LP_API(Extent),
                                unsigned int, unsigned int = 0);
__LP_CALL(GetMipmappedArrayLevel)(__LP_API(Array_t) *, __LP_API(MipmappedArray_const_t), unsigned int);
__LP_CALL(FreeArray)(__LP_API(Array_t));
__LP_CALL(FreeMipmappedArray)(__LP_API(MipmappedArray_t));
__LP_CALL(ArrayGetInfo)(__LP_API(ChannelFormatDesc) *, __LP_API(Extent) *, unsigned int *flags, __LP_API(Array_t));
__LP_CALL(Malloc3D)(__LP_API(PitchedPtr) *, __LP_API(Extent));
__LP_CALL(Memset3D)(__LP_API(PitchedPtr), int, __LP_API(Extent));
__LP_CALL(Memset3DAsync)(__LP_API(PitchedPtr), int, __LP_API(Extent), __LP_API(Stream_t) = 0);
__LP_CALL(Memcpy3D)(const __LP_API(Memcpy3DParms) *);
__LP_CALL(Memcpy3DAsync)(const __LP_API(Memcpy3DParms) *, __LP_API(Stream_t) = 0);
__LP_CALL(MemcpyToArray)(__LP_API(Array_t), size_t, size_t, const void *, size_t, enum __LP_API(MemcpyKind));
__LP_CALL(MemcpyToArrayAsync)(__LP_API(Array_t), size_t, size_t, const void *, size_t, enum __LP_API(MemcpyKind),
                              __LP_API(Stream_t) = 0);
__LP_CALL(MemcpyFromArray)(void *, __LP_API(Array_const_t), size_t, size_t, size_t, enum __LP_API(MemcpyKind));
__LP_CALL(Memcpy2DToArray)(__LP_API(Array_t), size_t, size_t, const void *, size_t, size_t,
                           size_t, enum __LP_API(MemcpyKind));
__LP_CALL(Memcpy2DToArrayAsync)(__LP_API(Array_t), size_t, size_t, const void *, size_t, size_t,
                                size_t, enum __LP_API(MemcpyKind), __LP_API(Stream_t) = 0);
__LP_CALL(Memcpy2DFromArray)(void *, size_t, __LP_API(Array_const_t), size_t, size_t, size_t,
                             size_t, enum __LP_API(MemcpyKind));
__LP_CALL(Memcpy2DArrayToArray)(__LP_API(Array_t), size_t, size_t, __LP_API(Array_const_t), size_t, size_t,
                                size_t, size_t, enum __LP_API(MemcpyKind));
#endif
