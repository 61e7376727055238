// Functions that HIP's and CUDA's runtime share but for their first word. See types.h for how it is included.
// Each is one statement, and a parameter that only goes in has its name in launchpath.hip: a script reads them.

// devices
__LP_CALL(GetDeviceCount)(int *count);
__LP_CALL(SetDevice)(int deviceId);
__LP_CALL(GetDevice)(int *deviceId);
__LP_CALL(SetDeviceFlags)(unsigned int flags);
__LP_CALL(GetDeviceFlags)(unsigned int *flags);
__LP_CALL(SetValidDevices)(int *device_arr, int len);
__LP_CALL(ChooseDevice)(int *device, const struct __LP_API_PROPERTIES *prop);
__LP_CALL(GetDeviceProperties)(struct __LP_API_PROPERTIES *prop, int deviceId);
__LP_CALL(DeviceGetAttribute)(int *pi, __LP_API_DEVICE_ATTRIBUTE attr, int deviceId);
__LP_CALL(DeviceSynchronize)();
__LP_CALL(DeviceReset)();
__LP_CALL(DeviceSetLimit)(__LP_API_LIMIT limit, size_t value);
__LP_CALL(DeviceGetLimit)(size_t *pValue, __LP_API_LIMIT limit);
__LP_CALL(DeviceSetCacheConfig)(__LP_API_CACHE cacheConfig);
__LP_CALL(DeviceGetCacheConfig)(__LP_API_CACHE *cacheConfig);
__LP_CALL(DeviceSetSharedMemConfig)(enum __LP_API(SharedMemConfig) config);
__LP_CALL(DeviceGetSharedMemConfig)(enum __LP_API(SharedMemConfig) *pConfig);
__LP_CALL(DeviceGetStreamPriorityRange)(int *leastPriority, int *greatestPriority);
__LP_CALL(DeviceGetPCIBusId)(char *pciBusId, int len, int device);
__LP_CALL(DeviceGetByPCIBusId)(int *device, const char *pciBusId);
__LP_CALL(DeviceGetP2PAttribute)(int *value, __LP_API_P2P attr, int srcDevice, int dstDevice);
__LP_CALL(DeviceCanAccessPeer)(int *canAccessPeer, int deviceId, int peerDeviceId);
__LP_CALL(DeviceEnablePeerAccess)(int peerDeviceId, unsigned int flags);
__LP_CALL(DeviceDisablePeerAccess)(int peerDeviceId);
__LP_CALL(DeviceGetDefaultMemPool)(__LP_API(MemPool_t) *mem_pool, int device);
__LP_CALL(DeviceGetMemPool)(__LP_API(MemPool_t) *mem_pool, int device);
__LP_CALL(DeviceSetMemPool)(int device, __LP_API(MemPool_t) mem_pool);
__LP_CALL(DeviceGetTexture1DLinearMaxWidth)(size_t *max_width, const __LP_API(ChannelFormatDesc) *desc, int device);
__LP_CALL(DriverGetVersion)(int *driverVersion);
__LP_CALL(RuntimeGetVersion)(int *runtimeVersion);
__LP_CALL(IpcGetMemHandle)(__LP_API(IpcMemHandle_t) *handle, void *devPtr);
__LP_CALL(IpcOpenMemHandle)(void **devPtr, __LP_API(IpcMemHandle_t) handle, unsigned int flags);
__LP_CALL(IpcCloseMemHandle)(void *devPtr);
__LP_CALL(IpcGetEventHandle)(__LP_API(IpcEventHandle_t) *handle, __LP_API(Event_t) event);
__LP_CALL(IpcOpenEventHandle)(__LP_API(Event_t) *event, __LP_API(IpcEventHandle_t) handle);
__LP_CALL(ProfilerStart)();
__LP_CALL(ProfilerStop)();

// errors
__LP_CALL(GetLastError)();
__LP_CALL(PeekAtLastError)();
__LP_CALL_TEXT(GetErrorName)(__LP_API(Error_t) hip_error);
__LP_CALL_TEXT(GetErrorString)(__LP_API(Error_t) hipError);

