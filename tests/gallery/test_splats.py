"""The kernels of the gallery's operator for torch, without torch."""

import numpy as np
import pytest

import launchpath as lp
import splats


def drawn(count, seed=1):
    random = np.random.default_rng(seed)
    return np.column_stack([random.uniform(0, 1, (count, 2)), random.uniform(-3, -1, count), random.random((count, 3))])


@pytest.mark.parametrize(("count", "height", "width"), [(1, 1, 1), (7, 10, 13), (40, 16, 16)])
def test_kernels_are_numpys(device, count, height, width):
    exact = drawn(count)
    values = lp.asarray(exact, "float32", device)
    picture, values_grad = lp.empty((height, width, 3), device=device), lp.empty_like(values)
    grad = np.random.default_rng(2).normal(size=picture.shape)
    with device:
        splats.forward(device, count, height, width, values, picture)
        splats.backward(device, count, height, width, values, lp.asarray(grad, "float32"), values_grad)
    np.testing.assert_allclose(picture.to_numpy(), splats.numpy_forward(exact, height, width), atol=1e-4)
    expected = splats.numpy_backward(exact, grad)
    np.testing.assert_allclose(values_grad.to_numpy(), expected, atol=1e-4 * np.abs(expected).max())


def test_numpys_gradient_is_that_of_its_picture():
    exact, small = drawn(3), 1e-6
    grad = np.random.default_rng(2).normal(size=(8, 9, 3))
    expected = splats.numpy_backward(exact, grad)
    for at in np.ndindex(exact.shape):
        sums = []
        for change in (small, -small):
            changed = exact.copy()
            changed[at] += change
            sums.append((splats.numpy_forward(changed, 8, 9) * grad).sum())
        assert expected[at] == pytest.approx((sums[0] - sums[1]) / (2 * small), rel=1e-4, abs=1e-6)
