// What ROCm's own tests of HIP ask of every runtime: a place for each output, and clocks that tell the time.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <chrono>
#include <exception>
#include <new>

#include "check.h"

struct Problem : std::exception {
  const char *what() const noexcept override final { return "problem"; }
};

template <class T> struct Kept {
  virtual ~Kept() = default;
  virtual void keep(const T &value) { new (place) T(value); }
  alignas(T) char place[sizeof(T)];
};

__global__ void wait(unsigned milliseconds, unsigned ticks) {
  for (unsigned each = 0; each < milliseconds; each++) {
    long long start = wall_clock64();
    while (wall_clock64() - start < ticks) {
    }
  }
}

__global__ void one(int *x) { *x = 1; }

// Devices that do not run a whole grid at once have this for a grid of one block.
__global__ void reversed(int *x, int of_group) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  cooperative_groups::thread_group group = grid;
  x[threadIdx.x] = threadIdx.x;
  if (of_group) group.sync(); else grid.sync();
  int value = x[blockDim.x - 1 - threadIdx.x];
  grid.sync();
  x[threadIdx.x] = value;
}

int main() {
  Kept<unsigned long> kept;
  kept.keep(3);

  CHECK(hipMalloc((void **)nullptr, 1) == hipErrorInvalidValue);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  CHECK(hipEventCreate(nullptr) == hipErrorInvalidValue);
  CHECK(hipStreamCreate(nullptr) == hipErrorInvalidValue);
  CHECK(hipEventElapsedTime(nullptr, nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipGetDeviceCount(nullptr) == hipErrorInvalidValue);
  CHECK(hipDeviceGetStreamPriorityRange(nullptr, nullptr) == hipSuccess);
  CHECK(hipGetLastError() == hipErrorInvalidValue);

  int ticks = 0;
  CHECK(hipDeviceGetAttribute(&ticks, hipDeviceAttributeWallClockRate, 0) == hipSuccess);
  CHECK(ticks > 0);
  auto begin = std::chrono::steady_clock::now();
  wait<<<1, 1>>>(200, ticks);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(200));

  int *written;
  CHECK(hipMalloc(&written, sizeof *written) == hipSuccess);
#define CONFIGURATION dim3(1), dim3(1), 0, 0
  hipLaunchKernelGGL(one, CONFIGURATION, written);
  CHECK(hipDeviceSynchronize() == hipSuccess);

  int *turned;
  CHECK(hipMallocManaged(&turned, 64 * sizeof *turned) == hipSuccess);
  int runs_whole_grids = 0;
  CHECK(hipDeviceGetAttribute(&runs_whole_grids, hipDeviceAttributeCooperativeLaunch, 0) == hipSuccess);
  for (int of_group = 0; of_group < 2; of_group++) {
    void *arguments[] = {&turned, &of_group};
    if (runs_whole_grids)
      CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void *>(reversed), 1, 64, arguments, 0, nullptr) == hipSuccess);
    else
      reversed<<<1, 64>>>(turned, of_group);
    CHECK(hipDeviceSynchronize() == hipSuccess && turned[0] == 63 && turned[63] == 0);
  }

  CHECK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr) == hipSuccess);
  CHECK(hipSetupArgument(&turned, sizeof turned, 0) == hipSuccess);
  CHECK(hipLaunchByPtr(reinterpret_cast<void *>(one)) == hipSuccess);
  CHECK(hipDeviceSynchronize() == hipSuccess && turned[0] == 1);

  auto add_copy = &hipGraphAddMemcpyNodeFromSymbol;  // there is one form, whose address std::bind takes
  CHECK(add_copy != nullptr);

  int blocks = 7;
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one, 1 << 30, 0) == hipSuccess && blocks == 0);
  CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void *>(one), dim3(1), dim3(0), nullptr, 0u, nullptr) != hipSuccess);

  CHECK(__hipPushCallConfiguration(dim3(1, 2, 3), dim3(4), 16, nullptr) == hipSuccess);
  dim3 grid, block;
  size_t shared = 0;
  hipStream_t stream = (hipStream_t)1;
  CHECK(__hipPopCallConfiguration(&grid, &block, &shared, &stream) == hipSuccess);
  CHECK(grid.z == 3 && block.x == 4 && shared == 16 && stream == nullptr);

  hipFunction_t function;
  hipEvent_t start, stop;
  int *x;
  CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(one)) == hipSuccess);
  CHECK(hipEventCreate(&start) == hipSuccess && hipEventCreate(&stop) == hipSuccess);
  CHECK(hipMalloc(&x, sizeof *x) == hipSuccess);
  void *parameters[] = {&x};
  CHECK(hipExtModuleLaunchKernel(function, 64, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr, start, stop) ==
        hipSuccess);
  CHECK(hipEventSynchronize(stop) == hipSuccess);
  int result = 0;
  CHECK(hipMemcpy(&result, x, sizeof result, hipMemcpyDeviceToHost) == hipSuccess && result == 1);
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop) == hipSuccess && milliseconds >= 0);
  puts("PASS");
}
