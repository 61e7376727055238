"""HIP's API on each device."""

from importlib.util import find_spec

import pytest

from . import calls, graphs

if find_spec("rocm") is None:  # there are no wheels of HIP's types for this platform
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def hip(device):
    """Return the module, with the device as this thread's."""
    from launchpath import hip
    from launchpath.hip._devices import current

    current.choose(device)
    hip.hipGetLastError()
    yield hip
    hip.hipGetLastError()
    current.choose(None)


@pytest.fixture
def program(hip):
    """Return kernels and memory."""
    kernels = graphs.Program(hip)
    yield kernels
    kernels.end()


@pytest.fixture
def graph(hip):
    """Return an empty graph."""
    handle = calls.ok(hip.hipGraphCreate(0))
    yield handle
    hip.hipGraphDestroy(handle)


@pytest.fixture
def stream(hip):
    """Return a stream."""
    handle = calls.ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
    yield handle
    calls.ok(hip.hipStreamDestroy(handle))


@pytest.fixture
def balance():
    """The test frees what it allocates."""
    from launchpath.hip._memory import allocations

    before = allocations.count()
    yield
    allocations.free_waiting()
    assert allocations.count() == before
