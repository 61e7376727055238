"""HIP's texture objects, against NumPy."""

import ctypes

import numpy as np
import pytest

from tests.fetching import sampled

from .calls import compiled, fails, ok

SOURCE = b"""#include <hip/hip_runtime.h>
#define READ(name, call) extern "C" __global__ void name(float* out, hipTextureObject_t t, const float* at, int n) { \\
    int i = blockIdx.x * blockDim.x + threadIdx.x; \\
    if (i < n) out[i] = call; \\
}
READ(read1, (tex1D<float>(t, at[3 * i])))
READ(read2, (tex2D<float>(t, at[3 * i], at[3 * i + 1])))
READ(read3, (tex3D<float>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2])))
READ(fetch, ((float)tex1Dfetch<short2>(t, i - 1).y + tex1Dfetch<short2>(t, i - 1).x * at[0]))
"""
N = 300
RANDOM = np.random.default_rng(5)
POINTS = RANDOM.uniform(-4, 12, (N, 3)).astype("f4")
WRAP, CLAMP, MIRROR, BORDER = range(4)
NAMES = ["wrap", "clamp", "mirror", "border"]
WEIGHTS = 1 / 128  # texture units weigh with 8 bits of fraction


@pytest.fixture(scope="module")
def code(device):
    from launchpath import hip
    from launchpath.hip._devices import current

    current.choose(device)
    module = ok(hip.hipModuleLoadData(compiled(SOURCE, b"textures.hip")))
    yield module
    current.choose(device)
    ok(hip.hipModuleUnload(module))
    current.choose(None)