// streams
__LP_CALL(StreamCreate)(__LP_API(Stream_t) *stream);
__LP_CALL(StreamCreateWithFlags)(__LP_API(Stream_t) *stream, unsigned int flags);
__LP_CALL(StreamCreateWithPriority)(__LP_API(Stream_t) *stream, unsigned int flags, int priority);
__LP_CALL(StreamDestroy)(__LP_API(Stream_t) stream);
__LP_CALL(StreamSynchronize)(__LP_API(Stream_t) stream);
__LP_CALL(StreamQuery)(__LP_API(Stream_t) stream);
__LP_CALL(StreamWaitEvent)(__LP_API(Stream_t) stream, __LP_API(Event_t) event, unsigned int flags = 0);
__LP_CALL(StreamAddCallback)(__LP_API(Stream_t) stream, __LP_API(StreamCallback_t) callback, void *userData,
                             unsigned int flags);
__LP_CALL(StreamAttachMemAsync)(__LP_API(Stream_t) stream, void *dev_ptr, size_t length = 0, unsigned int flags = 4);
__LP_CALL(StreamGetPriority)(__LP_API(Stream_t) stream, int *priority);
__LP_CALL(StreamGetFlags)(__LP_API(Stream_t) stream, unsigned int *flags);
__LP_CALL(StreamGetId)(__LP_API(Stream_t) stream, unsigned long long *streamId);
__LP_CALL(StreamGetDevice)(__LP_API(Stream_t) stream, int *device);
__LP_CALL(StreamCopyAttributes)(__LP_API(Stream_t) dst, __LP_API(Stream_t) src);
__LP_CALL(StreamGetAttribute)(__LP_API(Stream_t) stream, __LP_API(LaunchAttributeID) attr,
                              __LP_API(LaunchAttributeValue) *value_out);
__LP_CALL(StreamSetAttribute)(__LP_API(Stream_t) stream, __LP_API(LaunchAttributeID) attr,
                              const __LP_API(LaunchAttributeValue) *value);
__LP_CALL(LaunchHostFunc)(__LP_API(Stream_t) stream, __LP_API(HostFn_t) fn, void *userData);

// events
__LP_CALL(EventCreate)(__LP_API(Event_t) *event);
__LP_CALL(EventCreateWithFlags)(__LP_API(Event_t) *event, unsigned int flags);
__LP_CALL(EventRecord)(__LP_API(Event_t) event, __LP_API(Stream_t) stream = 0);
__LP_CALL(EventRecordWithFlags)(__LP_API(Event_t) event, __LP_API(Stream_t) stream = 0, unsigned int flags = 0);
__LP_CALL(EventQuery)(__LP_API(Event_t) event);
__LP_CALL(EventSynchronize)(__LP_API(Event_t) event);
__LP_CALL(EventDestroy)(__LP_API(Event_t) event);
__LP_CALL(EventElapsedTime)(float *ms, __LP_API(Event_t) start, __LP_API(Event_t) stop);

// memory
__LP_CALL(Malloc)(void **ptr, size_t size);
__LP_CALL(MallocHost)(void **ptr, size_t size);
__LP_CALL(HostAlloc)(void **ptr, size_t size, unsigned int flags);
__LP_CALL(MallocManaged)(void **dev_ptr, size_t size, unsigned int flags = 1);
__LP_CALL(MallocPitch)(void **ptr, size_t *pitch, size_t width, size_t height);
__LP_CALL(Free)(void *ptr);
__LP_CALL(FreeHost)(void *ptr);
__LP_CALL(HostRegister)(void *hostPtr, size_t sizeBytes, unsigned int flags);
__LP_CALL(HostUnregister)(void *hostPtr);
__LP_CALL(HostGetDevicePointer)(void **devPtr, void *hstPtr, unsigned int flags);
__LP_CALL(HostGetFlags)(unsigned int *flagsPtr, void *hostPtr);
__LP_CALL(MallocAsync)(void **dev_ptr, size_t size, __LP_API(Stream_t) stream);
__LP_CALL(MallocFromPoolAsync)(void **dev_ptr, size_t size, __LP_API(MemPool_t) mem_pool, __LP_API(Stream_t) stream);
__LP_CALL(FreeAsync)(void *dev_ptr, __LP_API(Stream_t) stream);
__LP_CALL(MemGetInfo)(size_t *free, size_t *total);
__LP_CALL(MemPrefetchAsync)(const void *dev_ptr, size_t count, int device, __LP_API(Stream_t) stream = 0);
__LP_CALL(MemAdvise)(const void *dev_ptr, size_t count, enum __LP_API(MemoryAdvise) advice, int device);
__LP_CALL(MemRangeGetAttribute)(void *data, size_t data_size, enum __LP_API(MemRangeAttribute) attribute,
                                const void *dev_ptr, size_t count);
