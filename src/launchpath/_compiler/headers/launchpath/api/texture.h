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
#ifdef __LP_API_CUDA
  __LP_API(BoundaryModeClamp) = 1,
  __LP_API(BoundaryModeTrap) = 2
#else
  __LP_API(BoundaryModeTrap) = 1,
  __LP_API(BoundaryModeClamp) = 2
#endif
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
#ifdef __LP_API_CUDA
  int disableTrilinearOptimization, seamlessCubemap;
#endif
};
enum __LP_API(ResourceViewFormat) {
  __LP_API(ResViewFormatNone) = 0, __LP_API(ResViewFormatUnsignedChar1), __LP_API(ResViewFormatUnsignedChar2),
  __LP_API(ResViewFormatUnsignedChar4), __LP_API(ResViewFormatSignedChar1), __LP_API(ResViewFormatSignedChar2),
  __LP_API(ResViewFormatSignedChar4), __LP_API(ResViewFormatUnsignedShort1), __LP_API(ResViewFormatUnsignedShort2),
  __LP_API(ResViewFormatUnsignedShort4), __LP_API(ResViewFormatSignedShort1), __LP_API(ResViewFormatSignedShort2),
  __LP_API(ResViewFormatSignedShort4), __LP_API(ResViewFormatUnsignedInt1), __LP_API(ResViewFormatUnsignedInt2),
  __LP_API(ResViewFormatUnsignedInt4), __LP_API(ResViewFormatSignedInt1), __LP_API(ResViewFormatSignedInt2),
  __LP_API(ResViewFormatSignedInt4), __LP_API(ResViewFormatHalf1), __LP_API(ResViewFormatHalf2),
  __LP_API(ResViewFormatHalf4), __LP_API(ResViewFormatFloat1), __LP_API(ResViewFormatFloat2),
  __LP_API(ResViewFormatFloat4), __LP_API(ResViewFormatUnsignedBlockCompressed1),
  __LP_API(ResViewFormatUnsignedBlockCompressed2), __LP_API(ResViewFormatUnsignedBlockCompressed3),
  __LP_API(ResViewFormatUnsignedBlockCompressed4), __LP_API(ResViewFormatSignedBlockCompressed4),
  __LP_API(ResViewFormatUnsignedBlockCompressed5), __LP_API(ResViewFormatSignedBlockCompressed5),
  __LP_API(ResViewFormatUnsignedBlockCompressed6H), __LP_API(ResViewFormatSignedBlockCompressed6H),
  __LP_API(ResViewFormatUnsignedBlockCompressed7)
};
struct __LP_API(ResourceViewDesc) {
  enum __LP_API(ResourceViewFormat) format;
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
