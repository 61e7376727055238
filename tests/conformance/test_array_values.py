"""Values of arrays: what reads them without a stream, assignment to parts, creation, views and copies."""

import numpy as np
import pytest

import launchpath as lp

from .calls import returns_at_once, waits_until_released

READERS = {
    "to_numpy": lambda array: array.to_numpy()[0],
    "out": lambda array: array.to_numpy(out=np.zeros(array.shape, array.dtype))[0],
    "asarray": lambda array: np.asarray(array)[0],
    "repr": lambda array: int(repr(array).partition("[")[2].split()[0]),
    "float": lambda array: float(array[0]),
    "astype": lambda array: array.astype("f8").to_numpy()[0],
}


@pytest.mark.parametrize("n", [10, 5000])
@pytest.mark.parametrize("reader", READERS)
def test_what_reads_without_a_stream_waits_for_a_kernel_on_a_stream_that_is_held(
    device, program, nonblocking, reader, n
):
    array, source = lp.zeros(n, "int32", device), lp.full(n, 7, "int32", device)
    device.synchronize()
    hold = nonblocking.hold()
    program.copy[20, 256, nonblocking](array, source, n)
    assert waits_until_released(hold, READERS[reader], array) == 7


@pytest.mark.parametrize(
    "key", [np.s_[1], np.s_[:, 1], np.s_[::2, ::-1], np.s_[1, 2:5], np.s_[..., 0], np.s_[2, 3]], ids=str
)
def test_assignment_is_numpys(device, key):
    expected = np.arange(42, dtype="float32").reshape(6, 7)
    with device:
        array = lp.asarray(expected)
        values = np.arange(np.size(expected[key])).reshape(np.shape(expected[key]))
        for value in (2.5, values, lp.asarray(-values, "float32")):
            array[key] = value
            expected[key] = np.asarray(value)
            assert (array.to_numpy() == expected).all()


def test_an_assignment_is_asynchronous_and_reads_host_data_at_the_call(device, nonblocking):
    array, host = lp.zeros((10, 10), "int32", device), np.arange(10, dtype="int32")
    device.synchronize()

    def assign():
        with nonblocking:
            array[:, 3] = host
            array[4] = 5
        host[:] = -1

    with nonblocking.hold():
        returns_at_once(assign)
        assert not nonblocking.query()
    expected = np.zeros((10, 10))
    expected[:, 3], expected[4] = np.arange(10), 5
    assert (array.to_numpy() == expected).all()


def test_pinned_data_of_a_new_array_and_of_an_assignment_is_read_at_the_call(device, nonblocking):
    data = lp.pinned_empty(1000, "int32", device)
    data[:] = 1
    array = lp.zeros(1000, "int32", device, nonblocking)
    with nonblocking.hold(), nonblocking:
        new = lp.asarray(data, device=device)
        array[:] = data
        data[:] = 2
    assert (new.to_numpy(nonblocking) == 1).all()
    assert (array.to_numpy(nonblocking) == 1).all()


def test_a_copy_to_itself_changes_nothing(device):
    array = lp.arange(10, device=device)
    array.copy_to(array)
    array[2:5].copy_from(array[2:5])
    assert array.to_numpy().tolist() == list(range(10))


@pytest.mark.parametrize("source", [np.full(3, 1e300), [1e300, 1, 2]])
def test_floats_that_are_too_large_are_refused(device, source):
    array = lp.zeros(3, "float32", device)
    for use in (array.copy_from, lambda data: array.__setitem__(slice(None), data)):
        with pytest.raises(lp.ArgumentValueError, match='expected values that float32 can hold.*astype\\("float32"\\)'):
            use(source)
    array.copy_from([np.inf, -np.inf, 3e38])
    assert array.to_numpy().tolist() == [np.inf, -np.inf, np.float32(3e38)]


def test_a_copy_from_another_dtype_or_shape_says_which_was_expected(device):
    array = lp.zeros(3, "int64", device)
    with pytest.raises(
        lp.ArgumentValueError, match=r'\(3,\) and int64, got shape \(3,\) and int32: .*astype\("int64"\)'
    ):
        array.copy_from(lp.zeros(3, "int32", device))
    with pytest.raises(lp.ArgumentValueError, match=r"\(3,\) and int64, got shape \(4,\) and int64$"):
        array.copy_from(lp.zeros(4, "int64", device))


def test_arrays_are_created_like_numpys(device):
    with device:
        for ours, numpys in (
            (lp.ones((3, 4), "int16"), np.ones((3, 4), "int16")),
            (lp.full(5, 2.5), np.full(5, 2.5)),
            (lp.full((2, 3), [1, 2, 3]), np.full((2, 3), [1, 2, 3])),
            (lp.arange(2, 9, 3), np.arange(2, 9, 3)),
            (lp.full_like(np.zeros((2, 2), "uint8"), 9), np.full((2, 2), 9, "uint8")),
        ):
            assert ours.dtype == numpys.dtype
            assert (ours.to_numpy() == numpys).all()


def test_views_and_copies(device, nonblocking):
    host = np.arange(24, dtype="float32").reshape(4, 6)
    array = lp.asarray(host, device=device)
    assert (array.view("uint64").to_numpy() == host.view("uint64")).all()
    device.synchronize()
    with nonblocking.hold():
        copy = returns_at_once(array.copy, nonblocking)
        returns_at_once(array.fill, 0, nonblocking)
    assert (copy.to_numpy(nonblocking) == host).all()
    assert (copy.astype("int8").to_numpy() == host).all()


def test_fills_where_the_element_is_not_aligned(device):
    floats = lp.zeros(8, "float64", device)
    complexes = floats[1:5].view("complex128")
    complexes.fill(1 + 2j)
    complexes[1] = 3
    assert floats.tolist() == [0, 1, 2, 3, 0, 0, 0, 0]
    complexes.fill(0)
    assert floats.tolist() == [0] * 8


def test_large_arrays_are_shown_as_numpys(device):
    host = np.arange(60_000, dtype="int32").reshape(20, 30, 100)
    assert repr(lp.asarray(host, device=device)).partition(":\n")[2] == f"{host}>"
