// Streams, events, host functions, graphs and captures, occupancy, attributes of devices and functions.
#include <hip/hip_runtime.h>
#include <cstring>
#include <string>
#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)

__global__ void add(int *at, int value) { atomicAdd(at, value); }
template <class T, int N> __global__ void fill(T *at, T value) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) at[i] = value;
}
static __global__ void hidden(int *at) { *at = 77; }
namespace { __global__ void anonymous(int *at) { *at += 1; } }

static int called = 0;
static void on_host(void *data) { called += *static_cast<int *>(data); }
static void callback(hipStream_t, hipError_t status, void *data) { called += status == hipSuccess ? *static_cast<int *>(data) : 0; }

__global__ void spin(int *x, int rounds) {
  int value = *x;
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  *x = value;
}

int main() {
  int count = 0, device = -1;
  OK(hipGetDeviceCount(&count));
  OK(hipGetDevice(&device));
  CHECK(count >= 1 && device == 0);
  hipDeviceProp_t properties;
  OK(hipGetDeviceProperties(&properties, 0));
  CHECK(strlen(properties.name) > 0 && properties.maxThreadsPerBlock >= 256 && properties.multiProcessorCount > 0);
  int warp = 0;
  OK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  CHECK(warp == properties.warpSize);
  CHECK(hipSetDevice(count) == hipErrorInvalidDevice);
  CHECK(std::string(hipGetErrorName(hipErrorInvalidDevice)) == "hipErrorInvalidDevice");
  (void)hipGetLastError();

  int *at, host = 0, two = 2, three = 3;
  OK(hipMalloc(&at, 16 * sizeof(int)));
  OK(hipMemset(at, 0, 16 * sizeof(int)));
  hipStream_t first, second;
  hipEvent_t begin, end;
  OK(hipStreamCreate(&first));
  OK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  OK(hipEventCreate(&begin));
  OK(hipEventCreate(&end));
  OK(hipEventRecord(begin, first));
  for (int i = 0; i < 10; ++i) add<<<4, 8, 0, first>>>(at, 1);
  OK(hipEventRecord(end, first));
  OK(hipStreamWaitEvent(second, end, 0));
  hipLaunchKernelGGL(add, dim3(1), dim3(1), 0, second, at, 1000);
  OK(hipLaunchHostFunc(second, on_host, &two));
  OK(hipStreamAddCallback(second, callback, &three, 0));
  OK(hipMemcpyAsync(&host, at, sizeof host, hipMemcpyDeviceToHost, second));
  OK(hipStreamSynchronize(second));
  CHECK(host == 1320 && called == 5);
  float milliseconds = -1;
  OK(hipEventSynchronize(end));
  OK(hipEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0 && hipEventQuery(end) == hipSuccess && hipStreamQuery(first) == hipSuccess);

  fill<int, 16><<<1, 4>>>(at, 9);
  hidden<<<1, 1>>>(at);
  anonymous<<<1, 1>>>(at);
  int all[16];
  OK(hipMemcpy(all, at, sizeof all, hipMemcpyDeviceToHost));
  CHECK(all[0] == 78 && all[15] == 9);
  void *arguments[] = {&at, &three};
  OK(hipLaunchKernel(reinterpret_cast<const void *>(&add), dim3(1), dim3(1), arguments, 0, nullptr));
  OK(hipMemcpy(&host, at, sizeof host, hipMemcpyDeviceToHost));
  CHECK(host == 81);
  void (*chosen)(int *, int) = add;
  chosen<<<1, 1>>>(at, 1);
  OK(hipMemcpy(&host, at, sizeof host, hipMemcpyDeviceToHost));
  CHECK(host == 82);

  add<<<1, 1 << 20>>>(at, 1);
  CHECK(hipGetLastError() == hipErrorInvalidConfiguration);
  hipFuncAttributes attributes;
  OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(&add)));
  CHECK(attributes.maxThreadsPerBlock > 0);
  int blocks = 0, least = 0, size = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0));
  OK(hipOccupancyMaxPotentialBlockSize(&least, &size, add, 0, 0));
  CHECK(blocks > 0 && size > 0);

  hipGraph_t graph;
  hipGraphExec_t run;
  OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  add<<<1, 1, 0, first>>>(at, 10);
  add<<<1, 1, 0, first>>>(at, 100);
  OK(hipStreamEndCapture(first, &graph));
  OK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) OK(hipGraphLaunch(run, first));
  OK(hipStreamSynchronize(first));
  OK(hipMemcpy(&host, at, sizeof host, hipMemcpyDeviceToHost));
  CHECK(host == 82 + 330);
  OK(hipGraphExecDestroy(run));
  OK(hipGraphDestroy(graph));
  OK(hipEventDestroy(begin));
  OK(hipEventDestroy(end));
  OK(hipStreamDestroy(first));
  OK(hipStreamDestroy(second));

  int *of_host;  // a fill of memory that the host reaches has ended when the function returns
  OK(hipHostMalloc(reinterpret_cast<void **>(&of_host), 64));
  of_host[0] = of_host[15] = 0;
  spin<<<1, 1>>>(at, 1 << 26);
  OK(hipMemset(of_host, 1, 64));
  CHECK(of_host[0] == 0x01010101 && of_host[15] == 0x01010101);
  spin<<<1, 1>>>(at, 1 << 26);
  OK(hipMemset2D(of_host, 32, 2, 32, 2));
  CHECK(of_host[0] == 0x02020202 && of_host[15] == 0x02020202);
  int *other;  // and so has a copy between memory of the host
  OK(hipHostMalloc(reinterpret_cast<void **>(&other), 64));
  spin<<<1, 1>>>(of_host, 1 << 26);
  OK(hipMemcpyAsync(other, of_host, 64, hipMemcpyHostToHost, nullptr));
  CHECK(hipStreamQuery(nullptr) == hipSuccess && other[0] == of_host[0] && other[15] == 0x02020202);
  OK(hipHostFree(other));
  OK(hipHostFree(of_host));

  OK(hipMemcpy(at, at, sizeof host, hipMemcpyDeviceToDevice));  // nothing is copied onto itself
  int devices = 0;
  OK(hipGetDeviceCount(&devices));
  for (int device = 0; device < devices; ++device) {  // a launch is on its stream's device
    int *there;
    OK(hipSetDevice(device));
    OK(hipMalloc(&there, sizeof *there));
    OK(hipMemset(there, 0, sizeof *there));
    OK(hipStreamCreate(&first));
    OK(hipSetDevice(0));
    add<<<1, 1, 0, first>>>(there, 5);
    OK(hipGetLastError());
    OK(hipStreamSynchronize(first));
    OK(hipSetDevice(device));
    OK(hipMemcpy(&host, there, sizeof host, hipMemcpyDeviceToHost));
    CHECK(host == 5);
    OK(hipStreamDestroy(first));
    OK(hipFree(there));
  }
  OK(hipSetDevice(0));
  OK(hipDeviceReset());
  puts("PASS");
}
