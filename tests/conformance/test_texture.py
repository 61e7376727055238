"""Textures from Python: every mode, dimension and type, against CUDA's documented rules in NumPy."""

import functools
import gc

import numpy as np
import pytest

import launchpath as lp
from tests.fetching import as_read, in_layers, sampled, tolerance

RANDOM = np.random.default_rng(11)
READS = {
    "tex1D": "tex1D<{}>(tex, at[0])",
    "tex2D": "tex2D<{}>(tex, at[0], at[1])",
    "tex3D": "tex3D<{}>(tex, at[0], at[1], at[2])",
    "tex1DLayered": "tex1DLayered<{}>(tex, at[0], (int)at[2])",
    "tex2DLayered": "tex2DLayered<{}>(tex, at[0], at[1], (int)at[2])",
    "tex1Dfetch": "tex1Dfetch<{}>(tex, (int)at[0])",
    "tex2DLod": "tex2DLod<{}>(tex, at[0], at[1], 0.0f)",
}
STORES = {1: "out[i] = v;", 2: "out[2*i] = v.x; out[2*i+1] = v.y;",
          4: "out[4*i] = v.x; out[4*i+1] = v.y; out[4*i+2] = v.z; out[4*i+3] = v.w;"}  # fmt: skip
SCALARS = {"f": ("float", "float32"), "i": ("int", "int32"), "u": ("unsigned", "uint32")}
VECTORS = {"float": "float", "int": "int", "unsigned": "uint"}
ALL = [("float", read, 1) for read in READS]
ALL += [(scalar, read, count) for scalar in VECTORS for read in ("tex1D", "tex2D") for count in (1, 2, 4)]
ADDRESSES = ("clamp", "border", "wrap", "mirror")
SHAPES = {"tex1D": (7,), "tex2D": (6, 7), "tex3D": (5, 6, 7), "tex1DLayered": (4, 7), "tex2DLayered": (3, 6, 7)}


def kernel_text(scalar, read, count):
    vector = scalar if count == 1 else f"{VECTORS[scalar]}{count}"
    return f"""
    __global__ void {read}_{scalar}{count}({scalar}* out, cudaTextureObject_t tex, const float* points, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        const float* at = points + 3 * i;
        {vector} v = {READS[read].format(vector)};
        {STORES[count]}
    }}"""


@functools.cache
def program(device):
    """Return a kernel for each function and type."""
    return lp.compile(
        "#include <cuda_runtime.h>\n" + "".join(kernel_text(*each) for each in dict.fromkeys(ALL)), device
    )


