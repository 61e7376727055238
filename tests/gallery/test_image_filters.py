"""The gallery's filters of pictures."""

import numpy as np
import pytest
from PIL import Image

import image_filters
from tests.gallery.calls import picture_of


@pytest.mark.parametrize("shape", [(1, 1), (2, 40), (16, 16), (17, 33), (50, 3)])
@pytest.mark.parametrize("radius", [1, 5])
def test_filters_are_numpys(device, shape, radius):
    picture = np.random.default_rng(1).random(shape, "float32")
    blurred, edges = image_filters.filtered(device, picture, radius)
    exact = image_filters.numpy_filtered(picture, radius)
    np.testing.assert_allclose(blurred, exact[0], atol=1e-5)
    np.testing.assert_allclose(edges, exact[1], atol=1e-5)


def test_weights_sum_up_to_1():
    assert image_filters.bell(6).sum() == pytest.approx(1)


def test_files_are_read_and_written(monkeypatch, capsys, device, tmp_path):
    halves = np.zeros((20, 30, 3), "uint8")
    halves[:, 15:] = 255  # an edge between columns 14 and 15
    Image.fromarray(halves).save(tmp_path / "halves.png")
    _, printed = picture_of(
        image_filters, monkeypatch, capsys, device, tmp_path,
        "--input", tmp_path / "halves.png", "--edges", tmp_path / "edges.png", "--radius", 2,
    )  # fmt: skip
    assert "30 x 20 pixels" in printed and "edges: largest difference from NumPy" in printed
    with Image.open(tmp_path / "edges.png") as edges:
        values = np.asarray(edges)
    assert values.shape == (20, 30)
    assert values[10, 14] == values[10, 15] == 255 and values[10, 5] == values[10, 25] == 0


def test_a_picture_of_its_own(monkeypatch, capsys, device, tmp_path):
    _, printed = picture_of(image_filters, monkeypatch, capsys, device, tmp_path, "--size", 48)
    assert "64 x 48 pixels" in printed
