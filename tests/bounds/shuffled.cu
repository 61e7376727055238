// What `outside.cu` is, for devices with warp functions.

__global__ void shuffle(float *out, int n) {
  float sum = threadIdx.x;
  for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32 + n] = sum;  // case: shuffle
}
