// More instances of a template than are compiled ahead for a source without host code.
#include <cstdio>

template <int N>
__global__ void add(int *sum) {
  atomicAdd(sum, N);
}

template <int N>
void all(int *sum) {
  add<N><<<1, 2>>>(sum);
  if constexpr (N > 1) all<N - 1>(sum);
}

int main() {
  int *sum;
  if (hipMallocManaged(&sum, sizeof *sum) != hipSuccess) return 1;
  *sum = 0;
  all<70>(sum);
  if (hipDeviceSynchronize() != hipSuccess || hipGetLastError() != hipSuccess) return 2;
  if (*sum != 70 * 71) return printf("%d\n", *sum), 3;
  puts("PASS");
}
