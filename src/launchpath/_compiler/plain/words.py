"""The words of plain sources: those that may stand in them, and those that functions and parameters may be named."""

from __future__ import annotations

import re


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words by which something else than a function, or code for something else than a kernel, comes into a source.
_UNUSUAL = _words("""
    template typename namespace class struct union enum using operator concept requires friend virtual explicit private
    protected public consteval constinit try catch throw new delete alignas thread_local register mutable export import
    co_await co_return co_yield typeof and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq std main
    __constant__ __managed__ __grid_constant__ __cluster_dims__ __maxnreg__ __block_size__ __attribute__ __declspec
    __extension__ _Pragma __pragma __typeof__ __typeof __thread __label__ HIP_DYNAMIC_SHARED
""")
_OTHERS = re.compile(r"__(?:lp|LP|kernel|CUDA|HIP|has_|VA_)|LAUNCHPATH|THRUST|CUB|(?:cuda|hip|cu|nvtx|roctx)[A-Z]")
_INDICES = r"hip(?:Block|Thread|Grid)(?:Idx|Dim)_[xyz]"  # as text: few words begin so

_KEYWORDS = _words("""
    asm auto bool break case char char8_t char16_t char32_t const const_cast constexpr continue decltype default do
    double dynamic_cast else extern false final float for goto if inline int long noexcept nullptr override
    reinterpret_cast return short signed sizeof static static_assert static_cast switch this true typedef typeid
    unsigned void volatile wchar_t while alignof restrict module defined linux unix
    threadIdx blockIdx blockDim gridDim warpSize dim3
""")
# The macros of launchpath's own headers; the others begin with an underscore, or have one among capital letters.
_MACROS = _words("_Bool assert offsetof stderr stdout stdin errno INFINITY MAX MAXFLOAT MIN NAN NULL EOF CUDARTAPI")
_OF_MACROS = re.compile(
    r"[A-Z0-9]*_[A-Z0-9_]*|M_\w+|PR[IX]\w*|SCN\w*|amdgpu_\w*|ROCRAND\w*|(?:check|getLast|printLast)Cuda\w*|(?:Cub|Hipcub)\w*"
    r"|u?int(?:_fast|_least)?(?:8|16|32|64|max|ptr)_t"
)
_NAME = re.compile(r"_?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")


def is_usual(word: str) -> bool:
    """Whether a word may stand anywhere in a plain source."""
    if "$" in word or word in _UNUSUAL:
        return False
    return _OTHERS.match(word) is None or _is_index(word)


def is_name(word: str, is_macro: bool = False) -> bool:
    """Whether a function, a parameter or a macro of the caller's can have a name, and it means nothing else."""
    if not is_usual(word) or word in _KEYWORDS or word in _MACROS or _NAME.fullmatch(word) is None:
        return False
    return is_macro or (_OF_MACROS.fullmatch(word) is None and not _is_index(word))


def _is_index(word: str) -> bool:
    return word.startswith("hip") and re.fullmatch(_INDICES, word) is not None
