// thrust's device_malloc, whose memory is the device's.
#pragma once
#include <launchpath/host_memory.h>
#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>

THRUST_NAMESPACE_BEGIN
template <class _T = void> device_ptr<_T> device_malloc(const std::size_t count) {
  if constexpr (std::is_void_v<_T>)
    return device_ptr<_T>(launchpath::allocate(count));
  else
    return device_ptr<_T>(static_cast<_T *>(launchpath::allocate(count * sizeof(_T))));
}
THRUST_NAMESPACE_END
