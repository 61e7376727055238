// The game of life on a torus: a byte a cell, and 32 cells a word.
#include <hip/hip_runtime.h>

typedef unsigned char Cell;

struct Torus {
    unsigned columns, rows;
    __device__ unsigned at(int column, int row) const {
        return ((row + rows) % rows) * columns + (column + columns) % columns;
    }
};

__global__ void lifeBytes(const Cell* now, Cell* next, Torus torus) {
    const unsigned cells = torus.columns * torus.rows;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += blockDim.x * gridDim.x) {
        const int column = i % torus.columns, row = i / torus.columns;
        int neighbours = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (dx || dy) neighbours += now[torus.at(column + dx, row + dy)];
        switch (neighbours) {
            case 2: next[i] = now[i]; break;
            case 3: next[i] = 1; break;
            default: next[i] = 0;
        }
    }
}

namespace packed {

// Adds one bit to 32 counters of two bits each; a third bit says that a counter has overflowed for good.
struct Counters {
    unsigned ones, twos, more;
    __device__ Counters() : ones(0), twos(0), more(0) {}
    __device__ void add(unsigned bits) {
        unsigned carry = ones & bits;
        ones ^= bits;
        more |= twos & carry;
        twos ^= carry;
    }
};

__device__ unsigned leftOf(unsigned here, unsigned before) { return (here << 1) | (before >> 31); }
__device__ unsigned rightOf(unsigned here, unsigned after) { return (here >> 1) | (after << 31); }

__global__ void lifeBits(const unsigned* world, unsigned* next, int words, int rows) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (w >= words || row >= rows) return;
    const int before = (w + words - 1) % words, after = (w + 1) % words;
    Counters count;
    unsigned self = 0;
    for (int d = -1; d <= 1; ++d) {
        const unsigned* line = world + ((row + d + rows) % rows) * words;
        const unsigned here = line[w];
        count.add(leftOf(here, line[before]));
        count.add(rightOf(here, line[after]));
        if (d == 0)
            self = here;
        else
            count.add(here);
    }
    next[row * words + w] = ~count.more & count.twos & (count.ones | self);
}

}  // namespace packed
