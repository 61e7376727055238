// cuRAND's header. The parser has one of ours, so instances of templates come with our names of its states.
#pragma once
#include_next <curand_kernel.h>
namespace __lp {
typedef ::curandStateXORWOW xorwow;
typedef ::curandStateMRG32k3a mrg32k3a;
typedef ::curandStatePhilox4_32_10 philox;
typedef ::curandStateSobol32 sobol32;
typedef ::curandStateScrambledSobol32 scrambled_sobol32;
typedef ::curandStateSobol64 sobol64;
typedef ::curandStateScrambledSobol64 scrambled_sobol64;
}  // namespace __lp
