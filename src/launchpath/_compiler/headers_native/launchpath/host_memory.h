// For algorithms that run on the host on a device's memory: they wait for the device's work first. Where a device's
// memory is not the host's they are refused, with the reason on stderr.
#pragma once
#include <cstddef>
#include <new>
#include <stdexcept>

extern "C" {
int launchpath_wait(void);  // for all work of this thread's device; HIP's code
void *launchpath_allocate(size_t bytes);
void launchpath_free(void *memory);
const char *launchpath_error_text(int code);
}

namespace launchpath {
inline void wait_for_device() {
  if (int code = launchpath_wait(); __builtin_expect(code != 0, 0)) throw std::runtime_error(launchpath_error_text(code));
}

inline void *allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void *memory = launchpath_allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace launchpath
