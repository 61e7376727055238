"""The devices of these tests: the library in between is for CPUs, and it takes a C compiler to build it."""

import pytest

from tests.standin.build import compiler


@pytest.fixture(autouse=True)
def only_a_cpu(device):
    if device.info["driver"] != "opencl" or device.info["kind"] != "cpu":
        pytest.skip("the library in between is for the CPU devices")
    compiler()
