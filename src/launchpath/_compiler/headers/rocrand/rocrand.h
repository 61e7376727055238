// rocRAND's host API as declarations.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <hip/hip_runtime.h>

typedef struct rocrand_generator_base_type *rocrand_generator;
typedef enum rocrand_status {
  ROCRAND_STATUS_SUCCESS = 0,
  ROCRAND_STATUS_VERSION_MISMATCH = 100,
  ROCRAND_STATUS_NOT_CREATED = 101,
  ROCRAND_STATUS_ALLOCATION_FAILED = 102,
  ROCRAND_STATUS_TYPE_ERROR = 103,
  ROCRAND_STATUS_OUT_OF_RANGE = 104,
  ROCRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  ROCRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  ROCRAND_STATUS_LAUNCH_FAILURE = 107,
  ROCRAND_STATUS_INTERNAL_ERROR = 108
} rocrand_status;
typedef enum rocrand_rng_type {
  ROCRAND_RNG_PSEUDO_DEFAULT = 400,
  ROCRAND_RNG_PSEUDO_XORWOW = 401,
  ROCRAND_RNG_PSEUDO_MRG32K3A = 402,
  ROCRAND_RNG_PSEUDO_MTGP32 = 403,
  ROCRAND_RNG_PSEUDO_PHILOX4_32_10 = 404,
  ROCRAND_RNG_PSEUDO_MRG31K3P = 405,
  ROCRAND_RNG_PSEUDO_LFSR113 = 406,
  ROCRAND_RNG_PSEUDO_MT19937 = 407,
  ROCRAND_RNG_QUASI_DEFAULT = 500,
  ROCRAND_RNG_QUASI_SOBOL32 = 501
} rocrand_rng_type;

#ifdef __LP_CALLS__
#define __LP_CALL(name) extern "C" rocrand_status rocrand_##name
__LP_CALL(create_generator)(rocrand_generator *, rocrand_rng_type);
__LP_CALL(create_generator_host)(rocrand_generator *, rocrand_rng_type);
__LP_CALL(destroy_generator)(rocrand_generator);
__LP_CALL(initialize_generator)(rocrand_generator);
__LP_CALL(set_stream)(rocrand_generator, hipStream_t);
__LP_CALL(set_seed)(rocrand_generator, unsigned long long);
__LP_CALL(set_offset)(rocrand_generator, unsigned long long);
__LP_CALL(get_version)(int *);
__LP_CALL(generate)(rocrand_generator, unsigned int *, size_t);
__LP_CALL(generate_char)(rocrand_generator, unsigned char *, size_t);
__LP_CALL(generate_uniform)(rocrand_generator, float *, size_t);
__LP_CALL(generate_uniform_double)(rocrand_generator, double *, size_t);
__LP_CALL(generate_normal)(rocrand_generator, float *, size_t, float, float);
__LP_CALL(generate_normal_double)(rocrand_generator, double *, size_t, double, double);
__LP_CALL(generate_log_normal)(rocrand_generator, float *, size_t, float, float);
__LP_CALL(generate_log_normal_double)(rocrand_generator, double *, size_t, double, double);
__LP_CALL(generate_poisson)(rocrand_generator, unsigned int *, size_t, double);
#undef __LP_CALL
#endif
}
