// More types that HIP's and CUDA's runtime share but for their first word: functions take them. See types.h.

// -- memory

enum __LP_API(MemAccessFlags) {
  __LP_API(MemAccessFlagsProtNone) = 0,
  __LP_API(MemAccessFlagsProtRead) = 1,
  __LP_API(MemAccessFlagsProtReadWrite) = 3
};
struct __LP_API(MemAccessDesc) {
  struct __LP_API(MemLocation) location;
  enum __LP_API(MemAccessFlags) flags;
};
enum __LP_API(MemRangeAttribute) {
  __LP_API(MemRangeAttributeReadMostly) = 1,
  __LP_API(MemRangeAttributePreferredLocation) = 2,
  __LP_API(MemRangeAttributeAccessedBy) = 3,
  __LP_API(MemRangeAttributeLastPrefetchLocation) = 4,
  __LP_API(MemRangeAttributeCoherencyMode) = 100
};
struct __LP_API(MemPoolPtrExportData) { unsigned char reserved[64]; };
struct __LP_API(MemAllocNodeParams) {
  struct __LP_API(MemPoolProps) poolProps;
  const struct __LP_API(MemAccessDesc) *accessDescs;
  size_t accessDescCount, bytesize;
  void *dptr;
};
struct __LP_API(Memcpy3DPeerParms) {
  __LP_API(Array_t) srcArray;
  struct __LP_API(Pos) srcPos;
  struct __LP_API(PitchedPtr) srcPtr;
  int srcDevice;
  __LP_API(Array_t) dstArray;
  struct __LP_API(Pos) dstPos;
  struct __LP_API(PitchedPtr) dstPtr;
  int dstDevice;
  struct __LP_API(Extent) extent;
};

// -- graphs

enum __LP_API(GraphNodeType) {
  __LP_API(GraphNodeTypeKernel) = 0,
  __LP_API(GraphNodeTypeMemcpy) = 1,
  __LP_API(GraphNodeTypeMemset) = 2,
  __LP_API(GraphNodeTypeHost) = 3,
  __LP_API(GraphNodeTypeGraph) = 4,
  __LP_API(GraphNodeTypeEmpty) = 5,
  __LP_API(GraphNodeTypeWaitEvent) = 6,
  __LP_API(GraphNodeTypeEventRecord) = 7,
  __LP_API(GraphNodeTypeExtSemaphoreSignal) = 8,
  __LP_API(GraphNodeTypeExtSemaphoreWait) = 9,
  __LP_API(GraphNodeTypeMemAlloc) = 10,
  __LP_API(GraphNodeTypeMemFree) = 11,
  __LP_API(GraphNodeTypeMemcpyFromSymbol) = 12,
  __LP_API(GraphNodeTypeMemcpyToSymbol) = 13,
  __LP_API(GraphNodeTypeBatchMemOp) = 14,
  __LP_API(GraphNodeTypeCount)
};
enum __LP_API(GraphExecUpdateResult) {
  __LP_API(GraphExecUpdateSuccess) = 0,
  __LP_API(GraphExecUpdateError) = 1,
  __LP_API(GraphExecUpdateErrorTopologyChanged) = 2,
  __LP_API(GraphExecUpdateErrorNodeTypeChanged) = 3,
  __LP_API(GraphExecUpdateErrorFunctionChanged) = 4,
  __LP_API(GraphExecUpdateErrorParametersChanged) = 5,
  __LP_API(GraphExecUpdateErrorNotSupported) = 6,
  __LP_API(GraphExecUpdateErrorUnsupportedFunctionChange) = 7
};
enum __LP_API(GraphMemAttributeType) {
  __LP_API(GraphMemAttrUsedMemCurrent) = 0,
  __LP_API(GraphMemAttrUsedMemHigh) = 1,
  __LP_API(GraphMemAttrReservedMemCurrent) = 2,
  __LP_API(GraphMemAttrReservedMemHigh) = 3
};
enum __LP_API(StreamUpdateCaptureDependenciesFlags) {
  __LP_API(StreamAddCaptureDependencies) = 0,
  __LP_API(StreamSetCaptureDependencies) = 1
};
enum __LP_API(UserObjectFlags) { __LP_API(UserObjectNoDestructorSync) = 1 };
enum __LP_API(UserObjectRetainFlags) { __LP_API(GraphUserObjectMove) = 1 };
enum __LP_API(GraphInstantiateFlags) {
  __LP_API(GraphInstantiateFlagAutoFreeOnLaunch) = 1,
  __LP_API(GraphInstantiateFlagUpload) = 2,
  __LP_API(GraphInstantiateFlagDeviceLaunch) = 4,
  __LP_API(GraphInstantiateFlagUseNodePriority) = 8
};
enum __LP_API(GraphDebugDotFlags) {
  __LP_API(GraphDebugDotFlagsVerbose) = 1,
  __LP_API(GraphDebugDotFlagsKernelNodeParams) = 4,
  __LP_API(GraphDebugDotFlagsMemcpyNodeParams) = 8,
  __LP_API(GraphDebugDotFlagsMemsetNodeParams) = 16,
  __LP_API(GraphDebugDotFlagsHostNodeParams) = 32,
  __LP_API(GraphDebugDotFlagsEventNodeParams) = 64,
  __LP_API(GraphDebugDotFlagsExtSemasSignalNodeParams) = 128,
  __LP_API(GraphDebugDotFlagsExtSemasWaitNodeParams) = 256,
  __LP_API(GraphDebugDotFlagsKernelNodeAttributes) = 512,
  __LP_API(GraphDebugDotFlagsHandles) = 1024
};
enum __LP_API(GraphInstantiateResult) {
  __LP_API(GraphInstantiateSuccess) = 0,
  __LP_API(GraphInstantiateError) = 1,
  __LP_API(GraphInstantiateInvalidStructure) = 2,
  __LP_API(GraphInstantiateNodeOperationNotSupported) = 3,
  __LP_API(GraphInstantiateMultipleDevicesNotSupported) = 4
};
struct __LP_API(GraphInstantiateParams) {
  __LP_API(GraphNode_t) errNode_out;
  unsigned long long flags;
  enum __LP_API(GraphInstantiateResult) result_out;
  __LP_API(Stream_t) uploadStream;
};
enum __LP_API(GraphDependencyType) {
  __LP_API(GraphDependencyTypeDefault) = 0,
  __LP_API(GraphDependencyTypeProgrammatic) = 1
};
struct __LP_API(GraphEdgeData) { unsigned char from_port, reserved[5], to_port, type; };

