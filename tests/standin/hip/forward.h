/* What the forwarding files share: the CUDA library's functions, and HIP's idea of a current device.
 *
 * HIP has no contexts that matter: each thread has a device, the first one at first, and every call goes there. */
#ifndef FORWARD_H
#define FORWARD_H

#include "../cuda/abi.h"
#include "abi.h"

#define EXPORT __attribute__((visibility("default")))

/* X(name, parameters), all of them returning a CUresult */
#define FUNCTIONS(X)                                                                                                   \
    X(cuInit, (unsigned int))                                                                                          \
    X(cuDriverGetVersion, (int *))                                                                                     \
    X(cuDeviceGetCount, (int *))                                                                                       \
    X(cuDeviceGet, (CUdevice *, int))                                                                                  \
    X(cuDeviceGetName, (char *, int, CUdevice))                                                                        \
    X(cuDeviceTotalMem_v2, (size_t *, CUdevice))                                                                       \
    X(cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice))                                                     \
    X(cuDeviceGetPCIBusId, (char *, int, CUdevice))                                                                    \
    X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                                               \
    X(cuCtxGetCurrent, (CUcontext *))                                                                                  \
    X(cuCtxSetCurrent, (CUcontext))                                                                                    \
    X(cuCtxSynchronize, (void))                                                                                        \
    X(cuCtxGetStreamPriorityRange, (int *, int *))                                                                     \
    X(cuStreamCreateWithPriority, (CUstream *, unsigned int, int))                                                     \
    X(cuStreamDestroy_v2, (CUstream))                                                                                  \
    X(cuStreamQuery, (CUstream))                                                                                       \
    X(cuStreamSynchronize, (CUstream))                                                                                 \
    X(cuStreamWaitEvent, (CUstream, CUevent, unsigned int))                                                            \
    X(cuStreamGetFlags, (CUstream, unsigned int *))                                                                    \
    X(cuStreamGetPriority, (CUstream, int *))                                                                          \
    X(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned int))                                         \
    X(cuLaunchHostFunc, (CUstream, CUhostFn, void *))                                                                  \
    X(cuStreamIsCapturing, (CUstream, CUstreamCaptureStatus *))                                                        \
    X(cuStreamBeginCapture_v2, (CUstream, CUstreamCaptureMode))                                                        \
    X(cuStreamEndCapture, (CUstream, CUgraph *))                                                                       \
    X(cuStreamGetCaptureInfo_v2,                                                                                       \
      (CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *, const CUgraphNode **, size_t *))                    \
    X(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *))                                                      \
    X(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))                                       \
    X(cuGraphLaunch, (CUgraphExec, CUstream))                                                                          \
    X(cuGraphExecDestroy, (CUgraphExec))                                                                               \
    X(cuGraphDestroy, (CUgraph))                                                                                       \
    X(cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *))                                                             \
    X(cuGraphCreate, (CUgraph *, unsigned int))                                                                        \
    X(cuGraphAddKernelNode_v2, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *)) \
    X(cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext))   \
    X(cuGraphAddMemsetNode,                                                                                            \
      (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))               \
    X(cuGraphAddHostNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_HOST_NODE_PARAMS *))        \
    X(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))                                      \
    X(cuGraphAddEventRecordNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent))                       \
    X(cuGraphAddEventWaitNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent))                         \
    X(cuGraphExecKernelNodeSetParams_v2, (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))                  \
    X(cuGraphExecMemcpyNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))                    \
    X(cuGraphExecMemsetNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))          \
    X(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent))                                         \
    X(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec, CUgraphNode, CUevent))                                           \
    X(cuGraphUpload, (CUgraphExec, CUstream))                                                                          \
    X(cuUserObjectCreate, (CUuserObject *, void *, CUhostFn, unsigned int, unsigned int))                              \
    X(cuUserObjectRetain, (CUuserObject, unsigned int))                                                                \
    X(cuUserObjectRelease, (CUuserObject, unsigned int))                                                               \
    X(cuGraphRetainUserObject, (CUgraph, CUuserObject, unsigned int, unsigned int))                                    \
    X(cuGraphReleaseUserObject, (CUgraph, CUuserObject, unsigned int))                                                 \
    X(cuEventCreate, (CUevent *, unsigned int))                                                                        \
    X(cuEventDestroy_v2, (CUevent))                                                                                    \
    X(cuEventRecord, (CUevent, CUstream))                                                                              \
    X(cuEventQuery, (CUevent))                                                                                         \
    X(cuEventSynchronize, (CUevent))                                                                                   \
    X(cuEventElapsedTime, (float *, CUevent, CUevent))                                                                 \
    X(cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                                          \
    X(cuMemFree_v2, (CUdeviceptr))                                                                                     \
    X(cuMemHostAlloc, (void **, size_t, unsigned int))                                                                 \
    X(cuMemFreeHost, (void *))                                                                                         \
    X(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned int))                                                        \
    X(cuMemGetInfo_v2, (size_t *, size_t *))                                                                           \
    X(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                                                     \
    X(cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream))                           \
    X(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *, CUstream))                                                           \
    X(cuArray3DCreate_v2, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *))                                                \
    X(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray))                                                 \
    X(cuArrayDestroy, (CUarray))                                                                                       \
    X(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *, CUstream))                                                           \
    X(cuTexObjectCreate,                                                                                               \
      (CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *))         \
    X(cuTexObjectDestroy, (CUtexObject))                                                                               \
    X(cuDeviceCanAccessPeer, (int *, CUdevice, CUdevice))                                                              \
    X(cuCtxEnablePeerAccess, (CUcontext, unsigned int))                                                                \
    X(cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc *, size_t))                                             \
    X(cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream))                                                 \
    X(cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream))                                               \
    X(cuMemsetD32Async, (CUdeviceptr, unsigned int, size_t, CUstream))                                                 \
    X(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *))                                                       \
    X(cuMemPoolDestroy, (CUmemoryPool))                                                                                \
    X(cuMemPoolSetAttribute, (CUmemoryPool, CUmemPool_attribute, void *))                                              \
    X(cuMemPoolGetAttribute, (CUmemoryPool, CUmemPool_attribute, void *))                                              \
    X(cuMemPoolTrimTo, (CUmemoryPool, size_t))                                                                         \
    X(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream))                                        \
    X(cuMemFreeAsync, (CUdeviceptr, CUstream))                                                                         \
    X(cuPointerGetAttribute, (void *, CUpointer_attribute, CUdeviceptr))                                               \
    X(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned int, CUjit_option *, void **))                           \
    X(cuModuleUnload, (CUmodule))                                                                                      \
    X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))                                                     \
    X(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *))                                         \
    X(cuFuncGetAttribute, (int *, CUfunction_attribute, CUfunction))                                                   \
    X(cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int))                                                     \
    X(cuLaunchKernel, (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, \
                       unsigned int, CUstream, void **, void **))                                                      \
    X(cuLaunchCooperativeKernel, (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,    \
                                  unsigned int, unsigned int, CUstream, void **))                                      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t))                                   \
    X(cuOccupancyMaxPotentialBlockSize, (int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int))

struct cuda {
#define X(name, parameters) CUresult(*name) parameters;
    FUNCTIONS(X)
#undef X
};
extern struct cuda cuda;

hipError_t error_of(CUresult result);
hipError_t enter_library(void); /* loads and initializes CUDA */
hipError_t enter(void);         /* and makes the context of this thread's device current */
int current_device(void);
hipError_t context_of(int device, CUcontext *context); /* as it is made when the device is first used */
hipError_t launch_extra(void **extra, void **translated); /* CUDA's list of packed arguments, 5 entries */
hipError_t architecture_of(int device, char *name, size_t size);

/* A function that CUDA's library lacks is one that HIP's does not support. */
#define CALL(name, ...) (cuda.name ? error_of(cuda.name(__VA_ARGS__)) : (hipError_t)HF_ERROR_NOT_SUPPORTED)
#define FORWARD(name, ...)        \
    hipError_t entered = enter(); \
    return entered ? entered : CALL(name, __VA_ARGS__)

#endif