@pytest.fixture
def read(hip, code):
    """Run a kernel that reads a texture at points."""

    def ran(name, texture, points=POINTS):
        out = np.zeros(len(points), "f4")
        kernel = ok(hip.hipModuleGetFunction(code, name))
        memory, at = ok(hip.hipMalloc(out.nbytes)), ok(hip.hipMalloc(points.nbytes))
        ok(hip.hipMemcpy(at, points, points.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
        arguments = (memory, texture, at, ctypes.c_int(len(points)))
        ok(hip.hipModuleLaunchKernel(kernel, 4, 1, 1, 128, 1, 1, 0, None, None, arguments))
        ok(hip.hipMemcpy(out, memory, out.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
        for each in (memory, at):
            ok(hip.hipFree(each))
        return out

    return ran


def of_array(hip, array):
    resource = hip.hipResourceDesc()
    resource.resType = hip.hipResourceType.hipResourceTypeArray
    resource.res.array.array = array
    return resource


def how(hip, *, address=(CLAMP,) * 3, linear=False, normalized=False, floats=False):
    """Write a hipTextureDesc; the bindings have no `addressMode`, which is at its begin."""
    desc = hip.hipTextureDesc()
    ctypes.memmove(int(desc.as_c_void_p().value), (ctypes.c_int * 3)(*address), 12)
    desc.filterMode = hip.hipTextureFilterMode(int(linear))
    desc.readMode = hip.hipTextureReadMode(int(floats))
    desc.normalizedCoords = int(normalized)
    return desc


def write(hip, array, values):
    depth, height, width = values.shape
    copy = hip.hipMemcpy3DParms()
    copy.srcPtr.ptr, copy.srcPtr.pitch = values.ctypes.data, width * 4
    copy.srcPtr.xsize, copy.srcPtr.ysize = width, height
    copy.dstArray, copy.kind = array, hip.hipMemcpyKind.hipMemcpyHostToDevice
    copy.extent.width, copy.extent.height, copy.extent.depth = width, height, depth
    ok(hip.hipMemcpy3D(copy))


def wanted(values, points, **reads):
    modes = [NAMES[mode] for mode in reads.pop("address", (CLAMP,) * 3)]
    return sampled(values[..., None], points, modes, **reads)[:, 0]


def in_software(device):
    from launchpath import _core

    return _core.reads_textures_in_software(device)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize(
    "reads",
    [
        {}, {"linear": True, "address": (BORDER, CLAMP, BORDER)},
        {"linear": True, "normalized": True, "address": (WRAP, MIRROR, WRAP)},
    ],
    ids=["point", "linear", "normalized"],
)  # fmt: skip
@pytest.mark.sample(2)
def test_arrays(hip, device, read, channel, axes, reads):
    size = (7, 6, 5)[:axes]
    values = RANDOM.standard_normal((1,) * (3 - axes) + size[::-1]).astype("f4")
    extent = hip.hipExtent()
    extent.width, extent.height, extent.depth = (*size, 0, 0)[:3]
    array = ok(hip.hipMalloc3DArray(channel, extent, 0))
    write(hip, array, values)
    created = hip.hipCreateTextureObject(of_array(hip, array), how(hip, **reads), None)
    if axes == 3 and not in_software(device):
        fails(created, "hipErrorNotSupported")
        assert "reads no array of three axes" in hip.reason()
        ok(hip.hipFreeArray(array))
        return
    texture = ok(created)
    points = POINTS / 7 if reads.get("normalized") else POINTS
    name = b"read%d" % axes
    expected = wanted(values.reshape(size[::-1]), points, **reads)
    bound = axes * WEIGHTS * np.ptp(values) if reads.get("linear") and not in_software(device) else 1e-5
    assert np.abs(read(name, texture, points) - expected).max() <= bound
    # It sees what is written to the array, as HIP's do.
    write(hip, array, values + 1)
    if reads == {}:
        assert np.abs(read(name, texture, points) - expected - 1).max() <= 1e-5
    ok(hip.hipDestroyTextureObject(texture))
    ok(hip.hipFreeArray(array))


def test_modes_that_need_normalized_coordinates_clamp_without_them(hip, read, channel, made):
    array = made(hip.hipMallocArray(channel, 7, 6, 0))
    values = RANDOM.standard_normal((1, 6, 7)).astype("f4")
    write(hip, array, values)
    texture = ok(hip.hipCreateTextureObject(of_array(hip, array), hip.hipTextureDesc(), None))  # all zeros: wrap
    assert np.array_equal(read(b"read2", texture), wanted(values[0], POINTS).astype("f4"))
    ok(hip.hipDestroyTextureObject(texture))


def test_rows_in_memory(hip, read, channel):
    values = RANDOM.integers(0, 255, (6, 7)).astype("u1")
    memory, pitch = ok(hip.hipMallocPitch(7, 6))
    ok(hip.hipMemcpy2D(memory, pitch, values, 7, 7, 6, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    resource = hip.hipResourceDesc()
    resource.resType = hip.hipResourceType.hipResourceTypePitch2D
    rows = resource.res.pitch2D
    kind = hip.hipChannelFormatKind.hipChannelFormatKindUnsigned
    rows.devPtr, rows.width, rows.height, rows.pitchInBytes = memory, 7, 6, pitch
    rows.desc.x, rows.desc.f = 8, kind
    texture = ok(hip.hipCreateTextureObject(resource, how(hip, floats=True), None))
    got = read(b"read2", texture)
    assert np.abs(got - wanted(values.astype("f4") / 255, POINTS)).max() < 1e-6
    again = ok(hip.hipGetTextureObjectResourceDesc(texture))
    rows = again.res.pitch2D
    assert (rows.width, rows.height, rows.pitchInBytes, rows.desc.x, rows.desc.f) == (7, 6, pitch, 8, kind)
    assert int(rows.devPtr) == int(memory)
    ok(hip.hipTexObjectDestroy(texture))
    ok(hip.hipFree(memory))


def test_elements_by_their_index_and_the_module_apis_structs(hip, read, made):
    values = RANDOM.integers(-99, 99, (N, 2)).astype("i2")
    memory = made(hip.hipMalloc(values.nbytes))
    ok(hip.hipMemcpy(memory, values, values.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice))
    resource, desc = hip.HIP_RESOURCE_DESC(), hip.HIP_TEXTURE_DESC()
    resource.resType = hip.HIPresourcetype.HIP_RESOURCE_TYPE_LINEAR
    linear = resource.res.linear
    linear.devPtr, linear.numChannels, linear.sizeInBytes = memory, 2, values.nbytes
    linear.format = hip.hipArray_Format.HIP_AD_FORMAT_SIGNED_INT16
    desc.flags = hip.HIP_TRSF_READ_AS_INTEGER
    texture = ok(hip.hipTexObjectCreate(resource, desc, None))
    factor = np.full((N + 2, 3), 1000, "f4")
    zero = np.zeros(1)
    expected = np.concatenate([zero, values[:, 1] + values[:, 0] * 1000.0, zero])  # zeros outside
    assert read(b"fetch", texture, factor).tolist() == expected.tolist()
    resource = ok(hip.hipTexObjectGetResourceDesc(texture))  # what is within a struct does not keep it alive
    linear = resource.res.linear
    assert (linear.numChannels, linear.sizeInBytes, linear.format) == (
        2, values.nbytes, hip.hipArray_Format.HIP_AD_FORMAT_SIGNED_INT16,
    )  # fmt: skip
    assert ok(hip.hipTexObjectGetTextureDesc(texture)).flags == hip.HIP_TRSF_READ_AS_INTEGER
    # The runtime's functions say the same of it.
    resource = ok(hip.hipGetTextureObjectResourceDesc(texture))
    linear = resource.res.linear
    assert (linear.desc.x, linear.desc.y, linear.desc.z, linear.sizeInBytes) == (16, 16, 0, values.nbytes)
    assert ok(hip.hipGetTextureObjectTextureDesc(texture)).readMode == 0
    for view in (
        ok(hip.hipGetTextureObjectResourceViewDesc(texture)),
        ok(hip.hipTexObjectGetResourceViewDesc(texture)),
    ):
        assert (view.format, view.width, view.lastLayer) == (0, 0, 0)
    ok(hip.hipTexObjectDestroy(texture))


def test_what_a_texture_says_of_its_array(hip, channel, made):
    array = made(hip.hipMallocArray(channel, 7, 6, 0))
    desc = how(hip, linear=True, normalized=True, address=(WRAP, MIRROR, BORDER))
    texture = ok(hip.hipCreateTextureObject(of_array(hip, array), desc, None))
    resource = ok(hip.hipGetTextureObjectResourceDesc(texture))
    assert int(resource.res.array.array) == int(array)
    resource = ok(hip.hipTexObjectGetResourceDesc(texture))
    assert int(resource.res.array.hArray) == int(array)
    again = ok(hip.hipGetTextureObjectTextureDesc(texture))
    modes = (ctypes.c_int * 3).from_address(again.as_c_void_p().value)
    assert (again.filterMode, again.normalizedCoords, [*modes]) == (1, 1, [WRAP, MIRROR, BORDER])
    flags = hip.HIP_TRSF_NORMALIZED_COORDINATES | hip.HIP_TRSF_READ_AS_INTEGER  # floats are read as they are
    assert ok(hip.hipTexObjectGetTextureDesc(texture)).flags == flags
    ok(hip.hipDestroyTextureObject(texture))
    ok(hip.hipDestroyTextureObject(None))
    fails(hip.hipDestroyTextureObject(texture), "hipErrorInvalidValue")


def test_resetting_the_device_forgets_them(hip, device, channel, made):
    from launchpath.hip._arrays.texture_objects import _forget

    array = made(hip.hipMallocArray(channel, 7, 6, 0))
    texture = ok(hip.hipCreateTextureObject(of_array(hip, array), how(hip), None))
    _forget(device)  # hipDeviceReset would end what other tests share
    fails(hip.hipGetTextureObjectTextureDesc(texture), "hipErrorInvalidValue")
