// Types and constants that HIP's and CUDA's runtime share but for their first word: __LP_API(Stream_t) is hipStream_t
// or cudaStream_t. Included once for each, so there is no guard. Layouts and numbers are HIP's, in CUDA's types too: a
// function of CUDA's is HIP's function of the same arguments. cuda_numbers.h has the enumerators whose numbers CUDA
// programs know otherwise. Members that are CUDA's alone come after HIP's.

struct __LP_API_STREAM;
struct __LP_API_EVENT;
struct __LP_API(_graph);
struct __LP_API(_graph_node);
struct __LP_API(_graph_exec);
struct __LP_API(_mem_pool);
struct __LP_API(_user_object);
struct __LP_API(Array);
struct __LP_API(MipmappedArray);
struct __LP_API(GraphicsResource);
typedef struct __LP_API_STREAM *__LP_API(Stream_t);
typedef struct __LP_API_EVENT *__LP_API(Event_t);
typedef struct __LP_API(_graph) *__LP_API(Graph_t);
typedef struct __LP_API(_graph_node) *__LP_API(GraphNode_t);
typedef struct __LP_API(_graph_exec) *__LP_API(GraphExec_t);
typedef struct __LP_API(_mem_pool) *__LP_API(MemPool_t);
typedef struct __LP_API(_user_object) *__LP_API(UserObject_t);
typedef struct __LP_API(Array) *__LP_API(Array_t);
typedef const struct __LP_API(Array) *__LP_API(Array_const_t);
typedef struct __LP_API(MipmappedArray) *__LP_API(MipmappedArray_t);
typedef const struct __LP_API(MipmappedArray) *__LP_API(MipmappedArray_const_t);
typedef struct __LP_API(GraphicsResource) *__LP_API(GraphicsResource_t);
typedef unsigned long long __LP_API(TextureObject_t);
typedef unsigned long long __LP_API(SurfaceObject_t);
typedef struct __LP_API(IpcMemHandle_st) { char reserved[64]; } __LP_API(IpcMemHandle_t);
typedef struct __LP_API(IpcEventHandle_st) { char reserved[64]; } __LP_API(IpcEventHandle_t);

enum __LP_API(MemcpyKind) {
  __LP_API(MemcpyHostToHost) = 0,
  __LP_API(MemcpyHostToDevice) = 1,
  __LP_API(MemcpyDeviceToHost) = 2,
  __LP_API(MemcpyDeviceToDevice) = 3,
  __LP_API(MemcpyDefault) = 4,
  __LP_API(MemcpyDeviceToDeviceNoCU) = 1024
};
enum __LP_API(MemoryType) {
  __LP_API(MemoryTypeUnregistered) = 0,
  __LP_API(MemoryTypeHost) = 1,
  __LP_API(MemoryTypeDevice) = 2,
  __LP_API(MemoryTypeManaged) = 3,
  __LP_API(MemoryTypeArray) = 10,
  __LP_API(MemoryTypeUnified) = 11
};
enum __LP_API(SharedMemConfig) {
  __LP_API(SharedMemBankSizeDefault) = 0,
  __LP_API(SharedMemBankSizeFourByte) = 1,
  __LP_API(SharedMemBankSizeEightByte) = 2
};
enum __LP_API(FuncAttribute) {
  __LP_API(FuncAttributeMaxDynamicSharedMemorySize) = 8,
  __LP_API(FuncAttributePreferredSharedMemoryCarveout) = 9,
  __LP_API(FuncAttributeClusterDimMustBeSet) = 10,
  __LP_API(FuncAttributeRequiredClusterWidth) = 11,
  __LP_API(FuncAttributeRequiredClusterHeight) = 12,
  __LP_API(FuncAttributeRequiredClusterDepth) = 13,
  __LP_API(FuncAttributeNonPortableClusterSizeAllowed) = 14,
  __LP_API(FuncAttributeClusterSchedulingPolicyPreference) = 15,
  __LP_API(FuncAttributeMax)
};
enum __LP_API(MemoryAdvise) {
  __LP_API(MemAdviseSetReadMostly) = 1,
  __LP_API(MemAdviseUnsetReadMostly) = 2,
  __LP_API(MemAdviseSetPreferredLocation) = 3,
  __LP_API(MemAdviseUnsetPreferredLocation) = 4,
  __LP_API(MemAdviseSetAccessedBy) = 5,
  __LP_API(MemAdviseUnsetAccessedBy) = 6,
  __LP_API(MemAdviseSetCoarseGrain) = 100,
  __LP_API(MemAdviseUnsetCoarseGrain) = 101
};
enum __LP_API(StreamCaptureMode) {
  __LP_API(StreamCaptureModeGlobal) = 0,
  __LP_API(StreamCaptureModeThreadLocal) = 1,
  __LP_API(StreamCaptureModeRelaxed) = 2
};
enum __LP_API(StreamCaptureStatus) {
  __LP_API(StreamCaptureStatusNone) = 0,
  __LP_API(StreamCaptureStatusActive) = 1,
  __LP_API(StreamCaptureStatusInvalidated) = 2
};
enum __LP_API(MemPoolAttr) {
  __LP_API(MemPoolReuseFollowEventDependencies) = 1,
  __LP_API(MemPoolReuseAllowOpportunistic) = 2,
  __LP_API(MemPoolReuseAllowInternalDependencies) = 3,
  __LP_API(MemPoolAttrReleaseThreshold) = 4,
  __LP_API(MemPoolAttrReservedMemCurrent) = 5,
  __LP_API(MemPoolAttrReservedMemHigh) = 6,
  __LP_API(MemPoolAttrUsedMemCurrent) = 7,
  __LP_API(MemPoolAttrUsedMemHigh) = 8
};
enum __LP_API(ComputeMode) {
  __LP_API(ComputeModeDefault) = 0,
  __LP_API(ComputeModeExclusive) = 1,
  __LP_API(ComputeModeProhibited) = 2,
  __LP_API(ComputeModeExclusiveProcess) = 3
};

