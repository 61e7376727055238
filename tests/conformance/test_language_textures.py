"""Textures and surfaces: objects are addresses of descriptors, references are variables that begin with one."""

import functools

import numpy as np
import pytest

import launchpath as lp

WRAP, CLAMP, MIRROR, BORDER = range(4)
RANDOM = np.random.default_rng(5)
DESCRIPTOR = np.dtype([
    ("data", "u8"), ("size", "u4", 3), ("pitch", "u4"), ("channels", "u4"), ("kind", "u4"), ("bits", "u4"),
    ("address_mode", "u4", 3), ("linear", "u4"), ("normalized_coordinates", "u4"), ("normalized_read", "u4"),
    ("reserved", "u4"),
])  # fmt: skip


def descriptor(array, dimensions, *, channels=1, mode=CLAMP, linear=False, normalized=False, floats=False, width=None):
    """Bytes of a descriptor of an array on a device; of fewer columns than its rows have, with `width`."""
    record = np.zeros(1, DESCRIPTOR)
    size = list(array.shape[:dimensions])[::-1]
    pitch = size[0] * channels * array.dtype.itemsize
    record["data"], record["size"][0, :dimensions], record["pitch"] = array.pointer, size, pitch
    record["channels"] = channels
    record["kind"], record["bits"] = "uif".index(array.dtype.kind), array.dtype.itemsize * 8
    record["address_mode"], record["linear"], record["normalized_coordinates"] = mode, linear, normalized
    record["normalized_read"] = floats
    if width is not None:
        record["size"][0, 0] = width
    return record.view("uint8")


@functools.cache
def compiled(source, device):
    return lp.compile(source, device)


