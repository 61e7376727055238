// hipCUB's device-wide functions, on the host: with temporary memory, on a stream, behind a kernel.
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <cstdio>
#include <initializer_list>
#include <vector>

#define CHECK(what) \
  if (!(what)) return printf("line %d: %s\n", __LINE__, #what), 1
// Asks for the size, then runs.
#define CALL(...)                                                          \
  {                                                                        \
    void *storage = nullptr;                                               \
    size_t bytes = 0;                                                      \
    CHECK(hipcub::__VA_ARGS__ == hipSuccess && bytes > 0);                 \
    CHECK(hipMalloc(&storage, bytes) == hipSuccess);                       \
    CHECK(hipcub::__VA_ARGS__ == hipSuccess && hipFree(storage) == hipSuccess); \
  }
#define TO storage, bytes

__global__ void mixed(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = i;
  for (int k = 0; k < 300000; k++) value = value * 3 + k;
  if (i < n) values[i] = value == 12345 ? 0 : i * 7 % 100 - 50;
}

struct Odd {
  __device__ bool operator()(const int &x) const { return x & 1; }
};
struct Larger {
  __device__ __forceinline__ int operator()(int a, int b) const { return a < b ? b : a; }
};

template <class T> T *device(std::initializer_list<T> values) {
  T *memory;
  if (hipMalloc(&memory, values.size() * sizeof(T)) != hipSuccess) return nullptr;
  if (hipMemcpy(memory, values.begin(), values.size() * sizeof(T), hipMemcpyHostToDevice) != hipSuccess) return nullptr;
  return memory;
}
template <class T> bool holds(const T *memory, std::initializer_list<T> values) {
  std::vector<T> got(values.size());
  if (hipMemcpy(got.data(), memory, values.size() * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) return false;
  return got == std::vector<T>(values);
}

int main() {
  const int n = 1000;
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess);
  int *in, *out, *more, *one = device({0, 0});
  CHECK(hipMalloc(&in, n * 4) == hipSuccess && hipMalloc(&out, n * 4) == hipSuccess);
  CHECK(hipMalloc(&more, n * 4) == hipSuccess);
  mixed<<<4, 256, 0, stream>>>(in, n);
  CALL(DeviceReduce::Sum(TO, in, one, n, stream))
  CHECK(holds(one, {-500}));
  CALL(DeviceReduce::Max(TO, in, one, n))
  CHECK(holds(one, {49}));
  CALL(DeviceReduce::Reduce(TO, in, one, n, Larger(), 77, stream))
  CHECK(holds(one, {77}));
  CALL(DeviceReduce::ArgMin(TO, in, (hipcub::KeyValuePair<int, int> *)one, n))
  CHECK(holds(one, {0, -50}));
  CALL(DeviceScan::ExclusiveSum(TO, in, out, n))
  CHECK(holds(out, {0, -50, -93, -129}));
  CALL(DeviceScan::InclusiveScan(TO, in, in, Larger(), n))
  CHECK(holds(in, {-50, -43, -36, -29}));
  mixed<<<4, 256, 0, stream>>>(in, n);
  CALL(DeviceRadixSort::SortPairs(TO, in, out, in, more, n, 0, 32, stream))
  CHECK(holds(out, {-50, -50}) && holds(more, {-50, -50}) && holds(out + n - 11, {48, 49}));
  CALL(DeviceRadixSort::SortKeysDescending(TO, in, out, n))
  CHECK(holds(out + 9, {49, 48}));
  hipcub::DoubleBuffer<int> keys(out, more);
  CALL(DeviceRadixSort::SortKeys(TO, keys, n))
  CHECK(holds(keys.Current() + 9, {-50, -49}));
  CALL(DeviceSelect::If(TO, keys.Current(), keys.Alternate(), one, n, Odd(), stream))
  CHECK(holds(one, {500}) && holds(keys.Alternate(), {-49}));
  CALL(DeviceSelect::Flagged(TO, device({1, 2, 3, 4}), device<char>({0, 1, 0, 1}), out, one, 4))
  CHECK(holds(one, {2}) && holds(out, {2, 4}));
  CALL(DevicePartition::If(TO, device({1, 2, 3, 4}), out, one, 4, Odd()))
  CHECK(holds(one, {2}) && holds(out, {1, 3, 4, 2}));
  CALL(DeviceRunLengthEncode::Encode(TO, device({5, 5, 6, 5}), out, more, one, 4))
  CHECK(holds(one, {3}) && holds(out, {5, 6, 5}) && holds(more, {2, 1, 1}));
  CALL(DeviceReduce::ReduceByKey(TO, device({1, 1, 2}), out, device({3, 4, 5}), more, one, hipcub::Sum(), 3))
  CHECK(holds(one, {2}) && holds(out, {1, 2}) && holds(more, {7, 5}));
  CALL(DeviceHistogram::HistogramEven(TO, device({0.0f, 0.5f, 1.5f, 2.0f, 9.0f, -1.0f}), out, 3, 0.0f, 2.0f, 6))
  CHECK(holds(out, {2, 1}));
  CALL(DeviceHistogram::HistogramRange(TO, device({0, 1, 5, 10}), out, 3, device({0, 5, 10}), 4))
  CHECK(holds(out, {2, 1}));
  int *begins = device({0, 2, 2, 5});
  CALL(DeviceSegmentedReduce::Sum(TO, device({1, 2, 3, 4, 5}), out, 3, begins, begins + 1))
  CHECK(holds(out, {3, 0, 12}));
  CALL(DeviceSegmentedRadixSort::SortKeys(TO, device({2, 1, 5, 4, 3}), out, 5, 3, begins, begins + 1))
  CHECK(holds(out, {1, 2, 3, 4, 5}));
  CALL(DeviceRadixSort::SortKeys(TO, device({1.5f, -2.0f, 0.0f, -0.5f}), (float *)out, 4))
  CHECK(holds((float *)out, {-2.0f, -0.5f, 0.0f, 1.5f}));
  CHECK(hipDeviceSynchronize() == hipSuccess);
  puts("PASS");
}
