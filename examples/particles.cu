// Particles in a box, which repel each other over short distances: the kernels of a step, in their order.

// Cells of the box are numbered along x first. A slot is a place in the list of particles sorted by cell: slots of
// neighbouring cells along x are neighbours too. Particle p's coordinates are elements 3 * p to 3 * p + 2. Item i of a
// list has the elements from starts[i] to before starts[i + 1].

// Products whose sums would be rounded once on some devices, and twice on others, are written with fmaf: it rounds once
// on all devices, so all compute the same bits.

__device__ inline int index_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline int coordinate_of_cell(float position, float cells_per_unit, int side) {
    return (int)fminf(fmaxf(position * cells_per_unit, 0.0f), side - 1.0f);  // an index in range even of NaN
}

// Count the particles of each cell.

__global__ void clear_counts(int cells, int* count) {
    int i = index_of_thread();
    if (i < cells) count[i] = 0;
}
__global__ void count_particles(int particles, int side, float cells_per_unit, const float* position, int* cell,
                                int* count) {
    int i = index_of_thread();
    if (i >= particles) return;
    int x = coordinate_of_cell(position[3 * i], cells_per_unit, side);
    int y = coordinate_of_cell(position[3 * i + 1], cells_per_unit, side);
    int z = coordinate_of_cell(position[3 * i + 2], cells_per_unit, side);
    cell[i] = (z * side + y) * side + x;
    atomicAdd(&count[cell[i]], 1);
}

// Scan counts into starts, in two launches: each block's own sums, then those of the blocks before it.

__global__ void scan_blocks(int items, const int* count, int* starts, int* block_sums) {
    __shared__ int sums[THREADS];
    int i = index_of_thread(), thread = threadIdx.x;
    sums[thread] = i < items ? count[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        int before = thread >= distance ? sums[thread - distance] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    if (i < items) starts[i + 1] = sums[thread];
    if (thread == THREADS - 1) block_sums[blockIdx.x] = sums[thread];
}
__global__ void add_block_sums(int items, const int* block_sums, int* starts, int* total) {
    __shared__ int before;
    int i = index_of_thread(), mine = 0;
    if (threadIdx.x == 0) before = 0;
    __syncthreads();
    for (int block = threadIdx.x; block < (int)blockIdx.x; block += THREADS) mine += block_sums[block];
    atomicAdd(&before, mine);
    __syncthreads();
    if (i < items) starts[i + 1] += before;
    if (i == 0) starts[0] = 0;
    if (i == items - 1) *total = starts[items];
}

// Sort the particles by cell, and by number within a cell. Threads of the first kernel take the places of a cell in any
// order. The second kernel makes the order the same in every run.

__global__ void place_particles(int particles, const int* cell, const int* starts, int* count, int* placed) {
    int i = index_of_thread();
    if (i < particles) placed[starts[cell[i]] + atomicSub(&count[cell[i]], 1) - 1] = i;
}
__global__ void sort_cells(int particles, const int* cell, const int* starts, const int* placed, const float* position,
                           int* order, float* sorted_position) {
    int i = index_of_thread();
    if (i >= particles) return;
    int particle = placed[i], begin = starts[cell[particle]], end = starts[cell[particle] + 1], slot = begin;
    for (int other = begin; other < end; other++) slot += placed[other] < particle;
    order[slot] = particle;
    for (int k = 0; k < 3; k++) sorted_position[3 * slot + k] = position[3 * particle + k];
}

// Find the neighbours of each slot's particle: count them, then list them at the places that the counts' scan gives.

__device__ inline float squared_distance(const float* sorted_position, int first, int second) {
    const float *a = sorted_position + 3 * first, *b = sorted_position + 3 * second;
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return fmaf(x, x, fmaf(y, y, z * z));
}
// Calls act(other slot) for all neighbours, in the order of slots.
template <class Act>
__device__ inline void for_each_neighbour(int slot, int cell, int side, const int* starts, const float* sorted_position,
                                          Act act) {
    int x = cell % side, y = cell / side % side, z = cell / side / side;
    int from = x > 0 ? x - 1 : 0, to = x < side - 1 ? x + 1 : side - 1;
    for (int row_z = z > 0 ? z - 1 : 0; row_z <= z + 1 && row_z < side; row_z++) {
        for (int row_y = y > 0 ? y - 1 : 0; row_y <= y + 1 && row_y < side; row_y++) {
            int row = (row_z * side + row_y) * side;
            for (int other = starts[row + from]; other < starts[row + to + 1]; other++) {
                if (other != slot && squared_distance(sorted_position, slot, other) < 1.0f) act(other);
            }
        }
    }
}
__global__ void count_neighbours(int particles, int side, const int* cell, const int* starts, const int* order,
                                 const float* sorted_position, int* neighbours) {
    int slot = index_of_thread();
    if (slot >= particles) return;
    int number = 0;
    for_each_neighbour(slot, cell[order[slot]], side, starts, sorted_position, [&](int) { number++; });
    neighbours[slot] = number;
}
__global__ void list_pairs(int particles, int side, const int* cell, const int* starts, const int* order,
                           const float* sorted_position, const int* pair_starts, int* first, int* second) {
    int slot = index_of_thread();
    if (slot >= particles) return;
    int pair = pair_starts[slot];
    for_each_neighbour(slot, cell[order[slot]], side, starts, sorted_position, [&](int other) {
        first[pair] = slot;
        second[pair++] = other;
    });
}

// The force on each pair's first particle. The pair's potential is stiffness / 4 * (1 - distance^2)^2.
__global__ void repel(int pairs, float stiffness, const int* first, const int* second, const float* sorted_position,
                      float* force) {
    int pair = index_of_thread();
    if (pair >= pairs) return;
    float strength = stiffness * (1.0f - squared_distance(sorted_position, first[pair], second[pair]));
    for (int k = 0; k < 3; k++) {
        force[3 * pair + k] =
            strength * (sorted_position[3 * first[pair] + k] - sorted_position[3 * second[pair] + k]);
    }
}
// Sum the forces on each particle in the order of its pairs, and move it. Walls reflect.
__global__ void integrate(int particles, float dt, float box, const int* order, const int* pair_starts,
                          const float* force, float* position, float* velocity) {
    int slot = index_of_thread();
    if (slot >= particles) return;
    for (int k = 0; k < 3; k++) {
        float sum = 0;
        for (int pair = pair_starts[slot]; pair < pair_starts[slot + 1]; pair++) sum += force[3 * pair + k];
        int i = 3 * order[slot] + k;
        float v = fmaf(dt, sum, velocity[i]), x = fmaf(dt, v, position[i]);
        bool outside = x < 0 || x > box;
        velocity[i] = outside ? -v : v;
        position[i] = x < 0 ? -x : x > box ? 2 * box - x : x;
    }
}
