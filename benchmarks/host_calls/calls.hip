// What programs call most, in loops: nanoseconds of so many calls; -1 if one fails.
#include <hip/hip_runtime.h>
#include <chrono>

static hipStream_t stream;
static hipEvent_t event;
static void *first, *second;

extern "C" int begin() {
  return hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) ||
         hipEventCreateWithFlags(&event, hipEventDisableTiming) || hipMalloc(&first, 4096) || hipMalloc(&second, 4096) ||
         hipEventRecord(event, stream) || hipStreamSynchronize(stream);
}

template <class F> static long long timed(int n, F call) {
  const auto began = std::chrono::steady_clock::now();
  int failed = 0;
  for (int i = 0; i < n; i++) failed |= call();
  const auto took = std::chrono::steady_clock::now() - began;
  return failed ? -1 : std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
}

extern "C" long long allocate(int n) {
  return timed(n, [] {
    void *memory;
    return hipMalloc(&memory, 4096) | hipFree(memory);
  });
}
extern "C" long long copy(int n) {
  return timed(n, [] { return hipMemcpyAsync(second, first, 4096, hipMemcpyDeviceToDevice, stream); });
}
extern "C" long long record(int n) { return timed(n, [] { return hipEventRecord(event, stream); }); }
extern "C" long long wait_for_event(int n) { return timed(n, [] { return hipEventSynchronize(event); }); }
extern "C" long long wait_for_stream(int n) { return timed(n, [] { return hipStreamSynchronize(stream); }); }
extern "C" int finish() { return hipStreamSynchronize(stream); }
