"""Textures: what CUDA's rules refuse, what they say, and their memory on a device that reads them in software."""

import gc
import pickle
from typing import Any

import numpy as np
import pytest

import launchpath as lp
from tests.simulated import Machine


def zeros(machine: Machine, shape: Any = (3, 4), dtype: Any = "float32") -> lp.Array:
    return lp.zeros(shape, dtype, machine.device)


@pytest.mark.parametrize(
    ("shape", "options", "description"),
    [
        ((7,), {}, "7 elements of float32, point"),
        ((6, 7), {"filter": "linear"}, "7 x 6 elements of float32, linear"),
        ((5, 6, 4), {"channels": 4}, "6 x 5 elements of 4 x float32, point"),
        ((5, 6, 7), {"layered": True}, "5 layers of 7 x 6 elements of float32, point"),
        ((3, 9, 2), {"layered": True, "channels": 2}, "3 layers of 9 elements of 2 x float32, point"),
    ],
    ids=str,
)
def test_axes_layers_and_channels(machine: Machine, shape: Any, options: Any, description: str) -> None:
    texture = lp.Texture(zeros(machine, shape), **options)
    assert repr(texture) == f"<Texture of {description}, on {machine.device.name!r}>"
    assert (texture.shape, texture.dtype, texture.device) == (shape, np.float32, machine.device)
    assert texture.layers == (shape[0] if "layered" in options else 0)
    assert texture.channels == options.get("channels", 1)


def test_what_it_says_of_itself(machine: Machine) -> None:
    texture = lp.Texture(zeros(machine), address=["wrap", "mirror"], normalized=True)
    assert (texture.dimensions, texture.address, texture.filter) == (2, ("wrap", "mirror"), "point")
    assert (texture.normalized, texture.read, texture.fetch) == (True, "element", False)
    assert texture.handle == texture.handle > 0
    assert not [name for name in dir(texture) if name.startswith("_") and not name.startswith("__")]


