"""Packing: each argument checked against its parameter, and put where CUDA's layout has it."""

import ctypes
import math
import struct
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath import DevicePointer
from tests.fixtures import arrays
from tests.simulated import Machine
from tests.unit.support.kernels import Keeper

INTS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def named(value: object) -> str:
    """How a message begins to name a value."""
    return "None" if value is None else f"the {type(value).__name__} "


def limits(kind: str) -> tuple[int, int]:
    info = np.iinfo(kind)
    return int(info.min), int(info.max)


@pytest.mark.parametrize("kind", INTS)
def test_ints_to_the_ends_of_their_range(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    low, high = limits(kind)
    for value in (low, low + 1, 0, 1, high - 1, high, low // 2, high // 2):
        assert keep(value) == (value,)


@pytest.mark.parametrize("kind", INTS)
def test_ints_out_of_range(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    low, high = limits(kind)
    for value in (low - 1, high + 1, -(2**63) - 1, 2**64, 10**30):
        with pytest.raises(
            lp.ArgumentValueError,
            match=r"keep: parameter 0 \(.* a\): expected a number from -?\d+ to \d+, got -?\d+: pass",
        ):
            keep(value)
    assert not keep.calls


CTYPES = {"bool": ctypes.c_bool, "float32": ctypes.c_float, "float64": ctypes.c_double} | {
    kind: getattr(ctypes, f"c_{kind}") for kind in INTS
}


@pytest.mark.parametrize("kind", CTYPES)
def test_scalars_of_ctypes_have_the_parameters_type(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    for other, scalar in CTYPES.items():
        if other.lstrip("u") == kind.lstrip("u"):
            assert keep(scalar(1)) == (1,)
        else:
            with pytest.raises(
                lp.SignatureError, match=rf"expected {kind}, got ctypes\.c_\w+ of \d bytes: pass ctypes\.c_\w+, or its"
            ):
                keep(scalar(1))


@pytest.mark.parametrize("kind", INTS)
def test_ints_of_ctypes_have_to_fit(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    low, high = limits(kind)
    for value in (low, high):
        assert keep(CTYPES[kind](value)) == (value,)
    other = CTYPES[kind.lstrip("u") if kind.startswith("u") else f"u{kind}"]
    beyond = other(-1) if kind.startswith("u") else other(high + 1)
    with pytest.raises(lp.ArgumentValueError, match=f"expected a number from {low} to {high}, got {beyond.value}"):
        keep(beyond)


@pytest.mark.parametrize(
    "value", [ctypes.c_char(b"a"), ctypes.c_wchar("a"), ctypes.c_void_p(1), ctypes.c_longdouble(1)]
)
def test_scalars_of_ctypes_that_no_parameter_has(machine: Machine, value: object) -> None:
    for kind, wanted in (("int8", "an int"), ("int64", "an int"), ("float64", "a number"), ("bool", "a bool")):
        with pytest.raises(lp.SignatureError, match=f"expected {wanted}, got the c_"):
            Keeper(machine, kind)(value)


def test_an_address_of_ctypes(machine: Machine) -> None:
    keep = Keeper(machine, "pointer")
    (array,) = arrays(machine, 1)
    assert keep(ctypes.c_void_p(array.pointer)) == (array.pointer,)
    assert keep(ctypes.c_void_p()) == keep(ctypes.c_void_p(0)) == (0,)
    for value in (ctypes.c_uint64(0x1230), ctypes.c_char_p(b"text"), ctypes.pointer(ctypes.c_int(3))):
        with pytest.raises(lp.SignatureError, match="expected an array, got"):
            keep(value)


@pytest.mark.parametrize("kind", INTS)
def test_numpys_ints_and_bools_are_ints(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    for value in (np.int64(7), np.uint8(7), np.int32(7), True, np.bool_(True), np.array(7)[()]):
        assert keep(value) == (int(value),)
    if kind.startswith("u"):
        with pytest.raises(
            lp.ArgumentValueError, match="expected a number from .* to .*, got .*: pass a number in that range"
        ):
            keep(np.int8(-1))
    else:
        assert keep(np.int8(-1)) == (-1,)


@pytest.mark.parametrize(
    "value", [1.0, 1.5, np.float32(2), "3", b"4", None, (1,), [], 1j, Fraction(3, 2), np.array([1, 2]), object()]
)
@pytest.mark.parametrize("kind", ["int32", "uint64"])
def test_what_is_no_int(machine: Machine, kind: str, value: Any) -> None:
    keep = Keeper(machine, kind)
    with pytest.raises(lp.SignatureError, match=rf"keep: parameter 0 .*: expected an int, got {named(value)}"):
        keep(value)
    assert not keep.calls


def test_a_float_for_an_int_says_how_to_mean_it(machine: Machine) -> None:
    with pytest.raises(lp.SignatureError, match=r"got the float 2.5: convert it with int\(\)"):
        Keeper(machine, "int32")(2.5)


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize(
    "value", [0.0, -0.0, 1.5, -2.25, 3, -4, True, np.float32(1.5), np.float64(2.5), np.float16(0.5), np.int8(3), 2**70]
)
def test_floats_and_what_counts_as_a_float(machine: Machine, kind: str, value: Any) -> None:
    (got,) = Keeper(machine, kind)(value)
    assert got == float(value)
    assert math.copysign(1, got) == math.copysign(1, float(value))


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_floats_that_are_no_numbers(machine: Machine, kind: str) -> None:
    keep = Keeper(machine, kind)
    assert keep(math.inf) == (math.inf,)
    assert keep(-math.inf) == (-math.inf,)
    assert math.isnan(keep(math.nan)[0])


@pytest.mark.parametrize(("kind", "most"), [("float16", 65504.0), ("float32", 3.4028234663852886e38)])
def test_floats_out_of_range(machine: Machine, kind: str, most: float) -> None:
    keep = Keeper(machine, kind)
    assert keep(most) == (most,)
    assert keep(-most) == (-most,)
    for value in (most * 1.01, -most * 1.01, 1e300, 10**400):
        with pytest.raises(
            lp.ArgumentValueError, match="expected a number from .* to .*, got .*: pass a number in that range"
        ):
            keep(value)


def test_an_int_too_large_for_a_double(machine: Machine) -> None:
    with pytest.raises(
        lp.ArgumentValueError, match="expected a number from .* to .*, got .*: pass a number in that range"
    ):
        Keeper(machine, "float64")(10**400)


def test_floats_are_rounded(machine: Machine) -> None:
    assert Keeper(machine, "float32")(0.1) == (float(np.float32(0.1)),)
    assert Keeper(machine, "float16")(0.1) == (float(np.float16(0.1)),)


@pytest.mark.parametrize("value", ["1.0", None, 1j, [1.0], np.array([1.0, 2.0])])
@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_what_is_no_number(machine: Machine, kind: str, value: Any) -> None:
    with pytest.raises(lp.SignatureError, match=f"expected a number, got {named(value)}"):
        Keeper(machine, kind)(value)


def test_bools(machine: Machine) -> None:
    keep = Keeper(machine, "bool")
    for value in (True, 1, np.bool_(True)):
        assert keep(value) == (1,)
    for value in (False, 0, np.bool_(False)):
        assert keep(value) == (0,)
    for wrong in (2, -1, "yes", None, 0.5, [], np.array([True, False])):
        with pytest.raises(lp.SignatureError, match="expected a bool"):
            keep(wrong)


def test_arrays_and_addresses(machine: Machine) -> None:
    keep = Keeper(machine, "pointer:uint32")
    (a,) = arrays(machine, 1)
    assert keep(a) == (a.pointer,)
    assert keep(a[3:]) == (a.pointer + 12,)
    assert keep(None) == (0,)
    assert keep(DevicePointer(a.pointer + 4)) == (a.pointer + 4,)
    assert keep(DevicePointer(0)) == (0,)
    assert repr(DevicePointer(255)) == "DevicePointer(0xff)"
    assert int(DevicePointer(255)) == 255


@pytest.mark.parametrize("address", [-1, 2**64, 1.5, "0x10", None])
def test_what_is_no_address(address: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a device address"):
        DevicePointer(address)


def test_an_untyped_pointer_takes_any_array(machine: Machine) -> None:
    keep = Keeper(machine, "pointer")
    for dtype in ("uint8", "float64", "complex64", [("x", "f4"), ("y", "i2")]):
        a = lp.empty(4, dtype, machine.device)
        assert keep(a) == (a.pointer,)


def test_what_is_no_pointer(machine: Machine) -> None:
    keep = Keeper(machine, "pointer:uint32")
    wrong = lp.empty(4, "float32", machine.device)
    structured = lp.empty(4, [("x", "f4")], machine.device)
    for value, message in (
        (wrong, r"keep: parameter 0 \(void \*a\): expected an array of uint32, got an array of float32: create"),
        (structured, 'expected an array of uint32, got an array of .*: create an array with dtype="uint32"$'),
        (0x1000, r"got the int 4096: pass an array; an address goes in launchpath.DevicePointer"),
        (True, "got the"),
        (
            np.zeros(4, np.uint32),
            "got a ndarray in host memory: copy it with launchpath.asarray first, or pass a NumPy array wrapped in "
            "launchpath.In",
        ),
        (
            [1, 2],
            r'got the list \[1, 2\]: copy it with launchpath.asarray\(values, dtype="uint32"\) first, or pass a NumPy .*',
        ),
        ("text", "expected an array, got the str 'text'$"),
        (1.5, "expected an array, got the float 1.5: copy it with launchpath.asarray"),
        ("x" * 500, r"got the str 'xxx.*\.\.\.$"),
    ):
        with pytest.raises(lp.SignatureError, match=message):
            keep(value)
    assert not keep.calls


@pytest.mark.machine(devices=2)
def test_an_array_of_another_device(machine: Machine) -> None:
    keep = Keeper(machine, "pointer:uint32")
    far = lp.empty(4, "uint32", machine.devices[1])
    with pytest.raises(lp.ArgumentValueError, match="the array is on 'Simulated 1', the kernel on 'Simulated"):
        keep(far)


class Thing(ctypes.Structure):
    _fields_ = [("x", ctypes.c_float), ("n", ctypes.c_int32), ("flags", ctypes.c_uint8 * 4)]


def test_structs_by_value(machine: Machine) -> None:
    keep = Keeper(machine, "struct12")
    thing = Thing(1.5, -2, (1, 2, 3, 4))
    scalar = np.array((1.5, -2, (1, 2, 3, 4)), [("x", "f4"), ("n", "i4"), ("flags", "u1", 4)])
    for value in (thing, scalar, scalar[()], bytes(thing), bytearray(bytes(thing)), memoryview(bytes(thing))):
        assert keep(value) == (bytes(thing),)


@pytest.mark.parametrize("value", [b"short", bytes(13), (ctypes.c_int * 4)()])
def test_structs_of_another_size(machine: Machine, value: Any) -> None:
    with pytest.raises(lp.SignatureError, match=r"expected a struct of 12 bytes, got \w+ of \d+"):
        Keeper(machine, "struct12")(value)


@pytest.mark.parametrize("value", [1, 1.5, None, "text", (1.5, -2, 3)])
def test_what_is_no_struct(machine: Machine, value: Any) -> None:
    with pytest.raises(lp.SignatureError, match=r"expected a struct of 12 bytes .* got (?:the|None)"):
        Keeper(machine, "struct12")(value)


def test_bytes_land_at_cudas_offsets(machine: Machine) -> None:
    """float, int, short, int, float, pointer: 32 bytes, two of them padding (HIP's own test of its packer)."""
    keep = Keeper(machine, "float32", "int32", "int16", "int32", "float32", "pointer")
    assert [p.offset for p in keep.signature.parameters] == [0, 4, 8, 12, 16, 24]
    assert keep.signature.size == 32
    assert keep(1.5, -2, -3, 4, 5.5, DevicePointer(0)) == (1.5, -2, -3, 4, 5.5, 0)


@pytest.mark.parametrize(
    "kinds", [("uint8", "uint64", "uint16", "bool", "float64"), ("int8", "struct12", "int64", "int8")]
)
def test_no_argument_touches_its_neighbours(machine: Machine, kinds: tuple[str, ...]) -> None:
    keep = Keeper(machine, *kinds)
    zero: list[Any] = [bytes(12) if kind == "struct12" else 0 for kind in kinds]
    ones: list[Any] = [
        b"\xff" * 12 if k == "struct12" else 1 if k in ("bool", "float64") else limits(k)[1] for k in kinds
    ]
    for i in range(len(kinds)):
        args = list(zero)
        args[i] = ones[i]
        assert list(keep(*args)) == args
        args = list(ones)
        args[i] = zero[i]
        assert list(keep(*args)) == args


def test_nothing_is_kept_of_the_arguments(machine: Machine) -> None:
    """The host may change what it passed as soon as the call returns."""
    keep = Keeper(machine, "struct12", "int32")
    value = bytearray(12)
    keep.kernel[1, 1, keep.stream](value, 1)
    value[:] = b"\xff" * 12
    keep.stream.synchronize()
    assert keep.calls[-1].args == (bytes(12), 1)


def test_packed_bytes_go_as_they_are(machine: Machine) -> None:
    keep = Keeper(machine, "int8", "int64", "float32")
    launcher = keep.kernel[1, 1, keep.stream]
    launcher.packed(struct.pack("<bxxxxxxxqfxxxx", -1, 1 << 40, 2.5))
    keep.stream.synchronize()
    assert keep.calls[-1].args == (-1, 1 << 40, 2.5)
    with pytest.raises(lp.SignatureError, match="packs into 24 bytes, got 3"):
        launcher.packed(b"abc")


def test_many_arguments(machine: Machine) -> None:
    kinds = ["int32", "float64", "uint8", "pointer"] * 16
    keep = Keeper(machine, *kinds)
    args = [i if kind != "pointer" else None for i, kind in enumerate(kinds)]
    assert list(keep(*args)) == [0 if value is None else value for value in args]


@pytest.mark.machine(parameter_bytes=32764)
def test_more_arguments_than_the_stack_takes(machine: Machine) -> None:
    keep = Keeper(machine, "struct16000", "int32", "struct12000")
    first, last = bytes(range(250)) * 64, b"\x07" * 12000
    assert keep(first, -5, last) == (first, -5, last)
    assert keep(c=last, a=first, b=6) == (first, 6, last)


def test_arrays_without_axes_go_as_numpys_scalars_do(machine: Machine) -> None:
    assert Keeper(machine, "int32")(np.array(-3)) == (-3,)
    assert Keeper(machine, "uint8")(np.array(3, "u1")) == (3,)
    assert Keeper(machine, "int32")(np.array(True)) == (1,)
    for kind in "float16", "float32", "float64":
        assert Keeper(machine, kind)(np.array(1.5)) == (1.5,)
        assert Keeper(machine, kind)(np.array(3)) == (3,)
    for value in np.array(True), np.array(1):
        assert Keeper(machine, "bool")(value) == (1,)
    with pytest.raises(lp.SignatureError, match=r"expected an int, got the .*float64 .*: convert it with int\(\)"):
        Keeper(machine, "int32")(np.array(1.0))
    with pytest.raises(lp.SignatureError, match="expected a number, got the complex128"):
        Keeper(machine, "float32")(np.array(1j))
    with pytest.raises(lp.SignatureError, match="expected a bool, got the .*int64"):
        Keeper(machine, "bool")(np.array(2))
    with pytest.raises(lp.SignatureError, match="expected a number, got the Array"):
        Keeper(machine, "float32")(lp.zeros((), device=machine.device))
    with pytest.raises(lp.ArgumentValueError, match="expected a number from 0 to 255, got 300: pass"):
        Keeper(machine, "uint8")(np.array(300))


class Condition:
    """As cuda.core's condition of a graph: its handle is cuda.bindings', which has no more than __int__."""

    class Handle:
        def __int__(self) -> int:
            return 2**63 + 9

    handle = Handle()


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(Condition(), 2**63 + 9), (Condition.handle, 2**63 + 9), (7, 7), (ctypes.c_uint64(2**64 - 1), 2**64 - 1)],
)
def test_a_handle_of_a_conditional_node(machine: Machine, value: Any, wanted: int) -> None:
    keep = Keeper(machine, "conditional")
    assert keep(value) == (wanted,)


@pytest.mark.parametrize("value", [1.0, "7", None, lp])
def test_what_is_no_handle_of_a_conditional_node(machine: Machine, value: Any) -> None:
    keep = Keeper(machine, "conditional")
    with pytest.raises(
        lp.SignatureError,
        match=r"parameter 0 \(cudaGraphConditionalHandle a\): expected the handle of .* or an int, got",
    ):
        keep(value)
    with pytest.raises(lp.SignatureError, match=r"expected an int, got"):
        Keeper(machine, "uint64")(Condition())
