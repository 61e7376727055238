"""Arrays: making, copying, filling, slicing; what a copy on a stream promises."""

import numpy as np
import pytest

import launchpath as lp

from .calls import returns_at_once, waits_until_released

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "complex64", "complex128")  # fmt: skip
PARTICLE = np.dtype([("position", "f4", 3), ("id", "i8"), ("alive", "?")], align=True)


def some(dtype, shape=(7, 5)):
    return (np.arange(np.prod(shape)).reshape(shape) % 100).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_data_goes_in_and_comes_back(device, dtype):
    array = lp.asarray(some(dtype), device=device)
    assert array.dtype == dtype
    assert array.shape == (7, 5)
    back = array.to_numpy()
    assert back.dtype == dtype
    assert (back == some(dtype)).all()


def test_structured_data_goes_in_and_comes_back(device):
    host = np.zeros(9, PARTICLE)
    host["position"], host["id"], host["alive"] = np.arange(27).reshape(9, 3), np.arange(9), True
    array = lp.asarray(host, device=device)
    assert array.dtype == PARTICLE
    assert (array.to_numpy() == host).all()
    assert (array[2:4].to_numpy() == host[2:4]).all()


@pytest.mark.parametrize("dtype", ["S5", "U3", "M8[s]", "m8[ns]", "V7", ">i4", np.longlong])
def test_data_of_a_dtype_that_no_kernel_knows_goes_in_and_comes_back(device, dtype):
    host = np.arange(6).astype("int64").view("V8").astype(dtype) if dtype == "V7" else np.arange(6).astype(dtype)
    array = lp.asarray(host, device=device)
    assert array.dtype == host.dtype
    assert (array.to_numpy() == host).all()


def test_a_subarray_dtype_becomes_part_of_the_shape(device):
    array = lp.zeros(3, np.dtype(("f4", (2,))), device)
    assert array.shape == (3, 2)
    assert array.to_numpy().tolist() == [[0, 0]] * 3


def test_numpy_asarray_gives_a_copy(device):
    array = lp.asarray([1, 2, 3], "int32", device)
    host = np.asarray(array)
    host[:] = 0
    assert np.asarray(array).tolist() == [1, 2, 3]
    assert np.asarray(array, "float64").dtype == "float64"
    with pytest.raises(ValueError, match="copying"):
        np.asarray(array, copy=False)


@pytest.mark.parametrize("data", [3, 2.5, [1, 2], [[1.0], [2.0]], (), np.float32(4), range(4)])
def test_asarray_takes_what_numpy_takes(device, data):
    array = lp.asarray(data, device=device)
    wanted = np.asarray(data)
    assert array.shape == wanted.shape
    assert array.dtype == wanted.dtype
    assert (array.to_numpy() == wanted).all()


def test_asarray_of_strided_and_foreign_data(device):
    host = np.arange(24, dtype="int32").reshape(4, 6)
    for view in (host.T, host[::2, ::-1], host.astype(">i4")):
        assert (lp.asarray(view, "int32", device).to_numpy() == view).all()


def test_asarray_of_an_array_of_the_device_is_that_array(device):
    array = lp.asarray([1, 2], "int32", device)
    assert lp.asarray(array) is array
    assert lp.asarray(array, "float32").to_numpy().tolist() == [1.0, 2.0]


def test_zeros_are_zeros_even_in_memory_used_before(device):
    first = lp.asarray(np.full(3000, 255, "uint8"), device=device)
    device.synchronize()
    del first
    assert not lp.zeros(3000, "uint8", device).to_numpy().any()


@pytest.mark.parametrize("shape", [0, (0,), (3, 0), (0, 4)])
def test_empty_arrays_are_arrays(device, shape):
    array = lp.zeros(shape, "int32", device)
    assert array.size == 0
    assert array.to_numpy().shape == np.empty(shape).shape
    array.fill(1)
    array.copy_from(np.empty(array.shape, "int32"))
    lp.empty(shape, "int32", device).copy_from(array)
    assert array[0:0].size == 0


def test_an_array_says_what_it_is(device):
    array = lp.empty((3, 4), "float64", device)
    assert (array.shape, array.ndim, array.size, array.nbytes, len(array)) == ((3, 4), 2, 12, 96, 3)
    assert array.device is device
    assert array.pointer % 128 == 0
    assert "(3, 4) float64" in repr(array)
    with pytest.raises(TypeError):
        len(lp.empty((), device=device))


def test_slices_share_the_memory(device):
    array = lp.asarray(np.arange(20, dtype="int32").reshape(10, 2), device=device)
    part = array[3:6]
    assert part.shape == (3, 2)
    assert part.pointer == array.pointer + 3 * 8
    part.fill(-1)
    expected = np.arange(20).reshape(10, 2)
    expected[3:6] = -1
    assert (array.to_numpy() == expected).all()


