// The compiler of Intel's CPU runtime (2026.2) crashes on this kernel, in its pass
// sycl-kernel-reduce-cross-barrier-values: "Running pass ... on module 'main'". Found by random programs, and reduced.
__global__ void crash(int* p, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, bx = blockIdx.x;
  s[t & 255] = t;
  float4 v2 = make_float4(t, n, bx, 1);
  double2 v3 = make_double2(t, n);
  int2 v4 = make_int2(t, n);
  for (int i = 0; i < 3; ++i) {
    if (bx > 100000) return;
    v4.x += __shfl_xor_sync(~0u, t, 16);
    if (n > 3) {
      if (bx & 1) {
        __syncthreads();
        if (((((int)v2.x > p[(t + 1) & 255] ? (int)v3.x : (int)v3.x) & (int)threadIdx.y) > (int)v4.y
                 ? ((int)v4.y > (int)__ballot_sync(~0u, t > 3) ? s[(t + 16) & 255] : (int)v3.x)
                 : (int)__popc((int)v2.x)) > 100000)
          return;
      }
      __syncthreads();
    }
  }
  s[t] = t;
  for (int i = 0; i < 4; ++i) {
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 4; ++j) v2.x += bx;
  }
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
#pragma unroll 1
    for (int j = 0; j < 4; ++j) {
      __syncthreads();
      if (n & 4)
        __syncthreads();
      else
        s[s[(t + 60) & 255] & 255] = p[(t + 9) & 255];
    }
  }
  s[(int)sqrtf(fabsf((float)(int)v3.x)) & 255] = (int)v2.x;
}
