"""Numba's arguments: our bytes against those that the installed Numba prepares."""

import ctypes
import importlib
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from launchpath import _core
from launchpath._fast.numba import arguments
from launchpath._fast.numba.arguments import Layout, Unfit, row
from tests.fast_launches.launches import specialization

pytest.importorskip("numba_cuda", reason="numba-cuda is not installed (extra `fast`)")
try:
    dispatcher = importlib.import_module("numba.cuda.dispatcher")
    devicearray = importlib.import_module("numba.cuda.cudadrv.devicearray")
    typeof = importlib.import_module("numba.cuda.typing.typeof")
except Exception as error:
    pytest.skip(f"numba-cuda cannot be imported: {error}", allow_module_level=True)
types = importlib.import_module("numba.cuda.types")

DTYPES = ("float32", "float64", "int8", "int32", "int64", "uint16", "complex64", "bool")


def array(shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, address: int) -> Any:
    memory = SimpleNamespace(device_ctypes_pointer=ctypes.c_void_p(address), device_pointer=address)
    return devicearray.DeviceNDArray(shape, strides, np.dtype(dtype), gpu_data=memory)


def type_of(value: Any) -> Any:
    return typeof.typeof(value, typeof.Purpose.argument)


def prepared(kinds: list[Any], values: list[Any]) -> list[bytes]:
    """What Numba passes to the driver, parameter by parameter."""
    kernel, made = SimpleNamespace(extensions=[]), []  # type: ignore[var-annotated]
    for kind, value in zip(kinds, values, strict=True):
        dispatcher._Kernel._prepare_args(kernel, kind, value, 0, [], made)
    return [
        bytes(each) if isinstance(each, ctypes._SimpleCData) else bytes([each]) if isinstance(each, bool) else
        int(each).to_bytes(8, "little", signed=int(each) < 0)
        for each in made
    ]  # fmt: skip


def places(parts: list[bytes]) -> list[tuple[int, int]]:
    """Where a kernel has parameters of these sizes."""
    found, end = [], 0
    for part in parts:
        start = -(-end // len(part)) * len(part)
        found.append((start, len(part)))
        end = start + len(part)
    return found


def joined(parts: list[bytes], at: list[tuple[int, int]]) -> bytes:
    packed = bytearray(max((offset + size for offset, size in at), default=0))
    for part, (offset, size) in zip(parts, at, strict=True):
        packed[offset : offset + size] = part
    return bytes(packed)


@pytest.fixture(autouse=True)
def reader() -> Any:
    _core.fast_fixed_reader(devicearray.DeviceNDArray, arguments.read_array)
    yield
    _core.fast_fixed_reader(devicearray.DeviceNDArray, None)


def drawn(generator: random.Random) -> Any:
    kind = generator.randrange(6)
    if kind < 3:
        dtype = generator.choice(DTYPES)
        shape = tuple(generator.randrange(1, 5) for _ in range(generator.randrange(1, 4)))
        strides, step = [], np.dtype(dtype).itemsize * generator.choice((1, 1, 2))
        for extent in reversed(shape):
            strides.insert(0, step)
            step *= extent
        return array(shape, tuple(strides), dtype, generator.randrange(1 << 40))
    if kind == 3:
        return generator.choice((0, 1, -1, 1 << 40, -(1 << 63), (1 << 63) - 1))
    if kind == 4:
        return generator.choice((0.0, -1.5, float("inf"), 1e300))
    return generator.choice((True, False, np.float32(2.5), np.int32(-3), np.float64(0.1), np.uint8(7), np.int64(9)))


@pytest.mark.parametrize("seed", range(40))
def test_bytes_are_numbas(seed: int) -> None:
    generator = random.Random(seed)
    values = [drawn(generator) for _ in range(generator.randrange(1, 9))]
    kinds = [type_of(value) for value in values]
    parts = prepared(kinds, values)
    at = places(parts)
    layout = Layout(at)
    rows = [row(f"a{i}", kind, value, layout) for i, (kind, value) in enumerate(zip(kinds, values, strict=True))]
    assert layout.is_used_up()
    made = specialization(rows, layout.size)
    assert made.packed(tuple(values)) == joined(parts, at)
    for _ in range(20):
        others = [drawn(generator) if generator.random() < 0.3 else value for value in values]
        same = [type_of(value) for value in others] == kinds and list(map(type, others)) == list(map(type, values))
        packed = made.packed(tuple(others))
        assert (packed is not None) == same, (values, others)
        if same:
            assert packed == joined(prepared(kinds, others), at)


def test_changed_array_is_read_anew() -> None:
    value = array((4,), (4,), "float32", 0x1000)
    layout = Layout([(8 * i, 8) for i in range(7)])
    made = specialization([row("x", type_of(value), value, layout)], layout.size)
    before = made.packed((value,))
    value.gpu_data = SimpleNamespace(device_ctypes_pointer=ctypes.c_void_p(0x2000), device_pointer=0x2000)
    after = made.packed((value,))
    assert before is not None and after is not None
    assert (before[32:40], after[32:40]) == ((0x1000).to_bytes(8, "little"), (0x2000).to_bytes(8, "little"))


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (np.zeros(3), None, "numpy.ndarray"), (1 << 63, None, "does not fit"), (1.0, "int32", "builtins.float as int32"),
        (300, "int8", "does not fit"), (1 + 2j, None, "builtins.complex"), ((1, 2), None, "builtins.tuple"),
    ],
)  # fmt: skip
def test_others_do_not_fit(value: Any, kind: str | None, text: str) -> None:
    with pytest.raises(Unfit, match=text):
        row("x", getattr(types, kind) if kind else type_of(value), value, Layout([(0, 8)]))


def test_parameters_that_are_elsewhere_do_not_fit() -> None:
    with pytest.raises(Unfit, match="'x' is not where"):
        row("x", types.int64, 5, Layout([(0, 4)]))
    with pytest.raises(Unfit, match="'x' is not where"):
        row("x", types.int64, 5, Layout([]))
