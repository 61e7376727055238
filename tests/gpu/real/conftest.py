"""A real device, and torch beside it."""

import pytest

import launchpath as lp


@pytest.fixture(scope="module")
def device():
    for candidate in lp.devices():
        if candidate.info["driver"] in ("cuda", "hip"):
            with candidate:
                yield candidate
            return
    pytest.skip("no CUDA or HIP device")


@pytest.fixture(scope="module")
def torch(device):
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("torch finds no GPU")
    module.zeros(1, device="cuda")
    return module


@pytest.fixture
def stream(device):
    return lp.Stream(blocking=False, device=device)
