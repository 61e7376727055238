"""A real device, and torch beside it."""

from __future__ import annotations

import pytest

import launchpath as lp


@pytest.fixture(scope="module")
def device():
    for found in lp.devices():
        if found.info["driver"] in ("cuda", "hip"):
            with found:
                yield found
            return
    pytest.skip("no CUDA or HIP device")


@pytest.fixture(scope="module")
def torch(device):
    found = pytest.importorskip("torch")
    if not found.cuda.is_available():
        pytest.skip("torch finds no GPU")
    found.zeros(1, device="cuda")
    return found