// -- memory and semaphores of other interfaces

typedef void *__LP_API(ExternalMemory_t);
typedef void *__LP_API(ExternalSemaphore_t);
enum __LP_API(ExternalMemoryHandleType) {
  __LP_API(ExternalMemoryHandleTypeOpaqueFd) = 1,
  __LP_API(ExternalMemoryHandleTypeOpaqueWin32) = 2,
  __LP_API(ExternalMemoryHandleTypeOpaqueWin32Kmt) = 3,
  __LP_API(ExternalMemoryHandleTypeD3D12Heap) = 4,
  __LP_API(ExternalMemoryHandleTypeD3D12Resource) = 5,
  __LP_API(ExternalMemoryHandleTypeD3D11Resource) = 6,
  __LP_API(ExternalMemoryHandleTypeD3D11ResourceKmt) = 7,
  __LP_API(ExternalMemoryHandleTypeNvSciBuf) = 8
};
enum __LP_API(ExternalSemaphoreHandleType) {
  __LP_API(ExternalSemaphoreHandleTypeOpaqueFd) = 1,
  __LP_API(ExternalSemaphoreHandleTypeOpaqueWin32) = 2,
  __LP_API(ExternalSemaphoreHandleTypeOpaqueWin32Kmt) = 3,
  __LP_API(ExternalSemaphoreHandleTypeD3D12Fence) = 4,
  __LP_API(ExternalSemaphoreHandleTypeD3D11Fence) = 5,
  __LP_API(ExternalSemaphoreHandleTypeNvSciSync) = 6,
  __LP_API(ExternalSemaphoreHandleTypeKeyedMutex) = 7,
  __LP_API(ExternalSemaphoreHandleTypeKeyedMutexKmt) = 8,
  __LP_API(ExternalSemaphoreHandleTypeTimelineSemaphoreFd) = 9,
  __LP_API(ExternalSemaphoreHandleTypeTimelineSemaphoreWin32) = 10
};
struct __LP_API(ExternalMemoryHandleDesc) {
  enum __LP_API(ExternalMemoryHandleType) type;
  union {
    int fd;
    struct { void *handle; const void *name; } win32;
    const void *nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned int flags, reserved[16];
};
struct __LP_API(ExternalMemoryBufferDesc) {
  unsigned long long offset, size;
  unsigned int flags, reserved[16];
};
struct __LP_API(ExternalMemoryMipmappedArrayDesc) {
  unsigned long long offset;
  struct __LP_API(ChannelFormatDesc) formatDesc;
  struct __LP_API(Extent) extent;
  unsigned int flags, numLevels;
};
struct __LP_API(ExternalSemaphoreHandleDesc) {
  enum __LP_API(ExternalSemaphoreHandleType) type;
  union {
    int fd;
    struct { void *handle; const void *name; } win32;
    const void *NvSciSyncObj;
  } handle;
  unsigned int flags, reserved[16];
};
struct __LP_API(ExternalSemaphoreSignalParams) {
  struct {
    struct { unsigned long long value; } fence;
    union { void *fence; unsigned long long reserved; } nvSciSync;
    struct { unsigned long long key; } keyedMutex;
    unsigned int reserved[12];
  } params;
  unsigned int flags, reserved[16];
};
struct __LP_API(ExternalSemaphoreWaitParams) {
  struct {
    struct { unsigned long long value; } fence;
    union { void *fence; unsigned long long reserved; } nvSciSync;
    struct { unsigned long long key; unsigned int timeoutMs; } keyedMutex;
    unsigned int reserved[10];
  } params;
  unsigned int flags, reserved[16];
};
struct __LP_API(ExternalSemaphoreSignalNodeParams) {
  __LP_API(ExternalSemaphore_t) *extSemArray;
  const struct __LP_API(ExternalSemaphoreSignalParams) *paramsArray;
  unsigned int numExtSems;
};
struct __LP_API(ExternalSemaphoreWaitNodeParams) {
  __LP_API(ExternalSemaphore_t) *extSemArray;
  const struct __LP_API(ExternalSemaphoreWaitParams) *paramsArray;
  unsigned int numExtSems;
};
enum __LP_API(GraphicsRegisterFlags) {
  __LP_API(GraphicsRegisterFlagsNone) = 0,
  __LP_API(GraphicsRegisterFlagsReadOnly) = 1,
  __LP_API(GraphicsRegisterFlagsWriteDiscard) = 2,
  __LP_API(GraphicsRegisterFlagsSurfaceLoadStore) = 4,
  __LP_API(GraphicsRegisterFlagsTextureGather) = 8
};

// -- a node of any kind

struct __LP_API(MemcpyNodeParams) {
  int flags, reserved[3];
  struct __LP_API(Memcpy3DParms) copyParams;
};
struct __LP_API(ChildGraphNodeParams) { __LP_API(Graph_t) graph; };
struct __LP_API(EventWaitNodeParams) { __LP_API(Event_t) event; };
struct __LP_API(EventRecordNodeParams) { __LP_API(Event_t) event; };
struct __LP_API(MemFreeNodeParams) { void *dptr; };
struct __LP_API(GraphNodeParams) {
  enum __LP_API(GraphNodeType) type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct __LP_API(KernelNodeParams) kernel;
    struct __LP_API(MemcpyNodeParams) memcpy;
    struct __LP_API(MemsetParams) memset;
    struct __LP_API(HostNodeParams) host;
    struct __LP_API(ChildGraphNodeParams) graph;
    struct __LP_API(EventWaitNodeParams) eventWait;
    struct __LP_API(EventRecordNodeParams) eventRecord;
    struct __LP_API(ExternalSemaphoreSignalNodeParams) extSemSignal;
    struct __LP_API(ExternalSemaphoreWaitNodeParams) extSemWait;
    struct __LP_API(MemAllocNodeParams) alloc;
    struct __LP_API(MemFreeNodeParams) free;
  };
  long long reserved2;
  __LP_API(GraphNodeParams)() { __builtin_memset((void *)this, 0, sizeof *this); }
};
