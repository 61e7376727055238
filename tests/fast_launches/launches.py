"""A driver's launch function and a library of kernels, for tests of the core's part."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.rules import Row

_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
)  # fmt: skip


class Launches:
    """Notes what is launched: (function, grid, block, shared, stream, bytes)."""

    def __init__(self) -> None:
        self.made: list[tuple[int, tuple[int, ...], tuple[int, ...], int, int, bytes]] = []
        self.code = 0
        self._function = _LAUNCH(self._launch)
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value

    def _launch(self, function: int, *rest: Any) -> int:
        numbers, stream, extra = rest[:7], rest[7], rest[9]
        data = b""
        if extra:
            size = ctypes.c_size_t.from_address(extra[3]).value
            data = ctypes.string_at(extra[1], size)
        self.made.append((function, numbers[:3], numbers[3:6], numbers[6], stream or 0, data))
        return self.code


class Kernel:
    """A kernel of a library of this test, as `JITFunction` is one."""

    def __init__(self, names: tuple[str, ...] = ("a", "b", "n")) -> None:
        self.names = names


class Library:
    """What a library has around its kernels: reasons, dicts that they depend on, and the original launch."""

    def __init__(self) -> None:
        self.launches = Launches()
        self.place = _core.FastPlace()
        self.device, self.stream = 0, 77
        self.place.use(self.launches.address, lambda: self.device, lambda device: self.stream + device)
        self.settings: dict[str, Any] = {}
        self.hooks: list[Any] = []
        self.calls: list[tuple[Any, ...]] = []
        self.result: Any = "original"
        self.common = _core.FastWatch(lambda: (self.settings.get("reason"), [self.settings], [self.hooks]))

    def otherwise(
        self, fast: Any, grid: Any, args: Any, kwargs: Any, called: Any, reason: Any, of: Any, packed: Any
    ) -> Any:
        self.calls.append((args, kwargs, called, reason, of, packed))
        return self.result

    def fast(self, kernel: Kernel, look: Callable[[], Any] | None = None) -> _core.FastKernel:
        own = _core.FastWatch(look or (lambda: (None, [vars(kernel)], [])))
        return _core.FastKernel(kernel, self.otherwise, self.common, own, self.place, kernel.names)


class Note:
    """What Python keeps with a specialization."""

    def __init__(self, **rest: Any) -> None:
        self.rest = rest


def specialization(
    rows: list[Row], size: int = 32, on: bool = True, place: int = 0, **rest: Any
) -> _core.FastSpecialization:
    made = _core.FastSpecialization("compiled", 0x1000, place, (128, 1, 1), 64, size, rows, [], Note(**rest))
    if on:
        made.decide(True)
    return made


def numbers(*places: tuple[int, int]) -> list[Row]:
    """Rules of ints that fit 32 bits, at offsets with sizes."""
    return [rules.integer(-(1 << 31), (1 << 31) - 1, 0, place) for place in places]
