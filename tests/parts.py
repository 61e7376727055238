"""Two files of programs of several files: a header, and one that defines what it declares."""

COMMON = """#pragma once
struct Scale { float a; __device__ float of(float x) const; };
extern __device__ int counter;
extern __constant__ float table[];
__device__ int add(int a, int b);
template <class T> __global__ void scale(T* o, T f) { o[threadIdx.x] *= f; }
inline __device__ int twice(int x) { return 2 * x; }
static __device__ int seen = 3;
"""
FIRST = """#include "common.h"
__device__ int counter = 5;
__constant__ float table[3] = {1, 2, 3};
static __device__ int hidden = 1;
static __device__ int help() { return hidden; }
__device__ int add(int a, int b) { return a + b + help(); }
__device__ float Scale::of(float x) const { return a * x; }
__global__ void first(int* o) { o[0] = add(1, 2); o[1] = counter; o[2] = twice(hidden) + seen; }
"""
