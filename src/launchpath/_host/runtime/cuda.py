"""CUDA's functions by HIP's: names, and arguments that differ."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from launchpath._host.runtime import table
from launchpath.hip._types.bindings import types

# Functions that HIP has by another name behind the first word.
_NAMES = {
    "cudaThreadSynchronize": "hipDeviceSynchronize", "cudaThreadExit": "hipDeviceReset",
    "cudaLaunchKernelExC": "hipLaunchKernelExC",
}  # fmt: skip


def is_cuda(name: str) -> bool:
    """Whether a function is CUDA's."""
    return name.startswith("cuda")


def hip_name(name: str) -> str:
    """Give the name of HIP's function for one of CUDA's; of HIP's own the same name."""
    if name.startswith("nvrtc"):
        return f"hip{name[2:]}"
    return _NAMES.get(name, f"hip{name[4:]}") if is_cuda(name) else name


def hip_type(name: str) -> str:
    """Give the name of HIP's type for one of CUDA's."""
    return f"hip{name[4:]}" if name.startswith("cuda") else name


@cache
def _twins(kind: str, enum: str) -> dict[int, int]:
    """Give HIP's numbers by CUDA's; -1 for what HIP does not have."""
    return {
        int(number): int(getattr(getattr(types, enum), twin, -1)) if twin else -1
        for number, twin in table.read()["numbers"].get(kind, {}).items()
    }


@cache
def _error_numbers() -> dict[int, int]:
    """Give CUDA's numbers by HIP's."""
    return {twin: number for number, twin in _twins("ERROR", "hipError_t").items()}


def error_of(name: str, code: int) -> int:
    """Give the code that a function of this name returns for one of HIP's."""
    return _error_numbers().get(int(code), int(code)) if is_cuda(name) else int(code)


def text_of(name: str, text: bytes) -> bytes:
    """Give CUDA's text in place of HIP's: the names of errors have another first word."""
    return text.replace(b"hipError", b"cudaError").replace(b"hipSuccess", b"cudaSuccess") if is_cuda(name) else text


def conversion(name: str) -> Callable[[list[Any]], list[Any]] | None:
    """Give the function that makes HIP's arguments of CUDA's, where numbers differ; None if they are the same."""
    return _CONVERSIONS.get(name)


def _attribute(inputs: list[Any]) -> list[Any]:
    attribute, *rest = inputs
    return [_twins("ATTRIBUTE", "hipDeviceAttribute_t").get(attribute, attribute), *rest]


def _p2p_attribute(inputs: list[Any]) -> list[Any]:
    attribute, *rest = inputs
    return [_twins("P2P", "hipDeviceP2PAttr").get(attribute, attribute), *rest]


def _error(inputs: list[Any]) -> list[Any]:
    return [_twins("ERROR", "hipError_t").get(inputs[0], inputs[0])]


def _pointed(inputs: list[Any]) -> list[Any]:
    """Read the handle that a pointer points to, where the function of Python's takes the handle."""
    return [ctypes.c_uint64.from_address(inputs[0]).value if inputs[0] else 0]


_CONVERSIONS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "cudaDeviceGetAttribute": _attribute, "cudaDeviceGetP2PAttribute": _p2p_attribute, "cudaGetErrorString": _error,
    "cudaGetErrorName": _error, "hiprtcDestroyProgram": _pointed, "nvrtcDestroyProgram": _pointed,
}  # fmt: skip
