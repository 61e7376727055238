// C++ forms of functions that only CUDA's runtime has, and those that are HIP's by another name or in another form.
#pragma once

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
inline cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }
inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }
// No line of a cache is persisting here.
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

struct cudaGraphExecUpdateResultInfo {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info) {
  info->errorFromNode = nullptr;
  return cudaGraphExecUpdate(executable, graph, &info->errorNode, &info->result);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **dependencies = nullptr, size_t *n = nullptr) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, n);
}
