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
// Of a kernel's template: the arguments' types choose the kernel.
template <class... _A>
inline void hipExtLaunchKernel(void (*kernel)(_A...), dim3 grid, dim3 block, size_t shared, hipStream_t stream,
                               hipEvent_t start, hipEvent_t stop, unsigned int flags, _A... arguments) {
  (void)__lp_launch_between<_A...>(kernel, grid, block, shared, stream, start, stop, flags, arguments...);
}
