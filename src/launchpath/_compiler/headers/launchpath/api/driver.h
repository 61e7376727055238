// The functions of CUDA's driver API. Contexts, modules and functions are HIP's, by names of their own here: HIP's headers
// declare these with HIP's types. The rest is the runtime's.
#pragma once

#define __LP_HIP(name, ...) extern "C" int __lp_hip##name(__VA_ARGS__) __asm__("hip" #name);
__LP_HIP(ModuleLoad, void *module, const char *fname)
__LP_HIP(ModuleLoadData, void *module, const void *image)
__LP_HIP(ModuleLoadDataEx, void *module, const void *image, unsigned int numOptions, void *options, void **optionValues)
__LP_HIP(ModuleLoadFatBinary, void *module, const void *fatbin)
__LP_HIP(ModuleUnload, CUmodule module)
__LP_HIP(ModuleGetFunction, void *function, CUmodule module, const char *kname)
__LP_HIP(ModuleGetFunctionCount, unsigned int *count, CUmodule mod)
__LP_HIP(ModuleGetGlobal, void *dptr, size_t *bytes, CUmodule hmod, const char *name)
__LP_HIP(ModuleLaunchKernel, CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned
         int by, unsigned int bz, unsigned int shared, CUstream stream, void **parameters, void **extra)
__LP_HIP(ModuleLaunchCooperativeKernel, CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int
         bx, unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **parameters)
__LP_HIP(ModuleOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, CUfunction f, int threads, size_t shared)
__LP_HIP(ModuleOccupancyMaxPotentialBlockSize, int *grid, int *block, CUfunction f, size_t shared, int limit)
__LP_HIP(FuncGetAttribute, int *value, int attribute, CUfunction f)
__LP_HIP(FuncSetAttribute, const void *f, int attribute, int value)
__LP_HIP(FuncSetCacheConfig, const void *f, int config)
__LP_HIP(Init, unsigned int flags)
__LP_HIP(DeviceGet, int *device, int ordinal)
__LP_HIP(DeviceGetName, char *name, int length, int device)
__LP_HIP(DeviceGetUuid, void *uuid, int device)
__LP_HIP(DeviceTotalMem, size_t *bytes, int device)
__LP_HIP(DeviceComputeCapability, int *major, int *minor, int device)
__LP_HIP(DevicePrimaryCtxRetain, void *context, int device)
__LP_HIP(DevicePrimaryCtxRelease, int device)
__LP_HIP(DevicePrimaryCtxReset, int device)
__LP_HIP(DevicePrimaryCtxSetFlags, int device, unsigned int flags)
__LP_HIP(DevicePrimaryCtxGetState, int device, unsigned int *flags, int *active)
__LP_HIP(CtxCreate, void *context, unsigned int flags, int device)
__LP_HIP(CtxDestroy, CUcontext context)
__LP_HIP(CtxPushCurrent, CUcontext context)
__LP_HIP(CtxPopCurrent, void *context)
__LP_HIP(CtxSetCurrent, CUcontext context)
__LP_HIP(CtxGetCurrent, void *context)
__LP_HIP(CtxGetDevice, int *device)
__LP_HIP(CtxGetFlags, unsigned int *flags)
__LP_HIP(CtxSynchronize)
__LP_HIP(MemsetD8, void *at, unsigned char value, size_t count)
__LP_HIP(MemsetD16, void *at, unsigned short value, size_t count)
__LP_HIP(MemsetD32, void *at, int value, size_t count)
__LP_HIP(MemsetD8Async, void *at, unsigned char value, size_t count, CUstream stream)
__LP_HIP(MemsetD16Async, void *at, unsigned short value, size_t count, CUstream stream)
__LP_HIP(MemsetD32Async, void *at, int value, size_t count, CUstream stream)
__LP_HIP(MemGetAddressRange, void *base, size_t *size, void *at)
__LP_HIP(MemAllocPitch, void *at, size_t *pitch, size_t width, size_t height, unsigned int element)
#undef __LP_HIP