REFUSED = {
    "a pair of floats": ((3, 4), "complex64", {}, "8, 16 or 32 bits .* got complex64"),
    "64 bits": ((3, 4), "float64", {}, "8, 16 or 32 bits .* got float64"),
    "bool": ((3, 4), "bool", {}, "8, 16 or 32 bits .* got bool"),
    "four axes": ((1, 2, 3, 4), "float32", {}, "1 to 3 axes, got shape"),
    "no axes": ((), "float32", {}, r"1 to 3 axes, got shape \(\)"),
    "no elements": ((3, 0), "float32", {}, "an array with elements"),
    "layers of three axes": ((1, 2, 3, 4), "float32", {"layered": True}, "layers and 1 or 2 axes"),
    "layers alone": ((3,), "float32", {"layered": True}, "layers and 1 or 2 axes"),
    "three channels": ((3, 3), "float32", {"channels": 3}, "`channels` of 1, 2 or 4, got 3"),
    "other channels": ((3, 4), "float32", {"channels": 2}, "whose last axis has the 2 channels"),
    "three fields": ((3,), [("x", "f4"), ("y", "f4"), ("z", "f4")], {}, "1, 2 or 4 channels, got 3: .*add a fourth"),
    "mixed fields": ((3,), [("x", "f4"), ("y", "i4")], {}, "fields of one type"),
    "fields and channels": ((3, 2), [("x", "f4"), ("y", "f4")], {"channels": 2}, "expected no `channels`"),
    "linear ints": ((3, 4), "uint8", {"filter": "linear"}, "floats to filter linearly, .*read='normalized_float'"),
    "normalized floats": ((3, 4), "float32", {"read": "normalized_float"}, "ints of 8 or 16 bits .* got float32"),
    "normalized 32 bits": ((3, 4), "int32", {"read": "normalized_float"}, "ints of 8 or 16 bits .* got int32"),
    "wrap in elements": ((3, 4), "float32", {"address": "wrap"}, "normalized coordinates for the address mode 'wrap'"),
    "mirror in elements": ((3, 4), "float32", {"address": ("clamp", "mirror")}, "for the address mode 'mirror'"),
    "too few modes": ((3, 4), "float32", {"address": ("clamp",)}, "for each of the 2 axes x, y, z"),
    "no mode": ((3, 4), "float32", {"address": "repeat"}, "one of 'wrap', 'clamp', 'mirror', 'border', got the str"),
    "no filter": ((3, 4), "float32", {"filter": 1}, "one of 'point', 'linear', got the int 1"),
    "no read": ((3, 4), "float32", {"read": "float"}, "one of 'element', 'normalized_float'"),
    "no bool": ((3, 4), "float32", {"normalized": "yes"}, "`normalized`: expected True or False"),
    "fetch of rows": ((3, 4), "float32", {"fetch": True}, "with 1 axis, got shape"),
    "fetch between": ((4,), "float32", {"fetch": True, "filter": "linear"}, "neither linear filtering"),
    "fetch of coordinates": ((4,), "float32", {"fetch": True, "normalized": True}, "neither linear filtering"),
    "fetch with a border": ((4,), "float32", {"fetch": True, "address": "border"}, "neither linear filtering"),
    "fetch of layers": ((2, 4), "float32", {"fetch": True, "layered": True}, "expected no layers with fetch=True"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_cudas_rules(machine: Machine, name: str) -> None:
    shape, dtype, options, words = REFUSED[name]
    array = zeros(machine, shape, np.dtype(dtype))
    with pytest.raises(lp.ArgumentValueError, match=words):
        lp.Texture(array, **options)


@pytest.mark.parametrize("value", [np.zeros((3, 4), "float32"), 3, None], ids=["numpy", "int", "None"])
def test_an_array_is_expected(machine: Machine, value: Any) -> None:
    with pytest.raises(lp.ArgumentValueError, match=r"expected a launchpath.Array, got"):
        lp.Texture(value)
    with pytest.raises(lp.ArgumentValueError, match=r"expected a launchpath.Array, got"):
        lp.Texture(zeros(machine)).update(value)


def test_an_update_takes_the_same_shape_and_dtype(machine: Machine) -> None:
    texture = lp.Texture(zeros(machine))
    for array in zeros(machine, (4, 3)), zeros(machine, dtype="int32"):
        with pytest.raises(lp.ArgumentValueError, match="create another texture"):
            texture.update(array)
    freed = zeros(machine)
    freed.free()
    with pytest.raises(lp.FreedError):
        texture.update(freed)


@pytest.mark.machine(devices=2)
def test_an_update_takes_an_array_of_its_device(machine: Machine) -> None:
    near, far = machine.devices
    texture = lp.Texture(lp.zeros((3, 4), "float32", near))
    with pytest.raises(lp.ArgumentValueError, match="expected an array on .*asarray"):
        texture.update(lp.zeros((3, 4), "float32", far))


def test_it_is_neither_pickled_nor_created_twice(machine: Machine) -> None:
    texture = lp.Texture(zeros(machine))
    with pytest.raises(TypeError, match="pickle the NumPy array"):
        pickle.dumps(texture)
    with pytest.raises(TypeError, match="create another one"):
        texture.__init__(zeros(machine))  # type: ignore[misc]
    assert repr(lp.Texture.__new__(lp.Texture)) == "<Texture that was not created>"


def test_its_memory_goes_with_it(machine: Machine, stream: lp.Stream) -> None:
    """And what its stream does with it comes first: the machine would report a use of freed memory."""
    array = zeros(machine)
    machine.device.synchronize()
    before = machine.device.memory_info()["in_use"]
    texture = lp.Texture(array, stream=stream)
    assert machine.device.memory_info()["in_use"] > before
    texture.update(array, stream)
    del texture
    gc.collect()
    machine.machine.run()
    stream.synchronize()
    assert machine.device.memory_info()["in_use"] == before
