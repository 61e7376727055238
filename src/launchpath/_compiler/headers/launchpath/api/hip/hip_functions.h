// Functions that only HIP's runtime has, as in functions.h.

// devices and contexts
__LP_CALL(Init)(unsigned int flags);
__LP_CALL(DeviceGet)(int *device, int ordinal);
__LP_CALL(DeviceComputeCapability)(int *major, int *minor, int device);
__LP_CALL(DeviceGetName)(char *name, int len, int device);
__LP_CALL(DeviceGetUuid)(hipUUID_t *uuid, int device);
__LP_CALL(DeviceTotalMem)(size_t *bytes, int device);
__LP_CALL(ExtGetLastError)();
__LP_CALL(CtxCreate)(hipCtx_t *ctx, unsigned int flags, int device);
__LP_CALL(CtxDestroy)(hipCtx_t ctx);
__LP_CALL(CtxPopCurrent)(hipCtx_t *ctx);
__LP_CALL(CtxPushCurrent)(hipCtx_t ctx);
__LP_CALL(CtxSetCurrent)(hipCtx_t ctx);
__LP_CALL(CtxGetCurrent)(hipCtx_t *ctx);
__LP_CALL(CtxGetDevice)(int *device);
__LP_CALL(CtxGetApiVersion)(hipCtx_t ctx, unsigned int *apiVersion);
__LP_CALL(CtxGetCacheConfig)(hipFuncCache_t *cacheConfig);
__LP_CALL(CtxSetCacheConfig)(hipFuncCache_t cacheConfig);
__LP_CALL(CtxSetSharedMemConfig)(hipSharedMemConfig config);
__LP_CALL(CtxGetSharedMemConfig)(hipSharedMemConfig *pConfig);
__LP_CALL(CtxSynchronize)();
__LP_CALL(CtxGetFlags)(unsigned int *flags);
__LP_CALL(CtxEnablePeerAccess)(hipCtx_t peerCtx, unsigned int flags);
__LP_CALL(CtxDisablePeerAccess)(hipCtx_t peerCtx);
__LP_CALL(DevicePrimaryCtxGetState)(int dev, unsigned int *flags, int *active);
__LP_CALL(DevicePrimaryCtxRelease)(int dev);
__LP_CALL(DevicePrimaryCtxRetain)(hipCtx_t *pctx, int dev);
__LP_CALL(DevicePrimaryCtxReset)(int dev);
__LP_CALL(DevicePrimaryCtxSetFlags)(int dev, unsigned int flags);

// errors
__LP_CALL(DrvGetErrorName)(hipError_t hipError, const char **errorString);
__LP_CALL(DrvGetErrorString)(hipError_t hipError, const char **errorString);

// functions by their names
__LP_CALL(GetProcAddress)(const char *symbol, void **pfn, int hipVersion, unsigned long flags,
                          hipDriverProcAddressQueryResult *symbolStatus);
__LP_CALL(GetDriverEntryPoint)(const char *symbol, void **funcPtr, unsigned long long flags,
                               hipDriverEntryPointQueryResult *driverStatus);

// modules, libraries and kernels
// Launches of so many threads, between two events; either may be null.
__LP_CALL(ExtModuleLaunchKernel)(hipFunction_t f, unsigned int threadsX, unsigned int threadsY, unsigned int threadsZ,
                                 unsigned int blockX, unsigned int blockY, unsigned int blockZ, size_t shared,
                                 hipStream_t stream, void **parameters, void **extra, hipEvent_t start = nullptr,
                                 hipEvent_t stop = nullptr, unsigned int flags = 0);
__LP_CALL(HccModuleLaunchKernel)(hipFunction_t f, unsigned int threadsX, unsigned int threadsY, unsigned int threadsZ,
                                 unsigned int blockX, unsigned int blockY, unsigned int blockZ, size_t shared,
                                 hipStream_t stream, void **parameters, void **extra, hipEvent_t start = nullptr,
                                 hipEvent_t stop = nullptr);
