"""The gallery's galaxies."""

import numpy as np
import pytest

import nbody
from tests.gallery.calls import picture_of


@pytest.mark.parametrize("bodies", [2, nbody.TILE, nbody.TILE + 1, 300])
def test_steps_are_numpys(device, bodies):
    simulation = nbody.Bodies(device, bodies)
    simulation.run(4)
    expected = nbody.numpy_run(*nbody.start(bodies), 4)
    for values, exact in zip(simulation.state(), expected, strict=True):
        np.testing.assert_allclose(values, exact, atol=1e-4)


def test_energy_and_momentum_are_kept(device):
    simulation = nbody.Bodies(device, 60)
    body, before = simulation.state()
    energy = nbody.energy(body, before)
    simulation.run(50)
    _, after = simulation.state()
    assert nbody.energy(*simulation.state()) == pytest.approx(energy, rel=0.01)
    assert np.abs(after - before).max() > 0.1  # they move
    np.testing.assert_allclose(body[:, 3] @ after, body[:, 3] @ before, atol=1e-5)


def test_the_program(monkeypatch, capsys, device, tmp_path):
    _, printed = picture_of(nbody, monkeypatch, capsys, device, tmp_path, "--bodies", 100, "--steps", 30)
    for part in ("positions: largest", "velocities: largest", "the energy changed by"):
        assert part in printed
