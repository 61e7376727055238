// OpenMP's threads and thrust's algorithms on them, around a kernel: the functions of omp.h tell of these threads.
#include <cstdio>
#include <omp.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

__global__ void count_down(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = n - i;
}

int main() {
  const int n = 1 << 18;
  omp_set_num_threads(4);
  int threads = 0, numbers = 0, most = 0;
#pragma omp parallel reduction(+ : threads, numbers) reduction(max : most)
  {
    threads += 1;
    numbers += omp_get_thread_num();
    most = omp_get_num_threads();
  }
  thrust::device_vector<int> v(n);
  count_down<<<n / 256, 256>>>(thrust::raw_pointer_cast(v.data()), n);
  thrust::sort(v.begin(), v.end());
  long sum = thrust::reduce(v.begin(), v.end(), 0L);
  printf("%d %d %d %d %ld %d\n", threads, numbers, most, omp_get_max_threads(), sum, (int)v[n / 2]);
}
