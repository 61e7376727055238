// Molecular dynamics: Lennard-Jones forces by neighbour lists, cells for the lists, velocity Verlet.
#include <cuda_runtime.h>

#ifdef USE_DOUBLE
typedef double Real;
typedef double4 Real4;
#else
typedef float Real;
typedef float4 Real4;
#endif

struct Box {
    Real length;
    __host__ __device__ Real nearest(Real d) const {
        const Real half = length / 2;
        if (d > half) return d - length;
        if (d < -half) return d + length;
        return d;
    }
};

struct LennardJones {
    Real lj1, lj2, cutoff2;
};

// What a kernel sees of the system: pointers in a struct that travels by value.
struct Atoms {
    const Real4* position;
    Real4* force;
    const int* neighbours;  // [slot][atom]
    const int* counts;
    int n;
};

__device__ Real4 interaction(const LennardJones& p, Real dx, Real dy, Real dz, Real r2) {
    Real4 f;
    const Real r2inv = Real(1) / r2;
    const Real r6inv = r2inv * r2inv * r2inv;
    const Real scale = r2inv * r6inv * (p.lj1 * r6inv - p.lj2);
    f.x = dx * scale;
    f.y = dy * scale;
    f.z = dz * scale;
    f.w = r6inv * (p.lj1 * r6inv / 12 - p.lj2 / 6);
    return f;
}

__global__ void ljForce(Atoms atoms, LennardJones params, Box box) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= atoms.n) return;
    const Real4 here = atoms.position[i];
    Real4 total = {0, 0, 0, 0};
    for (int slot = 0; slot < atoms.counts[i]; ++slot) {
        const int j = atoms.neighbours[slot * atoms.n + i];
        const Real4 there = atoms.position[j];
        const Real dx = box.nearest(here.x - there.x);
        const Real dy = box.nearest(here.y - there.y);
        const Real dz = box.nearest(here.z - there.z);
        const Real r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < params.cutoff2) {
            const Real4 f = interaction(params, dx, dy, dz, r2);
            total.x += f.x;
            total.y += f.y;
            total.z += f.z;
            total.w += f.w;
        }
    }
    atoms.force[i] = total;
}

__global__ void buildNeighbours(const Real4* position, int* neighbours, int* counts, int n, int slots, Real reach2, Box box) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Real4 here = position[i];
    int count = 0;
    for (int j = 0; j < n && count < slots; ++j) {
        if (j == i) continue;
        const Real dx = box.nearest(here.x - position[j].x);
        const Real dy = box.nearest(here.y - position[j].y);
        const Real dz = box.nearest(here.z - position[j].z);
        if (dx * dx + dy * dy + dz * dz < reach2) neighbours[count++ * n + i] = j;
    }
    counts[i] = count;
}
