"""HIP's texture objects on the CUDA and HIP libraries: what these are asked for, over which memory, and when it ends."""

from importlib.util import find_spec

import numpy as np
import pytest

from tests.hip_api.calls import fails, ok

if find_spec("rocm") is None:  # there are no wheels of HIP's types for this platform
    pytest.skip("HIP's types are not installed", allow_module_level=True)

import launchpath as lp
from launchpath import hip
from launchpath.hip._devices import current

WIDTH, HEIGHT = 7, 6
FLOAT = hip.hipChannelFormatKind.hipChannelFormatKindFloat


@pytest.fixture
def array(gpu):
    current.choose(gpu.device)
    handle = ok(hip.hipMallocArray(ok(hip.hipCreateChannelDesc(32, 0, 0, 0, FLOAT)), WIDTH, HEIGHT, 0))
    yield handle
    ok(hip.hipFreeArray(handle))
    current.choose(None)


def of_array(handle):
    resource = hip.hipResourceDesc()
    resource.res.array.array = handle
    return resource


def elements(gpu, texture, size):
    out = lp.zeros(size, "uint8", gpu.device)
    gpu.device.synchronize()
    gpu.kernel("texels")[1, 1](out, lp.DevicePointer(int(texture)))
    return out.to_numpy()


def test_an_array_is_rows_in_memory(gpu, array):
    values = np.arange(WIDTH * HEIGHT, dtype="f4").reshape(HEIGHT, WIDTH)
    ok(hip.hipMemcpyHtoA(array, 0, values, values.nbytes))
    gpu.forget_calls()
    texture = ok(hip.hipCreateTextureObject(of_array(array), hip.hipTextureDesc(), None))
    (call,) = gpu.calls("cuTexObjectCreate")
    size = 256 * (HEIGHT - 1) + 4 * WIDTH
    assert call.detail == f"3 {size} 0 0"
    assert gpu.live()["arrays"] == 0  # it reads the memory of HIP's array
    for factor in (1, 2):
        got = np.zeros(256 * HEIGHT, "uint8")
        got[:size] = elements(gpu, texture, size)
        assert (got.view("f4").reshape(HEIGHT, -1)[:, :WIDTH] == factor * values).all()
        ok(hip.hipMemcpyHtoA(array, 0, 2 * values, values.nbytes))
    ok(hip.hipDestroyTextureObject(texture))
    gpu.settle()
    assert gpu.live()["textures"] == 0


def test_memory_by_the_elements_index(gpu, array):
    memory = ok(hip.hipMalloc(400))
    resource = hip.hipResourceDesc()
    resource.resType = hip.hipResourceType.hipResourceTypeLinear
    linear = resource.res.linear
    linear.devPtr, linear.sizeInBytes, linear.desc.x, linear.desc.f = memory, 400, 32, FLOAT
    gpu.forget_calls()
    texture = ok(hip.hipCreateTextureObject(resource, hip.hipTextureDesc(), None))
    assert [call.detail for call in gpu.calls("cuTexObjectCreate")] == ["2 400 0 0"]
    ok(hip.hipDestroyTextureObject(texture))
    ok(hip.hipFree(memory))


def test_what_texture_units_do_not_read(gpu, array):
    extent = hip.hipExtent()
    extent.width, extent.height, extent.depth = 4, 3, 2
    deep = ok(hip.hipMalloc3DArray(ok(hip.hipCreateChannelDesc(32, 0, 0, 0, FLOAT)), extent, 0))
    fails(hip.hipCreateTextureObject(of_array(deep), hip.hipTextureDesc(), None), "hipErrorNotSupported")
    assert "reads no array of three axes that is rows in memory: use launchpath.Texture" in hip.reason()
    ok(hip.hipFreeArray(deep))


def test_all_memory_is_where_texture_units_take_it(gpu, array):
    gpu.device.pool.share(2 << 20)  # small pieces of one segment, which are multiples of 256 bytes
    places = [ok(hip.hipMalloc(100)) for _ in range(7)]
    try:
        assert [int(place) % 512 for place in places] == [0] * 7
        for place in places:
            ok(hip.hipMemset(place, 1, 100))
            fails(hip.hipMemset(place, 1, 101), "hipErrorInvalidValue")
    finally:
        gpu.device.pool.share(0)
        for place in places:
            ok(hip.hipFree(place))
