// Eight threads launch, copy and allocate on streams of their own; kernels print; a class has static and thread storage.
#include <cuda_runtime.h>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>
#include "check.h"
#define OK(call) CHECK((call) == cudaSuccess)

__global__ void step(int *at, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] += value;
}
__global__ void tell(int value) { printf("kernel says %d\n", value); }

struct Early {
  int *at = nullptr;
  Early() { OK(cudaMalloc(&at, 64)); }
  ~Early() { puts("destroyed"); }
};
static Early early;
thread_local int launches = 0;

static void work(int number) {
  const int n = 1000;
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  int *at;
  OK(cudaMalloc(&at, n * sizeof(int)));
  OK(cudaMemsetAsync(at, 0, n * sizeof(int), stream));
  for (int i = 0; i < 500; ++i, ++launches) step<<<(n + 127) / 128, 128, 0, stream>>>(at, n, number);
  std::vector<int> host(n);
  OK(cudaMemcpyAsync(host.data(), at, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  for (int value : host) CHECK(value == 500 * number);
  CHECK(cudaMalloc(&at, ~size_t(0) >> 1) == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
  OK(cudaGetLastError());
  OK(cudaStreamDestroy(stream));
  CHECK(launches == 500);
}

int main(int argc, char **argv) {
  CHECK(early.at != nullptr && argc == 3 && std::string(argv[2]) == "two words");
  std::vector<std::thread> threads;
  for (int i = 1; i <= 8; ++i) threads.emplace_back(work, i);
  for (auto &thread : threads) thread.join();
  tell<<<1, 1>>>(42);
  OK(cudaDeviceSynchronize());
  try {
    throw std::runtime_error("thrown and caught");
  } catch (const std::exception &error) {
    std::cout << error.what() << std::endl;
  }
  if (getenv("PROGRAM_THROWS")) throw std::runtime_error("nobody catches this");
  std::cout << "PASS" << std::endl;
  exit(atoi(argv[1]));
}
