// Functions that HIP's and CUDA's runtime share but for their first word. See types.h for how it is included.

// devices
__LP_CALL(GetDeviceCount)(int *);
__LP_CALL(SetDevice)(int);
__LP_CALL(GetDevice)(int *);
__LP_CALL(SetDeviceFlags)(unsigned int);
__LP_CALL(GetDeviceFlags)(unsigned int *);
__LP_CALL(SetValidDevices)(int *, int);
__LP_CALL(ChooseDevice)(int *, const struct __LP_API_PROPERTIES *);
__LP_CALL(GetDeviceProperties)(struct __LP_API_PROPERTIES *, int);
__LP_CALL(DeviceGetAttribute)(int *, __LP_API_DEVICE_ATTRIBUTE, int);
__LP_CALL(DeviceSynchronize)();
__LP_CALL(DeviceReset)();
__LP_CALL(DeviceSetLimit)(__LP_API_LIMIT, size_t);
__LP_CALL(DeviceGetLimit)(size_t *, __LP_API_LIMIT);
__LP_CALL(DeviceSetCacheConfig)(__LP_API_CACHE);
__LP_CALL(DeviceGetCacheConfig)(__LP_API_CACHE *);
__LP_CALL(DeviceSetSharedMemConfig)(enum __LP_API(SharedMemConfig));
__LP_CALL(DeviceGetSharedMemConfig)(enum __LP_API(SharedMemConfig) *);
__LP_CALL(DeviceGetStreamPriorityRange)(int *least, int *greatest);
__LP_CALL(DeviceGetPCIBusId)(char *, int length, int device);
__LP_CALL(DeviceGetByPCIBusId)(int *, const char *);
__LP_CALL(DeviceGetP2PAttribute)(int *, __LP_API_P2P, int, int);
__LP_CALL(DeviceCanAccessPeer)(int *, int, int);
__LP_CALL(DeviceEnablePeerAccess)(int, unsigned int);
__LP_CALL(DeviceDisablePeerAccess)(int);
__LP_CALL(DeviceGetDefaultMemPool)(__LP_API(MemPool_t) *, int);
__LP_CALL(DeviceGetMemPool)(__LP_API(MemPool_t) *, int);
__LP_CALL(DeviceSetMemPool)(int, __LP_API(MemPool_t));
__LP_CALL(DriverGetVersion)(int *);
__LP_CALL(RuntimeGetVersion)(int *);
__LP_CALL(IpcGetMemHandle)(__LP_API(IpcMemHandle_t) *, void *);
__LP_CALL(IpcOpenMemHandle)(void **, __LP_API(IpcMemHandle_t), unsigned int);
__LP_CALL(IpcCloseMemHandle)(void *);
__LP_CALL(IpcGetEventHandle)(__LP_API(IpcEventHandle_t) *, __LP_API(Event_t));
__LP_CALL(IpcOpenEventHandle)(__LP_API(Event_t) *, __LP_API(IpcEventHandle_t));
__LP_CALL(ProfilerStart)();
__LP_CALL(ProfilerStop)();

// errors
__LP_CALL(GetLastError)();
__LP_CALL(PeekAtLastError)();
extern "C" const char *__LP_API(GetErrorName)(__LP_API(Error_t));
extern "C" const char *__LP_API(GetErrorString)(__LP_API(Error_t));

// streams
__LP_CALL(StreamCreate)(__LP_API(Stream_t) *);
__LP_CALL(StreamCreateWithFlags)(__LP_API(Stream_t) *, unsigned int);
__LP_CALL(StreamCreateWithPriority)(__LP_API(Stream_t) *, unsigned int, int);
__LP_CALL(StreamDestroy)(__LP_API(Stream_t));
__LP_CALL(StreamSynchronize)(__LP_API(Stream_t));
__LP_CALL(StreamQuery)(__LP_API(Stream_t));
__LP_CALL(StreamWaitEvent)(__LP_API(Stream_t), __LP_API(Event_t), unsigned int flags = 0);
__LP_CALL(StreamAddCallback)(__LP_API(Stream_t), __LP_API(StreamCallback_t), void *, unsigned int);
__LP_CALL(StreamAttachMemAsync)(__LP_API(Stream_t), void *, size_t length = 0, unsigned int flags = 4);
__LP_CALL(StreamGetPriority)(__LP_API(Stream_t), int *);
__LP_CALL(StreamGetFlags)(__LP_API(Stream_t), unsigned int *);
__LP_CALL(LaunchHostFunc)(__LP_API(Stream_t), __LP_API(HostFn_t), void *);

