"""Textures of a GPU, in hardware: `pytest tests/gpu/real/textures.py tests/conformance/test_texture.py`.

The conformance tests compare what texture units read with CUDA's documented rules, as they do on every device. These
are what only hardware has: the fixed point of its weights, its limits, and what waits for the device.
"""

import time

import numpy as np
import pytest

import launchpath as lp
from tests.conformance.test_texture import read
from tests.fetching import sampled

RANDOM = np.random.default_rng(23)


@pytest.mark.parametrize("address", ["clamp", "border", "wrap", "mirror"])
@pytest.mark.parametrize("shape", [(7,), (6, 7), (5, 6, 7)], ids=str)
def test_weights_have_8_bits_of_fraction(device, shape, address):
    values = RANDOM.standard_normal(shape).astype("float32")
    texture = lp.Texture(lp.asarray(values, device=device), filter="linear", address=address, normalized=True)
    points = RANDOM.uniform(-2, 3, (3000, 3)).astype("float32")
    got = read(texture, f"tex{len(shape)}D", points)
    wanted = sampled(values[..., None], points, [address] * len(shape), linear=True, normalized=True)
    spread = float(np.ptp(values))
    assert np.abs(got - wanted).max() <= len(shape) * spread / 256
    # And they are no floats: software would not differ by as much.
    assert np.abs(got - wanted).max() >= spread / 256 / 8


def test_an_axis_longer_than_the_units_reach(device):
    with pytest.raises(lp.DriverError, match="a texture of 200000 elements"):
        lp.Texture(lp.zeros(200_000, "float32", device))
    lp.Texture(lp.zeros(200_000, "float32", device), fetch=True)


def test_creating_updating_and_dropping_do_not_wait_for_a_held_stream(device):
    stream = lp.Stream(blocking=False, device=device)
    array, out = lp.full((64, 64), 3, "float32", device), lp.zeros((64, 64), "float32", device)
    lp.Texture(array)
    device.synchronize()
    with stream.hold():
        out.copy_from(array, stream)
        began = time.perf_counter()
        with lp.Stream(blocking=False, device=device) as other:
            texture = lp.Texture(array)
            texture.update(array)
            other.synchronize()
        del texture
        assert time.perf_counter() - began < 1
        assert not stream.query()
    stream.synchronize()


def test_memory_comes_back(device):
    array = lp.zeros((4096, 4096), "float32", device)  # 64 MiB
    device.synchronize()
    device.trim_memory()
    before = device.memory_info()["free"]
    for _ in range(40):
        lp.Texture(array)
    device.synchronize()
    device.trim_memory()
    assert device.memory_info()["free"] >= before - (64 << 20)