@pytest.mark.parametrize("key", [0, -1, 5, slice(None), slice(2, 4), slice(-3, None), slice(8, 100), slice(6, 2)])
def test_slices_are_numpys(device, key):
    host = np.arange(20, dtype="int32").reshape(10, 2)
    assert (lp.asarray(host, device=device)[key].to_numpy() == host[key]).all()


def test_slices_of_slices_and_elements(device):
    host = np.arange(24, dtype="int32").reshape(4, 3, 2)
    array = lp.asarray(host, device=device)
    assert array[1:][1][2].to_numpy().tolist() == host[1:][1][2].tolist()
    assert array[3][2][1].to_numpy() == host[3, 2, 1]
    assert array[np.int64(2)].shape == (3, 2)


def test_a_slice_keeps_the_memory_alive(device):
    array = lp.asarray(np.arange(1000, dtype="int32"), device=device)
    part = array[10:13]
    del array
    others = [lp.zeros(1000, "int32", device) for _ in range(4)]
    assert part.to_numpy().tolist() == [10, 11, 12]
    assert len(others) == 4


@pytest.mark.parametrize(
    ("key", "error"),
    [(10, IndexError), (-11, IndexError), (slice(0, 10, 2), lp.ArgumentValueError), ("a", TypeError), (1.5, TypeError)],
)
def test_bad_keys_are_refused(device, key, error):
    with pytest.raises(error):
        lp.empty(10, device=device)[key]


