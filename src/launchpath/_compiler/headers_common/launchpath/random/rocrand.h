// rocRAND's own names of its states, and what it seeds them with.
#pragma once
typedef rocrandStateXORWOW rocrand_state_xorwow;
typedef rocrandStatePhilox4_32_10 rocrand_state_philox4x32_10;
typedef rocrandStateMRG32k3a rocrand_state_mrg32k3a;
#define ROCRAND_XORWOW_DEFAULT_SEED 0ull
#define ROCRAND_PHILOX4x32_DEFAULT_SEED 0ull
#define ROCRAND_MRG32K3A_DEFAULT_SEED 12345ull
