"""Odd values: what people and their programs hand over by mistake, and objects that answer with something else."""

import ctypes
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np


class HostileError(Exception):
    """What the objects below raise themselves: it may come out of a call."""


def _raise(*_: object, **__: object) -> Any:
    raise HostileError


def hostile(**methods: Any) -> object:
    """Make an object of a class of its own that has these attributes."""
    return type("Hostile", (), methods)()


class Struct(ctypes.Structure):
    """What the kernel takes by value."""

    _fields_ = (("a", ctypes.c_int), ("b", ctypes.c_float))


class HostileInt(int):
    """An int that does not want to be one."""

    __index__ = __int__ = __float__ = __eq__ = __lt__ = __repr__ = _raise  # type: ignore[assignment]
    __hash__ = int.__hash__


def _alternating() -> object:
    """Two classes whose scalars are each other's objects."""
    first: Any = type("One", (), {"__array_interface__": {}, "shape": ()})
    other: Any = type("Other", (), {"__array_interface__": {}, "shape": ()})
    first.__getitem__, other.__getitem__ = lambda self, key: other(), lambda self, key: first()
    return first()


def _frozen() -> Any:
    array = np.ones(4, "f4")
    array.flags.writeable = False
    return array


PLAIN: dict[str, Callable[[], Any]] = {
    repr(value)[:30]: (lambda value=value: value)
    for value in (
        None, True, False, 0, 1, -1, 2, 7, 64, 255, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 8, 2**64, -(2**63),
        -(2**31) - 1, 10**30, 0.0, 1.0, -1.5, 1e39, 1e300, 5e-324, float("nan"), float("inf"), 1j, "", " ", "0", "-1",
        "x" * 1000, "é\ud800", "\0", "float32", "O", "f4,i4", "n", "sum", "1GB", b"", bytes(8), b"\x03\x02\x23\x07", [], [1],
        [1, 2], (), (1,), (4, 4), (-1,), (0, 2**62), (2**32, 2**32), (1,) * 65, (1,) * 33, ("a",), {}, {"a": 1}, {5: 6},
        object, int, np.float32, Ellipsis, NotImplemented, range(3), slice(None), slice(1, 2), slice(0, 9, 2), slice(2**70),
        slice("a"), Fraction(1, 3), Decimal("1.5"), Path("nowhere"), ValueError("odd"),
        np.int8(3), np.int64(2**40), np.uint64(2**64 - 1), np.float16(1.5), np.float32(1.5), np.float64("nan"),
        np.bool_(True), np.complex64(1j), np.str_("a"), np.bytes_(b"a"), np.datetime64("2020"), np.dtype("O"), np.dtype("f4"),
    )
}  # fmt: skip
PLAIN |= {
    "10**5000": lambda: 10**5000,
    "bytearray": lambda: bytearray(8),
    "memoryview": lambda: memoryview(b"abcd"),
    "lambda": lambda: lambda *_: None,
    "generator": lambda: iter([1, 2]),
    "np 0-d": lambda: np.array(5),
    "np 0-d float": lambda: np.array(1.5),
    "np 0-d object": lambda: np.array(None),
    "np [1]": lambda: np.array([1]),
    "np [1 2 3]": lambda: np.array([1, 2, 3]),
    "np f4": lambda: np.ones(4, "f4"),
    "np i4": lambda: np.ones(4, "i4"),
    "np 2-d": lambda: np.zeros((2, 2), "f4"),
    "np fortran": lambda: np.zeros((2, 3), "f4", order="F"),
    "np strided": lambda: np.zeros(8, "f4")[::2],
    "np frozen": _frozen,
    "np object": lambda: np.array([None, 1], object),
    "np empty": lambda: np.zeros(0, "f4"),
    "np struct": lambda: np.zeros(3, [("a", "f4")]),
    "np big endian": lambda: np.zeros(4, ">f4"),
    "np text": lambda: np.array(["1.5", "b"]),
    "np masked": lambda: np.ma.array([1, 2]),
    "np matrix": lambda: np.asmatrix(np.ones((2, 2), "f4")),
    "np nothing": lambda: np.zeros(3, "S0"),
    "ctypes int": lambda: ctypes.c_int(5),
    "ctypes struct": lambda: Struct(1, 2.0),
    "hostile int": lambda: HostileInt(3),
    "__index__ raises": lambda: hostile(__index__=_raise),
    "__index__ gives a str": lambda: hostile(__index__=lambda self: "1"),
    "__index__ gives 10**400": lambda: hostile(__index__=lambda self: 10**400),
    "__float__ raises": lambda: hostile(__float__=_raise),
    "__repr__ raises": lambda: hostile(__repr__=_raise),
    "__repr__ gives an int": lambda: hostile(__repr__=lambda self: 1),
    "__repr__ gives a surrogate": lambda: hostile(__repr__=lambda self: "\ud800"),
    "__eq__ raises": lambda: hostile(__eq__=_raise),
    "__hash__ raises": lambda: hostile(__hash__=_raise),
    "__bool__ raises": lambda: hostile(__bool__=_raise),
    "__len__ raises": lambda: hostile(__len__=_raise, __getitem__=_raise),
    "__len__ is huge": lambda: hostile(__len__=lambda self: 2**62),
    "__iter__ raises": lambda: hostile(__iter__=_raise),
    "__getattr__ raises": lambda: hostile(__getattr__=_raise),
    "__array__ raises": lambda: hostile(__array__=_raise),
    "__array__ gives an int": lambda: hostile(__array__=lambda self, *a, **k: 5),
    "__array_interface__ is odd": lambda: hostile(__array_interface__={"shape": 5}),
    "scalars for ever": _alternating,
    "cuda interface empty": lambda: hostile(__cuda_array_interface__={}),
    "cuda interface a list": lambda: hostile(__cuda_array_interface__=[1]),
    "cuda interface odd": lambda: hostile(
        __cuda_array_interface__={"data": ("x", 1), "shape": "y", "typestr": "<f4", "version": 3}
    ),
    "cuda stream odd": lambda: hostile(__cuda_stream__=lambda: 5),
    "dlpack odd": lambda: hostile(__dlpack__=lambda self, **k: 5, __dlpack_device__=lambda self: (1, 0)),
    "dlpack no device": lambda: hostile(__dlpack__=_raise, __dlpack_device__=lambda self: ()),
    "dlpack raises": lambda: hostile(__dlpack__=_raise, __dlpack_device__=_raise),
    "exchange api odd": lambda: hostile(__dlpack_c_exchange_api__="x"),
    "shape raises": lambda: hostile(shape=property(_raise), dtype=property(_raise)),
    "shape and dtype": lambda: hostile(shape=(4,), dtype=np.dtype("f4")),
}


def choose(random_: random.Random, world: dict[str, Any]) -> tuple[str, Any]:
    """Give a value, and what to call it: a plain one, or something of the world's."""
    if random_.random() < 0.3:
        name = random_.choice(sorted(world))
        return f"<{name}>", world[name]
    name = random_.choice(sorted(PLAIN))
    return name, PLAIN[name]()
