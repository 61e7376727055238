// The host's random functions that cuRAND and hipRAND share but for their first word, as declarations; __LP_API makes
// their names, __LP_WORD those of constants. No guard: included once for each.

typedef struct __LP_API(Generator_st) *__LP_API(Generator_t);
typedef struct __LP_API(DiscreteDistribution_st) *__LP_API(DiscreteDistribution_t);
typedef unsigned int __LP_API(DirectionVectors32_t)[32];
typedef unsigned long long __LP_API(DirectionVectors64_t)[64];
typedef enum __LP_API(Status) {
  __LP_WORD(STATUS_SUCCESS) = 0,
  __LP_WORD(STATUS_VERSION_MISMATCH) = 100,
  __LP_WORD(STATUS_NOT_INITIALIZED) = 101,
  __LP_WORD(STATUS_ALLOCATION_FAILED) = 102,
  __LP_WORD(STATUS_TYPE_ERROR) = 103,
  __LP_WORD(STATUS_OUT_OF_RANGE) = 104,
  __LP_WORD(STATUS_LENGTH_NOT_MULTIPLE) = 105,
  __LP_WORD(STATUS_DOUBLE_PRECISION_REQUIRED) = 106,
  __LP_WORD(STATUS_LAUNCH_FAILURE) = 201,
  __LP_WORD(STATUS_PREEXISTING_FAILURE) = 202,
  __LP_WORD(STATUS_INITIALIZATION_FAILED) = 203,
  __LP_WORD(STATUS_ARCH_MISMATCH) = 204,
  __LP_WORD(STATUS_INTERNAL_ERROR) = 999
} __LP_API(Status_t);
typedef enum __LP_API(RngType) {
  __LP_WORD(RNG_TEST) = 0,
  __LP_WORD(RNG_PSEUDO_DEFAULT) = 100,
  __LP_WORD(RNG_PSEUDO_XORWOW) = 101,
  __LP_WORD(RNG_PSEUDO_MRG32K3A) = 121,
  __LP_WORD(RNG_PSEUDO_MTGP32) = 141,
  __LP_WORD(RNG_PSEUDO_MT19937) = 142,
  __LP_WORD(RNG_PSEUDO_PHILOX4_32_10) = 161,
  __LP_WORD(RNG_QUASI_DEFAULT) = 200,
  __LP_WORD(RNG_QUASI_SOBOL32) = 201,
  __LP_WORD(RNG_QUASI_SCRAMBLED_SOBOL32) = 202,
  __LP_WORD(RNG_QUASI_SOBOL64) = 203,
  __LP_WORD(RNG_QUASI_SCRAMBLED_SOBOL64) = 204
} __LP_API(RngType_t);
typedef enum __LP_API(Ordering) {
  __LP_WORD(ORDERING_PSEUDO_BEST) = 100,
  __LP_WORD(ORDERING_PSEUDO_DEFAULT) = 101,
  __LP_WORD(ORDERING_PSEUDO_SEEDED) = 102,
  __LP_WORD(ORDERING_QUASI_DEFAULT) = 201
} __LP_API(Ordering_t);

#ifdef __LP_CALLS__
#define __LP_CALL(name) extern "C" __LP_API(Status_t) __LP_API(name)
__LP_CALL(CreateGenerator)(__LP_API(Generator_t) *, __LP_API(RngType_t));
__LP_CALL(CreateGeneratorHost)(__LP_API(Generator_t) *, __LP_API(RngType_t));
__LP_CALL(DestroyGenerator)(__LP_API(Generator_t));
__LP_CALL(GetVersion)(int *);
__LP_CALL(SetStream)(__LP_API(Generator_t), __LP_STREAM);
__LP_CALL(SetPseudoRandomGeneratorSeed)(__LP_API(Generator_t), unsigned long long);
__LP_CALL(SetGeneratorOffset)(__LP_API(Generator_t), unsigned long long);
__LP_CALL(SetGeneratorOrdering)(__LP_API(Generator_t), __LP_API(Ordering_t));
__LP_CALL(SetQuasiRandomGeneratorDimensions)(__LP_API(Generator_t), unsigned int);
__LP_CALL(GenerateSeeds)(__LP_API(Generator_t));
__LP_CALL(Generate)(__LP_API(Generator_t), unsigned int *, size_t);
__LP_CALL(GenerateLongLong)(__LP_API(Generator_t), unsigned long long *, size_t);
__LP_CALL(GenerateUniform)(__LP_API(Generator_t), float *, size_t);
__LP_CALL(GenerateUniformDouble)(__LP_API(Generator_t), double *, size_t);
__LP_CALL(GenerateNormal)(__LP_API(Generator_t), float *, size_t, float, float);
__LP_CALL(GenerateNormalDouble)(__LP_API(Generator_t), double *, size_t, double, double);
__LP_CALL(GenerateLogNormal)(__LP_API(Generator_t), float *, size_t, float, float);
__LP_CALL(GenerateLogNormalDouble)(__LP_API(Generator_t), double *, size_t, double, double);
__LP_CALL(GeneratePoisson)(__LP_API(Generator_t), unsigned int *, size_t, double);
#undef __LP_CALL
#endif