// events
__LP_CALL(EventCreate)(__LP_API(Event_t) *);
__LP_CALL(EventCreateWithFlags)(__LP_API(Event_t) *, unsigned int);
__LP_CALL(EventRecord)(__LP_API(Event_t), __LP_API(Stream_t) = 0);
__LP_CALL(EventRecordWithFlags)(__LP_API(Event_t), __LP_API(Stream_t) = 0, unsigned int flags = 0);
__LP_CALL(EventQuery)(__LP_API(Event_t));
__LP_CALL(EventSynchronize)(__LP_API(Event_t));
__LP_CALL(EventDestroy)(__LP_API(Event_t));
__LP_CALL(EventElapsedTime)(float *, __LP_API(Event_t), __LP_API(Event_t));

// memory
__LP_CALL(Malloc)(void **, size_t);
__LP_CALL(MallocPitch)(void **, size_t *pitch, size_t width, size_t height);
__LP_CALL(Free)(void *);
__LP_CALL(FreeHost)(void *);
__LP_CALL(HostRegister)(void *, size_t, unsigned int);
__LP_CALL(HostUnregister)(void *);
__LP_CALL(HostGetDevicePointer)(void **, void *, unsigned int);
__LP_CALL(HostGetFlags)(unsigned int *, void *);
__LP_CALL(MallocAsync)(void **, size_t, __LP_API(Stream_t));
__LP_CALL(MallocFromPoolAsync)(void **, size_t, __LP_API(MemPool_t), __LP_API(Stream_t));
__LP_CALL(FreeAsync)(void *, __LP_API(Stream_t));
__LP_CALL(MemGetInfo)(size_t *, size_t *);
__LP_CALL(Memcpy)(void *, const void *, size_t, enum __LP_API(MemcpyKind));
__LP_CALL(MemcpyAsync)(void *, const void *, size_t, enum __LP_API(MemcpyKind), __LP_API(Stream_t) = 0);
__LP_CALL(MemcpyPeer)(void *, int, const void *, int, size_t);
__LP_CALL(MemcpyPeerAsync)(void *, int, const void *, int, size_t, __LP_API(Stream_t) = 0);
__LP_CALL(Memcpy2D)(void *, size_t, const void *, size_t, size_t width, size_t height, enum __LP_API(MemcpyKind));
__LP_CALL(Memcpy2DAsync)(void *, size_t, const void *, size_t, size_t width, size_t height, enum __LP_API(MemcpyKind),
                         __LP_API(Stream_t) = 0);
__LP_CALL(Memset)(void *, int, size_t);
__LP_CALL(MemsetAsync)(void *, int, size_t, __LP_API(Stream_t) = 0);
__LP_CALL(Memset2D)(void *, size_t pitch, int, size_t width, size_t height);
__LP_CALL(Memset2DAsync)(void *, size_t pitch, int, size_t width, size_t height, __LP_API(Stream_t) = 0);
__LP_CALL(MemPrefetchAsync)(const void *, size_t, int device, __LP_API(Stream_t) = 0);
__LP_CALL(MemAdvise)(const void *, size_t, enum __LP_API(MemoryAdvise), int device);
__LP_CALL(PointerGetAttributes)(struct __LP_API_POINTER_ATTRIBUTES *, const void *);
__LP_CALL(MemPoolCreate)(__LP_API(MemPool_t) *, const __LP_API(MemPoolProps) *);
__LP_CALL(MemPoolDestroy)(__LP_API(MemPool_t));
__LP_CALL(MemPoolSetAttribute)(__LP_API(MemPool_t), enum __LP_API(MemPoolAttr), void *);
__LP_CALL(MemPoolGetAttribute)(__LP_API(MemPool_t), enum __LP_API(MemPoolAttr), void *);
__LP_CALL(MemPoolTrimTo)(__LP_API(MemPool_t), size_t);

