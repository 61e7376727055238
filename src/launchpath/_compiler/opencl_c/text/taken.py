"""Names that a kernel cannot have in OpenCL C, because the language, or a platform's headers, give them a meaning.

Fewer than `names.is_reserved` avoids: a name that nobody sees may be any other, but a kernel keeps its own.
"""

from __future__ import annotations

import re

from .names import is_word

_TYPE = r"(u?(char|short|int|long)|float|double|half|quad|size_t|u?intptr_t|ptrdiff_t)(2|3|4|8|16)?"
_OPERATION = r"(add|sub|inc|dec|min|max|and|or|xor|xchg|cmpxchg)"
_FAMILIES = (
    rf"{_TYPE}|(float|double)\d+x\d+|(u?(char|short|int|long)|float|double|half|bool|quad)\d+",
    r"[fu]\d+(x\d+)?(_a\d+)?",  # what the written text calls types
    r"(event|queue|ndrange|clk_event|sampler|reserve_id|image\w+|intel_sub_group_\w+)_t",
    rf"convert_{_TYPE}(_sat)?(_rt[ezpn])?|as_{_TYPE}",
    r"get_(global|local|enqueued_local)_(id|size|offset|linear_id)|get_(global|local)_linear_id|get_group_id",
    r"get_(work_dim|num_groups|fence|default_queue|max_sub_group_size|enqueued_num_sub_groups|num_sub_groups)",
    r"get_(image|sub_group|kernel|pipe)_\w+",
    rf"atom(ic)?_{_OPERATION}|atomic_fetch_(add|sub|or|xor|and|min|max)(_explicit)?",
    r"atomic_(init|work_item_fence|(load|store|exchange|compare_exchange_(strong|weak))(_explicit)?)",
    r"atomic_(flag\w*|int|uint|long|ulong|half|float|double|(u?intptr|size|ptrdiff)_t)",
    r"async_work_group_\w+|wait_group_events|ndrange_[123]D|enqueue_(kernel|marker)",
    r"(native|half)_(cos|divide|exp|exp10|exp2|log|log10|log2|powr|recip|rsqrt|sin|sqrt|tan)",
    r"v(load|store)a?(_half)?(2|3|4|8|16)?(_rt[ezpn])?|(read|write)_image(f|h|i|ui)",
    r"(sub_group|work_group|intel|memory_(order|scope))_\w+|dot(_acc_sat)?_4x8packed_\w+|dot_acc_sat",
    r"is(greaterequal|lessequal|lessgreater|notequal)|is_valid_(event|reserve_id)|(create|retain|release)_(user_)?event",
    r"(set_user_event_status|capture_event_profiling_info|clk_profiling_info|kernel_enqueue_flags_t)",
    r"arm_dot\w*|amd_\w+|bitfield_(insert|extract_\w+)|vec_type_hint",
    r"(CL|CLK|CLANG|ENQUEUE|FP|IMG|LLVM|POCL|SPIR|ATOMIC)_\w+|M_\w+|ALIGN\d|INTTYPE|MAX_(KERNEL|WORK)_\w+",
    r"cl_\w+|(INT|LONG|CHAR|SHRT|UINT|ULONG|UCHAR|USHRT|FLT|DBL|HALF|SCHAR)_\w+|HUGE_VAL\w*|MAXFLOAT",
    r"(mem(cpy|set|move|cmp)|bcmp|malloc|free|abort)",  # compilers call these for what has no call in the source
    r"__\w*|_[A-Y]\w*|_(cl|pocl|spirv)_\w*",  # reserved for platforms; `_Z` is how other compilers' kernels begin
)
_TAKEN = re.compile("|".join(_FAMILIES))


def is_taken(name: str) -> bool:
    """Whether a kernel of this name would not compile, or would be a platform's own function."""
    return is_word(name) or _TAKEN.fullmatch(name) is not None
