// Types and constants that HIP's and CUDA's runtime share but for their first word: __LP_API(Stream_t) is hipStream_t
// or cudaStream_t. Included once for each, so there is no guard. Numbers are CUDA's; nothing here is ever called.

struct __LP_API_STREAM;
struct __LP_API_EVENT;
struct __LP_API(_graph);
struct __LP_API(_graph_node);
struct __LP_API(_graph_exec);
struct __LP_API(_mem_pool);
struct __LP_API(_user_object);
struct __LP_API(Array);
struct __LP_API(MipmappedArray);
struct __LP_API(_graphics_resource);
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
typedef struct __LP_API(_graphics_resource) *__LP_API(GraphicsResource_t);
typedef unsigned long long __LP_API(TextureObject_t);
typedef unsigned long long __LP_API(SurfaceObject_t);
typedef struct { char reserved[64]; } __LP_API(IpcMemHandle_t);
typedef struct { char reserved[64]; } __LP_API(IpcEventHandle_t);

enum __LP_API(MemcpyKind) {
  __LP_API(MemcpyHostToHost) = 0,
  __LP_API(MemcpyHostToDevice) = 1,
  __LP_API(MemcpyDeviceToHost) = 2,
  __LP_API(MemcpyDeviceToDevice) = 3,
  __LP_API(MemcpyDefault) = 4
};
enum __LP_API(MemoryType) {
  __LP_API(MemoryTypeUnregistered) = 0,
  __LP_API(MemoryTypeHost) = 1,
  __LP_API(MemoryTypeDevice) = 2,
  __LP_API(MemoryTypeManaged) = 3
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

struct __LP_API_PROPERTIES {
  char name[256];
  struct { char bytes[16]; } uuid;
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
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, memoryPoolsSupported;
  int gpuDirectRDMASupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  // HIP's own.
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate, gcnArch, asicRevision, isLargeBar;
  char gcnArchName[256];
  struct {
    unsigned int hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1;
    unsigned int hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1;
    unsigned int hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1;
    unsigned int hasFunnelShift : 1, hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1;
    unsigned int has3dGrid : 1, hasDynamicParallelism : 1;
  } arch;
  unsigned int *hdpMemFlushCntl, *hdpRegFlushCntl;
};

struct __LP_API(FuncAttributes) {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
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
struct __LP_API(MemLocation) { int type, id; };
struct __LP_API(MemPoolProps) {
  int allocType, handleTypes;
  struct __LP_API(MemLocation) location;
  void *win32SecurityAttributes;
  size_t maxSize;
};
struct __LP_API(LaunchParams) {
  void *func;
  dim3 gridDim, blockDim;
  void **args;
  size_t sharedMem;
  __LP_API(Stream_t) stream;
};
struct __LP_API(KernelNodeParams) {
  void *func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
};
struct __LP_API(HostNodeParams) {
  __LP_API(HostFn_t) fn;
  void *userData;
};
struct __LP_API(MemsetParams) {
  void *dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
};
