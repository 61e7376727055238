// cuRAND's header. The parser has one of ours, so instances of templates come with our names of its states.
#pragma once
#include_next <curand_kernel.h>
namespace __lp {
typedef ::curandStateXORWOW xorwow;
typedef ::curandStateMRG32k3a mrg32k3a;
typedef ::curandStatePhilox4_32_10 philox;
}  // namespace __lp
