"""HIP's arrays, against NumPy."""

import numpy as np
import pytest

from .calls import fails, ok

WIDTH, HEIGHT = 6, 5  # elements of 4 bytes


@pytest.fixture
def array(hip, channel, made):
    """Return an array of two dimensions."""
    return made(hip.hipMallocArray(channel, WIDTH, HEIGHT, hip.hipArrayDefault))


def data():
    return np.arange(WIDTH * HEIGHT, dtype="f4").reshape(HEIGHT, WIDTH)


def read(hip, array):
    result = np.zeros((HEIGHT, WIDTH), "f4")
    ok(hip.hipMemcpyAtoH(result, array, 0, result.nbytes))
    return result


def write(hip, array, values):
    ok(hip.hipMemcpyHtoA(array, 0, values, values.nbytes))


def test_what_an_array_is(hip, array, channel):
    info, extent, flags = ok(hip.hipArrayGetInfo(array))
    assert (info.x, info.y, info.z, info.w, info.f) == (32, 0, 0, 0, channel.f)
    assert (extent.width, extent.height, extent.depth, flags) == (WIDTH, HEIGHT, 0, 0)
    descriptor = ok(hip.hipArrayGetDescriptor(array))
    assert (descriptor.Width, descriptor.Height, descriptor.NumChannels) == (WIDTH, HEIGHT, 1)
    assert descriptor.Format == hip.hipArray_Format.HIP_AD_FORMAT_FLOAT
    for call in (hip.hipArrayGetInfo, hip.hipArrayGetDescriptor, hip.hipArray3DGetDescriptor):
        fails(call(12345), "hipErrorInvalidHandle")


def test_arrays_by_descriptors(hip):
    flat, deep = hip.HIP_ARRAY_DESCRIPTOR(), hip.HIP_ARRAY3D_DESCRIPTOR()
    for each in (flat, deep):
        fails((hip.hipArrayCreate if each is flat else hip.hipArray3DCreate)(each), "hipErrorInvalidValue")
        each.Width, each.Height, each.NumChannels = 3, 2, 4
        each.Format = hip.hipArray_Format.HIP_AD_FORMAT_SIGNED_INT16
    deep.Depth = 2
    array = ok(hip.hipArrayCreate(flat))
    assert ok(hip.hipArrayGetInfo(array))[0].w == 16
    ok(hip.hipArrayDestroy(array))
    fails(hip.hipArrayDestroy(array), "hipErrorInvalidValue")
    fails(hip.hipFreeArray(array), "hipErrorInvalidValue")
    array = ok(hip.hipArray3DCreate(deep))
    fails(hip.hipArrayGetDescriptor(array), "hipErrorInvalidValue")
    again = ok(hip.hipArray3DGetDescriptor(array))
    assert (again.Width, again.Height, again.Depth, again.NumChannels, again.Flags) == (3, 2, 2, 4, 0)
    assert again.Format == deep.Format
    ok(hip.hipArrayDestroy(array))
    deep.Flags = hip.hipArrayLayered
    fails(hip.hipArray3DCreate(deep), "hipErrorNotSupported")
    flat.NumChannels = 3
    fails(hip.hipArrayCreate(flat), "hipErrorInvalidValue")


def test_arrays_that_cannot_be(hip, channel):
    kinds = hip.hipChannelFormatKind
    fails(hip.hipMallocArray(channel, 0, 4, 0), "hipErrorInvalidValue")
    fails(hip.hipMallocArray(channel, 4, 4, hip.hipArraySurfaceLoadStore), "hipErrorNotSupported")
    fails(hip.hipMallocArray(channel, 1 << 40, 1 << 20, 0), "hipErrorOutOfMemory")
    for bits in ((32, 16, 0, 0), (0, 0, 0, 0), (0, 32, 0, 0), (12, 0, 0, 0)):
        wrong = ok(hip.hipCreateChannelDesc(*bits, kinds.hipChannelFormatKindFloat))
        fails(hip.hipMallocArray(wrong, 4, 4, 0), "hipErrorInvalidValue")
    fails(hip.hipCreateChannelDesc(8, 0, 0, 0, 77), "hipErrorInvalidValue")
    fails(hip.hipMalloc3DArray(channel, hip.hipExtent(width=4, height=0, depth=2), 0), "hipErrorInvalidValue")


