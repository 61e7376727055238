#ifndef CORPUS_COMMON_PAIR_CUH
#define CORPUS_COMMON_PAIR_CUH

// Two values of any types, for host and device.
template <typename A, typename B>
struct Pair {
    A first;
    B second;
};

template <typename A, typename B>
__host__ __device__ inline Pair<A, B> makePair(A a, B b) {
    Pair<A, B> made;
    made.first = a;
    made.second = b;
    return made;
}

#endif
