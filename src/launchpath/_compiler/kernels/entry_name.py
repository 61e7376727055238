"""The names by which drivers, profilers and debuggers know kernels: the source's own names, if that is possible.

OpenCL devices alone: CUDA's and HIP's compilers mangle names, and their tools show what the source has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..cache.fingerprint import fingerprint

# PoCL 3.1 makes folders and files of kernels' names, and ends the process where one has more than 252 bytes.
_MOST_BYTES = 128
_DIGITS = 8

# OpenCL lists a program's kernels with semicolons between. A name may have a semicolon in a character literal.
_SEMICOLON = r"\x3b"
# Intel's CPU runtime (2026.2) lists names for its vectorizer, with commas and parentheses between; it ends the process
# where it reads such a list wrong.
_INSTEAD = str.maketrans({"(": "[", ")": "]", ",": "|", ";": _SEMICOLON})
# LLVM calls these functions without a call in the source: a kernel `memcpy` that copies a struct called itself.
_CALLED = re.compile(
    r"mem(cpy|set|move|cmp)|bcmp|malloc|free|abort"
    r"|(sqrt|cbrt|log|log2|log10|exp|exp2|exp10|sin|cos|tan|sincos|pow|fmod|ceil|trunc|rint|nearbyint|round|roundeven|floor"
    r"|copysign|fmin|fmax|l?lround|l?lrint|ldexp|frexp)[fl]?"
)

_WORDS = {"*": "ptr", "&": "ref", "-": "minus"}  # without them `k<int>` and `k<int *>` would have one name
_SUFFIX = "_kernel"


def entry_names(kernels: Iterable[str], identifiers: bool) -> dict[str, str]:
    """Give the entry points of a program's kernels, all different, by the kernels' names.

    Parameters
    ----------
    kernels : iterable of str
        As the source has them, or as they were asked for: ``ns::bar<float, 4>``.
    identifiers : bool
        Whether the platform takes C's identifiers only, see the workaround ``identifier-names``.

    Examples
    --------
    >>> entry_names(["foo", "ns::bar<float>", "pair<int, 4>"], identifiers=False)
    {'foo': 'foo', 'ns::bar<float>': 'ns::bar<float>', 'pair<int, 4>': 'pair<int|4>'}
    >>> entry_names(["foo", "ns::bar<float>", "exp"], identifiers=True)
    {'foo': 'foo', 'exp': 'exp_kernel', 'ns::bar<float>': 'ns_bar_float'}
    """
    spell = _identifier if identifiers else _text
    spelled = {kernel: spell(kernel) for kernel in kernels}
    entries: dict[str, str] = {}
    # First the kernels whose names need no change: no other kernel gets such a name.
    for kernel in sorted(spelled, key=lambda kernel: spelled[kernel] != kernel):
        entry, number = spelled[kernel], 1
        while entry in entries.values():
            number += 1
            entry = f"{spelled[kernel]}_{number}"
        entries[kernel] = entry
    return entries


def _text(kernel: str) -> str:
    """The name as it is, but for what would do harm in it."""
    text = re.sub(r"\s*,\s*", ",", " ".join(kernel.split())).removeprefix("::").translate(_INSTEAD)
    return f"::{text}" if _CALLED.fullmatch(text) else text


def _identifier(kernel: str) -> str:
    """The nearest identifier that has no meaning in OpenCL C."""
    from ..opencl_c.text.taken import is_taken  # noqa: PLC0415 (platforms that take any name do without OpenCL C)

    name = kernel
    if not name.isidentifier():
        words = re.sub(r"[*&-]", lambda sign: f" {_WORDS[sign[0]]} ", name)
        name = re.sub(r"\W+", "_", words).strip("_")
        if not name.isidentifier():
            name = "_".join(["kernel", *re.findall(r"\w+", name, re.ASCII)])
    if is_taken(name):
        name = name.strip("_") + _SUFFIX
    if len(name.encode()) > _MOST_BYTES:
        start = name.encode()[: _MOST_BYTES - _DIGITS - 1].decode(errors="ignore")
        name = f"{start}_{fingerprint(kernel.encode()).hex()[:_DIGITS]}"
    return name