def run(device, values, dimensions, body, points, out="float32", per_point=1, **options):
    """What `body` stores in ``out[i]``, or from there on, for ``x``, ``y``, ``z`` of each of the points."""
    array = lp.asarray(values, device=device)
    texture = lp.asarray(descriptor(array, dimensions, **options), device=device)
    type_name = {"float32": "float", "int32": "int", "uint32": "unsigned"}[out]
    source = f"""#include <cuda_runtime.h>
    __global__ void k({type_name}* out, cudaTextureObject_t tex, const float* at, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
        {body}
    }}
    """
    coordinates = np.zeros((len(points), 3), "float32")
    coordinates[:, : np.shape(points)[1]] = points
    result = lp.zeros((len(points), per_point), out, device)
    program = compiled(source, device)
    program.k[-(-len(points) // 64), 64](
        result, lp.DevicePointer(texture.pointer), lp.asarray(coordinates, device=device), len(points)
    )
    return result.to_numpy()[:, 0] if per_point == 1 else result.to_numpy()


def scaled(x, size, mode, normalized):
    """A coordinate in elements, and the mode that counts."""
    if not normalized:
        return x, BORDER if mode == BORDER else CLAMP
    if mode == WRAP:
        x = x - np.floor(x)
    elif mode == MIRROR:
        whole = np.floor(x)
        x = np.where(whole % 2 == 0, x - whole, 1 - (x - whole))
    return x * size, mode


def element(values, indices, modes):
    outside = np.zeros(indices[0].shape, bool)
    taken = []
    for index, size, mode in zip(indices, values.shape, modes, strict=True):
        if mode == BORDER:
            outside |= (index < 0) | (index >= size)
        taken.append(index % size if mode == WRAP else np.clip(index, 0, size - 1))
    return np.where(outside, 0, values[tuple(taken)])


def expected(values, points, mode, linear, normalized):
    """CUDA's rules (CUDA C++ Programming Guide, "Texture Fetching"), in double precision."""
    coordinates, modes = [], []
    for axis, size in enumerate(values.shape):
        x = np.float64(points[:, values.ndim - 1 - axis])
        x, counts = scaled(x, size, mode, normalized)
        coordinates.append(x - 0.5 if linear else x)
        modes.append(counts)
    low = [np.floor(x).astype(int) for x in coordinates]
    if not linear:
        return element(values, low, modes)
    total = np.zeros(len(points))
    for corner in np.ndindex(*[2] * values.ndim):
        weight = np.ones(len(points))
        for x, i, high in zip(coordinates, low, corner, strict=True):
            weight *= x - i if high else 1 - (x - i)
        total += weight * element(values, [i + high for i, high in zip(low, corner, strict=True)], modes)
    return total


OBJECTS = pytest.mark.opencl_only("CUDA's and HIP's textures are objects that their runtimes make")
READS = {1: "tex1D<float>(tex, x)", 2: "tex2D<float>(tex, x, y)", 3: "tex3D<float>(tex, x, y, z)"}


@pytest.mark.sample(3)
@OBJECTS
@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
@pytest.mark.parametrize("dimensions", READS)
def test_samples_follow_cudas_rules(device, dimensions, linear):
    values = RANDOM.standard_normal((5, 6, 7)[-dimensions:]).astype("float32")
    body = f"out[i] = {READS[dimensions]};"
    for normalized in False, True:
        for mode in WRAP, CLAMP, MIRROR, BORDER:
            # A multiple of 1/16 off the edges between elements, where rounding would decide.
            points = RANDOM.integers(-40, 80, (300, 3)) / 16 * (1 if normalized else 2) + 1 / 37
            points = points.astype("float32")
            got = run(device, values, dimensions, body, points, mode=mode, linear=linear, normalized=normalized)
            wanted = expected(values, points, mode, linear, normalized)
            assert np.allclose(got, wanted, atol=2e-5), (normalized, mode)


@OBJECTS
def test_far_points_and_nan_stay_inside(device):
    values = np.arange(1, 7, dtype="float32")
    points = np.array([[np.inf], [-np.inf], [3e38], [-3e38], [np.nan]])
    got = run(device, values, 1, "out[i] = tex1D<float>(tex, x);", points)
    assert got.tolist() == [6, 1, 6, 1, 1]


@OBJECTS
def test_fetch_by_index(device):
    values = RANDOM.integers(-99, 99, 50).astype("int32")
    index = np.arange(-3, 53, dtype="float32")[:, None]
    got = run(device, values, 1, "out[i] = tex1Dfetch<int>(tex, (int)x);", index, "int32", linear=True)
    assert got.tolist() == [0, 0, 0, *values.tolist(), 0, 0, 0]


@pytest.mark.sample(4)
@OBJECTS
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32"])
def test_channels_of_every_type(device, dtype):
    values = RANDOM.integers(0, 256, (3, 4, 4 * np.dtype(dtype).itemsize), "uint8").view(dtype)
    if values.dtype.kind == "f":
        values = np.nan_to_num(values, posinf=np.inf, neginf=-np.inf)
        values[0, 0] = [0, -0.0, np.finfo(dtype).smallest_normal, np.finfo(dtype).max]
    vector = {"u": "uint4", "i": "int4", "f": "float4"}[values.dtype.kind]
    out = {"u": "uint32", "i": "int32", "f": "float32"}[values.dtype.kind]
    body = f"""{vector} v, w = tex2D<{vector}>(tex, x, y);
        tex2D(&v, tex, x, y);
        out[4 * i] = v.x; out[4 * i + 1] = w.y; out[4 * i + 2] = v.z; out[4 * i + 3] = w.w;"""
    points = np.array([(x, y) for y in range(3) for x in range(4)]) + 0.5
    got = run(device, values, 2, body, points, out, 4, channels=4)
    assert (got == values.reshape(12, 4).astype(out)).all()


@OBJECTS
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
@pytest.mark.parametrize("linear", [False, True])
def test_integers_read_as_floats_up_to_1(device, dtype, linear):
    limits = np.iinfo(dtype)
    values = RANDOM.integers(limits.min, limits.max, (4, 4), dtype, endpoint=True)
    values[0, :2] = limits.min, limits.max
    points = (RANDOM.integers(0, 32, (64, 2)) / 8 + 1 / 64).astype("float32")
    got = run(device, values, 2, "out[i] = tex2D<float>(tex, x, y);", points, floats=True, linear=linear)
    wanted = expected(np.maximum(values / limits.max, -1), points, CLAMP, linear, False)
    assert np.allclose(got, wanted, atol=1e-6)


@OBJECTS
def test_layers_levels_and_rows_with_a_pitch(device):
    values = RANDOM.standard_normal((3, 4, 6)).astype("float32")
    body = """out[4 * i] = tex2DLayered<float>(tex, x, y, (int)z);
        out[4 * i + 1] = tex2DLod<float>(tex, x, y, 0.0f);
        out[4 * i + 2] = tex2DGrad<float>(tex, x, y, make_float2(1, 0), make_float2(0, 1));
        tex3D(out + 4 * i + 3, tex, x, y, z);"""
    points = RANDOM.integers(0, 10, (50, 3)).astype("float32")
    got = run(device, values, 3, body, points, per_point=4, width=5)
    x, y, z = (np.minimum(points[:, axis].astype(int), limit) for axis, limit in enumerate([4, 3, 2]))
    assert (got == np.stack([values[z, y, x], values[0, y, x], values[0, y, x], values[z, y, x]], 1)).all()


@OBJECTS
def test_one_channel_of_four_elements(device):
    values = RANDOM.integers(0, 1000, (5, 6, 4)).astype("float32")
    points = [(2.0, 3.0), (0.2, 0.3), (5.9, 4.9), (3.6, 2.4)]
    body = "float4 v = tex2Dgather<float4>(tex, x, y, 2); float* to = out + 4 * i;"
    body += "to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = v.w + tex2Dgather<float>(tex, x, y) * 1000.0f;"
    got = run(device, values, 2, body, points, per_point=4, channels=4)
    for (x, y), gathered in zip(points, got, strict=True):
        left, top = int(np.floor(x - 0.5)), int(np.floor(y - 0.5))
        lower_left, *others = (
            values[min(max(top + below, 0), 4), min(max(left + right, 0), 5)]
            for right, below in ((0, 1), (1, 1), (1, 0), (0, 0))
        )
        expected = [lower_left[2], *(each[2] for each in others)]
        expected[3] += lower_left[0] * 1000
        np.testing.assert_allclose(gathered, expected, rtol=1e-6)


def test_layers_of_1_dimension(device):
    values = RANDOM.standard_normal((4, 1, 6)).astype("float32")
    points = np.array([(x, layer) for layer in range(-1, 6) for x in range(6)], "float32")
    got = run(device, values, 3, "out[i] = tex1DLayered<float>(tex, x, (int)y);", points)
    assert (got.reshape(7, 6) == values[[0, 0, 1, 2, 3, 3, 3], 0]).all()


@OBJECTS
@pytest.mark.parametrize("mark", ["", "__device__ "])
def test_references(device, mark):
    source = f"""#include <cuda_runtime.h>
    {mark}texture<float, 2, cudaReadModeElementType> image;
    {mark}texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> colors(1, cudaFilterModePoint);
    {mark}texture<int> table;
    __global__ void k(float* out) {{
        int i = threadIdx.x;
        out[4 * i] = tex2D(image, i + 0.5, 1.0);
        float4 color = tex1D(colors, i / 4.0f);
        out[4 * i + 1] = color.y; out[4 * i + 2] = color.w; out[4 * i + 3] = tex1Dfetch(table, i);
    }}
    void host(cudaArray* array, int* data, float* out) {{
        cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
        image.addressMode[0] = cudaAddressModeWrap;
        image.filterMode = cudaFilterModeLinear;
        image.normalized = true;
        image.channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        cudaBindTextureToArray(image, array, desc);
        cudaBindTexture(NULL, &table, data, &table.channelDesc, 16);
        k<<<1, 4>>>(out);
    }}
    """
    program = lp.compile(source, device)
    out = lp.zeros((4, 4), "float32", device)
    program.k[1, 4](out)
    assert (out.to_numpy() == 0).all()  # nothing is bound
    image = RANDOM.standard_normal((3, 4)).astype("float32")
    colors, table = RANDOM.integers(0, 256, (4, 4), "uint8"), np.array([5, -6, 7], "int32")
    arrays = [lp.asarray(values, device=device) for values in (image, colors, table)]
    options = [
        {"dimensions": 2, "linear": True},
        {"dimensions": 1, "channels": 4, "normalized": True},
        {"dimensions": 1},
    ]
    for name, array, settings in zip(["image", "colors", "table"], arrays, options, strict=True):
        symbol = program.symbol(name)
        begin = np.frombuffer(symbol.to_numpy().tobytes(), "uint8").copy()
        begin[:64] = descriptor(array, **settings)
        symbol.copy_from(begin.view(symbol.dtype).reshape(symbol.shape))
    program.k[1, 4](out)
    wanted = [(image[0] + image[1]) / 2, colors[:, 1] / 255, colors[:, 3] / 255, [5, -6, 7, 0]]
    assert np.allclose(out.to_numpy(), np.transpose(wanted))


@OBJECTS
def test_surfaces(device):
    source = """#include <cuda_runtime.h>
    __global__ void k(cudaSurfaceObject_t from, cudaSurfaceObject_t to, float2* out) {
        int x = (int)threadIdx.x - 1, y = threadIdx.y;
        float2 value = surf2Dread<float2>(from, x * (int)sizeof(float2), y, cudaBoundaryModeZero), clamped;
        surf2Dread(&clamped, from, x * (int)sizeof(float2), y, cudaBoundaryModeClamp);
        surf2Dwrite(make_float2(value.y, value.x), to, x * (int)sizeof(float2), y, cudaBoundaryModeZero);
        out[threadIdx.y * blockDim.x + threadIdx.x] = clamped;
    }
    """
    values = RANDOM.standard_normal((3, 4, 2)).astype("float32")
    arrays = lp.asarray(values, device=device), lp.zeros((3, 4, 2), "float32", device)
    surfaces = [lp.asarray(descriptor(array, 2, channels=2), device=device) for array in arrays]
    clamped = lp.zeros((4, 6, 2), "float32", device)
    lp.compile(source, device).k[1, (6, 4)](surfaces[0].pointer, surfaces[1].pointer, clamped)
    assert (arrays[1].to_numpy() == values[..., ::-1]).all()
    assert (clamped.to_numpy() == values[[0, 1, 2, 2]][:, [0, 0, 1, 2, 3, 3]]).all()


@pytest.mark.parametrize("words", ["cuda", "hip"])
def test_functions_on_objects_compile_in_both_dialects(device, words):
    source = f"""#include <{words}{"/hip" if words == "hip" else ""}_runtime.h>
    __global__ void k(float* out, {words}TextureObject_t tex, {words}SurfaceObject_t surface, float x) {{
        out[0] = tex1D<float>(tex, x) + tex2D<float>(tex, x, x) + tex3D<float>(tex, x, x, x);
        out[1] = tex1Dfetch<float>(tex, 3) + tex2DLayered<float>(tex, x, x, 1) + tex2DLod<float>(tex, x, x, 0.0f);
        surf2Dwrite(surf2Dread<float>(surface, 0, 1), surface, 4, 1);
    }}
    """
    assert lp.compile(source, device).k.name == "k"


def test_macros_of_the_program_do_not_reach_the_headers(device):
    names = "T N M D E data size pitch width height depth mode linear a b c v"
    macros = "".join(f"#define {name} 7 +\n" for name in names.split())
    source = (
        macros
        + """#include <cuda_runtime.h>
    __global__ void k(float* out, cudaTextureObject_t tex) { out[0] = tex2D<float>(tex, 0.0f, 0.0f); }
    """
    )
    lp.compile(source, device)