static constexpr unsigned int __LP_API(EventDefault) = 0, __LP_API(EventBlockingSync) = 1,
                              __LP_API(EventDisableTiming) = 2, __LP_API(EventInterprocess) = 4;
static constexpr unsigned int __LP_API(EventRecordDefault) = 0, __LP_API(EventRecordExternal) = 1,
                              __LP_API(EventWaitDefault) = 0, __LP_API(EventWaitExternal) = 1;
// A literal, for it also stands where a stream does.
#define hipStreamDefault 0
#define cudaStreamDefault 0
static constexpr unsigned int __LP_API(StreamNonBlocking) = 1;
static constexpr unsigned int __LP_API(HostRegisterDefault) = 0, __LP_API(HostRegisterPortable) = 1,
                              __LP_API(HostRegisterMapped) = 2, __LP_API(HostRegisterIoMemory) = 4,
                              __LP_API(HostRegisterReadOnly) = 8;
static constexpr unsigned int __LP_API(DeviceScheduleAuto) = 0, __LP_API(DeviceScheduleSpin) = 1,
                              __LP_API(DeviceScheduleYield) = 2, __LP_API(DeviceScheduleBlockingSync) = 4,
                              __LP_API(DeviceScheduleMask) = 7, __LP_API(DeviceMapHost) = 8,
                              __LP_API(DeviceLmemResizeToMax) = 16;
static constexpr unsigned int __LP_API(MemAttachGlobal) = 1, __LP_API(MemAttachHost) = 2,
                              __LP_API(MemAttachSingle) = 4;
static constexpr unsigned int __LP_API(OccupancyDefault) = 0, __LP_API(OccupancyDisableCachingOverride) = 1;
static constexpr unsigned int __LP_API(IpcMemLazyEnablePeerAccess) = 1;
static constexpr unsigned int __LP_API(ArrayDefault) = 0, __LP_API(ArrayLayered) = 1,
                              __LP_API(ArraySurfaceLoadStore) = 2, __LP_API(ArrayCubemap) = 4,
                              __LP_API(ArrayTextureGather) = 8;
static constexpr int __LP_API(CpuDeviceId) = -1, __LP_API(InvalidDeviceId) = -2;

typedef struct __LP_API(UUID_t) { char bytes[16]; } __LP_API(UUID);
typedef struct {
  unsigned int hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1;
  unsigned int hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1;
  unsigned int hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1;
  unsigned int hasFunnelShift : 1, hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1;
  unsigned int has3dGrid : 1, hasDynamicParallelism : 1;
} __LP_API(DeviceArch_t);
struct __LP_API_PROPERTIES {
  char name[256];
  __LP_API(UUID) uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
  int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
  int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
  int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
  int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, __LP_API_ARRAYS(sparse), hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int __LP_API_ARRAYS(deferredMapping), ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63], hipReserved[32];
  // HIP's own.
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  __LP_API(DeviceArch_t) arch;
  unsigned int *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedSharedMem, isLargeBar, asicRevision;
};

