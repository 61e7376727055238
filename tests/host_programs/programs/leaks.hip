// Makes and destroys everything again and again: the memory of the process must not grow.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <thread>

__global__ void add(int *values) { values[threadIdx.x]++; }

static long resident() {  // KiB
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%ld %ld", &all, &pages) != 2) pages = -1;
  fclose(file);
  return pages * 4;
}
#define CHECK(call) \
  if (hipError_t code = (call)) printf("line %d: %s\n", __LINE__, hipGetErrorName(code)), exit(1)

static void turn() {
  hipStream_t stream;
  hipEvent_t event, timed;
  hipGraph_t graph;
  hipGraphExec_t run;
  int *device, *host, *managed, *async;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  CHECK(hipEventCreate(&timed));
  CHECK(hipMalloc(&device, 4096));
  CHECK(hipHostMalloc(&host, 4096, 0));
  CHECK(hipMallocManaged(&managed, 4096));
  CHECK(hipMallocAsync(&async, 4096, stream));
  CHECK(hipMemsetAsync(device, 0, 4096, stream));
  CHECK(hipMemcpyAsync(host, device, 4096, hipMemcpyDeviceToHost, stream));
  for (int i = 0; i < 10; i++) add<<<1, 64, 0, stream>>>(device);
  add<<<1, 64, 0, stream>>>(managed);
  CHECK(hipEventRecord(event, stream));
  CHECK(hipEventRecord(timed, stream));
  CHECK(hipStreamWaitEvent(0, event, 0));
  CHECK(hipFreeAsync(async, stream));
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  add<<<1, 64, 0, stream>>>(device);
  CHECK(hipStreamEndCapture(stream, &graph));
  CHECK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(run, stream));
  CHECK(hipStreamSynchronize(stream));
  CHECK(hipGraphExecDestroy(run));
  CHECK(hipGraphDestroy(graph));
  (void)hipFree(device + 1);  // refused
  (void)hipGetLastError();
  CHECK(hipFree(device));
  CHECK(hipFree(managed));
  CHECK(hipHostFree(host));
  CHECK(hipEventDestroy(event));
  CHECK(hipEventDestroy(timed));
  CHECK(hipStreamDestroy(stream));
  std::thread([] { (void)hipDeviceSynchronize(); }).join();
}

int main(int, char **argv) {
  const int turns = atoi(argv[1]);
  for (int i = 0; i < turns; i++) turn();
  const long before = resident();
  for (int i = 0; i < turns; i++) turn();
  const long grown = resident() - before;
  if (grown > 4 * turns) printf("%d turns: %ld KiB more\n", turns, grown);  // a leak has some bytes of each
  printf("PASS\n");
}