__LP_CALL(MemRangeGetAttributes)(void **data, size_t *data_sizes, enum __LP_API(MemRangeAttribute) *attributes,
                                 size_t num_attributes, const void *dev_ptr, size_t count);
__LP_CALL(PointerGetAttributes)(struct __LP_API_POINTER_ATTRIBUTES *attributes, const void *ptr);
__LP_CALL(GetSymbolAddress)(void **devPtr, const void *symbol);
__LP_CALL(GetSymbolSize)(size_t *size, const void *symbol);
__LP_CALL(MemPoolCreate)(__LP_API(MemPool_t) *mem_pool, const __LP_API(MemPoolProps) *pool_props);
__LP_CALL(MemPoolDestroy)(__LP_API(MemPool_t) mem_pool);
__LP_CALL(MemPoolSetAttribute)(__LP_API(MemPool_t) mem_pool, enum __LP_API(MemPoolAttr) attr, void *value);
__LP_CALL(MemPoolGetAttribute)(__LP_API(MemPool_t) mem_pool, enum __LP_API(MemPoolAttr) attr, void *value);
__LP_CALL(MemPoolTrimTo)(__LP_API(MemPool_t) mem_pool, size_t min_bytes_to_hold);
__LP_CALL(MemPoolSetAccess)(__LP_API(MemPool_t) mem_pool, const __LP_API(MemAccessDesc) *desc_list, size_t count);
__LP_CALL(MemPoolGetAccess)(__LP_API(MemAccessFlags) *flags, __LP_API(MemPool_t) mem_pool,
                            __LP_API(MemLocation) *location);
__LP_CALL(MemPoolExportToShareableHandle)(void *shared_handle, __LP_API(MemPool_t) mem_pool,
                                          __LP_API(MemAllocationHandleType) handle_type, unsigned int flags);
__LP_CALL(MemPoolImportFromShareableHandle)(__LP_API(MemPool_t) *mem_pool, void *shared_handle,
                                            __LP_API(MemAllocationHandleType) handle_type, unsigned int flags);
__LP_CALL(MemPoolExportPointer)(__LP_API(MemPoolPtrExportData) *export_data, void *dev_ptr);
__LP_CALL(MemPoolImportPointer)(void **dev_ptr, __LP_API(MemPool_t) mem_pool,
                                __LP_API(MemPoolPtrExportData) *export_data);

// copies
__LP_CALL(Memcpy)(void *dst, const void *src, size_t sizeBytes, enum __LP_API(MemcpyKind) kind);
__LP_CALL(MemcpyAsync)(void *dst, const void *src, size_t sizeBytes, enum __LP_API(MemcpyKind) kind,
                       __LP_API(Stream_t) stream = 0);
__LP_CALL(MemcpyPeer)(void *dst, int dstDeviceId, const void *src, int srcDeviceId, size_t sizeBytes);
__LP_CALL(MemcpyPeerAsync)(void *dst, int dstDeviceId, const void *src, int srcDevice, size_t sizeBytes,
                           __LP_API(Stream_t) stream = 0);
__LP_CALL(Memcpy2D)(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                    enum __LP_API(MemcpyKind) kind);
__LP_CALL(Memcpy2DAsync)(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum __LP_API(MemcpyKind) kind, __LP_API(Stream_t) stream = 0);
__LP_CALL(MemcpyToSymbol)(const void *symbol, const void *src, size_t sizeBytes, size_t offset = 0,
                          enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyHostToDevice));
__LP_CALL(MemcpyToSymbolAsync)(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                               enum __LP_API(MemcpyKind) kind, __LP_API(Stream_t) stream = 0);
__LP_CALL(MemcpyFromSymbol)(void *dst, const void *symbol, size_t sizeBytes, size_t offset = 0,
                            enum __LP_API(MemcpyKind) kind = __LP_API(MemcpyDeviceToHost));
__LP_CALL(MemcpyFromSymbolAsync)(void *dst, const void *symbol, size_t sizeBytes, size_t offset,
                                 enum __LP_API(MemcpyKind) kind, __LP_API(Stream_t) stream = 0);
__LP_CALL(Memset)(void *dst, int value, size_t sizeBytes);
__LP_CALL(MemsetAsync)(void *dst, int value, size_t sizeBytes, __LP_API(Stream_t) stream = 0);
__LP_CALL(Memset2D)(void *dst, size_t pitch, int value, size_t width, size_t height);
__LP_CALL(Memset2DAsync)(void *dst, size_t pitch, int value, size_t width, size_t height,
                         __LP_API(Stream_t) stream = 0);

