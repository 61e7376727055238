// Memory, copies, fills, pitched memory, managed variables, and variables by their symbols.
#include <hip/hip_runtime.h>
#include <vector>
#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)

__device__ int counter = 3;
__constant__ float weights[4];
__managed__ int shared_with_host = 5;
namespace physics { __device__ double gravity[2] = {9.81, 1.62}; }

__global__ void use(int *out) {
  out[threadIdx.x] = counter + int(weights[threadIdx.x]) + int(physics::gravity[1] * 100);
  if (threadIdx.x == 0) shared_with_host += 1;
}
struct Pair { int a; double b; };
__global__ void by_value(Pair pair, double *out, char c, short s) { *out = pair.a + pair.b + c + s; }

int main() {
  int *out;
  OK(hipMalloc(&out, 4 * sizeof(int)));
  const float given[4] = {1, 2, 3, 4};
  OK(hipMemcpyToSymbol(weights, given, sizeof given));
  const int started = 10;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &started, sizeof started));
  CHECK(shared_with_host == 5);
  use<<<1, 4>>>(out);
  OK(hipDeviceSynchronize());
  CHECK(shared_with_host == 6);
  int values[4];
  OK(hipMemcpy(values, out, sizeof values, hipMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK(values[i] == 10 + i + 1 + 162);
  double moon;
  OK(hipMemcpyFromSymbol(&moon, physics::gravity, sizeof moon, sizeof moon));
  CHECK(moon == 1.62);
  void *address;
  size_t size;
  OK(hipGetSymbolAddress(&address, counter));
  OK(hipGetSymbolSize(&size, physics::gravity));
  CHECK(address != nullptr && size == 16);
  double *sum;
  OK(hipMalloc((void **)&sum, sizeof *sum));
  by_value<<<dim3(1), dim3(1)>>>(Pair{1, 2.5}, sum, 3, 4);
  double total;
  OK(hipMemcpy(&total, sum, sizeof total, hipMemcpyDefault));
  CHECK(total == 10.5);
  size_t pitch;
  char *rows;
  OK(hipMallocPitch((void **)&rows, &pitch, 100, 3));
  std::vector<char> host(300, 7), back(300);
  OK(hipMemset2D(rows, pitch, 1, 100, 3));
  OK(hipMemcpy2D(rows, pitch, host.data(), 100, 100, 2, hipMemcpyHostToDevice));
  OK(hipMemcpy2D(back.data(), 100, rows, pitch, 100, 3, hipMemcpyDeviceToHost));
  CHECK(back[0] == 7 && back[199] == 7 && back[200] == 1 && back[299] == 1);
  int *pinned, *managed;
  OK(hipHostMalloc(&pinned, 64));
  OK(hipMallocManaged(&managed, 64));
  managed[0] = 11;
  OK(hipMemcpy(pinned, managed, 64, hipMemcpyDefault));
  CHECK(pinned[0] == 11);
  OK(hipMemAdvise(managed, 64, hipMemAdviseSetReadMostly, 0));
  int mostly = 7, preferred = 7;
  void *ranges[] = {&mostly, &preferred};
  size_t room[] = {sizeof mostly, sizeof preferred};
  hipMemRangeAttribute wanted[] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributePreferredLocation};
  OK(hipMemRangeGetAttributes(ranges, room, wanted, 2, managed, 64));
  CHECK(mostly == 1 && preferred == hipInvalidDeviceId);
  CHECK(hipMemRangeGetAttributes(ranges, room, wanted, 0, managed, 64) == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  room[1] = 1;
  CHECK(hipMemRangeGetAttributes(ranges, room, wanted, 2, managed, 64) == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  hipPointer_attribute asked[] = {HIP_POINTER_ATTRIBUTE_RANGE_SIZE, HIP_POINTER_ATTRIBUTE_IS_MANAGED};
  size_t bytes = 0;
  bool is_managed = false;
  void *answers[] = {&bytes, &is_managed};
  OK(hipDrvPointerGetAttributes(2, asked, answers, managed));
  CHECK(bytes == 64 && is_managed);
  CHECK(hipDrvPointerGetAttributes(2, nullptr, answers, managed) == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  hipPointerAttribute_t attributes;
  OK(hipPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.type == hipMemoryTypeHost && attributes.hostPointer == pinned);
  OK(hipHostFree(pinned));
  OK(hipFree(managed));
  OK(hipFree(nullptr));
  CHECK(hipFree(&total) == hipErrorInvalidDevicePointer || hipGetLastError() != hipSuccess);
  size_t free_bytes, total_bytes;
  OK(hipMemGetInfo(&free_bytes, &total_bytes));
  CHECK(total_bytes >= free_bytes && total_bytes > 0);
  CHECK(hipMemcpy(nullptr, out, 4, hipMemcpyDeviceToDevice) == hipErrorInvalidValue);
  CHECK(hipPeekAtLastError() == hipErrorInvalidValue && hipGetLastError() == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipSuccess);
  OK(hipFree(out));
  OK(hipFree(sum));
  OK(hipFree(rows));
  puts("PASS");
}
