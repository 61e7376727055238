/* The functions of the CUDA and HIP libraries that launchpath uses, each once: GPU_FUNCTION(field, CUDA's name, HIP's name,
   whether a library without it is refused, parameters). Handles are `void *`, enums are `int`, device addresses `void *`:
   the same registers as in the vendors' headers on every 64-bit system. "" stands for "that library has no such function". */
#ifndef LAUNCHPATH_GPU_FUNCTIONS_H
#define LAUNCHPATH_GPU_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>
#include "constants.h"

typedef void (*gpu_host_function)(void *data);

#define GPU_FUNCTIONS \
    GPU_FUNCTION(init, "cuInit", "hipInit", 1, (unsigned int)) \
    GPU_FUNCTION(version, "cuDriverGetVersion", "hipDriverGetVersion", 1, (int *)) \
    GPU_FUNCTION(count, "cuDeviceGetCount", "hipGetDeviceCount", 1, (int *)) \
    GPU_FUNCTION(device, "cuDeviceGet", "hipDeviceGet", 1, (int *, int)) \
    GPU_FUNCTION(name, "cuDeviceGetName", "hipDeviceGetName", 1, (char *, int, int)) \
    GPU_FUNCTION(memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", 1, (size_t *, int)) \
    GPU_FUNCTION(attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", 1, (int *, int, int)) \
    GPU_FUNCTION(bus, "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId", 0, (char *, int, int)) \
    GPU_FUNCTION(retain, "cuDevicePrimaryCtxRetain", "", 1, (void **, int)) \
    GPU_FUNCTION(context, "cuCtxGetCurrent", "", 1, (void **)) \
    GPU_FUNCTION(set_context, "cuCtxSetCurrent", "", 1, (void *)) \
    GPU_FUNCTION(ordinal, "", "hipGetDevice", 1, (int *)) \
    GPU_FUNCTION(set_ordinal, "", "hipSetDevice", 1, (int)) \
    GPU_FUNCTION(properties, "", "hipGetDeviceProperties", 0, (void *, int)) \
    GPU_FUNCTION(priorities, "cuCtxGetStreamPriorityRange", "hipDeviceGetStreamPriorityRange", 1, (int *, int *)) \
    GPU_FUNCTION(stream_create, "cuStreamCreateWithPriority", "hipStreamCreateWithPriority", 1, \
                 (void **, unsigned int, int)) \
    GPU_FUNCTION(stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy", 1, (void *)) \
    GPU_FUNCTION(stream_query, "cuStreamQuery", "hipStreamQuery", 1, (void *)) \
    GPU_FUNCTION(stream_synchronize, "cuStreamSynchronize", "hipStreamSynchronize", 1, (void *)) \
    GPU_FUNCTION(stream_wait, "cuStreamWaitEvent", "hipStreamWaitEvent", 1, (void *, void *, unsigned int)) \
    GPU_FUNCTION(stream_flags, "cuStreamGetFlags", "hipStreamGetFlags", 0, (void *, unsigned int *)) \
    GPU_FUNCTION(stream_capturing, "cuStreamIsCapturing", "hipStreamIsCapturing", 0, (void *, int *)) \
    GPU_FUNCTION(capture_mode, "cuThreadExchangeStreamCaptureMode", "hipThreadExchangeStreamCaptureMode", 0, (int *)) \
    GPU_FUNCTION(capture_info, "cuStreamGetCaptureInfo_v2", "hipStreamGetCaptureInfo_v2", 0, \
                 (void *, int *, unsigned long long *, void **, void *, size_t *)) \
    GPU_FUNCTION(user_object_create, "cuUserObjectCreate", "hipUserObjectCreate", 0, \
                 (void **, void *, gpu_host_function, unsigned int, unsigned int)) \
    GPU_FUNCTION(user_object_release, "cuUserObjectRelease", "hipUserObjectRelease", 0, (void *, unsigned int)) \
    GPU_FUNCTION(graph_retain, "cuGraphRetainUserObject", "hipGraphRetainUserObject", 0, \
                 (void *, void *, unsigned int, unsigned int)) \
    GPU_FUNCTION(graph_create, "cuGraphCreate", "hipGraphCreate", 0, (void **, unsigned int)) \
    GPU_FUNCTION(graph_add_kernel, "cuGraphAddKernelNode_v2", "hipGraphAddKernelNode", 0, \
                 (void **, void *, void *const *, size_t, const void *)) \
    GPU_FUNCTION(graph_add_edge, "cuGraphAddDependencies_v2", "", 0, \
                 (void *, void *const *, void *const *, const struct gpu_edge *, size_t)) \
    GPU_FUNCTION(graph_add_copy, "cuGraphAddMemcpyNode", "", 0, \
                 (void **, void *, void *const *, size_t, const struct gpu_peer_row_copy *, void *)) \
    GPU_FUNCTION(hip_graph_add_copy, "", "hipGraphAddMemcpyNode1D", 0, \
                 (void **, void *, void *const *, size_t, void *, const void *, size_t, int)) \
    GPU_FUNCTION(graph_add_fill, "cuGraphAddMemsetNode", "", 0, \
                 (void **, void *, void *const *, size_t, const struct gpu_fill_node *, void *)) \
    GPU_FUNCTION(hip_graph_add_fill, "", "hipGraphAddMemsetNode", 0, \
                 (void **, void *, void *const *, size_t, const struct gpu_hip_fill_node *)) \
    GPU_FUNCTION(graph_instantiate, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags", 0, \
                 (void **, void *, unsigned long long)) \
    GPU_FUNCTION(graph_set_kernel, "cuGraphExecKernelNodeSetParams_v2", "hipGraphExecKernelNodeSetParams", 0, \
                 (void *, void *, const void *)) \
    GPU_FUNCTION(graph_set_copy, "cuGraphExecMemcpyNodeSetParams", "", 0, \
                 (void *, void *, const struct gpu_peer_row_copy *, void *)) \
    GPU_FUNCTION(hip_graph_set_copy, "", "hipGraphExecMemcpyNodeSetParams1D", 0, \
                 (void *, void *, void *, const void *, size_t, int)) \
    GPU_FUNCTION(graph_set_fill, "cuGraphExecMemsetNodeSetParams", "", 0, \
                 (void *, void *, const struct gpu_fill_node *, void *)) \
    GPU_FUNCTION(hip_graph_set_fill, "", "hipGraphExecMemsetNodeSetParams", 0, \
                 (void *, void *, const struct gpu_hip_fill_node *)) \
    GPU_FUNCTION(graph_launch, "cuGraphLaunch", "hipGraphLaunch", 0, (void *, void *)) \
    GPU_FUNCTION(graph_end_executable, "cuGraphExecDestroy", "hipGraphExecDestroy", 0, (void *)) \
    GPU_FUNCTION(graph_end, "cuGraphDestroy", "hipGraphDestroy", 0, (void *)) \
    GPU_FUNCTION(wait_value, "cuStreamWaitValue32_v2", "", 0, (void *, void *, uint32_t, unsigned int)) \
    GPU_FUNCTION(hip_wait_value, "", "hipStreamWaitValue32", 0, (void *, void *, uint32_t, unsigned int, uint32_t)) \
    GPU_FUNCTION(host_function, "cuLaunchHostFunc", "hipLaunchHostFunc", 0, (void *, gpu_host_function, void *)) \
    GPU_FUNCTION(event_create, "cuEventCreate", "hipEventCreateWithFlags", 1, (void **, unsigned int)) \
    GPU_FUNCTION(event_destroy, "cuEventDestroy_v2", "hipEventDestroy", 1, (void *)) \
    GPU_FUNCTION(event_record, "cuEventRecord", "hipEventRecord", 1, (void *, void *)) \
    GPU_FUNCTION(event_query, "cuEventQuery", "hipEventQuery", 1, (void *)) \
    GPU_FUNCTION(event_synchronize, "cuEventSynchronize", "hipEventSynchronize", 1, (void *)) \
    GPU_FUNCTION(event_elapsed, "cuEventElapsedTime", "hipEventElapsedTime", 1, (float *, void *, void *)) \
    GPU_FUNCTION(allocate, "cuMemAlloc_v2", "hipMalloc", 1, (void **, size_t)) \
    GPU_FUNCTION(free, "cuMemFree_v2", "hipFree", 1, (void *)) \
    GPU_FUNCTION(host_allocate, "cuMemHostAlloc", "hipHostMalloc", 1, (void **, size_t, unsigned int)) \
    GPU_FUNCTION(host_free, "cuMemFreeHost", "hipHostFree", 1, (void *)) \
    GPU_FUNCTION(managed_allocate, "cuMemAllocManaged", "hipMallocManaged", 0, (void **, size_t, unsigned int)) \
    GPU_FUNCTION(limit_get, "cuCtxGetLimit", "", 0, (size_t *, int)) \
    GPU_FUNCTION(limit_set, "cuCtxSetLimit", "", 0, (int, size_t)) \
    GPU_FUNCTION(memory_info, "cuMemGetInfo_v2", "hipMemGetInfo", 1, (size_t *, size_t *)) \
    GPU_FUNCTION(copy, "cuMemcpyAsync", "", 1, (void *, const void *, size_t, void *)) \
    GPU_FUNCTION(hip_copy, "", "hipMemcpyAsync", 1, (void *, const void *, size_t, int, void *)) \
    GPU_FUNCTION(copy_peer, "cuMemcpyPeerAsync", "", 0, (void *, void *, const void *, void *, size_t, void *)) \
    GPU_FUNCTION(hip_copy_peer, "", "hipMemcpyPeerAsync", 0, (void *, int, const void *, int, size_t, void *)) \
    GPU_FUNCTION(copy_peer_rows, "cuMemcpy3DPeerAsync", "", 0, (const struct gpu_peer_row_copy *, void *)) \
    GPU_FUNCTION(copy_rows, "cuMemcpy2DAsync_v2", "", 0, (const struct gpu_row_copy *, void *)) \
    GPU_FUNCTION(hip_copy_rows, "", "hipMemcpy2DAsync", 0, \
                 (void *, size_t, const void *, size_t, size_t, size_t, int, void *)) \
    GPU_FUNCTION(array_create, "cuArray3DCreate_v2", "hipArray3DCreate", 0, (void **, const struct gpu_array *)) \
    GPU_FUNCTION(array_destroy, "cuArrayDestroy", "hipArrayDestroy", 0, (void *)) \
    GPU_FUNCTION(copy_array, "cuMemcpy3DAsync_v2", "", 0, (const struct gpu_peer_row_copy *, void *)) \
    GPU_FUNCTION(hip_copy_array, "", "hipMemcpy3DAsync", 0, (const struct gpu_hip_array_copy *, void *)) \
    GPU_FUNCTION(texture_create, "cuTexObjectCreate", "hipTexObjectCreate", 0, \
                 (unsigned long long *, const struct gpu_resource *, const struct gpu_texture_reads *, const void *)) \
    GPU_FUNCTION(texture_destroy, "cuTexObjectDestroy", "hipTexObjectDestroy", 0, (unsigned long long)) \
    GPU_FUNCTION(can_access_peer, "cuDeviceCanAccessPeer", "hipDeviceCanAccessPeer", 0, (int *, int, int)) \
    GPU_FUNCTION(enable_peer, "cuCtxEnablePeerAccess", "", 0, (void *, unsigned int)) \
    GPU_FUNCTION(hip_enable_peer, "", "hipDeviceEnablePeerAccess", 0, (int, unsigned int)) \
    GPU_FUNCTION(fill8, "cuMemsetD8Async", "hipMemsetD8Async", 1, (void *, unsigned char, size_t, void *)) \
    GPU_FUNCTION(fill16, "cuMemsetD16Async", "hipMemsetD16Async", 1, (void *, unsigned short, size_t, void *)) \
    GPU_FUNCTION(fill32, "cuMemsetD32Async", "hipMemsetD32Async", 1, (void *, unsigned int, size_t, void *)) \
    GPU_FUNCTION(pool_create, "cuMemPoolCreate", "hipMemPoolCreate", 0, \
                 (void **, const struct gpu_pool_properties *)) \
    GPU_FUNCTION(pool_set, "cuMemPoolSetAttribute", "hipMemPoolSetAttribute", 0, (void *, int, void *)) \
    GPU_FUNCTION(pool_access, "cuMemPoolSetAccess", "hipMemPoolSetAccess", 0, \
                 (void *, const struct gpu_pool_access *, size_t)) \
    GPU_FUNCTION(pool_trim, "cuMemPoolTrimTo", "hipMemPoolTrimTo", 0, (void *, size_t)) \
    GPU_FUNCTION(pool_allocate, "cuMemAllocFromPoolAsync", "hipMallocFromPoolAsync", 0, \
                 (void **, size_t, void *, void *)) \
    GPU_FUNCTION(free_ordered, "cuMemFreeAsync", "hipFreeAsync", 0, (void *, void *)) \
    GPU_FUNCTION(pointer_attribute, "cuPointerGetAttribute", "hipPointerGetAttribute", 0, (void *, int, void *)) \
    GPU_FUNCTION(load, "cuModuleLoadDataEx", "hipModuleLoadDataEx", 1, \
                 (void **, const void *, unsigned int, int *, void **)) \
    GPU_FUNCTION(link_create, "cuLinkCreate_v2", "", 0, (unsigned int, int *, void **, void **)) \
    GPU_FUNCTION(link_add, "cuLinkAddData_v2", "", 0, \
                 (void *, int, void *, size_t, const char *, unsigned int, int *, void **)) \
    GPU_FUNCTION(link_complete, "cuLinkComplete", "", 0, (void *, void **, size_t *)) \
    GPU_FUNCTION(link_destroy, "cuLinkDestroy", "", 0, (void *)) \
    GPU_FUNCTION(unload, "cuModuleUnload", "hipModuleUnload", 1, (void *)) \
    GPU_FUNCTION(function, "cuModuleGetFunction", "hipModuleGetFunction", 1, (void **, void *, const char *)) \
    GPU_FUNCTION(symbol, "cuModuleGetGlobal_v2", "hipModuleGetGlobal", 1, (void **, size_t *, void *, const char *)) \
    GPU_FUNCTION(function_attribute, "cuFuncGetAttribute", "hipFuncGetAttribute", 1, (int *, int, void *)) \
    GPU_FUNCTION(function_set, "cuFuncSetAttribute", "hipFuncSetAttribute", 0, (void *, int, int)) \
    GPU_FUNCTION(parameter_info, "cuFuncGetParamInfo", "", 0, (void *, size_t, size_t *, size_t *)) \
    GPU_FUNCTION(kernel_function, "cuKernelGetFunction", "", 0, (void **, void *)) \
    GPU_FUNCTION(launch, "cuLaunchKernel", "hipModuleLaunchKernel", 1, \
                 (void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void *, void **, void **)) \
    GPU_FUNCTION(launch_dependent, "cuLaunchKernelEx", "", 0, (const struct gpu_launch_config *, void *, void **, void **)) \
    GPU_FUNCTION(launch_cooperative, "cuLaunchCooperativeKernel", "hipModuleLaunchCooperativeKernel", 0, \
                 (void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void *, void **)) \
    GPU_FUNCTION(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", 0, \
                 (int *, void *, int, size_t)) \
    GPU_FUNCTION(suggest, "cuOccupancyMaxPotentialBlockSize", "", 0, (int *, int *, void *, void *, size_t, int)) \
    GPU_FUNCTION(hip_suggest, "", "hipModuleOccupancyMaxPotentialBlockSize", 0, (int *, int *, void *, size_t, int)) \
    GPU_FUNCTION(error_name, "cuGetErrorName", "", 0, (int, const char **))

typedef struct {
#define GPU_FUNCTION(field, cuda, hip, needed, parameters) int(*field) parameters;
    GPU_FUNCTIONS
#undef GPU_FUNCTION
    const char *(*hip_error_name)(int);
} gpu_functions;

typedef struct {
#define GPU_FUNCTION(field, cuda, hip, needed, parameters) const char *field;
    GPU_FUNCTIONS
#undef GPU_FUNCTION
} gpu_names;

#define GPU_FUNCTION(field, cuda, hip, needed, parameters) cuda,
static const gpu_names gpu_cuda_names = {GPU_FUNCTIONS};
#undef GPU_FUNCTION
#define GPU_FUNCTION(field, cuda, hip, needed, parameters) hip,
static const gpu_names gpu_hip_names = {GPU_FUNCTIONS};
#undef GPU_FUNCTION
#define GPU_FUNCTION(field, cuda, hip, needed, parameters) needed,
static const unsigned char gpu_needed[] = {GPU_FUNCTIONS};
#undef GPU_FUNCTION

#define GPU_N_FUNCTIONS (sizeof(gpu_names) / sizeof(const char *))

#endif
