// The device's functions of quasirandom sequences that cuRAND and hipRAND share but for their first word, which
// __LP_API puts before the rest of a name. No guard: included once for each.

typedef __lp::sobol32 __LP_API(StateSobol32), __LP_API(StateSobol32_t);
typedef __lp::scrambled_sobol32 __LP_API(StateScrambledSobol32), __LP_API(StateScrambledSobol32_t);
typedef __lp::sobol64 __LP_API(StateSobol64), __LP_API(StateSobol64_t);
typedef __lp::scrambled_sobol64 __LP_API(StateScrambledSobol64), __LP_API(StateScrambledSobol64_t);

__LP_DEVICE void __LP_API(_init)(const unsigned *directions, unsigned offset, __lp::sobol32 *state) {
  state->start(directions, 0u, offset);
}
__LP_DEVICE void __LP_API(_init)(const unsigned *directions, unsigned constant, unsigned offset,
                                 __lp::scrambled_sobol32 *state) {
  state->start(directions, constant, offset);
}
__LP_DEVICE void __LP_API(_init)(const unsigned long long *directions, unsigned long long offset,
                                 __lp::sobol64 *state) {
  state->start(directions, 0u, offset);
}
__LP_DEVICE void __LP_API(_init)(const unsigned long long *directions, unsigned long long constant,
                                 unsigned long long offset, __lp::scrambled_sobol64 *state) {
  state->start(directions, constant, offset);
}

#define __LP_QUASI(type, name) template <class _S> __LP_DEVICE __lp::if_quasi<_S, type> __LP_API(name)
__LP_QUASI(typename _S::word, )(_S *state) { return state->next(); }
__LP_QUASI(float, _uniform)(_S *state) { return __lp::unit(state->next()); }
__LP_QUASI(float, _normal)(_S *state) { return __lp::quasi_normal(state->next()); }
__LP_QUASI(float, _log_normal)(_S *state, float mean, float deviation) {
  return expf(mean + deviation * __lp::quasi_normal(state->next()));
}
#ifndef __LP_NO_FP64__
__LP_QUASI(double, _uniform_double)(_S *state) { return __lp::quasi_unit_double(state->next()); }
__LP_QUASI(double, _normal_double)(_S *state) { return __lp::quasi_normal_double(state->next()); }
__LP_QUASI(double, _log_normal_double)(_S *state, double mean, double deviation) {
  return exp(mean + deviation * __lp::quasi_normal_double(state->next()));
}
__LP_QUASI(unsigned, _poisson)(_S *state, double mean) { return __lp::quasi_poisson_of(state->next(), mean); }
#endif
#undef __LP_QUASI