@pytest.mark.parametrize("variant", ["", "Async", "_spt", "Async_spt"])
def test_rows_to_an_array_and_back(hip, array, variant):
    kinds, more = hip.hipMemcpyKind, (None,) if "Async" in variant else ()
    to, back = getattr(hip, f"hipMemcpy2DToArray{variant}"), getattr(hip, f"hipMemcpy2DFromArray{variant}")
    write(hip, array, np.zeros((HEIGHT, WIDTH), "f4"))
    values = data() + 1
    ok(to(array, 8, 1, values, 24, 12, 3, kinds.hipMemcpyHostToDevice, *more))
    expected = np.zeros((HEIGHT, WIDTH), "f4")
    expected[1:4, 2:5] = values[:3, :3]
    np.testing.assert_array_equal(read(hip, array), expected)
    result = np.zeros((4, 4), "f4")
    ok(back(result, 16, array, 4, 1, 16, 4, kinds.hipMemcpyDeviceToHost, *more))
    np.testing.assert_array_equal(result, expected[1:5, 1:5])
    for call, wrong in ((to, kinds.hipMemcpyDeviceToHost), (back, kinds.hipMemcpyHostToDevice)):
        arguments = (array, 0, 0, values, 24) if call is to else (values, 24, array, 0, 0)
        fails(call(*arguments, 4, 1, wrong, *more), "hipErrorInvalidMemcpyDirection")
        fails(call(*arguments, 28, 1, kinds.hipMemcpyDefault, *more), "hipErrorInvalidPitchValue")
        fails(call(*arguments, 24, 6, kinds.hipMemcpyDefault, *more), "hipErrorInvalidValue")
        nothing = (9, 0, 0, values, 24) if call is to else (values, 24, 9, 0, 0)
        fails(call(*nothing, 4, 1, kinds.hipMemcpyDefault, *more), "hipErrorInvalidHandle")


def test_rows_of_an_array_to_another_array(hip, array, channel, made):
    other, kind = made(hip.hipMallocArray(channel, 4, 3, 0)), hip.hipMemcpyKind.hipMemcpyDeviceToDevice
    write(hip, array, data())
    ok(hip.hipMemcpy2DArrayToArray(other, 4, 0, array, 8, 2, 12, 3, kind))
    result = np.zeros((3, 4), "f4")
    ok(hip.hipMemcpyAtoH(result, other, 0, 48))
    np.testing.assert_array_equal(result[:, 1:], data()[2:5, 2:5])
    fails(hip.hipMemcpy2DArrayToArray(other, 8, 0, array, 0, 0, 12, 3, kind), "hipErrorInvalidValue")
    wrong = hip.hipMemcpyKind.hipMemcpyHostToDevice
    fails(hip.hipMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 4, 3, wrong), "hipErrorInvalidMemcpyDirection")


def test_bytes_that_go_on_in_the_next_row(hip, array, channel):
    kinds, values = hip.hipMemcpyKind, data()
    write(hip, array, np.zeros_like(values))
    ok(hip.hipMemcpyToArray(array, 16, 1, values, 4 * 10, kinds.hipMemcpyHostToDevice))
    expected = np.zeros(WIDTH * HEIGHT, "f4")
    expected[WIDTH + 4 : WIDTH + 14] = values.ravel()[:10]
    np.testing.assert_array_equal(read(hip, array).ravel(), expected)
    for name in ("hipMemcpyFromArray", "hipMemcpyFromArray_spt"):
        result = np.zeros(9, "f4")
        ok(getattr(hip, name)(result, array, 8, 1, 36, kinds.hipMemcpyDeviceToHost))
        np.testing.assert_array_equal(result, expected[WIDTH + 2 : WIDTH + 11])
        wrong = getattr(hip, name)(result, array, 8, 1, 36, kinds.hipMemcpyHostToDevice)
        fails(wrong, "hipErrorInvalidMemcpyDirection")
    fails(hip.hipMemcpyToArray(array, 0, 4, values, 28, kinds.hipMemcpyHostToDevice), "hipErrorInvalidValue")
    fails(hip.hipMemcpyToArray(array, 0, 0, values, 4, kinds.hipMemcpyHostToHost), "hipErrorInvalidMemcpyDirection")
    fails(hip.hipMemcpyToArray(99, 0, 0, values, 4, kinds.hipMemcpyHostToDevice), "hipErrorInvalidHandle")


