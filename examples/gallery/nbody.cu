// Bodies that attract each other: each thread sums the attraction of all bodies on one of them.

// A body is a float4: x, y, z and its mass. All threads of a block need all bodies. So the block copies TILE of them at a
// time to shared memory, and all its threads read them there. A block has TILE threads.

__device__ inline float3 attraction(float4 on, float4 by, float softening, float3 sum) {
    float x = by.x - on.x, y = by.y - on.y, z = by.z - on.z;
    float squared = x * x + y * y + z * z + softening * softening;  // above 0, also of a body and itself
    float inverse = 1 / sqrtf(squared), strength = by.w * inverse * inverse * inverse;
    return make_float3(sum.x + strength * x, sum.y + strength * y, sum.z + strength * z);
}

__global__ void attract(int bodies, float softening, const float4* body, float4* acceleration) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 here = i < bodies ? body[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < bodies; first += TILE) {
        int other = first + threadIdx.x;
        tile[threadIdx.x] = other < bodies ? body[other] : make_float4(0, 0, 0, 0);  // no mass: it attracts nothing
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum = attraction(here, tile[k], softening, sum);
        __syncthreads();  // before the next tile is written
    }
    if (i < bodies) acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// Leapfrog: half a step of velocity, a step of position. `attract` and `kick` end the step.

__global__ void kick_and_drift(int bodies, float dt, const float4* acceleration, float4* velocity, float4* body) {
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i >= bodies) return;
    float4 a = acceleration[i], v = velocity[i], x = body[i];
    v = make_float4(v.x + dt / 2 * a.x, v.y + dt / 2 * a.y, v.z + dt / 2 * a.z, 0);
    velocity[i] = v;
    body[i] = make_float4(x.x + dt * v.x, x.y + dt * v.y, x.z + dt * v.z, x.w);
}
__global__ void kick(int bodies, float dt, const float4* acceleration, float4* velocity) {
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i >= bodies) return;
    float4 a = acceleration[i], v = velocity[i];
    velocity[i] = make_float4(v.x + dt / 2 * a.x, v.y + dt / 2 * a.y, v.z + dt / 2 * a.z, 0);
}
