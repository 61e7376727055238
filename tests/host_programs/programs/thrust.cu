// thrust's algorithms on the host, between kernels: each sees what the kernels before it wrote, on any stream.
#include <cmath>
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#define CHECK(what) \
  if (!(what)) return printf("line %d: %s\n", __LINE__, #what), 1

const int N = 1000;
__device__ int seen;
__constant__ int added = 1;

// A function of the device that only kernels can run, beside those that algorithms call.
__device__ int slow(int *shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int i = 0; i < 300000; i++) value = value * 3 + i;
  return value == 12345 ? 0 : shared[threadIdx.x];
}

__global__ void twice(int *values, int n) {
  __shared__ int shared[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = slow(shared, i < n ? values[i] : 0);
  if (i < n) values[i] = 2 * value;
  if (i == 0) seen = added;
}

__global__ void by_pointer(thrust::device_ptr<int> values) { values[threadIdx.x] = threadIdx.x; }

struct plus_one {
  __device__ int operator()(int x) const { return x + 1; }
};
struct root : public thrust::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return sqrtf(x) * rsqrtf(x); }
};
struct descending {
  __device__ bool operator()(const int &a, const int &b) const { return a > b; }
};

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  thrust::device_vector<int> v(N);
  int *raw = thrust::raw_pointer_cast(v.data());
  thrust::sequence(v.begin(), v.end());
  twice<<<4, 256>>>(raw, N);
  CHECK(thrust::reduce(v.begin(), v.end()) == N * (N - 1));
  twice<<<4, 256, 0, stream>>>(raw, N);
  CHECK(v[N - 1] == 4 * (N - 1));
  twice<<<4, 256, 0, stream>>>(raw, N);
  thrust::host_vector<int> h = v;
  CHECK(h[1] == 8);
  twice<<<4, 256, 0, stream>>>(raw, N);
  thrust::device_vector<int> other(v);
  int one = 0;
  CHECK(cudaMemcpy(&one, thrust::raw_pointer_cast(&other[1]), sizeof one, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(one == 16);
  twice<<<4, 256, 0, stream>>>(raw, N);
  CHECK(thrust::count(thrust::cuda::par.on(stream), v.begin(), v.end(), 32) == 1);
  CHECK(cudaMemcpyFromSymbol(&one, seen, sizeof one) == cudaSuccess && one == 1);

  thrust::transform(v.begin(), v.end(), v.begin(), plus_one());
  thrust::transform(thrust::device, v.begin(), v.end(), v.begin(), [] __device__(int x) { return x - 33; });
  CHECK(v[1] == 0);
  thrust::sort(v.begin(), v.end(), descending());
  CHECK(v[0] == 32 * (N - 1) - 32 && v[N - 1] == -32);
  thrust::sort(thrust::device_pointer_cast(raw), thrust::device_pointer_cast(raw) + N);
  thrust::exclusive_scan(v.begin(), v.end(), other.begin());
  CHECK(other[2] == -32 && other[3] == 0);
  thrust::fill(v.begin(), v.begin() + N / 2, 7);
  CHECK(thrust::unique(v.begin(), v.end()) - v.begin() == N / 2 + 1);
  thrust::device_vector<float> f(100, 4.0f);
  CHECK(std::fabs(thrust::transform_reduce(f.begin(), f.end(), root(), 0.0f, thrust::plus<float>()) - 100) < 1e-3f);
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), other.begin()));
  CHECK(thrust::get<0>(*pairs) == 7);

  thrust::device_ptr<int> p = thrust::device_malloc<int>(64);
  by_pointer<<<1, 64>>>(p);
  CHECK(thrust::reduce(p, p + 64) == 63 * 32);
  thrust::device_free(p);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  puts("PASS");
}
