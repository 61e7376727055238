"""The gallery's heat equation."""

import numpy as np
import pytest

import heat
from tests.gallery.calls import picture_of


@pytest.mark.parametrize("size", [3, heat.TILE, heat.TILE + 1, 50])
def test_temperatures_are_numpys(device, size):
    plate = heat.Plate(device, size)
    plate.run(heat.STEPS_TOGETHER + 7)
    expected = heat.numpy_run(heat.start(size), heat.STEPS_TOGETHER + 7)
    np.testing.assert_allclose(plate.now.to_numpy(), expected, rtol=1e-5, atol=1e-6)


def test_heat_spreads(device):
    plate = heat.Plate(device, 40)
    before = plate.now.to_numpy()
    plate.run(200)
    after = plate.now.to_numpy()
    assert (after >= 0).all() and (after <= 1).all()
    assert (after[0] == 1).all() and (after[-1] == before[-1]).all()  # the edges keep their temperature
    assert after[1:-1].std() < before[1:-1].std()


def test_the_program(monkeypatch, capsys, device, tmp_path):
    size, printed = picture_of(heat, monkeypatch, capsys, device, tmp_path, "--size", 40, "--steps", 60)
    assert size[0] > 2 * size[1]
    assert "temperatures: largest difference from NumPy" in printed
