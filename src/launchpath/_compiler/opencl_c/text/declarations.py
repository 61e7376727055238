"""Declarations of OpenCL C's functions, so that a platform need not read its header of all of them.

PoCL 3.1 reads Clang's ``opencl-c.h``, 18,000 lines, twice for every program. A text that declares the functions that it
calls is built without that header, see `launchpath._programs.builds.without_header`.

A function is declared with every overload that the header has: with fewer a call could mean another one. A text that
calls any function that is not here has no declarations. ``tests/unit/compiler/opencl_c/test_declarations.py`` compares
them with the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ...target import DECLARATIONS

_LANES = ("", "2", "3", "4", "8", "16")
_INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
_FLOATS = ("float", "double", "half")
_AS_LARGE = {"float": "int", "double": "long", "half": "short"}
_EXTENSION_OF = {"double": "ifdef cl_khr_fp64", "half": "ifdef cl_khr_fp16"}
_NAMED, _GENERIC = "if defined(__opencl_c_named_address_space_builtins)", "if defined(__opencl_c_generic_address_space)"
_PLAIN = "__attribute__((overloadable))"
_CONST = "__attribute__((overloadable, const))"
_PURE = "__attribute__((overloadable, pure))"
_CONVERGENT = "__attribute__((overloadable, convergent))"

# Functions by the types of their results and parameters, for every number of lanes: T is the type itself, S its element
# (for vectors only), U its unsigned type, I int with as many lanes, i int (for vectors only), R what comparisons give,
# P a pointer to T, Q a pointer to I.
_OF_FLOATS = {
    "T T": """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp10 exp2
        expm1 fabs floor lgamma log log10 log1p log2 logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma
        trunc degrees radians sign""",
    "T T T": "atan2 atan2pi copysign fdim fmod hypot maxmag minmag nextafter pow powr remainder",
    "T T T T": "fma mad",
    "T T T, T T S": "fmax fmin min max",
    "T T T T, T T S S": "clamp",
    "T T I, T T i": "ldexp",
    "T T I": "pown rootn",
    "I T": "ilogb",
    "R T": "isfinite isinf isnan isnormal signbit",
    "R T T": """isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered isunordered""",
    "T T P": "fract modf sincos",
    "T T Q": "frexp lgamma_r",
    "T T T Q": "remquo",
}
_OF_FLOAT = {
    "T T": """native_cos native_exp native_exp10 native_exp2 native_log native_log10 native_log2 native_recip
        native_rsqrt native_sin native_sqrt native_tan half_cos half_exp half_exp10 half_exp2 half_log half_log10
        half_log2 half_recip half_rsqrt half_sin half_sqrt half_tan""",
    "T T T": "native_divide native_powr half_divide half_powr",
}
_OF_INTEGERS = {
    "T T": "clz popcount",
    "U T": "abs",
    "U T T": "abs_diff",
    "T T T": "add_sat hadd mul_hi rhadd rotate sub_sat",
    "T T T T": "mad_hi mad_sat",
    "T T T, T T S": "min max",
    "T T T T, T T S S": "clamp",
}
_OF_INTS = {"T T T": "mul24", "T T T T": "mad24"}
_OF_KINDS = ((_FLOATS, _OF_FLOATS), (("float",), _OF_FLOAT), (_INTEGERS, _OF_INTEGERS), (("int", "uint"), _OF_INTS))

_OF_THREADS = {
    "size_t NAME(uint)": """get_global_id get_global_offset get_global_size get_group_id get_local_id get_local_size
        get_num_groups""",
    "uint NAME(void)": "get_work_dim",
}
_VECTOR_MEMORY = re.compile(r"v(load|store)(2|3|4|8|16)")
_ATOMIC = ("add", "and", "cmpxchg", "dec", "inc", "max", "min", "or", "sub", "xchg", "xor")
_EXTENDED = ("and", "max", "min", "or", "xor")  # these come with the extensions "extended_atomics"
_VALUES = {"inc": 0, "dec": 0, "cmpxchg": 2}  # parameters besides the address; others have one

# What is written like a call in the text, and needs no declaration: the language's words, and macros and functions that
# the small header opencl-c-base.h has.
_NEEDS_NONE = re.compile(
    r"if|for|while|switch|return|sizeof|defined|__attribute__|aligned|reqd_work_group_size|printf"
    r"|as_(u?(char|short|int|long)|float|double|half)(2|3|4|8|16)?"
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
_NO_CODE = re.compile(r'^#.*$|"(?:[^"\\\n]|\\.)*"', re.MULTILINE)


def declared(text: str, names: Iterable[str]) -> str:
    """Declare the functions that a text calls, for builds that define the macro; empty if it calls any other function.

    Parameters
    ----------
    text : str
    names : iterable of str
        The functions that the text defines.
    """
    called = set(_CALL.findall(_NO_CODE.sub("", text))).difference(names)
    declarations: list[str] = []
    for name in sorted(called):
        if not _NEEDS_NONE.fullmatch(name):
            if not (lines := declarations_of(name)):
                return ""
            declarations += lines
    return "\n".join([f"#ifdef {DECLARATIONS}", *declarations, "#endif"])


@cache
def declarations_of(name: str) -> tuple[str, ...]:
    """Give the lines that declare a function with all its overloads; none if it is not known here."""
    lines: list[str] = []
    last = ""
    for condition, declaration in [*_overloads(name), ("", "")]:
        if condition != last:
            lines += ["#endif"] * bool(last) + [f"#{condition}"] * bool(condition)
            last = condition
        lines += [f"{declaration};"] * bool(declaration)
    return tuple(lines)


def _overloads(name: str) -> Iterator[tuple[str, str]]:
    """Give each overload's condition of the preprocessor, and its declaration."""
    if name == "barrier":
        yield "", f"{_CONVERGENT} void barrier(cl_mem_fence_flags)"
    elif name == "mem_fence":
        yield "", f"{_PLAIN} void mem_fence(cl_mem_fence_flags)"
    elif name.startswith(("atomic_", "atom_")):
        yield from _atomic(*name.split("_", 1))
    elif match := _VECTOR_MEMORY.fullmatch(name):
        yield from _vector_memory(name, match[1], match[2])
    for form, names in _OF_THREADS.items():
        if name in names.split():
            yield "", f"{_CONST} {form.replace('NAME', name)}"
    for kinds, table in _OF_KINDS:
        for forms, names in table.items():
            if name in names.split():
                for kind in kinds:
                    yield from _of_kind(name, kind, forms.split(", "))


