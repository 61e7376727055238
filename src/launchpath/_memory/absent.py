"""What an array does not have: operators and names that people expect of one, refused with what to use instead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._listed import Absent
from launchpath._listed.absent import AbsentName
from launchpath._tracebacks import boundary

if TYPE_CHECKING:
    from launchpath._memory.array import Array

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^", "divmod": "divmod()",
}  # fmt: skip
_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"neg": "-", "pos": "+", "invert": "~", "abs": "abs()", "round": "round()"}

_REDUCTIONS = "sum prod mean std var min max ptp argmin argmax any all cumsum cumprod dot trace clip round sort argsort"
_ELEMENTWISE = "conj conjugate abs sqrt exp log add sub mul div add_ mul_ matmul nonzero searchsorted"
_REORDERED = "T mT transpose swapaxes permute t"
# Names of NumPy, CuPy and torch.
_NAMES = {
    "ravel": "reshape(-1), which shares the memory",
    "flatten": "copy().reshape(-1)",
    "squeeze": "reshape",
    "unsqueeze": "array[None], or reshape",
    "get": "to_numpy()",
    "numpy": "to_numpy()",
    "cpu": "to_numpy()",
    "to_cpu": "to_numpy()",
    "to_host": "to_numpy()",
    "host": "to_numpy()",
    "copy_to_host": "to_numpy()",
    "as_numpy": "to_numpy()",
    "asnumpy": "to_numpy()",
    "download": "to_numpy()",
    "tobytes": "to_numpy().tobytes()",
    "to": "launchpath.asarray(array, device=...) for another device, astype(dtype) for another dtype",
    "cuda": "launchpath.asarray(array, device=...)",
    "to_device": "launchpath.asarray(array, device=...)",
    "copy_to_device": "copy_from(source), or array[...] = source",
    "upload": "copy_from(source), or array[...] = source",
    "type": "dtype, or astype(dtype)",
    "clone": "copy()",
    "copy_": "copy_from(source), or array[...] = source",
    "set": "copy_from(source), or array[...] = source",
    "fill_": "fill(value)",
    "zero_": "fill(0)",
    "itemset": "array[key] = value",
    "data": "pointer for the address, or DLPack",
    "data_ptr": "pointer",
    "ptr": "pointer",
    "itemsize": "dtype.itemsize",
    "numel": "size",
    "dim": "ndim",
    "strides": "shape and dtype.itemsize: an array is C-contiguous",
}


def instead_of_computing(array: _core.ArrayBase) -> str:
    """Name what computes with the elements of an array."""
    native, _ = _core.dlpack_device(array.device)
    if native:
        library = " use torch.from_dlpack(array) or cupy.from_dlpack(array), which share its memory,"
    elif array.device.info["host_accessible"]:
        library = " use numpy.from_dlpack(array), which shares its memory,"
    else:
        library = ""
    return f"write a kernel,{library} or compute on the host with array.to_numpy()"


class AbsentOperator(Absent):
    """An operator that `Array` does not have. It raises when it is used."""

    def __init__(self, name: str, symbol: str) -> None:
        self.name, self.symbol = name, symbol

    def __get__(self, array: Array | None, kind: type) -> Any:
        if array is None:
            return getattr(object, self.name)  # which has `<`, and raises for the others

        def refuse(*others: object) -> Any:
            raise TypeError(
                f"an Array holds data and does not compute, got {self.symbol}: {instead_of_computing(array)}"
            )

        return boundary(refuse)


def refuse_absent(kind: type) -> None:
    """Give a class of arrays what it refuses. Type checkers do not see it, so they refuse it as well."""
    for name, symbol in _BINARY.items():
        for prefix in ("__", "__r"):
            setattr(kind, f"{prefix}{name}__", AbsentOperator(f"{prefix}{name}__", symbol))
    for name, symbol in {**_ORDER, **_UNARY}.items():
        setattr(kind, f"__{name}__", AbsentOperator(f"__{name}__", symbol))
    for name in (_REDUCTIONS + " " + _ELEMENTWISE).split():
        setattr(kind, name, AbsentName("Array", name, instead_of_computing))
    for name in _REORDERED.split():
        setattr(kind, name, AbsentName("Array", name, _instead_of_reordering))
    for name in _NAMES:
        setattr(kind, name, AbsentName("Array", name, partial(_instead, name)))


def _instead(name: str, _: _core.ArrayBase) -> str:
    return f"use {_NAMES[name]}"


def _instead_of_reordering(array: _core.ArrayBase) -> str:
    return f"its elements stay in C's order. {instead_of_computing(array).capitalize()}"
