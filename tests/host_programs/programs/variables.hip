// A file with variables of the device, some of them a macro's, and no kernel.
#include <hip/hip_runtime.h>

#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)
#define VARIABLE(name) __device__ \
  int name;

VARIABLE(from_macro)
static __constant__ int constant = 4;

int main() {
  int written = 7, read = 0;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(from_macro), &written, sizeof written));
  OK(hipMemcpyFromSymbol(&read, HIP_SYMBOL(from_macro), sizeof read));
  CHECK(read == 7);
  OK(hipMemcpyFromSymbol(&read, HIP_SYMBOL(constant), sizeof read));
  CHECK(read == 4);

  hipUUID uuid;
  hipDeviceProp_t properties;
  OK(hipDeviceGetUuid(&uuid, 0));
  OK(hipGetDeviceProperties(&properties, 0));
  for (int i = 0; i < 16; i++) CHECK(uuid.bytes[i] == properties.uuid.bytes[i]);
  CHECK(properties.arch.hasDoubles == __HIP_ARCH_HAS_DOUBLES__ && properties.arch.hasWarpVote == __HIP_ARCH_HAS_WARP_VOTE__);
  int most = 0;
  OK(hipDeviceGetAttribute(&most, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(most == (int)properties.maxSharedMemoryPerMultiProcessor && most > 0);
  puts("PASS");
}
