"""Textures of the CUDA and HIP libraries: what is created, copied and released, and when."""

import gc

import numpy as np
import pytest

import launchpath as lp
from launchpath import _core
from launchpath._trace import format
from tests.gpu.process import run
from tests.gpu.standin import NAMES
from tests.tracing.conftest import path
from tests.tracing.raw import read

__all__ = ["path"]

CREATES = ("cuArray3DCreate_v2", "cuTexObjectCreate")
RELEASES = ("cuTexObjectDestroy", "cuArrayDestroy")
VALUES = np.arange(12, dtype="float32").reshape(3, 4)


@pytest.fixture
def array(gpu):
    created = lp.asarray(VALUES, device=gpu.device)
    gpu.device.synchronize()
    return created


def elements(gpu, texture, stream=None):
    out = lp.zeros(texture.shape, texture.dtype, gpu.device)
    gpu.device.synchronize()
    gpu.kernel("texels")[1, 1, stream](out, texture)
    return out.to_numpy(stream)


def left(gpu):
    return {name: gpu.live()[name] for name in ("arrays", "textures")}


@pytest.mark.parametrize(
    ("shape", "options", "detail"),
    [
        ((12,), {}, "12 0 0 32 1 0"),
        ((3, 4), {}, "4 3 0 32 1 0"),
        ((2, 3, 2), {}, "2 3 2 32 1 0"),
        ((3, 4), {"layered": True}, "4 0 3 32 1 1"),
        ((2, 3, 2), {"layered": True}, "2 3 2 32 1 1"),
        ((3, 4), {"channels": 4}, "3 0 0 32 4 0"),
    ],
    ids=str,
)
def test_the_library_gets_the_axes(gpu, array, shape, options, detail):
    gpu.forget_calls()
    texture = lp.Texture(array.reshape(*shape), **options)
    (call,) = gpu.calls("cuArray3DCreate_v2")
    assert call.detail == detail
    assert (elements(gpu, texture) == VALUES.reshape(shape)).all()


@pytest.mark.parametrize(
    ("dtype", "options", "wanted"),
    [
        ("uint8", {}, "0x1"), ("uint8", {"read": "normalized_float"}, "0"), ("int16", {}, "0x1"), ("float16", {}, "0"),
        ("float32", {"normalized": True, "address": ("wrap", "mirror")}, "0x2"),
        ("uint16", {"read": "normalized_float", "filter": "linear"}, "0"),
    ],
    ids=str,
)  # fmt: skip
def test_the_library_gets_how_it_is_read(gpu, dtype, options, wanted):
    array = lp.asarray(VALUES.astype(dtype), device=gpu.device)
    gpu.forget_calls()
    texture = lp.Texture(array, **options)
    (call,) = gpu.calls("cuTexObjectCreate")
    linear = int(options.get("filter") == "linear")
    assert call.detail == f"0 {array.nbytes} {linear} {wanted}"
    assert (elements(gpu, texture) == array.to_numpy()).all()


def test_fetched_elements_are_memory(gpu, array):
    gpu.forget_calls()
    texture = lp.Texture(array.reshape(12), fetch=True)
    assert not gpu.calls("cuArray3DCreate_v2", clear=False)
    (call,) = gpu.calls("cuTexObjectCreate")
    assert call.detail == "2 48 0 0"
    assert (elements(gpu, texture) == VALUES.ravel()).all()
    texture.update(lp.asarray(VALUES.ravel() + 1, device=gpu.device))
    assert (elements(gpu, texture) == VALUES.ravel() + 1).all()


def test_fetched_elements_are_aligned(gpu):
    """The driver wants 512 bytes, and memory of the pool has 256."""
    textures = [lp.Texture(lp.full(75 + size, size, "float32", gpu.device), fetch=True) for size in range(0, 300, 60)]
    for texture in textures:
        assert (elements(gpu, texture) == texture.shape[0] - 75).all()


