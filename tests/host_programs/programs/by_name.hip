// Functions by their names, and functions that launchpath declares and does not have. Nothing launches the kernel.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include "check.h"

template <class T> __global__ void set(T *x) { *x = 1; }

int main() {
  hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  hipError_t (*allocate)(void **, size_t) = nullptr;
  CHECK(hipGetProcAddress("hipMalloc", reinterpret_cast<void **>(&allocate), HIP_VERSION, hipEnableDefault, &status) ==
        hipSuccess);
  CHECK(status == HIP_GET_PROC_ADDRESS_SUCCESS && allocate != nullptr);
  void *memory = nullptr;
  CHECK(allocate(&memory, 16) == hipSuccess && memory != nullptr);

  // Of a thread's default stream, where there are two.
  hipError_t (*fill)(void *, int, size_t) = nullptr, (*plain)(void *, int, size_t) = nullptr;
  const unsigned flags[] = {hipEnablePerThreadDefaultStream, hipEnableLegacyStream};
  CHECK(hipGetProcAddress("hipMemset", (void **)&fill, HIP_VERSION, flags[0], nullptr) == hipSuccess);
  CHECK(hipGetProcAddress("hipMemset", (void **)&plain, HIP_VERSION, flags[1], nullptr) == hipSuccess);
  CHECK(fill != nullptr && plain != nullptr && fill != plain);
  CHECK(fill(memory, 1, 16) == hipSuccess);
  CHECK(hipGetProcAddress("hipFree", (void **)&allocate, HIP_VERSION, flags[0], &status) == hipSuccess);
  CHECK(hipGetProcAddress("hipGetProcAddress", (void **)&allocate, HIP_VERSION, 0, &status) == hipSuccess);
  CHECK(hipGetProcAddress("hipExtModuleLaunchKernel", (void **)&allocate, HIP_VERSION, 0, &status) == hipSuccess);

  hipDriverEntryPointQueryResult found = hipDriverEntryPointSymbolNotFound;
  CHECK(hipGetDriverEntryPoint("hipGetLastError", (void **)&plain, 0, &found) == hipSuccess);
  CHECK(found == hipDriverEntryPointSuccess && plain != nullptr);

  CHECK(hipGetLastError() == hipSuccess);
  CHECK(hipGetProcAddress("hipNothing", (void **)&plain, HIP_VERSION, 0, &status) == hipErrorInvalidValue);
  CHECK(status == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && plain == nullptr);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  CHECK(hipGetProcAddress(nullptr, (void **)&plain, HIP_VERSION, 0, &status) == hipErrorInvalidValue);
  CHECK(hipGetProcAddress("", (void **)&plain, HIP_VERSION, 0, &status) == hipErrorInvalidValue);
  CHECK(hipGetProcAddress("hipMalloc", nullptr, HIP_VERSION, 0, &status) == hipErrorInvalidValue);
  CHECK(hipGetProcAddress("hipMalloc", (void **)&plain, HIP_VERSION, 3, &status) == hipErrorInvalidValue);

  hiprtcLinkState state;
  CHECK((int)hiprtcLinkCreate(0, nullptr, nullptr, &state) == hipErrorNotSupported);
  // A text that there is not.
  CHECK(hipKernelNameRefByPtr(nullptr, nullptr) == nullptr);

  hipTexRef texture = nullptr;
  CHECK(hipModuleGetTexRef(&texture, nullptr, "texture") == hipErrorNotSupported);
  puts("PASS");
}
