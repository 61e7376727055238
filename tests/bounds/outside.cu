// Kernels with one access outside of memory each, at the line that names the case.
#include "outside.h"

struct Particle {
  float position[3];
  float mass;
};

struct Row {
  int n;
  float *values;
};

struct Block {
  double values[9];
};

__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ int table[10];

__global__ void past_end(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;  // case: past_end
}

__global__ void before_begin(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i - 1] = i;  // case: before_begin
}

__global__ void static_shared(float *out, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) * n];  // case: static_shared
}

__global__ void dynamic_shared(float *out) {
  extern __shared__ float tile[];
  tile[threadIdx.x + 1] = 1;  // case: dynamic_shared
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void shared_2d(float *out, int rows) {
  __shared__ float tile[16][16];
  for (int row = 0; row < 16; ++row) tile[row][threadIdx.x % 16] = row;
  __syncthreads();
  out[threadIdx.x] = tile[rows][threadIdx.x % 16];  // case: shared_2d
}

__global__ void member_array(Particle *particles, int last, int axis) {
  particles[last].position[axis] = 1;  // case: member_array
}

__global__ void half_outside(const float4 *from, float *out) {
  float4 value = from[threadIdx.x];  // case: half_outside
  out[threadIdx.x] = value.x + value.y + value.z + value.w;
}

__global__ void atomic(int *counts, int bin) {
  atomicAdd(&counts[bin], 1);  // case: atomic
}

__global__ void shared_atomic(int *out, int bin) {
  __shared__ int counts[32];
  counts[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&counts[bin + threadIdx.x], 1);  // case: shared_atomic
  __syncthreads();
  out[threadIdx.x] = counts[threadIdx.x];
}

__global__ void constant_table(float *out, int n) {
  out[threadIdx.x] = coefficients[threadIdx.x + n];  // case: constant_table
}

__global__ void device_variable(int i) {
  table[i] = 1;  // case: device_variable
}

__global__ void pointer_in_struct(Row row) {
  row.values[row.n] = 1;  // case: pointer_in_struct
}

__global__ void cast_from_bytes(char *bytes, int offset) {
  *reinterpret_cast<float *>(bytes + offset) = 1;  // case: cast_from_bytes
}

__device__ __noinline__ void write_at(float *to, int i) {
  to[i] = 1;  // case: device_function
}

__global__ void device_function(float *out, int i) {
  write_at(out, i);
}

__global__ void lambda(float *out, int n) {
  auto set = [&](int i) {
    out[i + n] = i;  // case: lambda
  };
  set(threadIdx.x);
}

__global__ void header(const float *from, float *out) {
  out[threadIdx.x] = read_at(from, threadIdx.x + 1);
}

__global__ void loop(const float *from, float *out, int n) {
  float sum = 0;
  for (int i = 0; i <= n; ++i)
    sum += from[i];  // case: loop
  *out = sum;
}

__global__ void freed(unsigned long long address, float *out) {
  out[0] = reinterpret_cast<float *>(address)[3];  // case: freed
}

__global__ void null(Row row) {
  row.values[row.n] = 1;  // case: null
}

template <class T, int N> __global__ void of_template(T *out) {
  out[threadIdx.x + N] = T(N);  // case: of_template
}

__global__ void struct_copy(const Block *from, Block *to) {
  to[threadIdx.x] = from[threadIdx.x];  // case: struct_copy
}

__global__ void pointers_in_memory(float *const *rows, int row, int column) {
  rows[row][column] = 1;  // case: pointers_in_memory
}

__global__ void odd_bytes(unsigned char *out) {
  out[threadIdx.x] = 1;  // case: odd_bytes
}

__global__ void either(float *left, float *right, int n) {
  float *to = n > 3 ? left : right;
  to[n] = 1;  // case: either
}

__global__ void moving(const float *from, float *out, int n) {
  const float *at = from;
  float sum = 0;
  do sum += *at++;  // case: moving
  while (at != from + n + 1);
  *out = sum;
}

__global__ void first_of_several(float *out, int n) {
  out[2 * n] += out[n];  // case: first_of_several
  out[3 * n] = 1;
  for (int i = 0; i < n; ++i) out[4 * n + i] = 1;
}

__global__ void before_return(float *out, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = 0;
  if (threadIdx.x == 5) {
    out[n] = 1;  // case: before_return
    return;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__device__ __noinline__ float read_or_zero(const float *from, int i) {
  if (i < 0) return 0;
  float value = from[i];  // case: value_of_a_function
  return i > 7 ? value : -value;
}

__global__ void value_of_a_function(float *out, int n) {
  out[0] = read_or_zero(out, -1) + read_or_zero(out, n);
}

int main() { of_template<short, 5><<<1, 8>>>(nullptr); }
