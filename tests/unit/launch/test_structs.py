"""Structs and vectors as arguments: tuples, lists and dicts of their fields, and layouts of ctypes and NumPy."""

import ctypes
import struct
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._compiler import Parameter, Signature
from tests.fixtures import arrays
from tests.simulated import Machine

FLOAT2 = tuple(Parameter(name, "float", "float32", 4, 4, at) for name, at in (("x", 0), ("y", 4)))
FIELDS = (
    Parameter("factor", "float", "float32", 4, 4, 0),
    Parameter("by", "unsigned int *", "pointer", 8, 8, 8, "uint32"),
    Parameter("at", "Pair", "struct", 8, 4, 16, members=FLOAT2),
    Parameter(
        "m", "short[2][3]", "struct", 12, 2, 24, members=(Parameter("", "short", "int16", 2, 2, 0),), shape=(2, 3)
    ),
    Parameter("half", "__half", "float16", 2, 2, 36),
    Parameter("on", "bool", "bool", 1, 1, 38),
    Parameter("text", "char[4]", "struct", 4, 1, 39, members=(Parameter("", "char", "int8", 1, 1, 0),), shape=(4,)),
)
SIZE = 48
FORMAT = "=f4xQ2f6he?4s5x"
PARTS = ("unsigned int *", "struct")


class Taker:
    """A kernel that takes a number and a struct of a type, and keeps what arrived."""

    def __init__(self, machine: Machine, ctype: str, size: int, align: int, **more: Any) -> None:
        self.calls: list[Any] = []
        given = Parameter("s", ctype, "struct", size, align, 8, **more)
        end = -(-(8 + size) // 8) * 8
        signature = Signature("take", (Parameter("n", "int", "int32", 4, 4, 0), given), end)
        rows = [("int", 0, 4, True), ("struct", 8, size, True)]
        machine.device.driver_device.implement("take", self.calls.append, rows)
        kernel = machine.device.driver_device.build("").kernel("take")
        self.kernel = lp.Kernel(kernel, machine.device, signature)
        self.stream = lp.Stream(blocking=False, device=machine.device)

    def __call__(self, value: Any) -> bytes:
        self.kernel[1, 1, self.stream](1, value)
        self.stream.synchronize()
        return bytes(self.calls[-1].args[1])


@pytest.fixture
def things(machine: Machine) -> Taker:
    return Taker(machine, "Thing", SIZE, 8, members=FIELDS)


@pytest.fixture
def pairs(machine: Machine) -> Taker:
    return Taker(machine, "Pair", 8, 4, members=FLOAT2)


def thing(machine: Machine, **other: Any) -> tuple[dict[str, Any], lp.Array]:
    (array,) = arrays(machine, 1)
    fields = {
        "factor": 1.5, "by": array, "at": (1, 2), "m": [[1, 2, 3], [-4, 5, 6]], "half": 0.5, "on": True, "text": b"abcd",
    }  # fmt: skip
    return {**fields, **other}, array


def test_a_dict_has_the_fields(machine: Machine, things: Taker) -> None:
    fields, array = thing(machine)
    expected = struct.pack(FORMAT, 1.5, array.bare_address, 1, 2, 1, 2, 3, -4, 5, 6, 0.5, True, b"abcd")
    assert things(fields) == expected
    assert things(dict(reversed(fields.items()))) == expected
    assert things(tuple(fields.values())) == things(list(fields.values())) == expected


@pytest.mark.parametrize(
    "changed",
    [
        {"at": {"y": 2, "x": 1}},
        {"at": [np.float64(1), np.int8(2)]},
        {"at": np.float32([1, 2])},
        {"at": struct.pack("2f", 1, 2)},
        {"m": np.int16([[1, 2, 3], [-4, 5, 6]])},
        {"m": np.int16([1, 2, 3, -4, 5, 6])},
        {"m": (np.int64([1, 2, 3]), (-4, 5, 6))},
        {"half": np.float16(0.5)},
        {"on": 1},
        {"text": (97, 98, 99, 100)},
        {"factor": ctypes.c_float(1.5)},
    ],
)
def test_a_field_is_whatever_a_parameter_is(machine: Machine, things: Taker, changed: Any) -> None:
    fields, _ = thing(machine)
    assert things({**fields, **changed}) == things(fields)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"factor": "x"}, r"take: parameter 1 \(Thing s\): field float factor: expected a number, got the str 'x'"),
        ({"factor": 1e300}, "field float factor: expected a number from"),
        (
            {"by": np.zeros(4, "uint32")},
            r"field unsigned int \*by: .* in host memory: copy it with launchpath.asarray first$",
        ),
        ({"by": [1, 2]}, r"field unsigned int \*by: expected an array, got .* first$"),
        ({"by": lp.In(np.zeros(4, "uint32"))}, "got the In .* which takes the place of a whole argument"),
        ({"by": 5}, "pass an array; an address goes in launchpath.DevicePointer"),
        ({"at": (1,)}, r"field Pair at: expected 2 values \(x, y\), got the tuple \(1,\) of 1"),
        ({"at": {"x": 1}}, r"field Pair at: expected 2 values \(x, y\), got a dict without 'y'"),
        ({"at": (1, None)}, "field Pair at: field float y: expected a number, got None"),
        ({"m": [1, 2, 3, 4, 5, 6]}, r"field short\[2\]\[3\] m: expected an array of shape \(2, 3\), got \["),
        ({"m": [[1, 2, 3], [4, 5, 1 << 20]]}, "an element, short: expected a number from -32768 to 32767, got 1048576"),
        ({"m": np.zeros((3, 2), "int16")}, r"expected an array of shape \(2, 3\), got an array of shape \(3, 2\)"),
        ({"m": np.zeros((2, 3), "float16")}, "expected 6 elements of int16, got an array of float16"),
        ({"on": 2}, "field bool on: expected a bool, got the int 2"),
        ({"other": 2}, r"expected 7 values \(factor, by, at, m, half, on, text\), got 'other' too$"),
        ({"factr": 2}, "got 'factr' too. Did you mean 'factor'"),
        ({3: 2}, "got 3 too$"),
        ({"text": b"abc"}, r"field char\[4\] text: expected a struct of 4 bytes, got bytes of 3"),
    ],
)
def test_what_does_not_fit(machine: Machine, things: Taker, changed: Any, message: str) -> None:
    fields, _ = thing(machine)
    with pytest.raises((lp.SignatureError, lp.ArgumentValueError), match=message):
        things({**fields, **changed})
    assert not things.calls


