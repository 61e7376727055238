"""Plain sources that NVRTC compiles without the headers that come before others: those take it half of the time.

Every name of such a source is its own or NVRTC's, for none of its words stands in those headers. Operators cannot tell:
those of the headers are for vectors, whose names stand there.

Nor does such a source use textures, surfaces, or CUDA's runtime, which NVRTC can leave out of what it reads itself.
"""

from __future__ import annotations

import re

from ..plain.plain import Plain
from ..plain.types import VECTORS
from .library.library import Library
from .text.prelude_words import WORDS


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

# Beginnings and ends of names that macros of the headers put together.
_PASTED = r"atomic|make_|__(?:builtin_|reduce_|shfl|lp)|\w+_(?:sync|system)$"
# Beginnings of NVRTC's functions that `_MINIMAL` leaves out: beside a source's own functions of a name they would be
# overloads. It leaves out types and constants as well, which a source's own names hide. A source that means those of
# NVRTC's does not compile, and then is compiled as others are.
_LEFT_OUT = r"(?:tex|surf)(?:[123]D|Cubemap)"
_OTHERS = re.compile(f"{_PASTED}|{_LEFT_OUT}")
_MINIMAL = ((12, 4), "--minimal")  # and the version of NVRTC from which on it is known


def options(library: Library) -> list[str]:
    """The options for such a source: NVRTC needs a sixth less of time without what the source does not use."""
    since, word = _MINIMAL
    return [word] if library.version >= since else []


def is_bare(plain: Plain) -> bool:
    """Whether a plain source needs no header before it."""
    source = plain.unit.source
    active = plain.unit.files[source.path].active
    if active.directives:
        return False
    words = active.names(0, len(active.text))
    for name, value in source.defines:
        words |= {name, *re.findall(r"[A-Za-z_]\w*", value or "")}
    words_of_headers = WORDS | VECTORS | {"NDEBUG"}  # by which they define assert anew
    return words.isdisjoint(words_of_headers) and not any(map(_OTHERS.match, words))
