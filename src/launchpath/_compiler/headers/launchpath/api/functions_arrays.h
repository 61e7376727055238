// Functions of arrays, textures and surfaces, as in functions.h.

// textures and surfaces
__LP_CALL(CreateTextureObject)(__LP_API(TextureObject_t) *pTexObject, const __LP_API(ResourceDesc) *pResDesc,
                               const __LP_API(TextureDesc) *pTexDesc, const __LP_API(ResourceViewDesc) *pResViewDesc);
__LP_CALL(DestroyTextureObject)(__LP_API(TextureObject_t) textureObject);
__LP_CALL(GetTextureObjectResourceDesc)(__LP_API(ResourceDesc) *pResDesc, __LP_API(TextureObject_t) textureObject);
__LP_CALL(GetTextureObjectTextureDesc)(__LP_API(TextureDesc) *pTexDesc, __LP_API(TextureObject_t) textureObject);
__LP_CALL(GetTextureObjectResourceViewDesc)(__LP_API(ResourceViewDesc) *pResViewDesc,
                                            __LP_API(TextureObject_t) textureObject);
__LP_CALL(CreateSurfaceObject)(__LP_API(SurfaceObject_t) *pSurfObject, const __LP_API(ResourceDesc) *pResDesc);
__LP_CALL(DestroySurfaceObject)(__LP_API(SurfaceObject_t) surfaceObject);
__LP_CALL(GetChannelDesc)(__LP_API(ChannelFormatDesc) *desc, __LP_API(Array_const_t) array);

// arrays
__LP_CALL(MallocArray)(__LP_API(Array_t) *array, const __LP_API(ChannelFormatDesc) *desc, size_t width,
                       size_t height = 0, unsigned int flags = 0);
__LP_CALL(Malloc3DArray)(__LP_API(Array_t) *array, const __LP_API(ChannelFormatDesc) *desc, __LP_API(Extent) extent,
                         unsigned int flags = 0);
__LP_CALL(MallocMipmappedArray)(__LP_API(MipmappedArray_t) *mipmappedArray, const __LP_API(ChannelFormatDesc) *desc,
                                __LP_API(Extent) extent, unsigned int numLevels, unsigned int flags = 0);
__LP_CALL(GetMipmappedArrayLevel)(__LP_API(Array_t) *levelArray, __LP_API(MipmappedArray_const_t) mipmappedArray,
                                  unsigned int level);
__LP_CALL(FreeArray)(__LP_API(Array_t) array);
__LP_CALL(FreeMipmappedArray)(__LP_API(MipmappedArray_t) mipmappedArray);
__LP_CALL(ArrayGetInfo)(__LP_API(ChannelFormatDesc) *desc, __LP_API(Extent) *extent, unsigned int *flags,
                        __LP_API(Array_t) array);
__LP_CALL(Malloc3D)(__LP_API(PitchedPtr) *pitchedDevPtr, __LP_API(Extent) extent);
__LP_CALL(Memset3D)(__LP_API(PitchedPtr) pitchedDevPtr, int value, __LP_API(Extent) extent);
__LP_CALL(Memset3DAsync)(__LP_API(PitchedPtr) pitchedDevPtr, int value, __LP_API(Extent) extent,
                         __LP_API(Stream_t) stream = 0);

// copies
__LP_CALL(Memcpy3D)(const __LP_API(Memcpy3DParms) *p);
__LP_CALL(Memcpy3DAsync)(const __LP_API(Memcpy3DParms) *p, __LP_API(Stream_t) stream = 0);
__LP_CALL(Memcpy3DPeer)(__LP_API(Memcpy3DPeerParms) *p);
__LP_CALL(Memcpy3DPeerAsync)(__LP_API(Memcpy3DPeerParms) *p, __LP_API(Stream_t) stream = 0);
__LP_CALL(MemcpyToArray)(__LP_API(Array_t) dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                         enum __LP_API(MemcpyKind) kind);
__LP_CALL(MemcpyFromArray)(void *dst, __LP_API(Array_const_t) srcArray, size_t wOffset, size_t hOffset, size_t count,
                           enum __LP_API(MemcpyKind) kind);
__LP_CALL(Memcpy2DToArray)(__LP_API(Array_t) dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                           size_t width, size_t height, enum __LP_API(MemcpyKind) kind);
__LP_CALL(Memcpy2DToArrayAsync)(__LP_API(Array_t) dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, enum __LP_API(MemcpyKind) kind,
                                __LP_API(Stream_t) stream = 0);
__LP_CALL(Memcpy2DFromArray)(void *dst, size_t dpitch, __LP_API(Array_const_t) src, size_t wOffset, size_t hOffset,
                             size_t width, size_t height, enum __LP_API(MemcpyKind) kind);
__LP_CALL(Memcpy2DFromArrayAsync)(void *dst, size_t dpitch, __LP_API(Array_const_t) src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, enum __LP_API(MemcpyKind) kind,
                                  __LP_API(Stream_t) stream = 0);
__LP_CALL(Memcpy2DArrayToArray)(__LP_API(Array_t) dst, size_t wOffsetDst, size_t hOffsetDst,
                                __LP_API(Array_const_t) src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                                size_t height, enum __LP_API(MemcpyKind) kind);