__LP_CALL(KernelSetAttribute)(hipFunction_attribute attrib, int value, hipKernel_t kernel, int dev);
__LP_CALL(KernelGetFunction)(hipFunction_t *pFunc, hipKernel_t kernel);
__LP_CALL(ModuleGetGlobal)(void **dptr, size_t *bytes, hipModule_t hmod, const char *name);
__LP_CALL(ModuleLoadFatBinary)(hipModule_t *module, const void *fatbin);
__LP_CALL(ModuleLoad)(hipModule_t *module, const char *fname);
__LP_CALL(ModuleUnload)(hipModule_t module);
__LP_CALL(ModuleGetFunction)(hipFunction_t *function, hipModule_t module, const char *kname);
__LP_CALL(ModuleGetTexRef)(textureReference **texRef, hipModule_t hmod, const char *name);
__LP_CALL(ModuleGetFunctionCount)(unsigned int *count, hipModule_t mod);
__LP_CALL(KernelGetAttribute)(int *pi, hipFunction_attribute attrib, hipKernel_t kernel, int dev);
__LP_CALL(LibraryLoadData)(hipLibrary_t *library, const void *code, hipJitOption *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions, hipLibraryOption_e *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions);
__LP_CALL(LibraryLoadFromFile)(hipLibrary_t *library, const char *fileName, hipJitOption *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, hipLibraryOption_e *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions);
__LP_CALL(LibraryUnload)(hipLibrary_t library);
__LP_CALL(LibraryGetKernel)(hipKernel_t *pKernel, hipLibrary_t library, const char *name);
__LP_CALL(LibraryGetKernelCount)(unsigned int *count, hipLibrary_t library);
__LP_CALL(LibraryGetGlobal)(void **dptr, size_t *bytes, hipLibrary_t library, const char *name);
__LP_CALL(LibraryGetManaged)(void **dptr, size_t *bytes, hipLibrary_t library, const char *name);
__LP_CALL(KernelGetLibrary)(hipLibrary_t *library, hipKernel_t kernel);
__LP_CALL(KernelGetName)(const char **name, hipKernel_t kernel);
__LP_CALL(KernelGetParamInfo)(hipKernel_t kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
__LP_CALL(FuncGetAttribute)(int *value, hipFunction_attribute attrib, hipFunction_t hfunc);
__LP_CALL(ModuleLoadData)(hipModule_t *module, const void *image);
__LP_CALL(ModuleLoadDataEx)(hipModule_t *module, const void *image, unsigned int numOptions, hipJitOption *options,
                            void **optionValues);
__LP_CALL(ModuleLaunchKernel)(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                              unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                              unsigned int sharedMemBytes, hipStream_t stream, void **kernelParams, void **extra);
__LP_CALL(ModuleLaunchCooperativeKernel)(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                         unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                         unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                         void **kernelParams);
__LP_CALL(ModuleLaunchCooperativeKernelMultiDevice)(hipFunctionLaunchParams *launchParamsList, unsigned int numDevices,
                                                    unsigned int flags);
__LP_CALL(ExtLaunchMultiKernelMultiDevice)(hipLaunchParams *launchParamsList, int numDevices, unsigned int flags);
__LP_CALL(DrvLaunchKernelEx)(const HIP_LAUNCH_CONFIG *config, hipFunction_t f, void **params, void **extra);
__LP_CALL(ModuleOccupancyMaxPotentialBlockSize)(int *gridSize, int *blockSize, hipFunction_t f,
                                                size_t dynSharedMemPerBlk, int blockSizeLimit);
__LP_CALL(ModuleOccupancyMaxPotentialBlockSizeWithFlags)(int *gridSize, int *blockSize, hipFunction_t f,
                                                         size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                         unsigned int flags);
__LP_CALL(ModuleOccupancyMaxActiveBlocksPerMultiprocessor)(int *numBlocks, hipFunction_t f, int blockSize,
                                                           size_t dynSharedMemPerBlk);
__LP_CALL(ModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *numBlocks, hipFunction_t f, int blockSize,
                                                                    size_t dynSharedMemPerBlk, unsigned int flags);
__LP_CALL(SetupArgument)(const void *arg, size_t size, size_t offset);
__LP_CALL(LaunchByPtr)(const void *func);
__LP_CALL(ExtLaunchKernel)(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
                           size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent,
                           int flags);
__LP_CALL_TEXT(KernelNameRef)(const hipFunction_t f);
__LP_CALL_TEXT(KernelNameRefByPtr)(const void *hostFunction, hipStream_t stream = 0);
__LP_CALL_INT(GetStreamDeviceId)(hipStream_t stream = 0);

// streams
__LP_CALL(ExtStreamCreateWithCUMask)(hipStream_t *stream, uint32_t cuMaskSize, const uint32_t *cuMask);
__LP_CALL(ExtStreamGetCUMask)(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask);
__LP_CALL(StreamWaitValue32)(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags,
                             uint32_t mask = 0xFFFFFFFF);
__LP_CALL(StreamWaitValue64)(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags,
                             uint64_t mask = 0xFFFFFFFFFFFFFFFF);
__LP_CALL(StreamWriteValue32)(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags);
__LP_CALL(StreamWriteValue64)(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags);

// memory
__LP_CALL(PointerSetAttribute)(const void *value, hipPointer_attribute attribute, void *ptr);
__LP_CALL(PointerGetAttribute)(void *data, hipPointer_attribute attribute, void *ptr);
__LP_CALL(DrvPointerGetAttributes)(unsigned int numAttributes, hipPointer_attribute *attributes, void **data,
                                   void *ptr);
__LP_CALL(ExtMallocWithFlags)(void **ptr, size_t sizeBytes, unsigned int flags);
__LP_CALL(MemAllocHost)(void **ptr, size_t size);
__LP_CALL(HostMalloc)(void **ptr, size_t size, unsigned int flags = 0);
__LP_CALL(MemPrefetchAsync_v2)(const void *dev_ptr, size_t count, hipMemLocation location, unsigned int flags,
                               hipStream_t stream = 0);
__LP_CALL(MemAdvise_v2)(const void *dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location);
__LP_CALL(MemSetMemPool)(hipMemLocation *location, hipMemAllocationType type, hipMemPool_t pool);
__LP_CALL(MemGetMemPool)(hipMemPool_t *pool, hipMemLocation *location, hipMemAllocationType type);
__LP_CALL(MemGetDefaultMemPool)(hipMemPool_t *memPool, hipMemLocation *location, hipMemAllocationType type);
__LP_CALL(MemAllocPitch)(void **dptr, size_t *pitch, size_t widthInBytes, size_t height, unsigned int elementSizeBytes);
__LP_CALL(HostFree)(void *ptr);
__LP_CALL(MemPtrGetInfo)(void *ptr, size_t *size);
__LP_CALL(MemGetAddressRange)(void **pbase, size_t *psize, void *dptr);
__LP_CALL(MemAddressFree)(void *devPtr, size_t size);
__LP_CALL(MemAddressReserve)(void **ptr, size_t size, size_t alignment, void *addr, unsigned long long flags);
__LP_CALL(MemCreate)(hipMemGenericAllocationHandle_t *handle, size_t size, const hipMemAllocationProp *prop,
                     unsigned long long flags);
__LP_CALL(MemExportToShareableHandle)(void *shareableHandle, hipMemGenericAllocationHandle_t handle,
                                      hipMemAllocationHandleType handleType, unsigned long long flags);
__LP_CALL(MemGetAccess)(unsigned long long *flags, const hipMemLocation *location, void *ptr);
__LP_CALL(MemGetAllocationGranularity)(size_t *granularity, const hipMemAllocationProp *prop,
                                       hipMemAllocationGranularity_flags option);
__LP_CALL(MemGetAllocationPropertiesFromHandle)(hipMemAllocationProp *prop, hipMemGenericAllocationHandle_t handle);
__LP_CALL(MemImportFromShareableHandle)(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                        hipMemAllocationHandleType shHandleType);
__LP_CALL(MemMap)(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                  unsigned long long flags);
__LP_CALL(MemRelease)(hipMemGenericAllocationHandle_t handle);
__LP_CALL(MemRetainAllocationHandle)(hipMemGenericAllocationHandle_t *handle, void *addr);
__LP_CALL(MemSetAccess)(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count);
__LP_CALL(MemUnmap)(void *ptr, size_t size);

// copies
__LP_CALL(MemcpyWithStream)(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream = 0);
__LP_CALL(MemcpyHtoD)(void *dst, const void *src, size_t sizeBytes);
__LP_CALL(MemcpyDtoH)(void *dst, void *src, size_t sizeBytes);
__LP_CALL(MemcpyDtoD)(void *dst, void *src, size_t sizeBytes);
__LP_CALL(MemcpyAtoD)(void *dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount);
__LP_CALL(MemcpyDtoA)(hipArray_t dstArray, size_t dstOffset, void *srcDevice, size_t ByteCount);
__LP_CALL(MemcpyAtoA)(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset, size_t ByteCount);
__LP_CALL(MemcpyHtoDAsync)(void *dst, const void *src, size_t sizeBytes, hipStream_t stream = 0);
__LP_CALL(MemcpyDtoHAsync)(void *dst, void *src, size_t sizeBytes, hipStream_t stream = 0);
__LP_CALL(MemcpyDtoDAsync)(void *dst, void *src, size_t sizeBytes, hipStream_t stream = 0);
__LP_CALL(MemcpyAtoHAsync)(void *dstHost, hipArray_t srcArray, size_t srcOffset, size_t ByteCount,
                           hipStream_t stream = 0);
__LP_CALL(MemcpyHtoAAsync)(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                           hipStream_t stream = 0);
__LP_CALL(MemcpyParam2D)(const hip_Memcpy2D *pCopy);
__LP_CALL(MemcpyParam2DAsync)(const hip_Memcpy2D *pCopy, hipStream_t stream = 0);
__LP_CALL(MemcpyAtoH)(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count);
__LP_CALL(MemcpyHtoA)(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count);
__LP_CALL(DrvMemcpy3D)(const HIP_MEMCPY3D *pCopy);
__LP_CALL(DrvMemcpy3DAsync)(const HIP_MEMCPY3D *pCopy, hipStream_t stream = 0);
__LP_CALL(DrvMemcpy2DUnaligned)(const hip_Memcpy2D *pCopy);

// sets
__LP_CALL(MemsetD8)(void *dest, unsigned char value, size_t count);
__LP_CALL(MemsetD8Async)(void *dest, unsigned char value, size_t count, hipStream_t stream = 0);
__LP_CALL(MemsetD16)(void *dest, unsigned short value, size_t count);
__LP_CALL(MemsetD16Async)(void *dest, unsigned short value, size_t count, hipStream_t stream = 0);
__LP_CALL(MemsetD32)(void *dest, int value, size_t count);
__LP_CALL(MemsetD32Async)(void *dst, int value, size_t count, hipStream_t stream = 0);
__LP_CALL(MemsetD2D8)(void *dst, size_t dstPitch, unsigned char value, size_t width, size_t height);
__LP_CALL(MemsetD2D8Async)(void *dst, size_t dstPitch, unsigned char value, size_t width, size_t height,
                           hipStream_t stream = 0);
__LP_CALL(MemsetD2D16)(void *dst, size_t dstPitch, unsigned short value, size_t width, size_t height);
__LP_CALL(MemsetD2D16Async)(void *dst, size_t dstPitch, unsigned short value, size_t width, size_t height,
                            hipStream_t stream = 0);
__LP_CALL(MemsetD2D32)(void *dst, size_t dstPitch, unsigned int value, size_t width, size_t height);
__LP_CALL(MemsetD2D32Async)(void *dst, size_t dstPitch, unsigned int value, size_t width, size_t height,
                            hipStream_t stream = 0);

// arrays and textures
__LP_CALL(ArrayCreate)(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray);
__LP_CALL(ArrayDestroy)(hipArray_t array);
__LP_CALL(Array3DCreate)(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray);
__LP_CALL(ArrayGetDescriptor)(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array);
__LP_CALL(Array3DGetDescriptor)(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor, hipArray_t array);
__LP_CALL(MipmappedArrayGetMemoryRequirements)(hipArrayMemoryRequirements *memoryRequirements,
                                               hipMipmappedArray_t mipmap, int device);
__LP_CALL(TexObjectCreate)(hipTextureObject_t *pTexObject, const HIP_RESOURCE_DESC *pResDesc,
                           const HIP_TEXTURE_DESC *pTexDesc, const HIP_RESOURCE_VIEW_DESC *pResViewDesc);
__LP_CALL(TexObjectDestroy)(hipTextureObject_t texObject);
__LP_CALL(TexObjectGetResourceDesc)(HIP_RESOURCE_DESC *pResDesc, hipTextureObject_t texObject);
__LP_CALL(TexObjectGetResourceViewDesc)(HIP_RESOURCE_VIEW_DESC *pResViewDesc, hipTextureObject_t texObject);
__LP_CALL(TexObjectGetTextureDesc)(HIP_TEXTURE_DESC *pTexDesc, hipTextureObject_t texObject);
__LP_CALL(MipmappedArrayCreate)(hipMipmappedArray_t *pHandle, HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                unsigned int numMipmapLevels);
__LP_CALL(MipmappedArrayDestroy)(hipMipmappedArray_t hMipmappedArray);
__LP_CALL(MipmappedArrayGetLevel)(hipArray_t *pLevelArray, hipMipmappedArray_t hMipMappedArray, unsigned int level);

// how two devices are connected
__LP_CALL(ExtGetLinkTypeAndHopCount)(int device1, int device2, uint32_t *linktype, uint32_t *hopcount);

// graphs
__LP_CALL(DrvGraphAddMemcpyNode)(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                 size_t numDependencies, const HIP_MEMCPY3D *copyParams, hipCtx_t ctx);
__LP_CALL(DrvGraphMemcpyNodeGetParams)(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams);
__LP_CALL(DrvGraphMemcpyNodeSetParams)(hipGraphNode_t hNode, const HIP_MEMCPY3D *nodeParams);
__LP_CALL(DrvGraphAddMemsetNode)(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                 size_t numDependencies, const hipMemsetParams *memsetParams, hipCtx_t ctx);
__LP_CALL(DrvGraphAddMemFreeNode)(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                  size_t numDependencies, void *dptr);
__LP_CALL(DrvGraphExecMemcpyNodeSetParams)(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                           const HIP_MEMCPY3D *copyParams, hipCtx_t ctx);
__LP_CALL(DrvGraphExecMemsetNodeSetParams)(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                           const hipMemsetParams *memsetParams, hipCtx_t ctx);

// as above, with the null stream of the thread
__LP_CALL(Memcpy_spt)(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);
__LP_CALL(MemcpyToSymbol_spt)(const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind);
__LP_CALL(MemcpyFromSymbol_spt)(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind);
__LP_CALL(Memcpy2D_spt)(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                        hipMemcpyKind kind);
__LP_CALL(Memcpy2DFromArray_spt)(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                 size_t width, size_t height, hipMemcpyKind kind);
__LP_CALL(Memcpy3D_spt)(const hipMemcpy3DParms *p);
__LP_CALL(Memset_spt)(void *dst, int value, size_t sizeBytes);
__LP_CALL(MemsetAsync_spt)(void *dst, int value, size_t sizeBytes, hipStream_t stream = 0);
__LP_CALL(Memset2D_spt)(void *dst, size_t pitch, int value, size_t width, size_t height);
__LP_CALL(Memset2DAsync_spt)(void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream = 0);
__LP_CALL(Memset3DAsync_spt)(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream = 0);
__LP_CALL(Memset3D_spt)(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent);
__LP_CALL(MemcpyAsync_spt)(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream = 0);
__LP_CALL(Memcpy3DAsync_spt)(const hipMemcpy3DParms *p, hipStream_t stream = 0);
__LP_CALL(Memcpy2DAsync_spt)(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                             hipMemcpyKind kind, hipStream_t stream = 0);
__LP_CALL(MemcpyFromSymbolAsync_spt)(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                     hipStream_t stream = 0);
__LP_CALL(MemcpyToSymbolAsync_spt)(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                   hipMemcpyKind kind, hipStream_t stream = 0);
__LP_CALL(MemcpyFromArray_spt)(void *dst, hipArray_const_t src, size_t wOffsetSrc, size_t hOffset, size_t count,
                               hipMemcpyKind kind);
__LP_CALL(Memcpy2DToArray_spt)(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                               size_t width, size_t height, hipMemcpyKind kind);
__LP_CALL(Memcpy2DFromArrayAsync_spt)(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffsetSrc,
                                      size_t hOffsetSrc, size_t width, size_t height, hipMemcpyKind kind,
                                      hipStream_t stream = 0);
__LP_CALL(Memcpy2DToArrayAsync_spt)(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                    size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream = 0);
__LP_CALL(StreamQuery_spt)(hipStream_t stream = 0);
__LP_CALL(StreamSynchronize_spt)(hipStream_t stream = 0);
__LP_CALL(StreamGetPriority_spt)(hipStream_t stream, int *priority);
__LP_CALL(StreamWaitEvent_spt)(hipStream_t stream, hipEvent_t event, unsigned int flags);
__LP_CALL(StreamGetFlags_spt)(hipStream_t stream, unsigned int *flags);
__LP_CALL(StreamAddCallback_spt)(hipStream_t stream, hipStreamCallback_t callback, void *userData, unsigned int flags);
__LP_CALL(EventRecord_spt)(hipEvent_t event, hipStream_t stream = 0);
__LP_CALL(LaunchCooperativeKernel_spt)(const void *f, dim3 gridDim, dim3 blockDim, void **kernelParams,
                                       uint32_t sharedMemBytes, hipStream_t hStream);
__LP_CALL(LaunchKernel_spt)(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
                            size_t sharedMemBytes, hipStream_t stream = 0);
__LP_CALL(GraphLaunch_spt)(hipGraphExec_t graphExec, hipStream_t stream = 0);
__LP_CALL(StreamBeginCapture_spt)(hipStream_t stream, hipStreamCaptureMode mode);
__LP_CALL(StreamEndCapture_spt)(hipStream_t stream, hipGraph_t *pGraph);
__LP_CALL(StreamIsCapturing_spt)(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus);
__LP_CALL(StreamGetCaptureInfo_spt)(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                    unsigned long long *pId);
__LP_CALL(StreamGetCaptureInfo_v2_spt)(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                       unsigned long long *id_out, hipGraph_t *graph_out,
                                       const hipGraphNode_t **dependencies_out, size_t *numDependencies_out);
__LP_CALL(LaunchHostFunc_spt)(hipStream_t stream, hipHostFn_t fn, void *userData);
#ifdef __LP_NATIVE__  // elsewhere it is what Clang calls for a launch, see launch.h
__LP_CALL(ConfigureCall)(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0, hipStream_t stream = 0);
#endif
