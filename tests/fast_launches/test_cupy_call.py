"""`kernel(grid, block, args, shared_mem=0)` as CuPy spells it, on a library of this test."""

import struct
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.cupy import CupyLibrary
from tests.fast_launches.launches import Kernel, Library, numbers, specialization


class Case:
    def __init__(self) -> None:
        self.library, self.kernel = Library(), Kernel()
        self.kernel.kernel = object()  # type: ignore[attr-defined]
        self.fast = self.library.fast(self.kernel)
        kind = type("Kind", (Kernel,), {})
        kind.__call__ = _core.FastCall(lambda *args, **kwargs: "original call", lambda kernel: self.fast)  # type: ignore[attr-defined]
        self.kernel.__class__ = kind

    def known(self, rows: list[rules.Row], size: int) -> None:
        self.fast.add(len(rows), (), specialization(rows, size, place=id(self.kernel.kernel)))  # type: ignore[attr-defined]


@pytest.fixture
def case() -> Case:
    made = Case()
    made.known(numbers((0, 4), (4, 4)), 8)
    return made


def call(case: Case, *args: Any, **kwargs: Any) -> Any:
    return case.kernel(*args, **kwargs)  # type: ignore[operator]


def test_known_call_is_launched(case: Case) -> None:
    assert call(case, (2,), (32, 2), (5, 6)) is None
    assert call(case, (2, 3), (32,), (5, 6), shared_mem=48) is None
    packed = struct.pack("<ii", 5, 6)
    assert case.library.launches.made == [
        (0x1000, (2, 1, 1), (32, 2, 1), 0, 77, packed), (0x1000, (2, 3, 1), (32, 1, 1), 48, 77, packed),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (((2,), (32,), [5, 6]), {}), (((0,), (32,), (5, 6)), {}), ((2, (32,), (5, 6)), {}), (((2,), (32,)), {}),
        (((2,), (32,), (5, 6)), {"stream": 1}), (((2,), (32,), (5, 6)), {"shared_mem": -1}), (((2,), (32,), (5, 6), 0), {}),
        (((2,), (32,), (5, 6.0)), {}), (((2,), (32,), (5, 6, 7)), {}),
    ],
)  # fmt: skip
def test_others_are_left_to_the_original(case: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert call(case, *args, **kwargs) == "original"
    assert case.library.calls[0][:2] == (args, kwargs)
    assert case.library.launches.made == []


def test_kernel_compiled_anew_is_another(case: Case) -> None:
    case.kernel.kernel = object()  # type: ignore[attr-defined]
    assert call(case, (2,), (32,), (5, 6)) == "original"


class Stream:
    """As CuPy's streams: the handle is an attribute."""

    def __init__(self, ptr: Any) -> None:
        self.ptr = ptr


class External(Stream):
    """As CuPy's streams that another library made."""


class OtherStream(Stream):
    """A class of the program's, which may mean something else."""


def test_stream_of_the_call_is_launched_on(case: Case) -> None:
    words: tuple[Any, ...] = ((2,), (32,), (5, 6))
    assert call(case, *words, stream=Stream(5)) == "original", "CuPy's classes are not known yet"
    _core.fast_cupy_streams(Stream, External)
    try:
        for words_by_name in ({"stream": Stream(0x7FFF00001000)}, {"stream": External(0)}, {"stream": None}, {}):
            assert call(case, *words, **words_by_name) is None
        assert call(case, *words, stream=Stream(1), shared_mem=48) is None
        assert call(case, *words, shared_mem=64, stream=Stream(2)) is None
        assert [(row[3], row[4]) for row in case.library.launches.made] == [
            (0, 0x7FFF00001000), (0, 0), (0, 77), (0, 77), (48, 1), (64, 2),
        ]  # fmt: skip
        changed = Stream(3)
        call(case, *words, stream=changed)
        changed.ptr = 4
        call(case, *words, stream=changed)
        assert [row[4] for row in case.library.launches.made[-2:]] == [3, 4]
        del case.library.calls[:]
        others: list[Any] = [OtherStream(5), Stream(-1), Stream(1 << 64), Stream(5.0), Stream(None), 5, object()]
        for other in others:
            assert call(case, *words, stream=other) == "original"
        without = Stream(5)
        del without.ptr
        assert call(case, *words, stream=without) == "original"
        assert call(case, *words, stream=Stream(5), other=1) == "original"
        assert {row[3] for row in case.library.calls} == {
            "a stream of another class, or a grid or block of other than small ints"
        }
        assert len(case.library.calls) == 9
        assert len(case.library.launches.made) == 8
    finally:
        _core.fast_cupy_streams(None, None)
    assert call(case, *words, stream=Stream(5)) == "original"


class Memory:
    """Knows an address, in a slot: the word behind the object's head."""

    __slots__ = ("box",)


class Array:
    """Has a `Memory`, in a slot."""

    __slots__ = ("data",)


def test_arrays_are_read_in_place(case: Case) -> None:
    # The word that a slot holds is a reference; here the object it refers to stands for the address.
    array, address = Array(), object()
    array.data = Memory()
    array.data.box = address
    case.known([rules.cupy_array(0)], 8)
    assert call(case, (1,), (1,), (array,)) == "original"
    _core.fast_cupy_arrays(Array, 16, 16)
    try:
        assert call(case, (1,), (1,), (array,)) is None
        assert case.library.launches.made[0][5] == struct.pack("<Q", id(address))
        assert call(case, (1,), (1,), (array.data,)) == "original"
    finally:
        _core.fast_cupy_arrays(None, 0, 0)
    assert call(case, (1,), (1,), (array,)) == "original"


def test_kernels_that_exist_launch_the_original_way_when_it_is_uninstalled(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = SimpleNamespace(
        RawKernel=type("RawKernel", (), {"__call__": lambda self: None}),
        RawModule=type("RawModule", (), {"get_function": None}),
    )
    monkeypatch.setitem(sys.modules, "cupy._core.raw", raw)
    library = CupyLibrary()
    for _ in range(2):
        library.patch("cupy._core.raw")
        assert library._look()[0] is None
        library.restore()
        reason, watched, _ = library._look()
        assert reason == "launchpath.fast was uninstalled"
        assert watched == [{"on": False}], "its change is seen by the next launch"
