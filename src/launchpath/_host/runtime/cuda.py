"""CUDA's runtime functions by HIP's: names, and the numbers that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Functions that are not called by the same name behind the first word.
_NAMES = {
    "cudaThreadSynchronize": "hipDeviceSynchronize", "cudaThreadExit": "hipDeviceReset",
}  # fmt: skip


def hip_name(name: str) -> str:
    """Give the name of HIP's function for one of CUDA's; of HIP's own the same name."""
    if not name.startswith("cuda"):
        return name
    return _NAMES.get(name, f"hip{name[4:]}")


def hip_type(name: str) -> str:
    """Give the name of HIP's type for one of CUDA's."""
    return f"hip{name[4:]}" if name.startswith("cuda") else name


def conversion(name: str) -> Callable[[list[Any]], list[Any]] | None:
    """Give the function that makes HIP's arguments of CUDA's, where numbers differ; None if they are the same."""
    return _CONVERSIONS.get(name)


_CONVERSIONS: dict[str, Callable[[list[Any]], list[Any]]] = {}
