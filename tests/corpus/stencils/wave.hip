// The wave equation on a torus, fourth order in space, second in time, for float and double.
#include <hip/hip_runtime.h>

template <typename Real>
struct Coefficients {
    static constexpr Real c0 = Real(-5) / Real(2);
    static constexpr Real c1 = Real(4) / Real(3);
    static constexpr Real c2 = Real(-1) / Real(12);
};

__device__ inline int wrap(int i, int n) {
    if (i < 0) return i + n;
    return i >= n ? i - n : i;
}

template <typename Real>
class Field {
  public:
    __device__ Field(const Real* data, int nx, int ny) : data_(data), nx_(nx), ny_(ny) {}
    __device__ Real operator()(int x, int y) const { return data_[wrap(y, ny_) * nx_ + wrap(x, nx_)]; }
    __device__ Real laplacian(int x, int y) const {
        using C = Coefficients<Real>;
        return 2 * C::c0 * (*this)(x, y) +
               C::c1 * ((*this)(x - 1, y) + (*this)(x + 1, y) + (*this)(x, y - 1) + (*this)(x, y + 1)) +
               C::c2 * ((*this)(x - 2, y) + (*this)(x + 2, y) + (*this)(x, y - 2) + (*this)(x, y + 2));
    }

  private:
    const Real* data_;
    int nx_, ny_;
};

template <typename Real>
__global__ void waveStep(const Real* now, const Real* before, Real* after, int nx, int ny, Real courant2) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const Field<Real> field(now, nx, ny);
    after[y * nx + x] = 2 * field(x, y) - before[y * nx + x] + courant2 * field.laplacian(x, y);
}

template __global__ void waveStep<float>(const float*, const float*, float*, int, int, float);
template __global__ void waveStep<double>(const double*, const double*, double*, int, int, double);
