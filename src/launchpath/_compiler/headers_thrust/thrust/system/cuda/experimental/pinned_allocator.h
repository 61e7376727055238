// Memory that the device reads where it is: any of the host's.
#pragma once
#include <memory>
#include <thrust/system/cuda/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system::cuda::experimental {
template <class _T> struct pinned_allocator : std::allocator<_T> {
  using std::allocator<_T>::allocator;
  template <class _U> struct rebind {
    typedef pinned_allocator<_U> other;
  };
};
}  // namespace system::cuda::experimental
THRUST_NAMESPACE_END
