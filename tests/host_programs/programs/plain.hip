// A library whose functions call what programs call most, in a loop; see tests/host_programs/test_plain.py.
#include <hip/hip_runtime.h>
#include <cstring>
#define CHECK(call) \
  if (hipError_t code = (call)) return 1000 * __LINE__ + code

__global__ void add(int *values, int by) { values[threadIdx.x] += by; }

// `twice`: no other thread calls it. So memory can be freed a second time, which is refused.
extern "C" int work(int turns, bool twice) {
  constexpr int n = 64;
  hipStream_t stream;
  hipEvent_t event;
  int *host, *last;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&event));
  CHECK(hipHostMalloc(&host, n * sizeof(int), 0));
  for (int turn = 0; turn < turns; turn++) {
    int *first, *second, device;
    CHECK(hipGetDevice(&device));
    CHECK(hipSetDevice(device));
    CHECK(hipMalloc(&first, n * sizeof(int)));
    CHECK(hipMalloc(&second, n * sizeof(int)));
    for (int i = 0; i < n; i++) host[i] = turn + i;
    CHECK(hipMemcpyAsync(first, host, n * sizeof(int), hipMemcpyHostToDevice, stream));
    add<<<1, n, 0, stream>>>(first, 5);
    CHECK(hipEventRecord(event, stream));
    CHECK(hipStreamWaitEvent(0, event, 0));
    CHECK(hipMemcpyAsync(second, first, n * sizeof(int), hipMemcpyDeviceToDevice, 0));
    while (hipEventQuery(event) == hipErrorNotReady) {
    }
    CHECK(hipEventSynchronize(event));
    CHECK(hipStreamSynchronize(0));
    CHECK(hipMemcpy(host, second, n * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
      if (host[i] != turn + i + 5) return -1;
    CHECK(hipMemset(second, 1, n * sizeof(int)));
    CHECK(hipMemsetAsync(second, 2, 4, stream));
    CHECK(hipStreamSynchronize(stream));
    // On CUDA a stream that blocks is not ready while other threads' work is in the null stream.
    if (twice && hipStreamQuery(stream) != hipSuccess) return -2;
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(host, second, 8, hipMemcpyDeviceToHost));
    if (host[0] != 0x02020202 || host[1] != 0x01010101) return -3;
    CHECK(hipFree(first));
    CHECK(hipFree(second));
    if (twice && (hipFree(second) != hipErrorInvalidDevicePointer || hipGetLastError() != hipErrorInvalidDevicePointer)) return -4;
  }
  CHECK(hipMalloc(&last, 4));
  CHECK(hipFree(last));
  CHECK(hipHostFree(host));
  CHECK(hipEventDestroy(event));
  CHECK(hipStreamDestroy(stream));
  return 0;
}
