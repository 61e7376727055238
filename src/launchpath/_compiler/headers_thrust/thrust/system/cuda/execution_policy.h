// The policies of thrust's CUDA and HIP systems: those of the host's system. A stream needs no other care, for every
// algorithm waits for all of the device's work, and has ended when it returns.
#pragma once
#include <thrust/detail/config.h>
#include <thrust/detail/allocator_aware_execution_policy.h>
#include __THRUST_DEVICE_SYSTEM_ALGORITH_HEADER_INCLUDE(execution_policy.h)

THRUST_NAMESPACE_BEGIN
namespace system::cuda {
using namespace system::__THRUST_DEVICE_SYSTEM_NAMESPACE;
namespace __lp {
template <class _P> using policy = system::__THRUST_DEVICE_SYSTEM_NAMESPACE::execution_policy<_P>;
template <class _A> struct allocating : thrust::detail::execute_with_allocator<_A, policy> {
  using thrust::detail::execute_with_allocator<_A, policy>::execute_with_allocator;
  template <class _S> const allocating &on(_S) const { return *this; }
};
struct par_t : policy<par_t> {
  template <class _S> const par_t &on(_S) const { return *this; }
  template <class _A> allocating<_A &> operator()(_A &allocator) const { return allocating<_A &>(allocator); }
};
}  // namespace __lp
inline constexpr __lp::par_t par{}, par_nosync{};
}  // namespace system::cuda
namespace cuda {
using namespace system::cuda;
}
namespace system::hip {
using namespace system::cuda;
}
namespace hip {
using namespace system::cuda;
}
namespace hip_rocprim {
using namespace system::cuda;
}
namespace cuda_cub {
using namespace system::cuda;
}
THRUST_NAMESPACE_END
