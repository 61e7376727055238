"""Cooperative launches, occupancy, and the block that a driver suggests."""

import pytest

import launchpath as lp
from tests.simulated import Machine


def test_cooperative(gpu):
    shape = gpu.kernel("shape")
    out = gpu.zeros(9, "uint32")
    shape.cooperative[2, 32](out)
    assert out.to_numpy().tolist()[:8] == [2, 1, 1, 32, 1, 1, 0, 1]
    shape[2, 32](out)
    assert out.to_numpy().tolist()[7] == 0
    assert shape.cooperative is shape.cooperative
    assert shape.cooperative.signature is shape.signature


def test_occupancy(gpu):
    kernel = gpu.kernel("nothing")
    blocks = kernel.occupancy(256)
    assert blocks >= 1
    assert kernel.occupancy((16, 16)) == blocks
    assert kernel.occupancy(256, gpu.device.info["shared_memory_optin"]) <= 1
    with pytest.raises(lp.ConfigurationError, match="a block of at most .*, got 4096"):
        kernel.occupancy(4096)
    with pytest.raises(lp.ConfigurationError, match="bytes of dynamic .* shared memory"):
        kernel.occupancy(256, 1 << 30)


def test_a_suggested_block(gpu):
    kernel = gpu.kernel("nothing")
    threads, blocks = kernel.suggest_block()
    assert 1 <= threads <= gpu.device.info["max_threads_per_block"]
    assert blocks >= 1
    assert kernel.suggest_block(shared=1024, most=64)[0] <= 64
    kernel[blocks, threads]()
    with pytest.raises(lp.ConfigurationError, match="expected a number of threads, an int of 1 or more, got 0"):
        kernel.suggest_block(most=0)


def test_attributes(gpu):
    kernel = gpu.kernel("shape")
    got = kernel.attributes
    assert got.max_threads_per_block == min(
        gpu.device.max_threads_per_block, kernel._driver.info["max_threads_per_block"]
    )
    assert got.num_regs >= 0 and got.local_size_bytes >= 0 and got.const_size_bytes >= 0
    assert got.shared_size_bytes == kernel._driver.info["shared_memory"]
    assert got.binary_version > 0
    if gpu.device.info["driver"] == "cuda":
        capability = int("".join(filter(str.isdigit, gpu.device.architecture)))
        assert got.binary_version <= capability and got.ptx_version > 0
    else:
        assert got.ptx_version is None  # HIP has a number for it, and no PTX
    assert repr(got).startswith("Attributes(max_threads_per_block=")


def test_where_the_driver_does_not_tell():
    with Machine() as machine:
        kernel = machine.kernel()
        assert kernel.attributes[1:] == (None,) * 7
        with pytest.raises(lp.ConfigurationError, match="does not report how many blocks run at the same time"):
            kernel.occupancy(32)
        with pytest.raises(lp.ConfigurationError, match="does not suggest a block"):
            kernel.suggest_block()
        with pytest.raises(lp.ConfigurationError, match="has no cooperative launches"):
            assert kernel.cooperative
        del kernel
