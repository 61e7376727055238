// C++ forms of functions that only HIP's runtime has.
#pragma once

template <class _T> inline hipError_t hipHostMalloc(_T **p, size_t size, unsigned int flags = 0) {
  return hipHostMalloc((void **)p, size, flags);
}
template <class _T> inline hipError_t hipExtMallocWithFlags(_T **p, size_t size, unsigned int flags) {
  return hipExtMallocWithFlags((void **)p, size, flags);
}
template <class _T> inline hipError_t hipMemAllocHost(_T **p, size_t size) { return hipMemAllocHost((void **)p, size); }

// A launch with its arguments in a list; with events, those before and behind it.
template <class... _P>
inline hipError_t __lp_launch_between(void (*kernel)(_P...), dim3 grid, dim3 block, size_t shared, hipStream_t stream,
                                      hipEvent_t start, hipEvent_t stop, int flags, _P... values) {
  void *arguments[] = {(void *)__builtin_addressof(values)..., nullptr};
  return hipExtLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream, start, stop, flags);
}
template <class... _P, class... _A>
inline void hipExtLaunchKernel(void (*kernel)(_P...), dim3 grid, dim3 block, size_t shared, hipStream_t stream,
                               hipEvent_t start, hipEvent_t stop, unsigned int flags, _A... arguments) {
  (void)__lp_launch_between<_P...>(kernel, grid, block, shared, stream, start, stop, flags, arguments...);
}

// A launch of so many threads, between two events; either may be null.
inline hipError_t hipExtModuleLaunchKernel(hipFunction_t f, unsigned int threadsX, unsigned int threadsY,
                                           unsigned int threadsZ, unsigned int blockX, unsigned int blockY,
                                           unsigned int blockZ, size_t shared, hipStream_t stream, void **parameters,
                                           void **extra, hipEvent_t start = nullptr, hipEvent_t stop = nullptr,
                                           unsigned int flags = 0) {
  if (!blockX || !blockY || !blockZ) return hipErrorInvalidValue;
  // AMD's devices run a last block of fewer threads; the others have whole blocks only.
  if (threadsX % blockX || threadsY % blockY || threadsZ % blockZ) return hipErrorNotSupported;
  if (flags & ~1u) return hipErrorInvalidValue;
  hipError_t code = start ? hipEventRecord(start, stream) : hipSuccess;
  if (code == hipSuccess)
    code = hipModuleLaunchKernel(f, threadsX / blockX, threadsY / blockY, threadsZ / blockZ, blockX, blockY, blockZ,
                                 (unsigned int)shared, stream, parameters, extra);
  return code == hipSuccess && stop ? hipEventRecord(stop, stream) : code;
}
inline hipError_t hipHccModuleLaunchKernel(hipFunction_t f, unsigned int threadsX, unsigned int threadsY,
                                           unsigned int threadsZ, unsigned int blockX, unsigned int blockY,
                                           unsigned int blockZ, size_t shared, hipStream_t stream, void **parameters,
                                           void **extra, hipEvent_t start = nullptr, hipEvent_t stop = nullptr) {
  return hipExtModuleLaunchKernel(f, threadsX, threadsY, threadsZ, blockX, blockY, blockZ, shared, stream, parameters,
                                  extra, start, stop);
}

#ifdef __LP_NATIVE__  // what Clang calls for a launch
extern "C" hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
extern "C" hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream);
#endif
