// Ends in the state that its argument names, with work of the device in flight.
#include <hip/hip_runtime.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

__global__ void work(int *values, int steps) {
  int value = threadIdx.x;
  for (int i = 0; i < steps; i++) value = value * 3 + i;
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static int *memory;
static bool late;
static std::atomic<int> launched;

static void launch(hipStream_t stream = nullptr, int steps = 3000000) {
  work<<<4, 64, 0, stream>>>(memory, steps);
  launched++;
}

struct Last {
  ~Last() {
    if (!late) return;
    launch();
    printf("destructor %d\n", hipDeviceSynchronize());
  }
} last;

static void forever() {
  hipStream_t stream;
  if (hipStreamCreate(&stream) != hipSuccess) return;
  while (true) {
    launch(stream, 100);  // what all of them have in flight takes no seconds
    int *more;
    if (hipMalloc(&more, 512) == hipSuccess) (void)hipFree(more);
  }
}

int main(int, char **argv) {
  const char *state = argv[1];
  auto is = [&](const char *name) { return strcmp(state, name) == 0; };
  if (hipMalloc(&memory, 4 * 64 * sizeof(int)) != hipSuccess) return 1;
  launch();
  printf("%s\n", state);
  fflush(stdout);
  if (is("exit")) exit(11);
  if (is("quick_exit")) quick_exit(12);
  if (is("_exit")) _exit(13);
  if (is("abort")) abort();
  if (is("kill")) kill(getpid(), SIGKILL);
  if (is("terminate")) throw std::runtime_error("nobody catches it");
  if (is("segfault")) *(volatile int *)8 = 1;
  if (is("late")) late = true;
  if (is("thread")) std::thread([] { exit(14); }).join();
  if (is("callback"))
    (void)hipStreamAddCallback(nullptr, [](hipStream_t, hipError_t, void *) { exit(15); }, nullptr, 0),
        (void)hipDeviceSynchronize(), pause();
  if (is("threads")) {
    for (int i = 0; i < 8; i++) std::thread(forever).detach();
    while (launched < 50) usleep(1000);
    return 16;
  }
  if (is("pthread_exit")) {
    std::thread([] {
      usleep(100000);
      launch();
      exit(hipDeviceSynchronize() == hipSuccess ? 17 : 1);
    }).detach();
    pthread_exit(nullptr);
  }
  if (is("child")) {
    pid_t child = fork();
    if (child == 0) _exit(18);
    return hipDeviceSynchronize() == hipSuccess ? 18 : 1;
  }
  return 0;
}