def test_reshape_shares_the_memory(device):
    array = lp.asarray(np.arange(12, dtype="int32"), device=device)
    assert array.reshape(3, 4).to_numpy().tolist() == np.arange(12).reshape(3, 4).tolist()
    assert array.reshape((2, -1)).shape == (2, 6)
    assert array.reshape(3, 4).pointer == array.pointer
    with pytest.raises(ValueError, match="reshape"):
        array.reshape(5, 5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill_sets_every_element(device, dtype):
    array = lp.zeros((5, 3), dtype, device)
    array[1:4].fill(1)
    assert array.to_numpy().sum() == (3 if dtype == "bool" else 9) or array.to_numpy().all(axis=1).sum() == 3


def test_fill_of_an_odd_sized_element(device):
    value = np.zeros((), PARTICLE)
    value["id"], value["alive"] = 7, True
    array = lp.empty(5, PARTICLE, device)
    array.fill(value)
    assert (array.to_numpy()["id"] == 7).all()


@pytest.mark.parametrize("value", [[1, 2], "x", 1.5, 300])
def test_fill_takes_a_single_value_that_the_dtype_holds(device, value):
    with pytest.raises((TypeError, ValueError)):
        lp.empty(4, "uint8", device).fill(value)


def test_a_fill_runs_in_the_streams_order(device, nonblocking, side):
    array = lp.zeros(100, "int32", device)
    device.synchronize()
    with nonblocking.hold() as hold:
        returns_at_once(array.fill, 5, nonblocking)
        assert (array.to_numpy(side) == 0).all()
        hold.release()
    assert (array.to_numpy(nonblocking) == 5).all()


def test_host_data_may_be_changed_right_after_the_call(device, nonblocking):
    host = np.arange(10_000, dtype="int32")
    array = lp.zeros(10_000, "int32", device)
    device.synchronize()
    with nonblocking.hold() as hold:
        returns_at_once(array.copy_from, host, nonblocking)
        host[:] = -1
        part = lp.asarray(host[:5], stream=nonblocking)
        host[:] = -2
        hold.release()
    assert (array.to_numpy(nonblocking) == np.arange(10_000)).all()
    assert (part.to_numpy(nonblocking) == -1).all()


def test_many_uploads_in_flight_keep_their_own_data(device, nonblocking):
    array = lp.empty((50, 1000), "int32", device)
    host = np.empty(1000, "int32")
    with nonblocking.hold():
        for i in range(50):
            host[:] = i
            array[i].copy_from(host, nonblocking)
    assert (array.to_numpy(nonblocking) == np.arange(50)[:, None]).all()


def test_to_numpy_waits_for_the_stream_and_only_for_it(device, nonblocking, side):
    array = lp.zeros(10, "int32", device)
    device.synchronize()
    hold = nonblocking.hold()
    array.fill(3, nonblocking)
    assert (returns_at_once(array.to_numpy, side) == 0).all()
    assert (waits_until_released(hold, array.to_numpy, nonblocking) == 3).all()


def test_to_numpy_on_legacy_waits_for_blocking_streams(device, blocking):
    array = lp.zeros(10, "int32", device)
    hold = blocking.hold()
    array.fill(3, blocking)
    assert (waits_until_released(hold, array.to_numpy) == 3).all()


def test_copies_between_arrays_run_in_the_streams_order(device, nonblocking):
    source, to = lp.asarray(np.arange(10), device=device), lp.zeros(10, "int64", device)
    device.synchronize()
    with nonblocking.hold():
        returns_at_once(to.copy_from, source, nonblocking)
        returns_at_once(source.fill, 0, nonblocking)
        assert not nonblocking.query()
    assert (to.to_numpy(nonblocking) == np.arange(10)).all()
    source.copy_to(to, nonblocking)
    assert (to.to_numpy(nonblocking) == 0).all()


def test_copy_to_a_host_array_blocks_until_it_is_there(device, nonblocking):
    array, out = lp.zeros((4, 4), "int32", device), np.full((4, 4), 9, "int32")
    device.synchronize()
    hold = nonblocking.hold()
    array.fill(2, nonblocking)
    waits_until_released(hold, array.copy_to, out, nonblocking)
    assert (out == 2).all()


def test_overlapping_copies_are_refused_and_change_nothing(device):
    array = lp.asarray(np.arange(10), device=device)
    with pytest.raises(lp.LaunchpathError, match=r"(?i)overlap"):
        array[1:].copy_from(array[:-1])
    array[5:].copy_from(array[:5])
    assert array.to_numpy().tolist() == [0, 1, 2, 3, 4] * 2


def test_copies_that_do_not_fit_are_refused(device):
    array = lp.empty((4, 4), "int32", device)
    read_only = np.zeros((4, 4), "int32")
    read_only.flags.writeable = False
    for out in (np.empty((4, 4), "int32").T[::-1], read_only, np.empty(16, "int32"), np.empty((4, 4), "float32")):
        with pytest.raises(lp.ArgumentValueError):
            array.copy_to(out)
    with pytest.raises(lp.ArgumentValueError, match=r"shape \(4, 4\) and int32, got shape \(3,\)"):
        array.copy_from(np.empty(3, "int32"))
    with pytest.raises(lp.ArgumentValueError, match="and int32, got shape .* and float32: convert it first"):
        array.copy_from(lp.empty((4, 4), "float32", device))


def test_an_array_freed_while_a_launch_uses_it_keeps_its_data_until_then(device, program, nonblocking, side):
    n = 5000
    out, source = lp.zeros(n, "int32", device), lp.asarray(np.arange(n, dtype="int32"), device=device)
    device.synchronize()
    with nonblocking.hold() as hold:
        program.copy[20, 256, nonblocking](out, source, n)
        source.free()
        others = [lp.empty(n, "int32", device) for _ in range(4)]
        for other in others:
            other.fill(-1, side)
        returns_at_once(side.synchronize)
        hold.release()
    assert (out.to_numpy(nonblocking) == np.arange(n)).all()


def test_an_array_dropped_while_its_raw_address_is_used_keeps_its_data(device, program, nonblocking, side):
    n = 3000
    out, source = lp.zeros(n, "int32", device), lp.asarray(np.arange(n, dtype="int32"), device=device)
    device.synchronize()
    with nonblocking.hold() as hold:
        program.copy[12, 256, nonblocking](out, lp.DevicePointer(source.pointer), n)
        del source
        for _ in range(4):
            lp.empty(n, "int32", device).fill(-1, side)
        side.synchronize()
        hold.release()
    assert (out.to_numpy(nonblocking) == np.arange(n)).all()


def test_a_freed_array_cannot_be_used(device, nonblocking):
    array = lp.empty(10, "int32", device)
    part = array[2:]
    array.free()
    array.free()
    for use in (array.to_numpy, part.to_numpy, lambda: array.pointer, lambda: array[1:], lambda: array.fill(1),
                lambda: array.copy_from(np.zeros(10, "int32")), lambda: np.from_dlpack(array)):  # fmt: skip
        with pytest.raises(lp.FreedError, match="was freed"):
            use()


@pytest.mark.parametrize(("shape", "dtype"), [(-1, "f4"), ((2, -3), "f4"), (2.5, "f4"), ("ab", "f4"), (3, "O")])
def test_bad_shapes_and_dtypes_are_refused(device, shape, dtype):
    with pytest.raises(lp.ArgumentValueError):
        lp.empty(shape, dtype, device)


def test_a_copy_takes_a_stream_of_its_own_device(device):
    array = lp.empty(3, device=device)
    with pytest.raises(lp.ArgumentValueError, match="expected a stream"):
        array.to_numpy(3)
