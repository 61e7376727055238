// Matrix product in which a thread computes a small block of C in registers: sizes are all template parameters.
#include <cuda_runtime.h>

template <int BM, int BN, int BK, int TM, int TN>
struct Blocking {
    static const int kThreads = (BM / TM) * (BN / TN);
    static constexpr int kBM = BM, kBN = BN, kBK = BK, kTM = TM, kTN = TN;
};

template <class B>
__global__ __launch_bounds__(B::kThreads) void gemmRegister(const float* __restrict__ a, const float* __restrict__ b,
                                                           float* __restrict__ c, int m, int n, int k) {
    __shared__ float sa[B::kBK][B::kBM];
    __shared__ float sb[B::kBK][B::kBN];
    const int tid = threadIdx.x;
    const int tx = tid % (B::kBN / B::kTN), ty = tid / (B::kBN / B::kTN);
    const int row0 = blockIdx.y * B::kBM, col0 = blockIdx.x * B::kBN;

    float acc[B::kTM][B::kTN] = {};
    for (int k0 = 0; k0 < k; k0 += B::kBK) {
        for (int i = tid; i < B::kBM * B::kBK; i += B::kThreads)
            sa[i % B::kBK][i / B::kBK] = a[(row0 + i / B::kBK) * k + k0 + i % B::kBK];
        for (int i = tid; i < B::kBK * B::kBN; i += B::kThreads)
            sb[i / B::kBN][i % B::kBN] = b[(k0 + i / B::kBN) * n + col0 + i % B::kBN];
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < B::kBK; ++kk) {
            float ra[B::kTM], rb[B::kTN];
#pragma unroll
            for (int i = 0; i < B::kTM; ++i) ra[i] = sa[kk][ty * B::kTM + i];
#pragma unroll
            for (int j = 0; j < B::kTN; ++j) rb[j] = sb[kk][tx * B::kTN + j];
#pragma unroll
            for (int i = 0; i < B::kTM; ++i)
#pragma unroll
                for (int j = 0; j < B::kTN; ++j) acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < B::kTM; ++i)
        for (int j = 0; j < B::kTN; ++j)
            c[(row0 + ty * B::kTM + i) * n + col0 + tx * B::kTN + j] = acc[i][j];
}

using Default = Blocking<64, 64, 8, 4, 4>;

void multiply(const float* a, const float* b, float* c, int m, int n, int k, cudaStream_t stream) {
    gemmRegister<Default><<<dim3(n / 64, m / 64), Default::kThreads, 0, stream>>>(a, b, c, m, n, k);
    gemmRegister<Blocking<32, 32, 16, 2, 4>><<<dim3(n / 32, m / 32), 128, 0, stream>>>(a, b, c, m, n, k);
}
