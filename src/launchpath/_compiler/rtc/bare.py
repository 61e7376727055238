"""Plain sources that NVRTC compiles without the headers that come before others: those take it half of the time.

Every name of such a source is its own or NVRTC's, for none of its words stands in those headers. Operators cannot tell:
those of the headers are for vectors, whose names stand there.
"""

from __future__ import annotations

import re

from ..plain import Plain
from ..plain_types import VECTORS


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of the language that the headers leave as they are.
_LANGUAGE = _words("""
    auto bool break char const constexpr decltype default do double else extern false float for if inline int long
    nullptr reinterpret_cast return short signed sizeof static static_assert static_cast true typedef unsigned void
    volatile while __device__ __global__ __host__ __shared__ __restrict__ __restrict __forceinline__ __noinline__
    threadIdx blockIdx blockDim gridDim
""")
# Functions of NVRTC's that the headers call, and declare no others of the name.
_CALLED = _words("""
    sqrtf rsqrtf floorf fmaxf fminf exp2f log2f logf sinf cosf fmaf __syncthreads __threadfence __popc __clz __ffs
""")
# Names of parameters and members in the headers.
_INNER = _words("""
    a b c f h i l n p u v w x y z A B R T U W active before best bytes count digits each element end file first from get
    h high into lane last line low mask name next old other out own result same second sign size start sum test text
    to up value votes what where which whole width word
""")
FREE = _LANGUAGE | _CALLED | _INNER
"""Words of the headers that a source may have without them."""

_PASTED = re.compile(r"atomic|make_|__(?:builtin_|reduce_|shfl|lp)|\w+_(?:sync|system)$")


def is_bare(plain: Plain) -> bool:
    """Whether a plain source needs no header before it."""
    from .prelude_words import WORDS  # noqa: PLC0415 (it is large)

    source = plain.unit.source
    active = plain.unit.files[source.path].active
    if active.directives:
        return False
    words = active.names(0, len(active.text))
    for name, value in source.defines:
        words |= {name, *re.findall(r"[A-Za-z_]\w*", value or "")}
    words_of_headers = WORDS | VECTORS | {"NDEBUG"}  # by which they define assert anew
    return words.isdisjoint(words_of_headers) and not any(map(_PASTED.match, words))
