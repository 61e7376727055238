"""The gallery's transformer: its gradients against differences of losses, its kernels against NumPy."""

import numpy as np
import pytest

import launchpath as lp
import transformer
from tests.gallery.calls import picture_of

SIZES = transformer.sizes_of(batch=3, digits=4, width=20, layers=2)  # 24 tokens, which do not fill tiles


def batch_of(network):
    batch = transformer.sequences(network.sizes, np.random.default_rng(5))
    return [network.operations.array(values, "int32") for values in batch]


@pytest.fixture(scope="module")
def kernels(device):
    return transformer.Kernels(device)


def test_sequences_are_sorted_digits():
    ids, targets = (values.reshape(3, 8) for values in transformer.sequences(SIZES, np.random.default_rng(5)))
    assert (np.sort(ids[:, :4], axis=1) == targets[:, 4:]).all()
    assert (ids[:, 4] == transformer.DIGITS).all() and (targets[:, :4] == -1).all()
    assert (ids[:, 5:] == targets[:, 4:-1]).all()


def test_gradients_are_those_of_the_loss():
    network = transformer.Network(transformer.Numpy("float64"), SIZES)
    batch = batch_of(network)
    network.forward(*batch)
    network.backward()
    random, small = np.random.default_rng(3), 1e-5
    for name, parameter in network.parameters.items():
        for _ in range(3):
            at = tuple(random.integers(0, size) for size in parameter.shape)
            before, sums = parameter[at], []
            for change in (small, -small):
                parameter[at] = before + change
                sums.append(network.forward(*batch).sum())
            parameter[at] = before
            slope = (sums[0] - sums[1]) / (2 * small)
            assert network.grads[name][at] == pytest.approx(slope, rel=1e-3, abs=1e-7), (name, at)


def test_gradients_of_each_parameter_are_numpys(kernels):
    networks = [transformer.Network(operations, SIZES) for operations in (kernels, transformer.Numpy("float64"))]
    for network in networks:
        network.forward(*batch_of(network))
        network.backward()
    device, host = networks
    for name, exact in host.grads.items():
        assert np.abs(exact).max() > 1e-5, name
        np.testing.assert_allclose(device.grads[name].to_numpy(), exact, atol=1e-4 * np.abs(exact).max(), err_msg=name)


def test_training_is_numpys(kernels):
    curves, parameters = [], []
    for operations, region in (kernels, None), (kernels, lp.Step()), (transformer.Numpy(), None):
        network = transformer.Network(operations, SIZES)
        curves.append(transformer.trained(network, 12, region))
        parameters.append(np.asarray(network.all))
    assert curves[0] == curves[1]  # a step changes no bit
    np.testing.assert_allclose(curves[0], curves[2], rtol=1e-4)
    np.testing.assert_allclose(parameters[0], parameters[2], atol=2e-3)
    assert curves[0][-1] < curves[0][0]


def test_the_program(monkeypatch, capsys, device, tmp_path):
    sizes = ("--batch", 4, "--digits", 3, "--steps", 5)
    _, printed = picture_of(transformer, monkeypatch, capsys, device, tmp_path, *sizes)
    for part in ("gradients: largest", "launchpath: 5 steps", "NumPy: 5 steps", "losses of the first 5 steps: largest"):
        assert part in printed