extern "C" {

// devices and contexts
inline CUresult cuInit(unsigned int flags) { return (CUresult)__lp_hipInit(flags); }
inline CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
inline CUresult cuDeviceGet(CUdevice *device, int ordinal) { return (CUresult)__lp_hipDeviceGet(device, ordinal); }
inline CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
inline CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  return (CUresult)__lp_hipDeviceGetName(name, length, device);
}
inline CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { return (CUresult)__lp_hipDeviceGetUuid(uuid, device); }
inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return (CUresult)cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device);
}
inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  return (CUresult)__lp_hipDeviceTotalMem(bytes, device);
}
inline CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return (CUresult)__lp_hipDeviceComputeCapability(major, minor, device);
}
inline CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return (CUresult)cudaDeviceCanAccessPeer(can, device, peer);
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return (CUresult)__lp_hipDevicePrimaryCtxRetain(context, device);
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return (CUresult)__lp_hipDevicePrimaryCtxRelease(device); }
inline CUresult cuDevicePrimaryCtxReset(CUdevice device) { return (CUresult)__lp_hipDevicePrimaryCtxReset(device); }
inline CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return (CUresult)__lp_hipDevicePrimaryCtxSetFlags(device, flags);
}
inline CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
  return (CUresult)__lp_hipDevicePrimaryCtxGetState(device, flags, active);
}
inline CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  return (CUresult)__lp_hipCtxCreate(context, flags, device);
}
inline CUresult cuCtxDestroy(CUcontext context) { return (CUresult)__lp_hipCtxDestroy(context); }
inline CUresult cuCtxPushCurrent(CUcontext context) { return (CUresult)__lp_hipCtxPushCurrent(context); }
inline CUresult cuCtxPopCurrent(CUcontext *context) { return (CUresult)__lp_hipCtxPopCurrent(context); }
inline CUresult cuCtxSetCurrent(CUcontext context) { return (CUresult)__lp_hipCtxSetCurrent(context); }
inline CUresult cuCtxGetCurrent(CUcontext *context) { return (CUresult)__lp_hipCtxGetCurrent(context); }
inline CUresult cuCtxGetDevice(CUdevice *device) { return (CUresult)__lp_hipCtxGetDevice(device); }
inline CUresult cuCtxGetFlags(unsigned int *flags) { return (CUresult)__lp_hipCtxGetFlags(flags); }
inline CUresult cuCtxSynchronize() { return (CUresult)__lp_hipCtxSynchronize(); }
inline CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return (CUresult)cudaDeviceSetCacheConfig((cudaFuncCache)config);
}
inline CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return (CUresult)cudaDeviceGetLimit(value, (cudaLimit)limit);
}
inline CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return (CUresult)cudaDeviceSetLimit((cudaLimit)limit, value);
}
inline CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return (CUresult)cudaDeviceGetStreamPriorityRange(least, greatest);
}
inline CUresult cuProfilerStart() { return (CUresult)cudaProfilerStart(); }
inline CUresult cuProfilerStop() { return (CUresult)cudaProfilerStop(); }

// modules and functions
inline CUresult cuModuleLoad(CUmodule *module, const char *name) { return (CUresult)__lp_hipModuleLoad(module, name); }
inline CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return (CUresult)__lp_hipModuleLoadData(module, image);
}
inline CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *options, void
                                   **values) {
  return (CUresult)__lp_hipModuleLoadDataEx(module, image, n, options, values);
}
inline CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return (CUresult)__lp_hipModuleLoadFatBinary(module, image);
}
inline CUresult cuModuleUnload(CUmodule module) { return (CUresult)__lp_hipModuleUnload(module); }
inline CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return (CUresult)__lp_hipModuleGetFunction(function, module, name);
}
inline CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
  return (CUresult)__lp_hipModuleGetFunctionCount(count, module);
}
inline CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *size, CUmodule module, const char *name) {
  return (CUresult)__lp_hipModuleGetGlobal(at, size, module, name);
}
inline CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  return (CUresult)__lp_hipFuncGetAttribute(value, (int)attribute, function);
}
inline CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return (CUresult)__lp_hipFuncSetAttribute((const void *)function, (int)attribute, value);
}
inline CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return (CUresult)__lp_hipFuncSetCacheConfig((const void *)function, (int)config);
}
inline CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                                 CUoccupancyB2DSize of_block, size_t shared, int limit) {
  if (of_block) return CUDA_ERROR_NOT_SUPPORTED;
  return (CUresult)__lp_hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit);
}
// HIP's lists of where the arguments are end with another word.
inline CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                               unsigned int by, unsigned int bz, unsigned int shared, CUstream stream,
                               void **parameters, void **extra) {
  void *words[8];
  if (extra) {
    int n = 0;
    for (; n < 6 && extra[n] != CU_LAUNCH_PARAM_END; n += 2) words[n] = extra[n], words[n + 1] = extra[n + 1];
    words[n] = (void *)3;
  }
  return (CUresult)__lp_hipModuleLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters,
                                              extra ? words : nullptr);
}
inline CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t
                                                            shared) {
  return (CUresult)__lp_hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
inline CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
                                          unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                          CUstream stream, void **parameters) {
  return (CUresult)__lp_hipModuleLaunchCooperativeKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters);
}
inline CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return (CUresult)cudaLaunchHostFunc(stream, function, data);
}

