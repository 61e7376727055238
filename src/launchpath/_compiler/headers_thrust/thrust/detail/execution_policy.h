// thrust's host systems know nothing of kernels that still run. Every algorithm, and every access to an element of a
// device's vector, passes its policy through `derived_cast` before it looks at memory: so that is where it waits.
#pragma once
#define derived_cast __lp_derived_cast
#include_next <thrust/detail/execution_policy.h>
#undef derived_cast
#include <launchpath/host_memory.h>

THRUST_NAMESPACE_BEGIN
namespace system::detail::sequential {
struct tag;
}
namespace detail {
struct seq_t;
// An algorithm of one thread is a kernel's, or a part of another.
template <class _P> inline constexpr bool __lp_waits = true;
template <> inline constexpr bool __lp_waits<seq_t> = false;
template <> inline constexpr bool __lp_waits<system::detail::sequential::tag> = false;

template <class _P> constexpr _CCCL_HOST_DEVICE _P &derived_cast(execution_policy_base<_P> &policy) {
  if constexpr (__lp_waits<_P>)
    if (!__builtin_is_constant_evaluated()) launchpath::wait_for_device();
  return static_cast<_P &>(policy);
}
template <class _P> constexpr _CCCL_HOST_DEVICE const _P &derived_cast(const execution_policy_base<_P> &policy) {
  if constexpr (__lp_waits<_P>)
    if (!__builtin_is_constant_evaluated()) launchpath::wait_for_device();
  return static_cast<const _P &>(policy);
}
}  // namespace detail
THRUST_NAMESPACE_END
