"""`kernel[grid, block, stream, shared]` as Numba spells it, on a library of this test."""

import ctypes
import struct
from typing import Any

import pytest

from launchpath import _core
from launchpath._fast import rules
from tests.fast_launches.launches import Kernel, Library, numbers, specialization

_CONTEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p))


class Array:
    """As Numba's device arrays: attributes say all."""

    def __init__(self, address: int, elements: int, kind: str = "float32") -> None:
        self.address, self.elements, self.kind = address, elements, kind


class Configured:
    """What the library gives for a subscript."""

    def __init__(self, key: Any) -> None:
        self.key, self.callbacks = key, []


class Case:
    def __init__(self) -> None:
        self.library, self.kernel, self.context = Library(), Kernel(), 0x77
        self._context = _CONTEXT(self._current)
        self.library.place.use(
            self.library.launches.address, context_function=ctypes.cast(self._context, ctypes.c_void_p).value or 0
        )
        self.fast = self.library.fast(self.kernel)
        self.wholes: list[Any] = []
        self.asked: list[Any] = []
        self.configurations: dict[Any, Configured] = {}
        self.fails = False
        kind = type("Kind", (Kernel,), {})
        kind.__getitem__ = _core.FastSubscript(  # type: ignore[attr-defined]
            lambda kernel, key: kernel.configure(*key), lambda kernel: self.fast, self.whole
        )
        kind.configure = lambda kernel, *key: self.configure(key)  # type: ignore[attr-defined]
        self.kernel.__class__ = kind

    def _current(self, to: Any) -> int:
        to[0] = self.context
        return 0

    def configure(self, key: Any) -> Any:
        if key[0] == "wrong":
            return ("original", key)
        self.asked.append(key)
        if self.fails:
            raise UserWarning("small")
        return self.configurations.setdefault(key, Configured(key))

    def whole(self, fast: Any, key: Any, configured: Any) -> Any:
        self.wholes.append(key)
        if key[0] == "wrong":
            return None
        grid, block = ((*(part if isinstance(part, tuple) else (part,)), 1, 1)[:3] for part in key[:2])
        stream = key[2] if len(key) > 2 else None
        config = (grid, block, key[3] if len(key) > 3 else 0, getattr(stream, "handle", stream or 0), stream)
        return _core.FastGrid(fast, key, config, configured or Configured(key))

    @property
    def launched(self) -> list[Any]:
        return self.library.launches.made


@pytest.fixture
def case() -> Case:
    made = Case()
    made.fast.add(2, (), specialization(numbers((0, 4), (4, 4)), 8, place=0x77))
    return made


def test_configuration_is_launched(case: Case) -> None:
    assert case.kernel[(3, 2), 64](5, 6) is None
    assert case.kernel[4, (8, 8), 0, 100](7, 8) is None
    assert case.launched == [
        (0x1000, (3, 2, 1), (64, 1, 1), 0, 0, struct.pack("<ii", 5, 6)),
        (0x1000, (4, 1, 1), (8, 8, 1), 100, 0, struct.pack("<ii", 7, 8)),
    ]


def test_configuration_of_the_same_numbers_is_kept(case: Case) -> None:
    keys: list[Any] = [
        (200, 32), (200, 32, 0), (200, 32, 0, 0), (200, 32, 0, 8), (201, 32), (200, 64), ((200,), (32,)),
    ]  # fmt: skip
    grids = [case.kernel[key] for key in keys]
    assert [case.kernel[key] for key in keys] == grids
    assert grids[-1] is grids[0]
    assert len(case.wholes) == 5


def test_stream_is_told_by_identity(case: Case) -> None:
    class Stream:
        def __init__(self, handle: int) -> None:
            self.handle = handle

    first, second = Stream(0x10), Stream(0x20)
    for stream in (first, second, first, second):
        case.kernel[1, 32, stream](1, 2)
    assert [row[4] for row in case.launched] == [0x10, 0x20, 0x10, 0x20]
    assert len(case.wholes) == 2


def test_what_is_no_configuration_is_the_originals(case: Case) -> None:
    assert case.kernel["wrong", 1] == ("original", ("wrong", 1))
    assert case.kernel["wrong", 1] == ("original", ("wrong", 1))


def test_configuration_whose_attributes_were_used_goes_the_original_way(case: Case) -> None:
    grid = case.kernel[1, 32]
    grid.callbacks.append(print)
    grid(1, 2)
    assert case.library.calls[0][3] == "a configuration whose attributes were used"
    other = case.kernel[1, 32]
    assert other is not grid
    other(1, 2)
    assert len(case.launched) == 1
    with pytest.raises(AttributeError, match="nothing"):
        _ = other.nothing


def test_small_configuration_is_the_librarys_each_time(case: Case) -> None:
    small, large = case.kernel[127, 32], case.kernel[128, 32]
    assert case.asked == [(127, 32)]
    assert (case.kernel[127, 32], case.kernel[(128, 1), 32]) == (small, large)
    assert case.asked == [(127, 32)] * 2
    case.configurations.clear()  # the library has forgotten it: it makes another one, and warns
    assert case.kernel[127, 32] is not small
    case.fails = True
    with pytest.raises(UserWarning, match="small"):
        case.kernel[127, 32]
    assert case.kernel[128, 32] is large


def test_other_context_is_another_place(case: Case) -> None:
    case.context = 0x88
    case.kernel[1, 32](1, 2)
    assert (case.launched, len(case.library.calls)) == ([], 1)
    case.context = 0
    case.kernel[1, 32](1, 2)
    assert (case.launched, len(case.library.calls)) == ([], 2)


def test_arrays_are_read_once_for_each_state() -> None:
    case, reads = Case(), []

    def read(array: Array) -> Any:
        reads.append(array)
        return (
            None if array.elements < 0 else (("array", array.kind), struct.pack("<qq", array.address, array.elements))
        )

    _core.fast_fixed_reader(Array, read)
    try:
        kind = _core.fast_fixed_type(("array", "float32"))
        case.fast.add(1, (), specialization([rules.fixed(0, 16, kind)], 16, place=0x77))
        array = Array(0x1000, 5)
        for _ in range(3):
            case.kernel[1, 32](array)
        assert len(reads) == 1
        array.elements = 6
        case.kernel[1, 32](array)
        assert [row[5] for row in case.launched] == [struct.pack("<qq", 0x1000, n) for n in (5, 5, 5, 6)]
        array.elements = -1
        case.kernel[1, 32](array)
        case.kernel[1, 32](Array(0x1000, 5, "int32"))
        case.kernel[1, 32](object())
        assert (len(case.launched), len(case.library.calls)) == (4, 3)
        for n in range(3000):  # others at the addresses of those that are gone
            case.kernel[1, 32](Array(n, n))
        assert [row[5] for row in case.launched[4:]] == [struct.pack("<qq", n, n) for n in range(3000)]
    finally:
        _core.fast_fixed_reader(Array, None)
    case.kernel[1, 32](Array(1, 2))
    assert len(case.library.calls) == 4


def test_error_of_a_reader_goes_the_original_way() -> None:
    case = Case()

    def read(array: Array) -> Any:
        raise RuntimeError("read")

    _core.fast_fixed_reader(Array, read)
    try:
        case.fast.add(1, (), specialization([rules.fixed(0, 16, "x")], 16, place=0x77))
        case.kernel[1, 32](Array(1, 2))
        assert (case.launched, len(case.library.calls)) == ([], 1)
    finally:
        _core.fast_fixed_reader(Array, None)
