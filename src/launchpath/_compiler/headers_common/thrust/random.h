// thrust's random numbers: the engines and the distributions that kernels use. Each gives thrust's own numbers.
// subtract_with_carry_engine and discard_block_engine are not here, and with them ranlux24 and ranlux48.
#pragma once
#include <thrust/random/linear_congruential_engine.h>
#include <thrust/random/linear_feedback_shift_engine.h>
#include <thrust/random/normal_distribution.h>
#include <thrust/random/uniform_int_distribution.h>
#include <thrust/random/uniform_real_distribution.h>
#include <thrust/random/xor_combine_engine.h>
extern "C++" {  // programs include it within extern "C", too
namespace thrust {
namespace random {
typedef minstd_rand default_random_engine;
typedef xor_combine_engine<
    linear_feedback_shift_engine<uint32_t, 32, 31, 13, 12>, 0,
    xor_combine_engine<linear_feedback_shift_engine<uint32_t, 32, 29, 2, 4>, 0,
                       linear_feedback_shift_engine<uint32_t, 32, 28, 3, 17>, 0>,
    0>
    taus88;
}
using random::default_random_engine;
using random::taus88;
}
}
