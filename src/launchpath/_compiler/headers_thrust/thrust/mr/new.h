// Memory of thrust's vectors of the device: the device's, so that copies and kernels know it.
#pragma once
#include <launchpath/host_memory.h>
#include <thrust/mr/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace mr {
class new_delete_resource_base : public memory_resource<> {
 public:
  void *do_allocate(std::size_t bytes, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    return launchpath::allocate(bytes);
  }
  void do_deallocate(void *memory, std::size_t, std::size_t = THRUST_MR_DEFAULT_ALIGNMENT) override {
    launchpath_free(memory);
  }
};
class new_delete_resource final : public new_delete_resource_base {};
}  // namespace mr
THRUST_NAMESPACE_END
