"""What HIP promises, one test per promise, on every registered device."""

import pathlib

import pytest

import launchpath as lp

from . import kernels

HERE = pathlib.Path(__file__).parent


# Drivers that take what their own compilers make, NVRTC and hipRTC, and whose language is theirs.
NATIVE = ("cuda", "hip")


def pytest_configure(config):
    config.addinivalue_line("markers", "opencl_only(reason): of what CUDA and HIP devices have not, or have otherwise")


def pytest_runtest_setup(item):
    # Here and not in a fixture: those of a module come before.
    marker = item.get_closest_marker("opencl_only")
    if marker and getattr(item, "callspec", None) and item.callspec.params.get("device_id") in NATIVE:
        pytest.skip(f"OpenCL only: {marker.args[0]}")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parts[: len(HERE.parts)] == HERE.parts and item.get_closest_marker("timeout") is None:
            # A call that hangs in a driver takes no signal: the thread method ends the run, and says where it hung.
            item.add_marker(pytest.mark.timeout(method="thread"))


@pytest.fixture(scope="session")
def program(device):
    """The kernels of kernels.py for the device."""
    return lp.compile(kernels.SOURCE, device)


@pytest.fixture(scope="module", name="kernels")
def own_kernels(device, request):
    """Those of a test module's own `SOURCE`, for the device."""
    return lp.compile(request.module.SOURCE, device)


@pytest.fixture(scope="session")
def programs():
    """The same for any device, compiled once for each."""
    compiled = {}

    def program_of(device):
        if device not in compiled:
            compiled[device] = lp.compile(kernels.SOURCE, device)
        return compiled[device]

    return program_of


@pytest.fixture
def native(device):
    """Whether the device's own compiler makes its code: what it refuses, or does otherwise, is its own matter."""
    return device.info["driver"] in NATIVE


@pytest.fixture
def legacy(device):
    return device.legacy_stream


@pytest.fixture
def blocking(device):
    return lp.Stream(device=device)


@pytest.fixture
def nonblocking(device):
    return lp.Stream(blocking=False, device=device)


@pytest.fixture
def side(device):
    """A second non-blocking stream."""
    return lp.Stream(blocking=False, device=device)


@pytest.fixture
def array(device, nonblocking):
    """64 zeros, which the stream `nonblocking` made."""
    zeros = lp.zeros(64, "int32", device, nonblocking)
    nonblocking.synchronize()
    return zeros


@pytest.fixture
def counter(device):
    """An int on the device, 0 at first, for `program.follow`."""
    at = lp.asarray([0], "int32", device)
    device.synchronize()
    return at


@pytest.fixture(autouse=True)
def _quiet(request):
    """No test leaves work behind for the next one."""
    yield
    if "device" in request.fixturenames:
        request.getfixturevalue("device").synchronize()
