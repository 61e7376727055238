"""Arrays: typed device memory, and the ways in and out of it."""

import ctypes
from typing import Any, ClassVar

import numpy as np
import pytest

import launchpath as lp
from tests.simulated import Machine

DTYPES = ("bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128")


@pytest.mark.parametrize("dtype", [*DTYPES, [("x", "f4"), ("n", "i8")], "S3", "datetime64[s]"])
def test_there_and_back(machine: Machine, dtype: Any) -> None:
    rng = np.random.default_rng(1)
    host = np.frombuffer(rng.bytes(60 * np.dtype(dtype).itemsize), dtype).reshape(3, 4, 5)
    if np.dtype(dtype) == bool:
        host = host.view("u1") % 2 == 0
    array = lp.asarray(host, device=machine.device)
    assert (array.shape, array.dtype, array.ndim, array.size, len(array)) == (host.shape, host.dtype, 3, 60, 3)
    assert array.nbytes == host.nbytes
    assert array.to_numpy().tobytes() == host.tobytes()
    assert np.asarray(array).shape == host.shape


@pytest.mark.parametrize("shape", [0, (0, 3), (2, 0), 1, (), (1, 1, 1), 1000, [2, 3], np.int64(4)])
def test_shapes(machine: Machine, shape: Any) -> None:
    array = lp.zeros(shape, "int32", machine.device)
    expected = np.zeros(shape, np.int32)
    assert array.shape == expected.shape
    np.testing.assert_array_equal(array.to_numpy(), expected)


@pytest.mark.parametrize("shape", [-1, (2, -3), 1.5, "3", (2, None), None])
def test_what_is_no_shape(machine: Machine, shape: Any) -> None:
    with pytest.raises(lp.ArgumentValueError):
        lp.empty(shape, "int32", machine.device)


def test_objects_do_not_go_to_a_device(machine: Machine) -> None:
    with pytest.raises(lp.ArgumentValueError, match="without Python objects"):
        lp.empty(3, object, machine.device)


def test_slices_share_the_memory(machine: Machine) -> None:
    host = np.arange(24, dtype=np.int32).reshape(6, 4)
    array = lp.asarray(host, device=machine.device)
    for key in (slice(1, 3), slice(None), slice(-2, None), slice(4, 2), slice(0, 100), slice(6, 6)):
        part = array[key]
        assert part.shape == host[key].shape
        np.testing.assert_array_equal(part.to_numpy(), host[key])
    for index in (0, 5, -1, -6, np.int64(2)):
        np.testing.assert_array_equal(array[index].to_numpy(), host[index])
    assert array[2].pointer == array.pointer + 2 * 16
    assert array[2][3].shape == ()
    assert array[2][3].to_numpy() == 11
    array[1:3].fill(-1)
    host[1:3] = -1
    np.testing.assert_array_equal(array.to_numpy(), host)
    del part


def test_what_is_no_slice(machine: Machine) -> None:
    array = lp.zeros((4, 2), "int32", machine.device)
    for key in (slice(None, None, 2), (slice(None), 0), (slice(2), slice(1))):
        with pytest.raises(
            lp.ArgumentValueError, match=r"contiguous in memory, got .*: index the result of to_numpy\(\)"
        ):
            array[key]
    for index in (4, -5):
        with pytest.raises(
            IndexError, match=f"expected an index from -4 to 3, got index {index} of an array of length 4"
        ):
            array[index]
    for key in ("a", 1.5, True, [0, 1], np.array([0, 1]), (0, "a"), np.ones((4, 2), bool)):
        with pytest.raises(TypeError, match="expected an int, a slice, an Ellipsis or None as an index, got the"):
            array[key]  # type: ignore[index]
    with pytest.raises(IndexError, match="too many indices"):
        array[0, 0, 0]
    with pytest.raises(IndexError, match="out of bounds"):
        array[0, 2]
    with pytest.raises(TypeError, match="without axes"):
        len(array[0][0])