def read(texture, name, points, kind="f"):
    """What a function reads at points, with an axis of channels."""
    device, (scalar, dtype) = texture.device, SCALARS[kind]
    coordinates = np.zeros((len(points), 3), "float32")
    coordinates[:, : np.shape(points)[1]] = points
    out = lp.zeros((len(points), texture.channels), dtype, device)
    kernel = getattr(program(device), f"{name}_{scalar}{texture.channels}")
    kernel[-(-len(points) // 64), 64](out, texture, lp.asarray(coordinates, device=device), len(points))
    return out.to_numpy()


def points_for(normalized, count=300):
    """Coordinates beyond both ends, off the edges between elements, where rounding would decide."""
    return (RANDOM.integers(-40, 80, (count, 3)) / 16 * (1 if normalized else 2) + 1 / 37).astype("float32")


@pytest.fixture
def bits(native):
    """Return the bits of a weight's fraction that the device's texture units keep; None: reads are in software."""
    return 8 if native else None


@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.sample(2)
def test_samples_follow_cudas_rules(device, bits, name, linear):
    values = RANDOM.standard_normal(SHAPES[name]).astype("float32")
    array, layered = lp.asarray(values, device=device), name.endswith("Layered")
    axes = values.ndim - layered
    for normalized in False, True:
        for mode in ADDRESSES[: 4 if normalized else 2]:
            texture = lp.Texture(
                array, layered=layered, address=mode, filter="linear" if linear else "point", normalized=normalized
            )
            points, how = points_for(normalized), {"linear": linear, "normalized": normalized}
            points[:, 2] = abs(points[:, 2]) if layered else points[:, 2]  # CUDA devices take -1 for the last layer
            got = read(texture, name, points)
            if layered:
                wanted = in_layers(values[..., None], points, points[:, 2].astype(int), [mode] * axes, **how)
            else:
                wanted = sampled(values[..., None], points, [mode] * axes, **how)
            assert np.allclose(got, wanted, rtol=0, atol=tolerance(values, axes, bits) if linear else 0), (
                normalized, mode)  # fmt: skip


def test_each_axis_has_its_own_address_mode(device):
    values = RANDOM.standard_normal((6, 7)).astype("float32")
    modes = ["wrap", "border"]  # x, y
    texture = lp.Texture(lp.asarray(values, device=device), address=modes, normalized=True)
    points = points_for(True)
    assert texture.address == ("wrap", "border")
    assert (read(texture, "tex2D", points) == sampled(values[..., None], points, modes, normalized=True)).all()


@pytest.mark.sample(8)
@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32"])
def test_channels_of_every_type(device, dtype, channels):
    values = RANDOM.integers(0, 256, (3, 4, channels * np.dtype(dtype).itemsize), "uint8").view(dtype)
    if values.dtype.kind == "f":
        values = np.nan_to_num(values, nan=1.5)
    texture = lp.Texture(lp.asarray(values, device=device), channels=channels)
    points = np.array([(x, y) for y in range(3) for x in range(4)]) + 0.5
    got = read(texture, "tex2D", points, values.dtype.kind)
    assert (got == as_read(values, False).reshape(12, channels)).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_integers_read_as_floats_up_to_1(device, bits, dtype, linear):
    limits = np.iinfo(dtype)
    values = RANDOM.integers(limits.min, limits.max, (4, 5), dtype, endpoint=True)
    values[0, :2] = limits.min, limits.max
    texture = lp.Texture(
        lp.asarray(values, device=device), read="normalized_float", filter="linear" if linear else "point"
    )
    points, floats = points_for(False), as_read(values, True)
    wanted = sampled(floats[..., None], points, ["clamp"] * 2, linear=linear)
    got = read(texture, "tex2D", points)
    assert np.allclose(got, wanted, rtol=0, atol=tolerance(floats, 2, bits) if linear else 1e-6)


def test_fields_of_a_structured_dtype_are_channels(device):
    values = np.zeros((3, 4), [("x", "f4"), ("y", "f4")])
    values["x"], values["y"] = RANDOM.standard_normal((2, 3, 4))
    texture = lp.Texture(lp.asarray(values, device=device))
    points = np.array([(x, y) for y in range(3) for x in range(4)]) + 0.5
    assert (texture.channels, texture.dimensions) == (2, 2)
    assert (read(texture, "tex2D", points) == values.view("f4").reshape(12, 2)).all()


def test_fetch_by_index(device):
    values = RANDOM.integers(-99, 99, 200_000).astype("float32")  # more than a 1D texture of CUDA reaches
    texture = lp.Texture(lp.asarray(values, device=device), fetch=True)
    index = np.array([0, 1, 77, 131071, 131072, 199_999])
    assert read(texture, "tex1Dfetch", index[:, None])[:, 0].tolist() == values[index].tolist()
    texture.update(lp.asarray(values + 1, device=device))
    assert read(texture, "tex1Dfetch", index[:, None])[:, 0].tolist() == (values[index] + 1).tolist()


def test_a_texture_is_a_copy_until_it_is_updated(device):
    array = lp.full((2, 3), 1, "float32", device)
    texture, middle = lp.Texture(array), np.array([[1.5, 1.5]])
    array.fill(2)
    assert read(texture, "tex2D", middle) == 1
    assert read(texture, "tex2DLod", middle) == 1
    texture.update(array)
    array.free()
    assert read(texture, "tex2D", middle) == 2


def test_a_dropped_texture_serves_the_launch_in_flight(device):
    stream, kernel = lp.Stream(blocking=False, device=device), program(device).tex2D_float1
    out, points = lp.zeros((8, 1), "float32", device), lp.asarray(np.full((1, 3), 0.5, "float32"), device=device)
    values = np.arange(8, dtype="float32")
    textures = [lp.Texture(lp.full((64, 64), value, "float32", device)) for value in values]
    device.synchronize()
    with stream.hold():
        for index in range(8):
            kernel[1, 64, stream](out[index], textures.pop(0), points, 1)
        gc.collect()
        with lp.Stream(blocking=False, device=device):  # what would reuse the memory
            for _ in range(8):
                lp.full((64, 64), -1, "float32", device)
    stream.synchronize()
    assert out.to_numpy()[:, 0].tolist() == values.tolist()


def test_in_steps_and_graphs(device):
    stream, kernel = lp.Stream(blocking=False, device=device), program(device).tex2D_float1
    out, points = lp.zeros((1, 1), "float32", device), lp.asarray(np.full((1, 3), 0.5, "float32"), device=device)
    arrays = [lp.full((4, 4), value, "float32", device) for value in (3, 5, 7)]
    texture = lp.Texture(arrays[0])
    device.synchronize()
    step = lp.Step()
    for array in arrays:
        with step:
            texture.update(array, stream)
            kernel[1, 64, stream](out, texture, points, 1)
        assert out.to_numpy(stream)[0, 0] == array.to_numpy()[0, 0]
    frozen = step.freeze()
    stream.begin_capture()
    kernel[1, 64, stream](out, texture, points, 1)
    graph = stream.end_capture().instantiate()
    texture.update(arrays[0], stream)
    del texture  # both keep it
    gc.collect()
    device.trim_memory()
    out.fill(0, stream)
    graph.launch(stream)
    assert out.to_numpy(stream)[0, 0] == 3
    frozen.launch()
    assert out.to_numpy()[0, 0] == 7


def test_a_step_whose_texture_was_dropped_is_not_frozen(device):
    kernel, out = program(device).tex2D_float1, lp.zeros((1, 1), "float32", device)
    points = lp.asarray(np.full((1, 3), 0.5, "float32"), device=device)
    texture, step = lp.Texture(lp.full((4, 4), 3, "float32", device)), lp.Step()
    with step:
        kernel[1, 64](out, texture, points, 1)
    assert out.to_numpy()[0, 0] == 3
    del texture
    gc.collect()
    with pytest.raises(lp.LaunchpathError, match="keep (it|the array) until the step is frozen"):
        step.freeze()


def test_what_a_parameter_refuses(device):
    kernel, out = program(device).tex2D_float1, lp.zeros((1, 1), "float32", device)
    texture = lp.Texture(out)
    assert kernel.signature.parameters[1].kind == "texture"
    for value, words in [
        (texture.handle, "expected a texture, got the int .*DevicePointer"),
        (out, r"expected a texture, got the Array .*launchpath.Texture\(array\)"),
        (None, "expected a texture, got None"),
    ]:
        with pytest.raises(lp.SignatureError, match=words):
            kernel[1, 1](out, value, out, 0)
    with pytest.raises(lp.SignatureError, match="expected an array, got the Texture"):
        kernel[1, 1](texture, texture, out, 0)
    kernel[1, 1](out, lp.DevicePointer(texture.handle), out, 1)
    assert out.to_numpy().shape == (1, 1)


def test_a_field_of_a_struct_takes_a_texture(device):
    source = """#include <cuda_runtime.h>
    struct Scene { float* out; cudaTextureObject_t image; };
    __global__ void k(const Scene* scene) { scene->out[0] = tex2D<float>(scene->image, 1.5f, 0.5f); }
    """
    out = lp.zeros(1, "float32", device)
    texture = lp.Texture(lp.asarray(np.arange(6, dtype="float32").reshape(2, 3), device=device))
    lp.compile(source, device).k.by_fields[1, 1](out=out, image=texture)
    assert out.to_numpy()[0] == 1


def test_many_temporaries(device):
    out, points = lp.zeros((1, 1), "float32", device), lp.asarray(np.full((1, 3), 0.5, "float32"), device=device)
    array = lp.full((32, 32), 4, "float32", device)
    for _ in range(50):
        program(device).tex2D_float1[1, 64](out, lp.Texture(array), points, 1)
    assert out.to_numpy()[0, 0] == 4
