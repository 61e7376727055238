"""The gallery's falling bodies, and the kernel that draws them."""

import numpy as np
import pytest

import falling_bodies
from falling_bodies import Scene
from tests.gallery.calls import picture_of

VIEW = falling_bodies.camera((0, -6, 1), (0, 0, 1), 2)
SHAPES = {
    "a ball": ([[0, 0, 1]], [[0, 0, 0]], [0.5]),
    "a capsule": ([[0.3, 1, 1]], [[0.6, 0.2, 0.3]], [0.25]),
    "several": ([[-0.8, 0, 1], [0.7, 2, 0.5], [0, 5, 2]], [[0, 0, 0], [0.2, 0.3, 0], [0, 0, 1]], [0.5, 0.4, 0.3]),
}


def scene(name):
    middle, axis, radius = (np.float32(values) for values in SHAPES[name])
    return Scene(middle, axis, radius, np.float32([falling_bodies.GROUND, *[(0.9, 0.1, 0.1)] * len(radius)]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SHAPES)
def test_rays_end_where_numpys_do(device, name):
    _, depth = falling_bodies.rendered(device, scene(name), VIEW, 65, 20)
    expected = falling_bodies.numpy_depth(scene(name), VIEW, 65, 20)
    assert (np.abs(depth - expected) > 0.01).mean() < 0.01
    assert expected.min() < 7 and expected.max() == 40  # bodies, and the sky


def test_a_ball_is_where_geometry_has_it(device):
    picture, depth = falling_bodies.rendered(device, scene("a ball"), VIEW, 61, 21)
    assert depth[10, 30] == pytest.approx(5.5, abs=0.01)  # the middle: the eye is 6 away from the ball's middle
    red = picture[..., 0] > 2 * picture[..., 1]
    assert red[10, 30] and not red[10, 0] and not red[20].any()
    # The sphere of radius 1/2 at distance 6 covers a disc of radius 2 / sqrt(143) on the screen: half is 1 high.
    assert red.sum() == pytest.approx(np.pi * (4 / 143) * 10.5**2, abs=3)


def test_the_program(monkeypatch, capsys, device, tmp_path):
    sizes = ("--worlds", 2, "--bodies", 3, "--width", 70, "--steps", 60)
    _, printed = picture_of(falling_bodies, monkeypatch, capsys, device, tmp_path, *sizes)
    assert "free fall: largest difference from NumPy" in printed
    assert "of 1400 rays end elsewhere than NumPy's" in printed
