// A hash table with open addressing: threads insert and look up at the same time of launch, slots claimed by CAS.
#include <cuda_runtime.h>
#include <stdint.h>

namespace table {

struct Slot {
    uint32_t key;
    uint32_t value;
};

constexpr uint32_t kEmpty = 0xffffffffu;

__device__ __forceinline__ uint32_t hashOf(uint32_t k, uint32_t capacity) {
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k & (capacity - 1);
}

// Several threads may insert the same key: values add up.
__global__ void insert(Slot* slots, uint32_t capacity, const uint32_t* keys, const uint32_t* values, unsigned int n) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t at = hashOf(keys[i], capacity);
    while (true) {
        const uint32_t before = atomicCAS(&slots[at].key, kEmpty, keys[i]);
        if (before == kEmpty || before == keys[i]) {
            atomicAdd(&slots[at].value, values[i]);
            return;
        }
        at = (at + 1) & (capacity - 1);
    }
}

__global__ void lookup(const Slot* slots, uint32_t capacity, const uint32_t* keys, uint32_t* values, unsigned int n) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t at = hashOf(keys[i], capacity);
    uint32_t found = kEmpty;
    for (uint32_t tries = 0; tries < capacity && slots[at].key != kEmpty; ++tries, at = (at + 1) & (capacity - 1)) {
        if (slots[at].key == keys[i]) {
            found = slots[at].value;
            break;
        }
    }
    values[i] = found;
}

}  // namespace table