// kernels
__LP_CALL(LaunchKernel)(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
                        size_t sharedMemBytes = 0, __LP_API(Stream_t) stream = 0);
__LP_CALL(LaunchCooperativeKernel)(const void *f, dim3 gridDim, dim3 blockDimX, void **kernelParams,
                                   unsigned int sharedMemBytes = 0, __LP_API(Stream_t) stream = 0);
__LP_CALL(LaunchCooperativeKernelMultiDevice)(__LP_API(LaunchParams) *launchParamsList, int numDevices,
                                              unsigned int flags = 0);
__LP_CALL(LaunchKernelExC)(const __LP_API(LaunchConfig_t) *config, const void *fPtr, void **args);
__LP_CALL(FuncGetAttributes)(__LP_API(FuncAttributes) *attr, const void *func);
__LP_CALL(FuncSetAttribute)(const void *func, enum __LP_API(FuncAttribute) attr, int value);
__LP_CALL(FuncSetCacheConfig)(const void *func, __LP_API_CACHE config);
__LP_CALL(FuncSetSharedMemConfig)(const void *func, enum __LP_API(SharedMemConfig) config);
__LP_CALL(GetFuncBySymbol)(__LP_API(Function_t) *functionPtr, const void *symbolPtr);
__LP_CALL(OccupancyMaxActiveBlocksPerMultiprocessor)(int *numBlocks, const void *f, int blockSize,
                                                     size_t dynSharedMemPerBlk);
__LP_CALL(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *numBlocks, const void *f, int blockSize,
                                                              size_t dynSharedMemPerBlk, unsigned int flags);
__LP_CALL(OccupancyMaxPotentialBlockSize)(int *gridSize, int *blockSize, const void *f, size_t dynSharedMemPerBlk = 0,
                                          int blockSizeLimit = 0);
__LP_CALL(OccupancyAvailableDynamicSMemPerBlock)(size_t *dynamicSmemSize, const void *f, int numBlocks, int blockSize);
__LP_CALL(OccupancyMaxActiveClusters)(int *numClusters, const void *f, const __LP_API(LaunchConfig_t) *config);
__LP_CALL(OccupancyMaxPotentialClusterSize)(int *clusterSize, const void *f, const __LP_API(LaunchConfig_t) *config);

// what is shared with other programs and interfaces
__LP_CALL(ImportExternalMemory)(void **extMem_out, const __LP_API(ExternalMemoryHandleDesc) *memHandleDesc);
__LP_CALL(DestroyExternalMemory)(void *extMem);
__LP_CALL(ExternalMemoryGetMappedBuffer)(void **devPtr, void *extMem,
                                         const __LP_API(ExternalMemoryBufferDesc) *bufferDesc);
__LP_CALL(ExternalMemoryGetMappedMipmappedArray)(__LP_API(MipmappedArray_t) *mipmap, void *extMem,
                                                 const __LP_API(ExternalMemoryMipmappedArrayDesc) *mipmapDesc);
__LP_CALL(ImportExternalSemaphore)(void **extSem_out, const __LP_API(ExternalSemaphoreHandleDesc) *semHandleDesc);
__LP_CALL(DestroyExternalSemaphore)(void *extSem);
__LP_CALL(SignalExternalSemaphoresAsync)(void *const *extSemArray,
                                         const __LP_API(ExternalSemaphoreSignalParams) *paramsArray,
                                         unsigned int numExtSems, __LP_API(Stream_t) stream = 0);
__LP_CALL(WaitExternalSemaphoresAsync)(void *const *extSemArray,
                                       const __LP_API(ExternalSemaphoreWaitParams) *paramsArray,
                                       unsigned int numExtSems, __LP_API(Stream_t) stream = 0);
__LP_CALL(GraphicsMapResources)(int count, __LP_API(GraphicsResource_t) *resources, __LP_API(Stream_t) stream = 0);
__LP_CALL(GraphicsUnmapResources)(int count, __LP_API(GraphicsResource_t) *resources, __LP_API(Stream_t) stream = 0);
__LP_CALL(GraphicsUnregisterResource)(__LP_API(GraphicsResource_t) resource);
__LP_CALL(GraphicsResourceGetMappedPointer)(void **devPtr, size_t *size, __LP_API(GraphicsResource_t) resource);
__LP_CALL(GraphicsSubResourceGetMappedArray)(__LP_API(Array_t) *array, __LP_API(GraphicsResource_t) resource,
                                             unsigned int arrayIndex, unsigned int mipLevel);
