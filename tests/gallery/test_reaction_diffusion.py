"""The gallery's reaction and diffusion: a CUDA program with its own `main`."""

import numpy as np
import pytest

import reaction_diffusion
from tests.gallery.calls import picture_of


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [16, 50])
def test_concentrations_are_numpys(device, size):
    substances = reaction_diffusion.Substances(device, size)
    for rates in reaction_diffusion.PATTERNS.values():  # the constants of one program change between launches
        for array, values in zip(substances.now, reaction_diffusion.start(size), strict=True):
            array.copy_from(values)
        substances.set_rates(*rates)
        substances.run(60)
        expected = reaction_diffusion.numpy_run(size, rates, 60)
        for array, exact in zip(substances.now, expected, strict=True):
            np.testing.assert_allclose(array.to_numpy(), exact, atol=1e-4)


def test_main_chooses_the_instance(device):
    program = reaction_diffusion.Substances(device, 16).program
    assert reaction_diffusion.KERNEL in program
    assert "grayScott" in program.templates


def test_the_program(monkeypatch, capsys, device, tmp_path):
    monkeypatch.setattr(reaction_diffusion, "CHECKED_STEPS", 20)
    _, printed = picture_of(reaction_diffusion, monkeypatch, capsys, device, tmp_path, "--size", 32, "--steps", 50)
    for name in reaction_diffusion.PATTERNS:
        assert f"{name}, v: largest difference from NumPy" in printed
