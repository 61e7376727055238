"""The helpers that the programs of the gallery share."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save


@pytest.mark.parametrize("values", [[1.0, 2.1], [1.0, np.nan], [1.0, np.inf]])
def test_other_values_than_numpys_end_the_program(values, capsys):
    with pytest.raises(SystemExit, match="sums: expected a difference of at most 1.0e-02, got"):
        checked("sums", values, [1.0, 2.0], 1e-2)
    checked("sums", [1.0, 2.0], [1.0, 2.01], 1e-2)
    assert "sums: largest difference from NumPy 5.0e-03" in capsys.readouterr().out


@pytest.mark.parametrize("size", ["0", "-1"])
def test_sizes_below_1_are_refused(capsys, size):
    with pytest.raises(SystemExit):
        options_of("A program.", "program.png", size=8).parse_args(["--size", size])
    assert f"--size: expected a number of at least 1, got {size}" in capsys.readouterr().err


def test_devices_are_named_as_elsewhere(device):
    parser = options_of("A program.", "program.png")
    assert device_of(parser.parse_args(["--device", str(lp.devices().index(device))])) is device
    assert device_of(parser.parse_args([])) is lp.current_device()


def test_the_last_block_may_be_partly_empty():
    assert [blocks(threads, 4) for threads in (1, 4, 5)] == [1, 1, 2]


def test_pictures_have_a_palette(tmp_path, capsys):
    figure = Figure(figsize=(2, 1))
    figure.subplots().imshow(np.random.default_rng(1).random((20, 20)))
    save(figure, tmp_path / "x.png")
    assert f"220 x 110, {(tmp_path / 'x.png').stat().st_size:,} bytes" in capsys.readouterr().out


def test_pictures_for_dark_pages_have_light_texts_and_the_same_data(tmp_path):
    figure = Figure(figsize=(2, 1))
    axes = figure.subplots()
    axes.barh([0], [1], color="#ff0000")
    axes.axis("off")
    figure.text(0, 0.8, "text")
    save(figure, tmp_path / "x.png")
    light, dark = (
        {colour for _, colour in Image.open(tmp_path / name).convert("RGB").getcolors()}
        for name in ("x.png", "x-dark.png")
    )
    assert {(255, 255, 255), (255, 0, 0)} <= light
    assert {(19, 20, 22), (255, 0, 0)} <= dark
    assert min(map(sum, light)) < 200 and max(map(sum, dark - {(255, 0, 0)})) > 400