// C++ forms, over any pointer; with bodies, which Clang wants of functions over local types
template <class _T> __LP_API(Error_t) __LP_API(Malloc)(_T **, size_t) { return __LP_API(Success); }
template <class _T>
__LP_API(Error_t)
__LP_API(MallocHost)(_T **, size_t, unsigned int flags = 0) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(HostAlloc)(_T **, size_t, unsigned int flags) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(MallocManaged)(_T **, size_t, unsigned int flags = 1) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(MallocPitch)(_T **, size_t *pitch, size_t width, size_t height) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(MallocAsync)(_T **, size_t, __LP_API(Stream_t)) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(MallocAsync)(_T **, size_t, __LP_API(MemPool_t), __LP_API(Stream_t)) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t)
__LP_API(MallocFromPoolAsync)(_T **, size_t, __LP_API(MemPool_t), __LP_API(Stream_t)) { return __LP_API(Success); }
template <class _T>
__LP_API(Error_t)
__LP_API(HostGetDevicePointer)(_T **, void *, unsigned int) {
  return __LP_API(Success);
}
template <class _T> __LP_API(Error_t) __LP_API(GetSymbolAddress)(void **, const _T &) { return __LP_API(Success); }
template <class _T, class _S>
__LP_API(Error_t)
__LP_API(GetSymbolAddress)(_T **, const _S &) {
  return __LP_API(Success);
}
template <class _T> __LP_API(Error_t) __LP_API(GetSymbolSize)(size_t *, const _T &) { return __LP_API(Success); }
template <class _T>
__LP_API(Error_t)
__LP_API(MemcpyToSymbol)(const _T &, const void *, size_t, size_t offset = 0,
                         enum __LP_API(MemcpyKind) = __LP_API(MemcpyHostToDevice)) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t) __LP_API(MemcpyToSymbolAsync)(const _T &, const void *, size_t, size_t offset = 0,
                                                enum __LP_API(MemcpyKind) = __LP_API(MemcpyHostToDevice),
                                                __LP_API(Stream_t) = 0) { return __LP_API(Success); }
template <class _T>
__LP_API(Error_t)
__LP_API(MemcpyFromSymbol)(void *, const _T &, size_t, size_t offset = 0,
                           enum __LP_API(MemcpyKind) = __LP_API(MemcpyDeviceToHost)) {
  return __LP_API(Success);
}
template <class _T>
__LP_API(Error_t) __LP_API(MemcpyFromSymbolAsync)(void *, const _T &, size_t, size_t offset = 0,
                                                  enum __LP_API(MemcpyKind) = __LP_API(MemcpyDeviceToHost),
                                                  __LP_API(Stream_t) = 0) { return __LP_API(Success); }

// texture references
template <class... _A> __LP_API(Error_t) __LP_API(BindTexture)(_A &&...) { return __LP_API(Success); }
template <class... _A> __LP_API(Error_t) __LP_API(BindTexture2D)(_A &&...) { return __LP_API(Success); }
template <class... _A> __LP_API(Error_t) __LP_API(BindTextureToArray)(_A &&...) { return __LP_API(Success); }
template <class... _A> __LP_API(Error_t) __LP_API(BindSurfaceToArray)(_A &&...) { return __LP_API(Success); }
template <class _T> __LP_API(Error_t) __LP_API(UnbindTexture)(_T &) { return __LP_API(Success); }

// kernels
template <class _F>
__LP_API(Error_t) __LP_API(LaunchKernel)(_F *, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                         __LP_API(Stream_t) = 0) { return __LP_API(Success); }
template <class _F>
__LP_API(Error_t) __LP_API(LaunchCooperativeKernel)(_F *, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                                    __LP_API(Stream_t) = 0) { return __LP_API(Success); }
__LP_CALL(LaunchCooperativeKernelMultiDevice)(__LP_API(LaunchParams) *, unsigned int, unsigned int flags = 0);
template <class _F>
__LP_API(Error_t)
__LP_API(FuncSetAttribute)(_F *, enum __LP_API(FuncAttribute), int) {
  return __LP_API(Success);
}
template <class _F> __LP_API(Error_t) __LP_API(FuncSetCacheConfig)(_F *, __LP_API_CACHE) { return __LP_API(Success); }
template <class _F>
__LP_API(Error_t)
__LP_API(FuncSetSharedMemConfig)(_F *, enum __LP_API(SharedMemConfig)) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t)
__LP_API(FuncGetAttributes)(struct __LP_API(FuncAttributes) *, _F *) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t)
__LP_API(OccupancyMaxActiveBlocksPerMultiprocessor)(int *, _F, int threads, size_t shared) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t)
__LP_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *, _F, int threads, size_t shared, unsigned int) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t)
__LP_API(OccupancyMaxPotentialBlockSize)(int *grid, int *block, _F, size_t shared = 0, int limit = 0) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t) __LP_API(OccupancyMaxPotentialBlockSizeWithFlags)(int *, int *, _F, size_t = 0, int = 0,
                                                                    unsigned int = 0) { return __LP_API(Success); }