@pytest.mark.parametrize("name", CREATES)
def test_a_failure_leaves_nothing(gpu, array, name):
    before = left(gpu)
    gpu.control.fail(name, 1)
    with pytest.raises(lp.DriverError, match="Create.*a texture of 4 x 3 elements"):
        lp.Texture(array)
    gpu.control.forgive()
    assert left(gpu) == before
    assert (elements(gpu, lp.Texture(array)) == VALUES).all()


def test_for_want_of_memory_what_was_dropped_is_released_first(gpu, array):
    del_me = lp.Texture(array)
    gpu.control.fail("cuArray3DCreate_v2", 2)
    del del_me
    texture = lp.Texture(array)
    gpu.control.forgive()
    assert (elements(gpu, texture) == VALUES).all()
    gpu.control.fail("cuArray3DCreate_v2", 2, 0)
    with pytest.raises(lp.OutOfMemoryError):
        lp.Texture(array)
    gpu.control.forgive()


def test_a_copy_that_fails_says_so(gpu, array):
    texture = lp.Texture(array)
    gpu.control.fail("cuMemcpy3DAsync_v2", 1)
    with pytest.raises(lp.DriverError, match="3DAsync"):
        texture.update(lp.asarray(VALUES + 1, device=gpu.device))
    gpu.control.forgive()
    assert (elements(gpu, texture) == VALUES).all()


@pytest.mark.parametrize("kind", ["nonblocking", "blocking", "legacy"])
def test_a_dropped_texture_stays_until_its_launch_has_run(gpu, array, kind):
    stream, texture, out = gpu.stream(kind), lp.Texture(array), gpu.zeros(12, "float32")
    before = left(gpu)
    gpu.device.synchronize()
    with stream.hold():
        gpu.kernel("texels")[1, 1, stream](out, texture)
        del texture
        gc.collect()
        gpu.device.trim_memory()
        assert left(gpu) == before
        gpu.forget_calls()
    stream.synchronize()
    gpu.device.trim_memory()
    assert [call.name for call in gpu.calls(*RELEASES)] == list(RELEASES)
    assert (out.to_numpy(stream) == VALUES.ravel()).all()


def test_a_release_that_fails_is_repeated(gpu, array):
    before = left(gpu)
    for name in RELEASES:
        texture = lp.Texture(array)
        gpu.device.synchronize()
        gpu.control.fail(name, 1)
        del texture
        gpu.device.trim_memory()
        gpu.control.forgive()
        gpu.device.trim_memory()
        assert left(gpu) == before


def test_a_loop_of_temporaries_holds_few(gpu, array):
    before, most = left(gpu)["arrays"], 0
    for _ in range(20):
        assert (elements(gpu, lp.Texture(array)) == VALUES).all()
        most = max(most, left(gpu)["arrays"] - before)
    assert most <= 2


def test_an_update_waits_for_what_its_stream_did_before(gpu, array):
    stream, texture, out = gpu.stream(), lp.Texture(array), gpu.zeros(12, "float32")
    other = lp.asarray(VALUES + 5, device=gpu.device)
    gpu.device.synchronize()
    with stream.hold():
        gpu.kernel("texels")[1, 1, stream](out, texture)
        texture.update(other, stream)
        other.free()  # safe: the copy is in flight
    assert (out.to_numpy(stream) == VALUES.ravel()).all()
    assert (elements(gpu, texture, stream) == VALUES + 5).all()


def test_an_update_is_traced_as_rows_within_the_device(gpu, array, path):
    texture = lp.Texture(array)
    with lp.trace(path, mode="host"):
        texture.update(array)
        gpu.device.synchronize()
    ((command, detail),) = read(path).commands()
    assert (int(detail["command"]), int(detail["shared"])) == (format.COPY_ROWS, 3)  # of 3 rows
    assert int(command["flags"]) & format.DIRECTION == _core.WITHIN << 6


