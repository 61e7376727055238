// cuRAND's device functions and states by another library's first word, which __LP_API puts before the rest of a name.
// No guard: included once for each.

typedef curandStateXORWOW_t __LP_API(StateXORWOW), __LP_API(StateXORWOW_t), __LP_API(State), __LP_API(State_t);
typedef curandStatePhilox4_32_10_t __LP_API(StatePhilox4_32_10), __LP_API(StatePhilox4_32_10_t);
typedef curandStateMRG32k3a_t __LP_API(StateMRG32k3a), __LP_API(StateMRG32k3a_t);
typedef curandStateSobol32_t __LP_API(StateSobol32), __LP_API(StateSobol32_t);
typedef curandStateScrambledSobol32_t __LP_API(StateScrambledSobol32), __LP_API(StateScrambledSobol32_t);
typedef curandStateSobol64_t __LP_API(StateSobol64), __LP_API(StateSobol64_t);
typedef curandStateScrambledSobol64_t __LP_API(StateScrambledSobol64), __LP_API(StateScrambledSobol64_t);

// What a call gives is what cuRAND's gives: a template is no match where cuRAND has nothing.
#define __LP_RANDOM(name)                                                                          \
  template <class _S, class... _A>                                                                 \
  __LP_DEVICE auto __LP_API(name)(_S *state, _A... rest)->decltype(curand##name(state, rest...)) { \
    return curand##name(state, rest...);                                                           \
  }
template <class _S>
__LP_DEVICE void __LP_API(_init)(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                 _S *state) {
  curand_init(seed, subsequence, offset, state);
}
// cuRAND takes direction vectors without const.
template <class _W, class _S> __LP_DEVICE void __LP_API(_init)(const _W *directions, decltype(_W()) offset, _S *state) {
  curand_init(const_cast<_W *>(directions), offset, state);
}
template <class _W, class _S>
__LP_DEVICE void __LP_API(_init)(const _W *directions, decltype(_W()) constant, decltype(_W()) offset, _S *state) {
  curand_init(const_cast<_W *>(directions), constant, offset, state);
}
__LP_RANDOM()
__LP_RANDOM(4)
__LP_RANDOM(_uniform)
__LP_RANDOM(_uniform4)
__LP_RANDOM(_uniform_double)
__LP_RANDOM(_uniform2_double)
__LP_RANDOM(_uniform4_double)
__LP_RANDOM(_normal)
__LP_RANDOM(_normal2)
__LP_RANDOM(_normal4)
__LP_RANDOM(_normal_double)
__LP_RANDOM(_normal2_double)
__LP_RANDOM(_normal4_double)
__LP_RANDOM(_log_normal)
__LP_RANDOM(_log_normal2)
__LP_RANDOM(_log_normal4)
__LP_RANDOM(_log_normal_double)
__LP_RANDOM(_log_normal2_double)
__LP_RANDOM(_log_normal4_double)
__LP_RANDOM(_poisson)
__LP_RANDOM(_poisson4)
#undef __LP_RANDOM
