"""The dialect of a source, CUDA's or HIP's: from its text before it is parsed, from what it includes afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...errors import ArgumentValueError

if TYPE_CHECKING:
    from .source import Source

LANGUAGES = ("hip", "cuda")

# Patterns as text: sources that are kernels alone, without includes and calls of the host, have no use for them.
_HIP_INCLUDE = rb"(?m)^[ \t]*#[ \t]*include[ \t]*[<\"]hip"
_CUDA_INCLUDE = rb"(?m)^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda|curand|cub|helper_cuda|device_launch)"
_CUDA_CALL = rb"\bcuda[A-Z]\w+\s*\("
_HIP_CALL = rb"\bhip[A-Z]\w+\s*\("
# Headers of the platforms themselves: a program's own header may begin with `hip_` or `cuda_` as well.
_HIP_HEADER = r"hip/(?:hip_|amd_detail/|hcc_detail/|\w+_(?:functions|types)\.h)|hiprand|hipcub/"
_CUDA_HEADER = r"cuda(?:\.h|_runtime|_fp\d|_bf16|_device)|curand|cub/|helper_cuda|device_launch"


class OtherDialectError(Exception):
    """A source turned out to be of the other dialect.

    Attributes
    ----------
    cuda : bool
        Whether it is CUDA's.
    """

    def __init__(self, cuda: bool) -> None:
        super().__init__(cuda)
        self.cuda = cuda


def language_of(language: object) -> str:
    """Check the language that a caller names; empty if none.

    Raises
    ------
    ArgumentValueError, TypeError
    """
    if language is None:
        return ""
    if not isinstance(language, str):
        raise TypeError(f"language: expected 'hip' or 'cuda', got {language!r}")
    if language not in LANGUAGES:
        raise ArgumentValueError(f"language: expected 'hip' or 'cuda', got {language!r}")
    return language


def is_cuda(text: bytes, path: str) -> bool:
    """Judge a source by its own text and the name of its file.

    A source that calls functions of both is for HIP, with branches for CUDA.
    """
    includes = b"include" in text
    if includes and re.search(_HIP_INCLUDE, text):
        return False
    if path.endswith((".cu", ".cuh")) or (includes and re.search(_CUDA_INCLUDE, text)):
        return True
    return b"cuda" in text and bool(re.search(_CUDA_CALL, text)) and not re.search(_HIP_CALL, text)


def check_dialect(source: Source, includes: Iterable[str]) -> None:
    """Judge a source again by all that it includes, through headers of its own too.

    Raises
    ------
    OtherDialectError
        It is to be parsed again as the other dialect.
    """
    if source.language:
        return
    names = [*includes]
    if any(re.match(_HIP_HEADER, name) for name in names):
        cuda = False
    elif any(re.match(_CUDA_HEADER, name) for name in names) and not re.search(_HIP_INCLUDE, source.text):
        cuda = True
    else:
        return
    if cuda != source.cuda:
        raise OtherDialectError(cuda)