// memory
inline CUresult cuMemGetInfo(size_t *free, size_t *total) { return (CUresult)cudaMemGetInfo(free, total); }
inline CUresult cuMemAlloc(CUdeviceptr *at, size_t size) { return (CUresult)cudaMalloc((void **)at, size); }
inline CUresult cuMemAllocPitch(CUdeviceptr *at, size_t *pitch, size_t width, size_t height, unsigned int element) {
  return (CUresult)__lp_hipMemAllocPitch(at, pitch, width, height, element);
}
inline CUresult cuMemAllocHost(void **at, size_t size) { return (CUresult)cudaMallocHost(at, size); }
inline CUresult cuMemHostAlloc(void **at, size_t size, unsigned int flags) {
  return (CUresult)cudaHostAlloc(at, size, flags);
}
inline CUresult cuMemHostGetDevicePointer(CUdeviceptr *at, void *host, unsigned int flags) {
  return (CUresult)cudaHostGetDevicePointer((void **)at, host, flags);
}
inline CUresult cuMemHostRegister(void *at, size_t size, unsigned int flags) {
  return (CUresult)cudaHostRegister(at, size, flags);
}
inline CUresult cuMemHostUnregister(void *at) { return (CUresult)cudaHostUnregister(at); }
inline CUresult cuMemAllocManaged(CUdeviceptr *at, size_t size, unsigned int flags) {
  return (CUresult)cudaMallocManaged((void **)at, size, flags);
}
inline CUresult cuMemAllocAsync(CUdeviceptr *at, size_t size, CUstream stream) {
  return (CUresult)cudaMallocAsync((void **)at, size, stream);
}
inline CUresult cuMemFree(CUdeviceptr at) { return (CUresult)cudaFree((void *)at); }
inline CUresult cuMemFreeHost(void *at) { return (CUresult)cudaFreeHost(at); }
inline CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream) { return (CUresult)cudaFreeAsync((void *)at, stream); }
inline CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr at) {
  return (CUresult)__lp_hipMemGetAddressRange(base, size, (void *)at);
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t size, CUdevice device, CUstream stream) {
  return (CUresult)cudaMemPrefetchAsync((const void *)at, size, device, stream);
}

// copies
inline CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return (CUresult)cudaMemcpy((void *)to, (const void *)from, size, cudaMemcpyDefault);
}
inline CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return (CUresult)cudaMemcpyAsync((void *)to, (const void *)from, size, cudaMemcpyDefault, stream);
}
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  return (CUresult)cudaMemcpy((void *)to, from, size, cudaMemcpyHostToDevice);
}
inline CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  return (CUresult)cudaMemcpy(to, (const void *)from, size, cudaMemcpyDeviceToHost);
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return (CUresult)cudaMemcpy((void *)to, (const void *)from, size, cudaMemcpyDeviceToDevice);
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  return (CUresult)cudaMemcpyAsync((void *)to, from, size, cudaMemcpyHostToDevice, stream);
}
inline CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  return (CUresult)cudaMemcpyAsync(to, (const void *)from, size, cudaMemcpyDeviceToHost, stream);
}
inline CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return (CUresult)cudaMemcpyAsync((void *)to, (const void *)from, size, cudaMemcpyDeviceToDevice, stream);
}
inline CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, size_t n) {
  return (CUresult)__lp_hipMemsetD8((void *)at, value, n);
}
inline CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, size_t n) {
  return (CUresult)__lp_hipMemsetD16((void *)at, value, n);
}
inline CUresult cuMemsetD32(CUdeviceptr at, unsigned int value, size_t n) {
  return (CUresult)__lp_hipMemsetD32((void *)at, (int)value, n);
}
inline CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t n, CUstream stream) {
  return (CUresult)__lp_hipMemsetD8Async((void *)at, value, n, stream);
}
inline CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t n, CUstream stream) {
  return (CUresult)__lp_hipMemsetD16Async((void *)at, value, n, stream);
}
inline CUresult cuMemsetD32Async(CUdeviceptr at, unsigned int value, size_t n, CUstream stream) {
  return (CUresult)__lp_hipMemsetD32Async((void *)at, (int)value, n, stream);
}

// streams and events
inline CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
inline CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return (CUresult)cudaStreamCreateWithPriority(stream, flags, priority);
}
inline CUresult cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
inline CUresult cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}
inline CUresult cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }
inline CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  return (CUresult)cudaEventCreateWithFlags(event, flags);
}
inline CUresult cuEventRecord(CUevent event, CUstream stream) { return (CUresult)cudaEventRecord(event, stream); }
inline CUresult cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
inline CUresult cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
inline CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
  return (CUresult)cudaEventElapsedTime(milliseconds, start, stop);
}
inline CUresult cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }

// errors
inline CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorName(CUresult error, const char **name) {
  switch (error) {
#define __LP_RESULT(word, number) \
  case number: *name = "CUDA_" #word; return CUDA_SUCCESS;
#include <launchpath/api/driver_results.h>
#undef __LP_RESULT
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
}