def test_bytes_of_the_host_and_the_device(hip, array, channel, made):
    values, memory = data(), made(hip.hipMalloc(48))
    other, stream = made(hip.hipMallocArray(channel, 5, 4, 0)), made(hip.hipStreamCreate())
    ok(hip.hipMemcpyHtoAAsync(array, 0, values, values.nbytes, stream))
    ok(hip.hipMemcpyAtoD(memory, array, 16, 48))
    ok(hip.hipMemcpyDtoA(array, 60, memory, 48))
    expected = values.ravel().copy()
    expected[15:27] = values.ravel()[4:16]
    np.testing.assert_array_equal(read(hip, array).ravel(), expected)
    ok(hip.hipMemcpyAtoA(other, 12, array, 20, 64))
    result = np.zeros(16, "f4")
    ok(hip.hipMemcpyAtoHAsync(result, other, 12, 64, stream))
    np.testing.assert_array_equal(result, expected[5:21])
    fails(hip.hipMemcpyAtoA(other, 0, array, 0, 81), "hipErrorInvalidValue")
    fails(hip.hipMemcpyAtoD(memory, array, 0, 52), "hipErrorInvalidValue")
    fails(hip.hipMemcpyDtoA(array, 100, memory, 48), "hipErrorInvalidValue")
    fails(hip.hipMemcpyHtoA(other, 0, values, 120), "hipErrorInvalidValue")
    fails(hip.hipMemcpyAtoH(values, other, 80, 4), "hipErrorInvalidValue")
    fails(hip.hipMemcpyAtoHAsync(values, other, 0, 4, 12345), "hipErrorInvalidValue")
    fails(hip.hipMemcpyHtoAAsync(12345, 0, values, 4, stream), "hipErrorInvalidHandle")


def test_boxes_of_arrays(hip, channel, made):
    array = made(hip.hipMalloc3DArray(channel, hip.hipExtent(width=4, height=3, depth=2), 0))
    values, result = np.arange(24, dtype="f4").reshape(2, 3, 4), np.zeros((2, 2, 2), "f4")
    p = hip.hipMemcpy3DParms()
    p.dstArray, p.kind = array, hip.hipMemcpyKind.hipMemcpyHostToDevice
    p.srcPtr.ptr, p.srcPtr.pitch, p.srcPtr.xsize, p.srcPtr.ysize = values.ctypes.data, 16, 4, 3
    p.extent.width, p.extent.height, p.extent.depth = 4, 3, 2
    ok(hip.hipMemcpy3D(p))
    back = hip.hipMemcpy3DParms()
    back.srcArray, back.kind = array, hip.hipMemcpyKind.hipMemcpyDeviceToHost
    back.srcPos.x, back.srcPos.y = 2, 1
    back.dstPtr.ptr, back.dstPtr.pitch, back.dstPtr.xsize, back.dstPtr.ysize = result.ctypes.data, 8, 2, 2
    back.extent.width, back.extent.height, back.extent.depth = 2, 2, 2
    ok(hip.hipMemcpy3D_spt(back))
    np.testing.assert_array_equal(result, values[:, 1:, 2:])
    back.srcPos.x = 3
    fails(hip.hipMemcpy3D(back), "hipErrorInvalidValue")
    back.srcArray = 999
    fails(hip.hipMemcpy3D(back), "hipErrorInvalidHandle")
    driver = hip.HIP_MEMCPY3D()
    driver.srcMemoryType, driver.srcArray = hip.hipMemoryType.hipMemoryTypeArray, array
    driver.dstHost, driver.dstPitch, driver.dstHeight = result.ctypes.data, 8, 2
    driver.dstMemoryType = hip.hipMemoryType.hipMemoryTypeHost
    driver.WidthInBytes, driver.Height, driver.Depth = 8, 2, 2
    ok(hip.hipDrvMemcpy3D(driver))
    np.testing.assert_array_equal(result, values[:, :2, :2])
    driver.srcY = 2
    fails(hip.hipDrvMemcpy3D(driver), "hipErrorInvalidValue")
