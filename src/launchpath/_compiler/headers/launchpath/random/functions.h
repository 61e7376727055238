// The device's random functions that cuRAND and hipRAND share but for their first word; __LP_API makes their names.
// No guard: included once for each.

typedef __lp::xorwow __LP_API(StateXORWOW), __LP_API(StateXORWOW_t), __LP_API(State), __LP_API(State_t);
typedef __lp::philox __LP_API(StatePhilox4_32_10), __LP_API(StatePhilox4_32_10_t);
typedef __lp::mrg32k3a __LP_API(StateMRG32k3a), __LP_API(StateMRG32k3a_t);

#define __LP_RANDOM(type, name) template <class _S> __LP_DEVICE __lp::if_generator<_S, type> __LP_API(name)
__LP_RANDOM(void, _init)(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                         _S *state) {
  __lp::seed(*state, seed, subsequence, offset);
}
__LP_RANDOM(unsigned, )(_S *state) { return state->next(); }
__LP_RANDOM(float, _uniform)(_S *state) { return __lp::unit(state->next()); }
__LP_RANDOM(float, _normal)(_S *state) { return __lp::normal(state); }
__LP_RANDOM(float, _log_normal)(_S *state, float mean, float deviation) {
  return expf(mean + deviation * __lp::normal(state));
}
__LP_RANDOM(float2, _normal2)(_S *state) {
  unsigned x = state->next(), y = state->next();
  return __lp::normal_pair(x, y);
}
__LP_RANDOM(float2, _uniform2)(_S *state) {
  float x = __lp::unit(state->next()), y = __lp::unit(state->next());
  return {x, y};
}
__LP_RANDOM(float2, _log_normal2)(_S *state, float mean, float deviation) {
  float2 both = __LP_API(_normal2)(state);
  return {expf(mean + deviation * both.x), expf(mean + deviation * both.y)};
}
__LP_RANDOM(unsigned, _poisson)(_S *state, double mean) { return __lp::poisson(state, (float)mean); }
#ifndef __LP_NO_FP64__
__LP_RANDOM(double, _uniform_double)(_S *state) { return __lp::next_unit_double(state); }
__LP_RANDOM(double, _normal_double)(_S *state) { return __lp::normal_double(state); }
__LP_RANDOM(double2, _normal2_double)(_S *state) { return __lp::normal_pair_double(state); }
__LP_RANDOM(double, _log_normal_double)(_S *state, double mean, double deviation) {
  return exp(mean + deviation * __lp::normal_double(state));
}
__LP_RANDOM(double2, _uniform2_double)(_S *state) {
  double x = __lp::next_unit_double(state), y = __lp::next_unit_double(state);
  return {x, y};
}
__LP_RANDOM(double2, _log_normal2_double)(_S *state, double mean, double deviation) {
  double2 both = __lp::normal_pair_double(state);
  return {exp(mean + deviation * both.x), exp(mean + deviation * both.y)};
}
#endif
#undef __LP_RANDOM

// Four at once, of Philox only.
__LP_DEVICE uint4 __LP_API(4)(__lp::philox *state) {
  unsigned x = state->next(), y = state->next(), z = state->next(), w = state->next();
  return {x, y, z, w};
}
__LP_DEVICE float4 __LP_API(_uniform4)(__lp::philox *state) {
  uint4 r = __LP_API(4)(state);
  return {__lp::unit(r.x), __lp::unit(r.y), __lp::unit(r.z), __lp::unit(r.w)};
}
__LP_DEVICE float4 __LP_API(_normal4)(__lp::philox *state) {
  uint4 r = __LP_API(4)(state);
  float2 a = __lp::normal_pair(r.x, r.y), b = __lp::normal_pair(r.z, r.w);
  return {a.x, a.y, b.x, b.y};
}
__LP_DEVICE float4 __LP_API(_log_normal4)(__lp::philox *state, float mean, float deviation) {
  float4 n = __LP_API(_normal4)(state);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
          expf(mean + deviation * n.w)};
}
__LP_DEVICE uint4 __LP_API(_poisson4)(__lp::philox *state, double mean) {
  unsigned x = __lp::poisson(state, (float)mean), y = __lp::poisson(state, (float)mean);
  unsigned z = __lp::poisson(state, (float)mean), w = __lp::poisson(state, (float)mean);
  return {x, y, z, w};
}
#ifndef __LP_NO_FP64__
__LP_DEVICE double4 __LP_API(_uniform4_double)(__lp::philox *state) {
  double2 a = __LP_API(_uniform2_double)(state), b = __LP_API(_uniform2_double)(state);
  return {a.x, a.y, b.x, b.y};
}
__LP_DEVICE double4 __LP_API(_normal4_double)(__lp::philox *state) {
  double2 a = __lp::normal_pair_double(state), b = __lp::normal_pair_double(state);
  return {a.x, a.y, b.x, b.y};
}
#endif
