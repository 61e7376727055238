"""The instructions of SPIR-V's set OpenCL.std, by the names of OpenCL C's functions."""

from __future__ import annotations

from ...spirv.opcodes import STD

# Functions of floats that have another name there, since those of integers have the same in OpenCL C.
_RENAMED = {"fclamp": "clamp", "fmax_common": "max", "fmin_common": "min"}
_UNSIGNED = ("clz", "ctz", "rotate", "popcount")
_OTHER = """
vloadn vstoren vload_half vload_halfn vstore_half vstore_half_r vstore_halfn vstore_halfn_r vloada_halfn vstorea_halfn
vstorea_halfn_r shuffle shuffle2 printf prefetch bitselect select
"""

# Integer functions: the name, and whether operands (s: signed, u: unsigned) say which function it is.
INTEGER = {number: (name[2:], name[0]) for name, number in STD.items() if name.startswith(("s_", "u_"))} | {
    STD[name]: (name, "u") for name in _UNSIGNED
}
OTHER = {STD[name]: name for name in _OTHER.split()}
MATH = {
    number: _RENAMED.get(name, name) for name, number in STD.items() if number not in INTEGER and number not in OTHER
}
FUNCTIONS = {**MATH, **{number: name for number, (name, _) in INTEGER.items()}, **OTHER}
