// The category of CUDA's errors.
#pragma once
#include <launchpath/host_memory.h>
#include <string>
#include <thrust/system/error_code.h>
#include <thrust/system_error.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace __lp {
struct cuda_category final : error_category {
  const char *name() const override { return "cuda"; }
  std::string message(int code) const override { return launchpath_error_text(code); }
};
}  // namespace __lp
inline const error_category &cuda_category() {
  static const __lp::cuda_category category;
  return category;
}
}  // namespace system
using system::cuda_category;
namespace hip_rocprim {
inline const error_category &hip_category() { return system::cuda_category(); }
}
THRUST_NAMESPACE_END