def test_a_field_that_is_missing(machine: Machine, things: Taker) -> None:
    fields, _ = thing(machine)
    del fields["m"], fields["on"]
    with pytest.raises(lp.SignatureError, match="got a dict without 'm', 'on'$"):
        things(fields)
    with pytest.raises(lp.SignatureError, match=r"expected 7 values .*, got the tuple .* of 5$"):
        things(tuple(fields.values()))


def test_a_named_tuple_goes_by_its_names(pairs: Taker) -> None:
    assert pairs(namedtuple("Turned", "y x")(2, 1)) == pairs((1, 2))
    assert pairs(namedtuple("Other", "a b")(1, 2)) == pairs((1, 2))


def test_fields_that_are_not_known(machine: Machine) -> None:
    take = Taker(machine, "U", 8, 4, no_members="U is a union")
    for value in ((1, 2), [1], {"i": 1}):
        with pytest.raises(lp.SignatureError, match=r"\(a ctypes.Structure, .* or bytes\), got the .*: U is a union$"):
            take(value)
    assert take(bytes(range(8))) == bytes(range(8))
    with pytest.raises(lp.SignatureError, match="the fields of the struct are not known"):
        Taker(machine, "Thing", 8, 4)((1, 2))


def test_what_is_no_struct(pairs: Taker) -> None:
    with pytest.raises(
        lp.SignatureError, match=r"\(a tuple or dict of its fields, a ctypes.Structure, .* got the float 1"
    ):
        pairs(1.0)
    with pytest.raises(lp.ArgumentValueError, match=r"C-contiguous array, got one of shape \(2,\) and strides \(8,\)"):
        pairs(np.zeros((2, 2), "float32")[:, 0])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            np.int32([1, 2]),
            r"expected 2 elements of float32, got an array of int32 of shape \(2,\): create it with dtype",
        ),
        (np.float64([1]), "expected 2 elements of float32, got an array of float64"),
        (np.float32([1, 2, 3]), r"expected 2 elements of float32, got an array of float32 of shape \(3,\)"),
        ((ctypes.c_int * 2)(1, 2), "expected float x at byte 0, got c_int_Array_2 with an int of 4 bytes there: lay"),
        ((ctypes.c_double * 1)(1), "expected float x at byte 0, got c_double_Array_1 with a float of 8 bytes there"),
        (np.zeros((), [("x", "f4"), ("y", "i4")]), "expected float y at byte 4, got ndarray with an int of 4 bytes"),
        (np.zeros(2, ">f4"), "expected 2 elements of float32, got an array of >f4"),
    ],
)
def test_types_that_cannot_be_right(pairs: Taker, value: Any, message: str) -> None:
    for _ in range(2):
        with pytest.raises(lp.SignatureError, match=message):
            pairs(value)
    assert pairs(np.float32([1, 2])) == struct.pack("2f", 1, 2)


class Right(ctypes.Structure):
    _fields_ = [
        ("factor", ctypes.c_float), ("address", ctypes.c_void_p), ("at", ctypes.c_float * 2),
        ("m", ctypes.c_short * 3 * 2), ("bits", ctypes.c_uint16), ("on", ctypes.c_uint8), ("text", ctypes.c_char * 4),
    ]  # fmt: skip


