"""What tests of compiling for CUDA and HIP devices share: targets, and whether there is a compiler for them."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from launchpath._compiler.compile import compile
from launchpath._compiler.image import Image
from launchpath._compiler.rtc.library import library, library_file
from launchpath._compiler.source import source as sources
from launchpath._compiler.target import Target
from launchpath.errors import CompileError

Test = TypeVar("Test", bound=Callable[..., Any])


def cuda(architecture: str = "sm_90", version: tuple[int, int] = (0, 0)) -> Target:
    return Target("cuda", {}, frozenset(), "CUDA", architecture, version)


def hip(architecture: str = "gfx90a") -> Target:
    return Target("hip", {}, frozenset(), "HIP", architecture)


def _missing(target: Target) -> str:
    try:
        library.load(library_file.choose(target))
    except CompileError as error:
        return str(error).splitlines()[0]
    return ""


needs_nvrtc = pytest.mark.skipif(bool(_missing(cuda())), reason=f"no NVRTC: {_missing(cuda())}")


def by_nvrtc(test: Test) -> Test:
    """Mark a test that compiles by NVRTC."""
    return pytest.mark.compiles(needs_nvrtc(test))


# Debian's hipRTC and its PoCL each register Clang's options in the one libLLVM, which then ends the process: tests of
# hipRTC run where it is asked for, without PoCL (OCL_ICD_VENDORS=none).
_WANTED = os.environ.get("LAUNCHPATH_TEST_HIPRTC", "0") not in ("", "0")
_NO_HIPRTC = _missing(hip()) if _WANTED else "LAUNCHPATH_TEST_HIPRTC is not set"
needs_hiprtc = pytest.mark.skipif(bool(_NO_HIPRTC), reason=f"no hipRTC: {_NO_HIPRTC}")


def compiled(text: str, *names: str, to: Target | None = None, alone: bool = False, **around: object) -> Image:
    return compile(sources.from_text(text, around.pop("name", "user.cu"), **around), names, to or cuda(), alone)


def failed(text: str, *names: str, to: Target | None = None, **around: object) -> str:
    with pytest.raises(CompileError) as caught:
        compiled(text, *names, to=to, **around)
    return str(caught.value)