def test_reshape_is_a_view(machine: Machine) -> None:
    array = lp.asarray(np.arange(12, dtype=np.int16), device=machine.device)
    assert array.reshape(3, 4).shape == array.reshape((3, -1)).shape == (3, 4)
    assert array.reshape(-1).pointer == array.pointer
    np.testing.assert_array_equal(array.reshape(3, 4)[1].to_numpy(), [4, 5, 6, 7])
    with pytest.raises(ValueError, match="reshape"):
        array.reshape(5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill(machine: Machine, dtype: str) -> None:
    array = lp.empty((3, 5), dtype, machine.device)
    array.fill(1)
    np.testing.assert_array_equal(array.to_numpy(), np.ones((3, 5), dtype))


def test_fill_of_elements_that_are_no_drivers_pattern(machine: Machine) -> None:
    dtype = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
    array = lp.empty(4, dtype, machine.device)
    value = np.array((1.0, 2.0, 3.0), dtype)
    array.fill(value)
    assert array.to_numpy().tolist() == [(1.0, 2.0, 3.0)] * 4


BAD_VALUES = [("uint8", 256), ("uint8", -1), ("int32", 1.5), ("int32", "x"), ("int8", [1])]


@pytest.mark.parametrize(("dtype", "value"), BAD_VALUES)
def test_values_that_do_not_fit(machine: Machine, dtype: str, value: Any) -> None:
    array = lp.zeros(4, dtype, machine.device)
    with pytest.raises(lp.ArgumentValueError):
        array.fill(value)
    assert array.to_numpy().tolist() == [0] * 4


@pytest.mark.parametrize(
    ("dtype", "data", "message"),
    [
        ("int32", np.arange(4) + 2**31, "expected a value of int32, -2147483648 to 2147483647, got 2147483648"),
        ("uint32", [0, 1, -1, 2], "expected a value of uint32, .*, got -1"),
        ("uint8", np.arange(4) + 254, "expected a value of uint8, .*, got 257"),
        ("int64", np.full(4, 2**63, "u8"), "expected a value of int64, .*, got 9223372036854775808"),
        ("int64", [2**70] * 4, f"expected a value of int64, .*, got {2**70}"),
        ("bool", [0, 1, 2, 0], "expected a value of bool, .*, got 2"),
        ("int32", [0, 1.5, 2, 3], "fractional part"),
        (
            "uint8",
            np.int32(3),
            r"expected an array of shape \(4,\) and uint8, got shape \(\) and int32: to copy the bytes .*data.tobytes\(\)",
        ),
        ("uint8", np.zeros(4, "f4"), r"fractional part; .*data.tobytes\(\)"),
        ("float32", [0, 1j, 2, 3], "imaginary"),
        ("int32", ["a"] * 4, "expected numbers to copy into int32, got <U1"),
        ("int32", [None] * 4, "expected numbers to copy into int32, got object"),
    ],
)
def test_copies_of_what_the_dtype_cannot_hold(machine: Machine, dtype: str, data: Any, message: str) -> None:
    array = lp.zeros(4, dtype, machine.device)
    with pytest.raises(lp.ArgumentValueError, match=message):
        array.copy_from(data)
    assert array.to_numpy().tolist() == [0] * 4


@pytest.mark.parametrize(
    ("dtype", "data"),
    [
        ("uint8", np.array([0, 1, 254, 255], "i8")),
        ("int8", [True, False, True, True]),
        ("bool", [0, 1, 1, 0]),
        ("float32", np.array([1, -2, 3, 2**24], "i8")),
        ("float32", np.array([0.5, -2, 3, 4], "f8")),
        ("complex64", [1, 2, 3, 4]),
        ("int64", np.array([1, 2, 3, 4], object)),
    ],
)
def test_copies_that_convert(machine: Machine, dtype: str, data: Any) -> None:
    array = lp.zeros(4, dtype, machine.device)
    array.copy_from(data)
    assert array.to_numpy().tolist() == list(data)


class Pair(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("n", ctypes.c_int))


PAIR = np.array([(1.5, 7)], [("x", "f4"), ("n", "i4")])


@pytest.mark.parametrize(
    "source",
    [PAIR, PAIR[0], PAIR.reshape(()), PAIR.tobytes(), bytearray(PAIR.tobytes()), Pair(1.5, 7), PAIR.view("u1")],
)
def test_structs_are_copied_as_their_bytes(machine: Machine, source: Any) -> None:
    array = lp.zeros(8, "uint8", machine.device)
    array.copy_from(source)
    assert array.to_numpy().tobytes() == PAIR.tobytes()


@pytest.mark.parametrize("source", [np.zeros(2, PAIR.dtype), b"abc", (Pair * 2)(), np.zeros(2, PAIR.dtype)[0:0]])
def test_structs_of_another_size(machine: Machine, source: Any) -> None:
    array = lp.zeros(8, "uint8", machine.device)
    with pytest.raises(lp.ArgumentValueError):
        array.copy_from(source)
    with pytest.raises(lp.ArgumentValueError, match="expected 8 bytes, for .* of uint8, got bytes of 3"):
        array.copy_from(b"abc")


def test_copies_between_arrays(machine: Machine) -> None:
    host = np.arange(8, dtype=np.float32)
    first, other = lp.asarray(host, device=machine.device), lp.empty(8, "float32", machine.device)
    first.copy_to(other)
    np.testing.assert_array_equal(other.to_numpy(), host)
    other.fill(0)
    other.copy_from(first)
    np.testing.assert_array_equal(other.to_numpy(), host)
    out = np.zeros(8, np.float32)
    other[2:6].copy_to(out[1:5])
    np.testing.assert_array_equal(out, [0, 2, 3, 4, 5, 0, 0, 0])


def test_copies_of_what_does_not_match(machine: Machine) -> None:
    array = lp.zeros((2, 3), "float32", machine.device)
    for other in (
        np.zeros((3, 2), np.float32),
        np.zeros((2, 3), np.float64),
        lp.zeros(6, "float32", machine.device),
        lp.zeros((2, 3), "int32", machine.device),
    ):
        with pytest.raises(lp.ArgumentValueError, match="expected an array of shape"):
            array.copy_to(other)
    readonly = np.zeros((2, 3), np.float32)
    readonly.flags.writeable = False
    for out in (np.zeros((3, 2), np.float32).T, readonly):
        with pytest.raises(lp.ArgumentValueError, match="C-contiguous, writeable"):
            array.copy_to(out)
    del other


@pytest.mark.parametrize("accessible", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_copies_between_devices(shared: bool, accessible: bool) -> None:
    with Machine(devices=2, share_context=shared, host_accessible=accessible) as machine:
        host = np.arange(8, dtype=np.float32)
        first = lp.asarray(host, device=machine.devices[0])
        other = lp.asarray(first, device=machine.devices[1])
        assert other.device is machine.devices[1]
        np.testing.assert_array_equal(other.to_numpy(), host)
        other.fill(2)
        other.copy_to(first)
        np.testing.assert_array_equal(first.to_numpy(), np.full(8, 2))
        del first, other


def test_asarray_of_an_array(machine: Machine) -> None:
    array = lp.asarray([1, 2, 3], "int32", machine.device)
    assert lp.asarray(array) is array
    assert lp.asarray(array, "int32", machine.device) is array
    wider = lp.asarray(array, "int64", machine.device)
    assert wider.to_numpy().tolist() == [1, 2, 3]
    assert lp.asarray([[1, 2], [3, 4]], device=machine.device).shape == (2, 2)
    assert lp.asarray(np.arange(6).reshape(2, 3).T, device=machine.device).to_numpy().tolist() == [
        [0, 3],
        [1, 4],
        [2, 5],
    ]


def test_the_host_may_change_what_it_gave_at_once(machine: Machine, stream: lp.Stream) -> None:
    host = np.arange(100, dtype=np.int32)
    array = lp.asarray(host, device=machine.device, stream=stream)
    host[:] = -1
    np.testing.assert_array_equal(array.to_numpy(stream), np.arange(100))


@pytest.mark.machine(devices=2)
def test_streams_of_another_device(machine: Machine) -> None:
    far = machine.devices[1].legacy_stream
    array = lp.zeros(4, "int32", machine.device)
    for use in (lambda: array.fill(1, far), lambda: array.to_numpy(far), lambda: array.copy_from([1] * 4, far)):
        with pytest.raises(
            lp.ArgumentValueError,
            match="the array's device, got a stream of 'Simulated 1': create it with launchpath.Stream",
        ):
            use()
    with pytest.raises(lp.ArgumentValueError, match="got a stream of 'Simulated 1'"):
        lp.empty(4, "int32", machine.device, far)
    with pytest.raises(lp.ArgumentValueError, match="expected a stream"):
        array.fill(1, 3)  # type: ignore[arg-type]
    assert lp.empty(4, "int32", stream=far).device is machine.devices[1]
    with far:
        array.fill(1)  # the current stream is another device's: the array's own legacy stream
    assert array.to_numpy().tolist() == [1] * 4


def test_dlpack_waits_for_everything(machine: Machine, stream: lp.Stream) -> None:
    array = lp.zeros(8, "float32", machine.device)
    array.fill(5, stream)
    with pytest.raises(AssertionError):
        assert stream.query()
    view = np.from_dlpack(array)
    assert stream.query()
    np.testing.assert_array_equal(view, np.full(8, 5, np.float32))
    assert array.__dlpack_device__() == (1, 0)
    machine.machine.clear()  # the first fill went to the legacy stream: nothing orders the two


@pytest.mark.machine(host_accessible=False)
def test_memory_that_the_host_cannot_reach(machine: Machine) -> None:
    array = lp.asarray(np.arange(8, dtype=np.float32), device=machine.device)
    np.testing.assert_array_equal(array.to_numpy(), np.arange(8))
    with pytest.raises(BufferError, match="the host cannot reach the memory"):
        np.from_dlpack(array)


class Theirs:
    """An array of another library on a GPU."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)


class Interface:
    """One that has the CUDA Array Interface alone."""

    __cuda_array_interface__: ClassVar[dict[str, object]] = {}


@pytest.mark.parametrize("theirs", [Theirs(), Interface()])
def test_arrays_of_other_libraries_are_not_copied(machine: Machine, theirs: object) -> None:
    array = lp.zeros(4, "int32", machine.device)
    for use in (lambda: lp.asarray(theirs), lambda: array.copy_from(theirs), lambda: array.copy_to(theirs)):  # type: ignore[arg-type]
        with pytest.raises(
            lp.ArgumentValueError, match=r"is on a device: .*torch\.from_dlpack\(ours\)\.copy_\(theirs\)"
        ):
            use()
    with pytest.raises(
        lp.ArgumentValueError, match="expected a NumPy array or a launchpath array to copy into, got the list"
    ):
        array.copy_to([0] * 4)  # type: ignore[arg-type]
