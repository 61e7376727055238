// All pairs of bodies: a body is a float4 or double4 (place and mass), and a block shares tiles of them.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <typename Real>
struct Vectors;
template <>
struct Vectors<float> {
    typedef float3 Three;
    typedef float4 Four;
    static __device__ float inverseRoot(float x) { return rsqrtf(x); }
};
template <>
struct Vectors<double> {
    typedef double3 Three;
    typedef double4 Four;
    static __device__ double inverseRoot(double x) { return rsqrt(x); }
};

__constant__ float softening2 = 0.01f;

template <typename Real>
using Four = typename Vectors<Real>::Four;
template <typename Real>
using Three = typename Vectors<Real>::Three;

template <typename Real>
__device__ void pull(Three<Real>& sum, const Four<Real>& on, const Four<Real>& by) {
    const Real dx = by.x - on.x, dy = by.y - on.y, dz = by.z - on.z;
    const Real inverse = Vectors<Real>::inverseRoot(dx * dx + dy * dy + dz * dz + Real(softening2));
    const Real strength = by.w * inverse * inverse * inverse;
    sum.x += dx * strength;
    sum.y += dy * strength;
    sum.z += dz * strength;
}

// The number of bodies is a multiple of the block; the dynamic shared memory holds a block's worth of them.
template <typename Real>
__global__ void advance(const Four<Real>* __restrict__ before, Four<Real>* __restrict__ after, Four<Real>* velocity, int n,
                        Real dt, Real damping) {
    extern __shared__ char raw[];
    Four<Real>* tile = reinterpret_cast<Four<Real>*>(raw);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Four<Real> body = before[i];
    Three<Real> sum = {Real(0), Real(0), Real(0)};
    for (int base = 0; base < n; base += blockDim.x) {
        tile[threadIdx.x] = before[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (unsigned int j = 0; j < blockDim.x; ++j) pull<Real>(sum, body, tile[j]);
        __syncthreads();
    }
    Four<Real> v = velocity[i];
    v.x = damping * (v.x + dt * sum.x);
    v.y = damping * (v.y + dt * sum.y);
    v.z = damping * (v.z + dt * sum.z);
    body.x += dt * v.x;
    body.y += dt * v.y;
    body.z += dt * v.z;
    velocity[i] = v;
    after[i] = body;
}

__global__ void potentialEnergy(const float4* __restrict__ bodies, float* energy, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = bodies[i];
    float sum = 0;
    for (int j = 0; j < n; ++j) {
        const float4 q = bodies[j];
        const float3 d = make_float3(q.x - p.x, q.y - p.y, q.z - p.z);
        if (j != i) sum -= p.w * q.w / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z + softening2);
    }
    energy[i] = 0.5f * sum;
}

template <typename Real>
hipError_t simulate(int n, int steps) {
    typedef typename Vectors<Real>::Four Body;
    Body *bodies[2], *velocity;
    for (auto** each : {&bodies[0], &bodies[1], &velocity})
        if (hipError_t status = hipMalloc((void**)each, n * sizeof(Body))) return status;
    const int block = 128;
    for (int s = 0; s < steps; ++s)
        advance<Real><<<n / block, block, block * sizeof(Body)>>>(bodies[s % 2], bodies[1 - s % 2], velocity, n, Real(0.001),
                                                                  Real(1));
    const hipError_t status = hipDeviceSynchronize();
    for (Body* each : {bodies[0], bodies[1], velocity}) (void)hipFree(each);
    return status;
}

int main(int argc, char** argv) {
    const bool wide = argc > 1 && !strcmp(argv[1], "--double");
    float4* bodies;
    float* energy;
    (void)hipMalloc((void**)&bodies, 1024 * sizeof(float4));
    (void)hipMalloc((void**)&energy, 1024 * sizeof(float));
    potentialEnergy<<<8, 128>>>(bodies, energy, 1024);
    const hipError_t status = wide ? simulate<double>(4096, 10) : simulate<float>(4096, 10);
    std::printf("%s\n", hipGetErrorString(status));
    return status == hipSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
