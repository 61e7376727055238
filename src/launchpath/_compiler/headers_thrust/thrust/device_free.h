// thrust's device_free, for memory of device_malloc's.
#pragma once
#include <launchpath/host_memory.h>
#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>

THRUST_NAMESPACE_BEGIN
inline void device_free(device_ptr<void> memory) { launchpath_free(memory.get()); }
THRUST_NAMESPACE_END