struct __LP_API(FuncAttributes) {
  int binaryVersion, cacheModeCA;
  size_t constSizeBytes, localSizeBytes;
  int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
  size_t sharedSizeBytes;
};
struct __LP_API_POINTER_ATTRIBUTES {
  enum __LP_API(MemoryType) type;
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned int allocationFlags;
};

typedef void (*__LP_API(StreamCallback_t))(__LP_API(Stream_t), __LP_API(Error_t), void *);
typedef void (*__LP_API(HostFn_t))(void *);
enum __LP_API(MemLocationType) {
  __LP_API(MemLocationTypeInvalid) = 0,
  __LP_API(MemLocationTypeNone) = 0,
  __LP_API(MemLocationTypeDevice) = 1,
  __LP_API(MemLocationTypeHost) = 2,
  __LP_API(MemLocationTypeHostNuma) = 3,
  __LP_API(MemLocationTypeHostNumaCurrent) = 4
};
enum __LP_API(MemAllocationType) {
  __LP_API(MemAllocationTypeInvalid) = 0,
  __LP_API(MemAllocationTypePinned) = 1,
  __LP_API(MemAllocationTypeManaged) = 2,
  __LP_API(MemAllocationTypeUncached) = 0x40000000,
  __LP_API(MemAllocationTypeMax) = 0x7FFFFFFF
};
enum __LP_API(MemAllocationHandleType) {
  __LP_API(MemHandleTypeNone) = 0,
  __LP_API(MemHandleTypePosixFileDescriptor) = 1,
  __LP_API(MemHandleTypeWin32) = 2,
  __LP_API(MemHandleTypeWin32Kmt) = 4,
  __LP_API(MemHandleTypeFabric) = 8
};
struct __LP_API(MemLocation) {
  enum __LP_API(MemLocationType) type;
  int id;
};
struct __LP_API(MemPoolProps) {
  enum __LP_API(MemAllocationType) allocType;
  enum __LP_API(MemAllocationHandleType) handleTypes;
  struct __LP_API(MemLocation) location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};
