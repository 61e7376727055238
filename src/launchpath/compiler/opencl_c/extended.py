"""The instructions of SPIR-V's set OpenCL.std, by the names of OpenCL C's functions."""

from __future__ import annotations

_MATH = """
acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp exp2
exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p logb
mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt
tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr
half_recip half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp native_exp2 native_exp10
native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin native_sqrt native_tan clamp
degrees max min mix radians step smoothstep sign cross distance length normalize fast_distance fast_length
fast_normalize
"""

# Integer functions: the name, and whether operands (s: signed, u: unsigned) say which function it is.
_INTEGER = {
    141: ("abs", "s"), 142: ("abs_diff", "s"), 143: ("add_sat", "s"), 144: ("add_sat", "u"), 145: ("hadd", "s"),
    146: ("hadd", "u"), 147: ("rhadd", "s"), 148: ("rhadd", "u"), 149: ("clamp", "s"), 150: ("clamp", "u"),
    151: ("clz", "u"), 152: ("ctz", "u"), 153: ("mad_hi", "s"), 154: ("mad_sat", "u"), 155: ("mad_sat", "s"),
    156: ("max", "s"), 157: ("max", "u"), 158: ("min", "s"), 159: ("min", "u"), 160: ("mul_hi", "s"),
    161: ("rotate", "u"), 162: ("sub_sat", "s"), 163: ("sub_sat", "u"), 164: ("upsample", "u"), 165: ("upsample", "s"),
    166: ("popcount", "u"), 167: ("mad24", "s"), 168: ("mad24", "u"), 169: ("mul24", "s"), 170: ("mul24", "u"),
    201: ("abs", "u"), 202: ("abs_diff", "u"), 203: ("mul_hi", "u"), 204: ("mad_hi", "u"),
}  # fmt: skip
_OTHER = {
    171: "vloadn", 172: "vstoren", 173: "vload_half", 174: "vload_halfn", 175: "vstore_half", 176: "vstore_half_r",
    177: "vstore_halfn", 178: "vstore_halfn_r", 179: "vloada_halfn", 180: "vstorea_halfn", 181: "vstorea_halfn_r",
    182: "shuffle", 183: "shuffle2", 184: "printf", 185: "prefetch", 186: "bitselect", 187: "select",
}  # fmt: skip

MATH = dict(enumerate(_MATH.split()))
INTEGER = _INTEGER
OTHER = _OTHER
FUNCTIONS = {**MATH, **{number: name for number, (name, _) in INTEGER.items()}, **OTHER}