template <class _S, class _F>
__LP_API(Error_t)
__LP_API(OccupancyMaxPotentialBlockSizeVariableSMem)(int *, int *, _F, _S, int = 0) {
  return __LP_API(Success);
}
template <class _F>
__LP_API(Error_t)
__LP_API(OccupancyAvailableDynamicSMemPerBlock)(size_t *, _F, int blocks, int threads) {
  return __LP_API(Success);
}

// graphs
__LP_CALL(StreamBeginCapture)(__LP_API(Stream_t), enum __LP_API(StreamCaptureMode));
__LP_CALL(StreamEndCapture)(__LP_API(Stream_t), __LP_API(Graph_t) *);
__LP_CALL(StreamIsCapturing)(__LP_API(Stream_t), enum __LP_API(StreamCaptureStatus) *);
__LP_CALL(ThreadExchangeStreamCaptureMode)(enum __LP_API(StreamCaptureMode) *);
__LP_CALL(GraphCreate)(__LP_API(Graph_t) *, unsigned int);
__LP_CALL(GraphDestroy)(__LP_API(Graph_t));
__LP_CALL(GraphClone)(__LP_API(Graph_t) *, __LP_API(Graph_t));
__LP_API(Error_t) __LP_API(GraphInstantiate)(__LP_API(GraphExec_t) *, __LP_API(Graph_t), unsigned long long = 0);
__LP_API(Error_t)
__LP_API(GraphInstantiate)(__LP_API(GraphExec_t) *, __LP_API(Graph_t), __LP_API(GraphNode_t) *, char *, size_t);
__LP_CALL(GraphInstantiateWithFlags)(__LP_API(GraphExec_t) *, __LP_API(Graph_t), unsigned long long);
__LP_CALL(GraphExecDestroy)(__LP_API(GraphExec_t));
__LP_CALL(GraphUpload)(__LP_API(GraphExec_t), __LP_API(Stream_t));
__LP_CALL(GraphLaunch)(__LP_API(GraphExec_t), __LP_API(Stream_t));
__LP_CALL(GraphGetNodes)(__LP_API(Graph_t), __LP_API(GraphNode_t) *, size_t *);
__LP_CALL(GraphGetRootNodes)(__LP_API(Graph_t), __LP_API(GraphNode_t) *, size_t *);
__LP_CALL(GraphAddKernelNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                              const __LP_API(KernelNodeParams) *);
__LP_CALL(GraphAddMemcpyNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                              const __LP_API(Memcpy3DParms) *);
__LP_CALL(GraphAddMemcpyNode1D)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                                void *, const void *, size_t, enum __LP_API(MemcpyKind));
__LP_CALL(GraphAddMemsetNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                              const __LP_API(MemsetParams) *);
__LP_CALL(GraphAddHostNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                            const __LP_API(HostNodeParams) *);
__LP_CALL(GraphAddChildGraphNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t,
                                  __LP_API(Graph_t));
__LP_CALL(GraphAddEmptyNode)(__LP_API(GraphNode_t) *, __LP_API(Graph_t), const __LP_API(GraphNode_t) *, size_t);
__LP_CALL(GraphAddDependencies)(__LP_API(Graph_t), const __LP_API(GraphNode_t) *, const __LP_API(GraphNode_t) *,
                                size_t);
__LP_CALL(GraphExecKernelNodeSetParams)(__LP_API(GraphExec_t), __LP_API(GraphNode_t),
                                        const __LP_API(KernelNodeParams) *);
__LP_CALL(GraphKernelNodeSetParams)(__LP_API(GraphNode_t), const __LP_API(KernelNodeParams) *);
__LP_CALL(GraphKernelNodeGetParams)(__LP_API(GraphNode_t), __LP_API(KernelNodeParams) *);
__LP_CALL(GraphDebugDotPrint)(__LP_API(Graph_t), const char *, unsigned int);
