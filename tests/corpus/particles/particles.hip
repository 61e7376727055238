// Particles as a structure of arrays: the struct of pointers, with its methods, is what the kernels take by value.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <memory>

struct Float3Ref {
    float &x, &y, &z;
};

template <typename Real>
struct Particles {
    Real *x, *y, *z;
    Real *vx, *vy, *vz;
    const Real* mass;
    int count;

    __device__ bool has(int i) const { return i < count; }
    __device__ Real kinetic(int i) const { return Real(0.5) * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]); }
    __device__ void kick(int i, Real ax, Real ay, Real az, Real dt) {
        vx[i] += ax * dt;
        vy[i] += ay * dt;
        vz[i] += az * dt;
    }
    __device__ void drift(int i, Real dt) {
        x[i] += vx[i] * dt;
        y[i] += vy[i] * dt;
        z[i] += vz[i] * dt;
    }
};

// What acts on them: a base class for what all forces have, without virtual functions.
template <class Derived>
struct Force {
    template <typename Real>
    __device__ void apply(Particles<Real>& p, int i, Real dt) const {
        Real a[3];
        static_cast<const Derived*>(this)->acceleration(p, i, a);
        p.kick(i, a[0], a[1], a[2], dt);
    }
};

struct Gravity : Force<Gravity> {
    float g;
    template <typename Real>
    __device__ void acceleration(const Particles<Real>&, int, Real (&a)[3]) const {
        a[0] = a[1] = 0;
        a[2] = -g;
    }
};

struct Spring : Force<Spring> {
    float stiffness, damping;
    template <typename Real>
    __device__ void acceleration(const Particles<Real>& p, int i, Real (&a)[3]) const {
        a[0] = -(stiffness * p.x[i] + damping * p.vx[i]) / p.mass[i];
        a[1] = -(stiffness * p.y[i] + damping * p.vy[i]) / p.mass[i];
        a[2] = -(stiffness * p.z[i] + damping * p.vz[i]) / p.mass[i];
    }
};

template <typename Real, class F>
__global__ void leapfrog(Particles<Real> particles, F force, Real dt, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!particles.has(i)) return;
    for (int s = 0; s < steps; ++s) {
        force.apply(particles, i, dt / 2);
        particles.drift(i, dt);
        force.apply(particles, i, dt / 2);
    }
}

struct Bounds {
    float low[3], high[3];
};

__global__ void bounce(Particles<float> p, const Bounds bounds, float restitution, unsigned int* bounces) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!p.has(i)) return;
    float* place[3] = {p.x + i, p.y + i, p.z + i};
    float* velocity[3] = {p.vx + i, p.vy + i, p.vz + i};
    for (int axis = 0; axis < 3; ++axis) {
        float& at = *place[axis];
        float& v = *velocity[axis];
        if (at < bounds.low[axis]) {
            at = 2 * bounds.low[axis] - at;
            v *= -restitution;
            atomicAdd(bounces, 1u);
        } else if (at > bounds.high[axis]) {
            at = 2 * bounds.high[axis] - at;
            v *= -restitution;
            atomicAdd(bounces, 1u);
        }
    }
}

__global__ void kineticEnergy(Particles<double> p, double* energy) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (p.has(i)) energy[i] = p.kinetic(i);
}

int main() {
    const int n = 4096;
    Particles<float> p{};
    p.count = n;
    float* memory;
    if (hipMalloc(&memory, 7 * n * sizeof(float)) != hipSuccess) return 1;
    float** fields[] = {&p.x, &p.y, &p.z, &p.vx, &p.vy, &p.vz};
    for (int f = 0; f < 6; ++f) *fields[f] = memory + f * n;
    p.mass = memory + 6 * n;
    Gravity gravity;
    gravity.g = 9.81f;
    Spring spring;
    spring.stiffness = 1.0f;
    spring.damping = 0.1f;
    leapfrog<<<n / 256, 256>>>(p, gravity, 0.01f, 10);
    leapfrog<<<n / 256, 256>>>(p, spring, 0.01f, 10);
    unsigned int* bounces;
    if (hipMalloc(&bounces, sizeof(unsigned int)) != hipSuccess) return 1;
    bounce<<<n / 256, 256>>>(p, Bounds{{-1, -1, -1}, {1, 1, 1}}, 0.9f, bounces);
    std::printf("%s\n", hipGetErrorString(hipDeviceSynchronize()));
    return 0;
}
