"""Names of kernels: as their binaries have them, as C++ writes them, and short ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from launchpath._report.mangled import demangled, distinct, short_name
from launchpath._trace.text import cut


class KernelName(NamedTuple):
    """What a kernel is called."""

    full: str  # as C++ writes it; no other kernel of the file has it
    short: str  # for tables; no other kernel of the file has it
    symbol: str  # in its binary, and in the file
    stem: str  # the short one without a number: others may have it


def kernel_names(symbols: Mapping[int, str], mangled: Mapping[int, str]) -> dict[int, KernelName]:
    """Name kernels.

    Parameters
    ----------
    symbols : mapping
        For each number the name in the file.
    mangled : mapping
        Those that had to be cut to be shown, whole.
    """
    whole = {number: mangled.get(number, symbol) for number, symbol in symbols.items()}
    read = {number: demangled(symbol) for number, symbol in whole.items()}
    # Two symbols may be the same in C++: copies of a function, and namespaces without a name. They keep their symbols.
    counts = Counter(read.values())
    full = {number: symbols[number] if text is None or counts[text] > 1 else cut(text) for number, text in read.items()}
    stems = {full[number]: cut(short_name(symbol)) for number, symbol in whole.items()}
    short = distinct(stems)
    return {number: KernelName(name, short[name], symbols[number], stems[name]) for number, name in full.items()}