class Base(ctypes.Structure):
    _fields_ = [("factor", ctypes.c_float), ("address", ctypes.c_uint64)]


class Derived(Base):
    _fields_ = [("rest", ctypes.c_ubyte * 32)]


class Late(ctypes.Structure):
    """The pointer comes first."""

    _fields_ = [("address", ctypes.c_void_p), ("factor", ctypes.c_float), ("rest", ctypes.c_ubyte * 36)]


class Bits(ctypes.Structure):
    _fields_ = [("low", ctypes.c_int, 3), ("high", ctypes.c_int, 29), ("rest", ctypes.c_float)]


class Either(ctypes.Union):
    _fields_ = [("x", ctypes.c_int), ("all", ctypes.c_char * 8)]


def test_structures_of_ctypes(machine: Machine, things: Taker, pairs: Taker) -> None:
    for kind in (Right, Derived):
        assert ctypes.sizeof(kind) == SIZE
        for factor in (1.5, 2.5):
            assert things(kind(factor=factor)) == struct.pack("=f44x", factor)
    with pytest.raises(
        lp.SignatureError, match=r"expected float factor at byte 0, got Late with an int of 8 bytes there"
    ):
        things(Late())
    assert pairs(Bits(1, 2, 3.0))[4:] == struct.pack("f", 3)  # what a bit-field means is the program's
    assert pairs(Either(all=b"abcdefgh")) == b"abcdefgh"


def test_structured_scalars_of_numpy(things: Taker) -> None:
    names = ["factor", "by", "at", "m", "half", "on", "text"]
    formats = ["f4", "u8", ("f4", 2), ("i2", (2, 3)), "f2", "?", "S4"]
    right = np.dtype({"names": names, "formats": formats, "offsets": [p.offset for p in FIELDS], "itemsize": SIZE})
    value = np.zeros(3, right)
    value["m"], value["factor"] = 7, (1, 2, 3)
    assert things(value[1]) == value[1].tobytes()
    assert things(value[2:3]) == things(value[2])
    packed = np.dtype({"names": names[:3], "formats": ["f4", "u8", ("f4", 2)], "offsets": [0, 4, 12], "itemsize": SIZE})
    with pytest.raises(
        lp.SignatureError, match=r"expected unsigned int \*by at byte 8, got void with an int of 8 bytes"
    ):
        things(np.zeros(1, packed)[0])
    assert things(value[0]) == value[0].tobytes()


def test_bytes_mean_what_the_program_says(things: Taker) -> None:
    for kind in (bytes, bytearray, memoryview):
        assert things(kind(bytes(range(SIZE)))) == bytes(range(SIZE))
    assert things(np.arange(SIZE, dtype="uint8")) == bytes(range(SIZE))


def test_a_number_for_a_pair(machine: Machine) -> None:
    take = Taker(machine, "float2", 8, 8, pointee="complex64", members=FLOAT2)
    assert (
        take(1 + 2j) == take((1, 2)) == take(np.complex64(1 + 2j)) == take({"x": 1, "y": 2}) == struct.pack("2f", 1, 2)
    )


def test_an_array_in_a_struct_is_ordered(machine: Machine, things: Taker) -> None:
    """The launch comes after what the array's memory still waits for, as for an array that is an argument."""
    (maker,) = machine.streams(("nonblocking",))
    with maker:
        lp.zeros(16, "uint32", machine.device)
        array = lp.empty(16, "uint32", machine.device)  # where that was, which is still to be filled
    fields, _ = thing(machine, by=array)
    things.kernel[1, 1, things.stream](1, fields)
    assert machine.machine.log[-1][4], "the launch waits for nothing"
    things.stream.synchronize()


def test_an_array_in_a_struct_that_was_freed(machine: Machine, things: Taker) -> None:
    fields, array = thing(machine)
    array.free()
    with pytest.raises(lp.FreedError, match=r"field unsigned int \*by: "):
        things(fields)


def test_structs_in_a_step(machine: Machine, things: Taker) -> None:
    fields, array = thing(machine)
    step = lp.Step()
    for factor in (1, 2, 3):
        with step:
            things.kernel[1, 1, things.stream](1, {**fields, "factor": factor})
            assert len(things.calls) == factor - 1
        things.stream.synchronize()
    assert [struct.unpack_from("f", call.args[1])[0] for call in things.calls] == [1, 2, 3]
    assert step.report().direct == 0
    frozen = step.freeze()
    del fields, array
    frozen.launch()
    things.stream.synchronize()
    assert things.calls[-1].args[1] == things.calls[-2].args[1]


def test_foreign_memory_in_a_struct_is_not_kept_back(machine: Machine, things: Taker) -> None:
    fields, array = thing(machine)
    step = lp.Step()
    with step:
        things.kernel[1, 1, things.stream](1, {**fields, "by": lp.DevicePointer(array.bare_address)})
    assert step.report().direct == 1