typedef struct __LP_API(LaunchParams_t) {
  void *func;
  dim3 gridDim, blockDim;
  void **args;
  size_t sharedMem;
  __LP_API(Stream_t) stream;
} __LP_API(LaunchParams);
// __LP_API_LIST gives CUDA programs the order of CUDA's members where they list values.
struct __LP_API(KernelNodeParams) {
  dim3 blockDim;
  void **extra;
  void *func;
  dim3 gridDim;
  void **kernelParams;
  unsigned int sharedMemBytes;
  __LP_API_LIST(KernelNodeParams,
                (void *f, dim3 g = dim3(), dim3 b = dim3(), unsigned int s = 0, void **p = nullptr, void **e = nullptr),
                (blockDim(b), extra(e), func(f), gridDim(g), kernelParams(p), sharedMemBytes(s)))
};
struct __LP_API(HostNodeParams) {
  __LP_API(HostFn_t) fn;
  void *userData;
};
struct __LP_API(MemsetParams) {
  void *dst;
  unsigned int elementSize;
  size_t height, pitch;
  unsigned int value;
  size_t width;
  __LP_API_LIST(MemsetParams,
                (void *d, size_t p = 0, unsigned int v = 0, unsigned int e = 0, size_t w = 0, size_t h = 0),
                (dst(d), elementSize(e), height(h), pitch(p), value(v), width(w)))
};
enum __LP_API(AccessProperty) {
  __LP_API(AccessPropertyNormal) = 0,
  __LP_API(AccessPropertyStreaming) = 1,
  __LP_API(AccessPropertyPersisting) = 2
};
struct __LP_API(AccessPolicyWindow) {
  void *base_ptr;
  enum __LP_API(AccessProperty) hitProp;
  float hitRatio;
  enum __LP_API(AccessProperty) missProp;
  size_t num_bytes;
  __LP_API_LIST(AccessPolicyWindow,
                (void *b, size_t n = 0, float r = 0, enum __LP_API(AccessProperty) h = __LP_API(AccessPropertyNormal),
                 enum __LP_API(AccessProperty) m = __LP_API(AccessPropertyNormal)),
                (base_ptr(b), hitProp(h), hitRatio(r), missProp(m), num_bytes(n)))
};
enum __LP_API(SynchronizationPolicy) {
  __LP_API(SyncPolicyAuto) = 1,
  __LP_API(SyncPolicySpin) = 2,
  __LP_API(SyncPolicyYield) = 3,
  __LP_API(SyncPolicyBlockingSync) = 4
};
enum __LP_API(ClusterSchedulingPolicy) {
  __LP_API(ClusterSchedulingPolicyDefault) = 0,
  __LP_API(ClusterSchedulingPolicySpread) = 1,
  __LP_API(ClusterSchedulingPolicyLoadBalancing) = 2
};
enum __LP_API(LaunchMemSyncDomain) {
  __LP_API(LaunchMemSyncDomainDefault) = 0,
  __LP_API(LaunchMemSyncDomainRemote) = 1
};
struct __LP_API(LaunchMemSyncDomainMap) { unsigned char default_, remote; };
enum __LP_API(LaunchAttributeID) {
  __LP_API(LaunchAttributeIgnore) = 0,
  __LP_API(LaunchAttributeAccessPolicyWindow) = 1,
  __LP_API(LaunchAttributeCooperative) = 2,
  __LP_API(LaunchAttributeSynchronizationPolicy) = 3,
  __LP_API(LaunchAttributeClusterDimension) = 4,
  __LP_API(LaunchAttributeClusterSchedulingPolicyPreference) = 5,
  __LP_API(LaunchAttributeProgrammaticStreamSerialization) = 6,
  __LP_API(LaunchAttributeProgrammaticEvent) = 7,
  __LP_API(LaunchAttributePriority) = 8,
  __LP_API(LaunchAttributeMemSyncDomainMap) = 9,
  __LP_API(LaunchAttributeMemSyncDomain) = 10,
  __LP_API(LaunchAttributeExtDynDataPrefetch) = 1024,
  __LP_API(LaunchAttributeMax)
};
union __LP_API(LaunchAttributeValue) {
  char pad[64];
  struct __LP_API(AccessPolicyWindow) accessPolicyWindow;
  int cooperative, priority, programmaticStreamSerializationAllowed;
  enum __LP_API(SynchronizationPolicy) syncPolicy;
  struct __LP_API(LaunchMemSyncDomainMap) memSyncDomainMap;
  enum __LP_API(LaunchMemSyncDomain) memSyncDomain;
  struct { unsigned int x, y, z; } clusterDim;
  enum __LP_API(ClusterSchedulingPolicy) clusterSchedulingPolicyPreference;
  const struct __LP_API(ExtDynDataPrefetchConfig) *dynDataPrefetch;
  struct {
    __LP_API(Event_t) event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
};
typedef struct __LP_API(LaunchAttribute_st) {
  enum __LP_API(LaunchAttributeID) id;
  char pad[4];
  union {
    union __LP_API(LaunchAttributeValue) val, value;
  };
} __LP_API(LaunchAttribute);
typedef struct __LP_API(LaunchConfig_st) {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  __LP_API(Stream_t) stream;
  __LP_API(LaunchAttribute) *attrs;
  unsigned int numAttrs;
} __LP_API(LaunchConfig_t);
#define __LP_API_STREAM_ATTRIBUTES(name)                                                            \
  static constexpr enum __LP_API(LaunchAttributeID) __LP_API(StreamAttribute##name) = __LP_API(LaunchAttribute##name);
typedef enum __LP_API(LaunchAttributeID) __LP_API(StreamAttrID), __LP_API(KernelNodeAttrID);
typedef union __LP_API(LaunchAttributeValue) __LP_API(StreamAttrValue), __LP_API(KernelNodeAttrValue);
__LP_API_STREAM_ATTRIBUTES(AccessPolicyWindow)
__LP_API_STREAM_ATTRIBUTES(SynchronizationPolicy)
__LP_API_STREAM_ATTRIBUTES(Priority)
#undef __LP_API_STREAM_ATTRIBUTES
#define __LP_API_NODE_ATTRIBUTES(name)                                                                  \
  static constexpr enum __LP_API(LaunchAttributeID) __LP_API(KernelNodeAttribute##name) =               \
      __LP_API(LaunchAttribute##name);
__LP_API_NODE_ATTRIBUTES(AccessPolicyWindow)
__LP_API_NODE_ATTRIBUTES(Cooperative)
__LP_API_NODE_ATTRIBUTES(Priority)
#undef __LP_API_NODE_ATTRIBUTES
