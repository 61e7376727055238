"""Parts of arrays: what an index selects, assignment to any part, views with another dtype, copies."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from launchpath._memory import index
from launchpath._memory.copies.transfer import fill_pattern
from tests.fixtures import calls
from tests.simulated import Machine

S = np.s_
CONTIGUOUS = (
    S[1], S[1, 2], S[1, 2, 3], S[-1, -1], S[0, 1:3], S[0, 1, 1:3], S[...], S[1, ...], S[..., 0:5], S[0:1, 2], S[None], S[1, None],
    S[1:1, ::2], S[::5], S[0, 2:3, 1:4], S[2:, :, :], S[np.int64(1), np.uint8(2)], S[()], S[:, 3:3], S[1, ::-1, 0][0:0],
)  # fmt: skip
STRIDED = (
    S[::2], S[::-1], S[:, 1], S[:, :, 1], S[..., 2], S[0, ::2], S[1, 1, ::-1], S[::2, 1:3, ::3], S[:, 1:3], S[:, None, 2],
    S[::-1, ::-1, ::-1], S[2:0:-2, 3, 4:1:-1],
)  # fmt: skip


def host() -> np.ndarray[Any, Any]:
    return np.arange(60, dtype="i4").reshape(3, 4, 5)


@pytest.mark.parametrize("key", CONTIGUOUS, ids=str)
def test_a_part_that_is_contiguous_shares_the_memory(machine: Machine, key: Any) -> None:
    array = lp.asarray(host(), device=machine.device)
    part = array[key]
    expected = np.asarray(host()[key])
    assert part.shape == expected.shape
    np.testing.assert_array_equal(part.to_numpy(), expected)
    if part.size:
        assert part.pointer - array.pointer == 4 * int(expected.flat[0])


@pytest.mark.parametrize("key", STRIDED, ids=str)
def test_a_part_that_is_not_is_refused(machine: Machine, key: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match="expected a part that is contiguous in memory"):
        lp.asarray(host(), device=machine.device)[key]


@pytest.mark.parametrize("key", CONTIGUOUS + STRIDED, ids=str)
def test_assignment_is_numpys(machine: Machine, key: Any) -> None:
    with machine.device:
        array, expected = lp.asarray(host()), host()
        shape = np.shape(expected[key])
        values = 100 + np.arange(np.prod(shape), dtype="i8").reshape(shape)
        array[key] = 7
        expected[key] = 7
        np.testing.assert_array_equal(array.to_numpy(), expected)
        array[key] = values
        expected[key] = values
        np.testing.assert_array_equal(array.to_numpy(), expected)
        array[key] = lp.asarray(-values, "i4")
        expected[key] = -values
        np.testing.assert_array_equal(array.to_numpy(), expected)


@pytest.mark.parametrize(
    "value", [[1, 2, 3, 4, 5], [[1], [2], [3], [4]], np.full((1, 1, 1, 1), 9), np.arange(60).reshape(1, 3, 4, 5)]
)
def test_values_are_repeated_as_numpys_are(machine: Machine, value: Any) -> None:
    with machine.device:
        array, expected = lp.zeros((3, 4, 5), "i4"), np.zeros((3, 4, 5), "i4")
        array[...] = value
        expected[...] = value
        np.testing.assert_array_equal(array.to_numpy(), expected)
        array.fill(0)
        array[...] = lp.asarray(value, "i4")
        np.testing.assert_array_equal(array.to_numpy(), expected)


@pytest.mark.parametrize("dtype", ["bool", "u1", "f2", "f8", "c16", "S3", "U5", "M8[s]", [("x", "f4"), ("n", "i8")]])
def test_any_dtype(machine: Machine, dtype: Any) -> None:
    expected = np.zeros((2, 4), dtype)
    array = lp.zeros((2, 4), dtype, machine.device)
    value = np.ones((), dtype)
    for key, values in ((S[0], value), (S[:, 1], value[()]), (S[1, ::2], np.array([value, value]))):
        array[key] = values
        expected[key] = values
        assert array.to_numpy().tobytes() == expected.tobytes()


def test_bytes_are_copied_unchanged(machine: Machine) -> None:
    array = lp.zeros(8, "u1", machine.device)
    array[2:6] = b"\1\2\3\4"
    array[6] = np.uint8(9)
    assert array.tolist() == [0, 0, 1, 2, 3, 4, 9, 0]
    floats = lp.zeros(2, "f4", machine.device)
    floats[1] = np.float32(2.5).tobytes()
    assert floats.tolist() == [0, 2.5]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (S[0], 2**31, "expected a value of int32, .* got 2147483648"),
        (S[:, 0], 1.5, "fractional part"),
        (S[0], [1, 2, 3, 4, 2**31], "expected a value of int32, .* got 2147483648"),
        (S[0], [1.0] * 5, "fractional part"),
        (S[0], "x", "expected a number for int32, got the str"),
        (S[0], None, "expected a number for int32"),
        (
            S[0],
            [1, 2, 3],
            r"expected values of shape \(4, 5\), or of a shape that can be repeated to it, got shape \(3,\)",
        ),
        (S[0, 0], [[1], [2]], r"expected values of shape \(5,\), .*, got shape \(2, 1\)"),
        (S[0, 0], b"abc", "expected 20 bytes"),
    ],
)
def test_what_cannot_be_assigned_changes_nothing(machine: Machine, key: Any, value: Any, message: str) -> None:
    array = lp.asarray(host(), device=machine.device)
    with pytest.raises(lp.ArgumentValueError, match=message):
        array[key] = value
    np.testing.assert_array_equal(array.to_numpy(), host())


@pytest.mark.parametrize(("key", "error"), [("x", TypeError), (1.5, TypeError), (3, IndexError), ((0, 4), IndexError)])
def test_parts_that_are_not_there(machine: Machine, key: Any, error: type[Exception]) -> None:
    array = lp.asarray(host(), device=machine.device)
    with pytest.raises(error):
        array[key] = 1
    np.testing.assert_array_equal(array.to_numpy(), host())


def test_arrays_that_cannot_be_assigned(machine: Machine) -> None:
    with machine.device:
        array = lp.asarray(host())
        with pytest.raises(lp.ArgumentValueError, match=r"of int32, got an array of float32: .*astype\('int32'\)"):
            array[0] = lp.zeros(5)
        with pytest.raises(lp.ArgumentValueError, match=r"does not overlap .*value\.copy\(\)"):
            array[1:] = array[:-1]
        with pytest.raises(lp.ArgumentValueError, match="does not overlap"):
            array[:, 0] = array[1, 0:1]
        array[1:] = array[:-1].copy()
        expected = host()
        expected[1:] = host()[:-1]
        array[0], array[1] = array[0], array[1]
        array[2, 3] = array[0, 0]
        expected[2, 3] = expected[0, 0]
        np.testing.assert_array_equal(array.to_numpy(), expected)
        gone = lp.zeros(5, "i4")
        gone.free()
        for use in (lambda: array.__setitem__(S[0, 0], gone), lambda: gone.__setitem__(0, 1), gone.copy, gone.tolist):
            with pytest.raises(lp.FreedError):
                use()


@pytest.mark.machine(devices=2)
def test_an_array_of_another_device_goes_through_the_host(machine: Machine) -> None:
    here, there = machine.devices
    array, other = lp.asarray(host(), device=here), lp.asarray(host()[0, :, 0], device=there)
    array[2, :, 1] = other
    expected = host()
    expected[2, :, 1] = host()[0, :, 0]
    np.testing.assert_array_equal(array.to_numpy(), expected)


def test_each_piece_is_a_command_of_the_current_stream(machine: Machine, stream: lp.Stream) -> None:
    array = lp.zeros((3, 4, 5), "i4", machine.device)
    machine.device.synchronize()
    for key, value, submitted in (
        (S[1], 1, {"fill": 1}),
        (S[:, 1], 2, {"fill": 3}),
        (S[1], host()[0], {"copy": 1}),
        (S[:, 1:3], 0, {"fill": 3}),
        (S[:, :, 1], np.arange(4), {"copy_rows": 1}),  # equally far apart
        (S[:, ::3, 1], np.arange(2), {"copy": 6}),
        (S[3:], 1, {}),
    ):
        calls(machine)
        with stream:
            array[key] = value
        done = calls(machine)
        assert {
            name: count for name, count in done.items() if name in ("fill", "copy", "copy_rows", "queue_finish")
        } == submitted
    stream.synchronize()


def test_an_error_between_pieces_leaves_no_memory_in_use(machine: Machine, stream: lp.Stream) -> None:
    array = lp.zeros((3, 4, 5), "i4", machine.device)
    machine.device.synchronize()
    machine.machine.fail("copy", 3)
    with stream, pytest.raises(lp.DriverError):
        array[:, ::3, 1] = np.full(2, 7)
    lp.asarray(np.full(6, 9), device=machine.device)  # the pinned memory of the copies is not free yet
    assert array.to_numpy()[:, ::3, 1].ravel().tolist() == [7, 7] + [0] * 4


def test_too_many_pieces_are_refused(machine: Machine) -> None:
    array = lp.zeros((70_000, 2), "u1", machine.device)
    with pytest.raises(lp.ArgumentValueError, match="at most 65,536 pieces .*, got 70,000.* kernel"):
        array[:, 0] = 1
    array[:] = 1
    assert array.to_numpy().all()


def test_pieces_join_what_is_contiguous() -> None:
    assert index.pieces((3, 4, 5), 4, (80, 20, 4)) == (240, [[0]])
    assert index.pieces((3, 4, 5), 4, (160, 20, 4), (80, 20, 4)) == (80, [[0, 160, 320], [0, 80, 160]])
    assert index.pieces((1, 4, 1), 4, (-7, 4, 0)) == (16, [[0]])
    assert index.pieces((2, 2), 1, (-2, 1)) == (2, [[0, -2]])


def test_iteration_gives_parts(machine: Machine) -> None:
    array = lp.asarray(host(), device=machine.device)
    assert [part.pointer - array.pointer for part in array] == [0, 80, 160]
    assert [part.item() for part in array[0, 0]] == [0, 1, 2, 3, 4]
    with pytest.raises(TypeError, match="without axes"):
        iter(array[0, 0, 0])


@pytest.mark.parametrize(
    ("shape", "dtype", "other"),
    [
        ((3, 4), "f4", "u4"), ((3, 4), "f4", "u1"), ((3, 4), "i2", "c8"), ((3, 4), "c16", "f8"), ((), "f4", "i4"), ((0, 4), "f4", "f8"),
        ((2, 8), "u1", [("a", "i4"), ("b", "f4")]), ((3,), "f8", "(2,)f4"),
    ],
)  # fmt: skip
def test_a_view_has_another_dtype_of_the_same_memory(machine: Machine, shape: Any, dtype: Any, other: Any) -> None:
    data = np.frombuffer(np.random.default_rng(1).bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype)
    data = data.reshape(shape)
    array = lp.asarray(data, device=machine.device)
    view = array.view(other)
    expected = data.view(other)
    assert (view.shape, view.dtype, view.pointer) == (expected.shape, expected.dtype, array.pointer)
    assert view.to_numpy().tobytes() == expected.tobytes()
    assert view.dtype_code == lp.empty(1, view.dtype, machine.device).dtype_code


def test_fills_where_the_element_is_not_aligned(machine: Machine) -> None:
    floats = lp.zeros(8, "f8", machine.device)
    complexes = floats[1:5].view("c16")
    complexes.fill(1 + 2j)
    complexes[1] = 3
    assert floats.tolist() == [0, 1, 2, 3, 0, 0, 0, 0]
    complexes.fill(0)
    assert floats.tolist() == [0] * 8


def test_what_a_driver_fills_with() -> None:
    for element, address, pattern in (
        (b"abcd", 4, b"abcd"), (b"abcd", 2, None), (b"abab", 2, b"ab"), (b"\0" * 16, 3, b"\0"), (b"abc", 3, None), (b"", 0, None),
    ):  # fmt: skip
        assert fill_pattern(element, address) == pattern


def test_views_that_are_refused(machine: Machine) -> None:
    array = lp.zeros((2, 6), "u1", machine.device)
    for use, message in (
        (lambda: array.view("i4"), r"shape \(2, 6\) and uint8 cannot be viewed as int32: "),
        (lambda: array[0, 0].view("i2"), "cannot be viewed as int16"),
        (lambda: array[0, 1:5].view("i4"), "a multiple of 4 bytes for int32, .* byte 1 of its array: copy"),
        (lambda: array.view(object), "without Python objects"),
        (lambda: array.view(None), "expected a dtype, got None"),
    ):
        with pytest.raises(lp.ArgumentValueError, match=message):
            use()
    assert array[0, 1:5].copy().view("i4").shape == (1,)


def test_copies_have_memory_of_their_own(machine: Machine) -> None:
    array = lp.asarray(host(), device=machine.device)
    copies = [array.copy(), copy.copy(array), copy.deepcopy(array), array.astype("i4"), array[...].copy()]
    array.fill(0)
    assert all((part.to_numpy() == host()).all() for part in copies)
    assert array.astype("i4", copy=False) is array
    assert array[1:2].copy().allocation.size == 80
    with pytest.raises(TypeError, match="pickle the result"):
        pickle.dumps(array)


def test_a_copy_is_in_the_order_of_its_stream(machine: Machine, stream: lp.Stream) -> None:
    array = lp.asarray(host(), device=machine.device, stream=stream)
    same, wide = array.copy(stream), array.astype("f8", stream=stream)
    array.fill(0, stream)
    np.testing.assert_array_equal(same.to_numpy(stream), host())
    np.testing.assert_array_equal(wide.to_numpy(stream), host())


def test_astype_converts_as_numpy_does(machine: Machine) -> None:
    data = np.array([0.5, -1.5, 300.0, 2.0**31], "f8")
    array = lp.asarray(data, device=machine.device)
    for dtype in ("i8", "f4", "c8", "bool", "S8"):
        converted = array.astype(dtype)
        assert converted.dtype == np.dtype(dtype)
        assert converted.to_numpy().tobytes() == data.astype(dtype).tobytes()
    for dtype in (object, None, "(2,)f4"):
        with pytest.raises(lp.ArgumentValueError, match="expected a dtype"):
            array.astype(dtype)