def test_an_update_is_logged(gpu, array, capfd):
    texture = lp.Texture(array)
    _core.log_driver_calls(gpu.device)
    texture.update(array)
    other = lp.Texture(array)
    _core.log_driver_calls(gpu.device, False)
    log = capfd.readouterr().err
    assert ".copy_texture(" in log and ".texture_create(" in log, log
    del other


@pytest.mark.parametrize("way", ["capture", "step"])
def test_a_graph_keeps_its_texture(gpu, array, way):
    stream, texture, out = gpu.stream(), lp.Texture(array), gpu.zeros(12, "float32")
    other, step = lp.asarray(VALUES + 5, device=gpu.device), lp.Step()
    before = left(gpu)
    gpu.device.synchronize()
    if way == "capture":
        stream.begin_capture()
        texture.update(other, stream)
        gpu.kernel("texels")[1, 1, stream](out, texture)
        graph = stream.end_capture().instantiate()
    else:
        with step:
            texture.update(other, stream)
            gpu.kernel("texels")[1, 1, stream](out, texture)
        graph = step.freeze()
    del texture
    gc.collect()
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert left(gpu) == before
    out.fill(0, stream)
    graph.launch(stream) if way == "capture" else graph.launch()
    assert (out.to_numpy() == VALUES.ravel() + 5).all()
    del graph, step
    gc.collect()
    gpu.device.synchronize()
    gpu.device.trim_memory()
    assert left(gpu) == {name: count - 1 for name, count in before.items()}


@pytest.mark.parametrize("way", ["capture", "step"])
def test_a_texture_that_was_dropped_cannot_be_kept(gpu, array, way):
    stream, texture, out, step = gpu.stream(), lp.Texture(array), gpu.zeros(12, "float32"), lp.Step()
    gpu.device.synchronize()
    if way == "step":
        with step:
            gpu.kernel("texels")[1, 1, stream](out, texture)
        del texture
        with pytest.raises(
            lp.LaunchpathError, match="a texture .* was dropped since: keep it until the step is frozen"
        ):
            step.freeze()
        return
    stream.begin_capture()
    gpu.kernel("texels")[1, 1, stream](out, texture)
    del texture
    with pytest.raises(lp.LaunchpathError, match="a texture .* was dropped since: keep it until the capture ends"):
        stream.end_capture()


def test_a_texture_of_another_device_is_refused(gpu, array):
    far = lp.Texture(lp.asarray(VALUES, device=gpu.devices[1]))
    with pytest.raises(lp.ArgumentValueError, match="the texture is on"):
        gpu.kernel("texels")[1, 1](array, far)
    with pytest.raises(lp.ArgumentValueError, match="expected an array on .*asarray"):
        far.update(array)


def test_nothing_but_the_release_waits_for_a_stream_that_is_held_back(gpu, array):
    stream, before = gpu.stream(), left(gpu)
    with stream.hold():
        texture = lp.Texture(array, stream=stream)
        texture.update(array, stream)
        other = lp.Texture(array)
        del texture, other
        gpu.device.trim_memory()  # it leaves them
        assert left(gpu) == {name: count + 2 for name, count in before.items()}
    gpu.device.synchronize()  # the second copy is in the legacy stream
    gpu.device.trim_memory()
    assert left(gpu) == before


@pytest.mark.parametrize("driver", ["cuda", "hip"])
@pytest.mark.parametrize("field", ["array_create", "array_destroy", "copy_array", "texture_create", "texture_destroy"])
def test_a_library_without_a_function(driver, field):
    name = NAMES[driver][field] or NAMES[driver]["hip_" + field]
    code = f"""
array = lp.zeros((3, 4), "float32", device)
try:
    lp.Texture(array)
except lp.DriverError as error:
    assert error.call == {name!r} and "too old" in str(error), error
else:
    raise AssertionError
"""
    run(driver, code, without=(name,))
