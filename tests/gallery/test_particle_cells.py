"""The gallery's particles with lists of neighbours."""

import numpy as np
import pytest

import particle_cells
from examples import particles
from tests.gallery.calls import picture_of


@pytest.fixture(scope="module")
def program(device):
    return particles.compiled(device)


def test_pairs_are_numpys(program):
    layout = particles.Layout(200)
    (first, last), numbers = particle_cells.simulated(program, layout, [1, 6])
    assert numbers[0] == len(first.first) and numbers[5] == len(last.second)
    for pairs in (first, last):
        expected = particles.numpy_pairs(pairs.position)[:2]
        np.testing.assert_array_equal([pairs.first, pairs.second], expected)


def test_the_slab_has_each_pair_once():
    position = np.float32([[1, 5, 2], [1.5, 5, 2], [1, 9, 2]])  # the last one is outside the slab
    ints = np.int32([[0, 1, 0, 2], [1, 0, 2, 0]])
    seen, lines = particle_cells.Pairs(position, *ints).in_slab(5)
    assert seen.tolist() == [[1, 2], [1.5, 2]]
    assert lines.tolist() == [[[1, 2], [1.5, 2]]]


def test_the_program(monkeypatch, capsys, device, tmp_path):
    sizes = ("--particles", 100, "--steps", 12, "--checked-steps", 3)
    _, printed = picture_of(particle_cells, monkeypatch, capsys, device, tmp_path, *sizes)
    assert "3 steps of 200 particles: identical to NumPy's" in printed
    assert "12 steps went to the driver in 24 parts" in printed