def _of_kind(name: str, kind: str, forms: list[str]) -> Iterator[tuple[str, str]]:
    """Give the overloads for one type of elements."""
    condition = _EXTENSION_OF.get(kind, "")
    takes_address = "P" in forms[0] or "Q" in forms[0]
    for space in ("__global ", "__local ", "__private ", "") if takes_address else ("",):
        place = (_NAMED if space else _GENERIC) if takes_address else ""
        for lanes in _LANES:
            types = {
                "T": kind + lanes, "S": kind, "U": ("" if kind.startswith("u") else "u") + kind + lanes,
                "I": f"int{lanes}", "i": "int", "R": _AS_LARGE.get(kind, "") + lanes if lanes else "int",
                "P": f"{space}{kind}{lanes} *", "Q": f"{space}int{lanes} *",
            }  # fmt: skip
            for form in forms:
                result, *parameters = form.split()
                if lanes or not {"S", "i"} & {*parameters}:
                    spelled = ", ".join(types[parameter] for parameter in parameters)
                    attributes = _PLAIN if takes_address else _CONST
                    declaration = f"{attributes} {types[result]} {name}({spelled})"
                    yield _both(condition, place), declaration


def _vector_memory(name: str, operation: str, lanes: str) -> Iterator[tuple[str, str]]:
    """Give the overloads of a function that reads or writes a vector in memory."""
    for kind in (*_INTEGERS, *_FLOATS):
        extension = _EXTENSION_OF.get(kind, "")
        for space, place in (("__global ", _NAMED), ("__local ", _NAMED), ("__private ", _NAMED), ("", _GENERIC)):
            condition = _both(extension, place)
            if operation == "store":
                yield condition, f"{_PLAIN} void {name}({kind}{lanes}, size_t, {space}{kind} *)"
            else:
                yield condition, f"{_PURE} {kind}{lanes} {name}(size_t, const {space}{kind} *)"
        if operation == "load":
            yield extension, f"{_PURE} {kind}{lanes} {name}(size_t, const __constant {kind} *)"


def _both(first: str, second: str) -> str:
    """Join two conditions."""
    if not (first and second):
        return first or second
    return f"{second} && defined({first.removeprefix('ifdef ')})"


def _atomic(prefix: str, operation: str) -> Iterator[tuple[str, str]]:
    """Give the overloads of an atomic function of OpenCL C 1.x."""
    if operation not in _ATOMIC:
        return
    extended = "extended" if operation in _EXTENDED else "base"
    kinds = ["int", "uint"]
    kinds += ["long", "ulong"] if prefix == "atom" else ["float"] if operation == "xchg" else []
    for kind in kinds:
        for space in ("global", "local"):
            width = "int64" if kind.endswith("long") else f"{space}_int32"
            condition = f"if defined(cl_khr_{width}_{extended}_atomics)" if prefix == "atom" else ""
            parameters = [f"volatile __{space} {kind} *", *[kind] * _VALUES.get(operation, 1)]
            yield condition, f"{_PLAIN} {kind} {prefix}_{operation}({', '.join(parameters)})"
