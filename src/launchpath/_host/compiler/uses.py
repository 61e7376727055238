"""Which headers a source includes, itself or by the user's own headers: its text is searched, not preprocessed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .command import CUDA, HIP

_INCLUDE = re.compile(rb"""^[ \t]*\#[ \t]*(?:include|include_next|import)[ \t]*(["<])([^">\n]+)[">]""", re.MULTILINE)
_CUDA = re.compile(
    r"(?:cuda|cuda_\w+|curand|curand_kernel|cooperative_groups|helper_cuda|device_launch_parameters|device_functions"
    r"|driver_types|vector_types|vector_functions|builtin_types)\.h|cub/.+|cuda/.+|thrust/.+"
)
_HIP = re.compile(r"(?:hip|hipcub|hiprand|rocrand|rocprim)/.+")
_LAUNCHES = rb"__(?:global|constant|managed|shared)__|<<<|hipLaunchKernel"
# Kernels, and what a program may ask of the device by name. Functions alone are for the host's algorithms. `__device__`
# is of a variable where no function's parameters follow, and may be one where a macro has it.
_DEVICE = re.compile(
    _LAUNCHES + rb"|\#[ \t]*define\b[^\n]*__device__"
    rb"|__device__(?:[^;{}()]|__(?:align|attribute|launch_bounds)__[ ]*\((?:[^()]|\([^()]*\))*\))*[;={]"
)
_RELOCATABLE = re.compile(_LAUNCHES + rb"|__device__")  # functions are other files' too
# thrust's headers but for those that kernels use too, which launchpath has for both sides.
_THRUST = re.compile(
    rb"""^[ \t]*\#[ \t]*include[ \t]*["<]thrust/"""
    rb"(?!(?:complex|pair|tuple|random|functional|device_ptr|version)\.h|random/)",
    re.MULTILINE,
)
_CUB = re.compile(
    rb"\bDevice(?:Reduce|Scan|Select|Partition|RadixSort|MergeSort|Histogram|RunLengthEncode|AdjacentDifference|For"
    rb"|Transform|Merge|Copy|Memcpy|Segmented(?:Reduce|RadixSort|Sort))\s*::"
)
_MOST_FILES = 500


def texts(path: str, folders: Sequence[str]) -> Iterator[bytes]:
    """Yield the texts of a source and of the user's files that it may include."""
    for _path, text in files(path, folders):
        yield text


def files(path: str, folders: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the text of a source, and of each of the user's files that it may include."""
    waiting, seen = [path], {path}
    while waiting:
        path = waiting.pop()
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:  # Clang says so
            continue
        yield path, text
        for sign, name in _INCLUDE.findall(text):
            source_folder = [os.path.dirname(path)] if sign == b'"' else []
            for folder in (*source_folder, *folders):
                candidate = os.path.normpath(os.path.join(folder, os.fsdecode(name)))
                if os.path.isfile(candidate):
                    if candidate not in seen and len(seen) < _MOST_FILES:
                        seen.add(candidate)
                        waiting.append(candidate)
                    break


def has_device_code(path: str, folders: Sequence[str], command_line: str, is_relocatable: bool = False) -> bool:
    """Whether a source, a file that it includes, or the text of the command line may have kernels or variables."""
    pattern = _RELOCATABLE if is_relocatable else _DEVICE
    count = 0
    for text in texts(path, folders):
        if pattern.search(text) is not None:
            return True
        count += 1
    return count >= _MOST_FILES or _RELOCATABLE.search(os.fsencode(command_line)) is not None


def api(path: str, folders: Sequence[str]) -> str | None:
    """Give the dialect whose headers a source of C++ includes; None if it includes none."""
    for text in texts(path, folders):
        for _, raw in _INCLUDE.findall(text):
            name = os.fsdecode(raw)
            if _HIP.fullmatch(name):
                return HIP
            if _CUDA.fullmatch(name):
                return CUDA
    return None


class Algorithms(NamedTuple):
    """Algorithms that a source's host code runs on a device's memory."""

    thrust: bool
    any: bool  # thrust's, or CUB's


NO_ALGORITHMS = Algorithms(False, False)


def algorithms(path: str, folders: Sequence[str]) -> Algorithms:
    """Say which algorithms a source uses."""
    is_thrust = is_cub = False
    for text in texts(path, folders):
        is_thrust = is_thrust or _THRUST.search(text) is not None
        is_cub = is_cub or _CUB.search(text) is not None
    return Algorithms(is_thrust, is_thrust or is_cub)
