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


# What destroys each kind of handle, by the name of its type.
ENDS = {
    "hipArray": "hipFreeArray",
    "hipGraphExec": "hipGraphExecDestroy",
    "ihipEvent_t": "hipEventDestroy",
    "ihipGraph": "hipGraphDestroy",
    "ihipMemPoolHandle_t": "hipMemPoolDestroy",
    "ihipModule_t": "hipModuleUnload",
    "ihipStream_t": "hipStreamDestroy",
    "NDBuffer": "hipFree",
    "Pointer": "hipHostFree",
}


@pytest.fixture
def made(hip):
    """Return what gives the output of a call like `ok`, and destroys it at the test's end, which must succeed too."""
    handles = []

    def made_by(result):
        handles.append(calls.ok(result))
        return handles[-1]

    yield made_by
    for handle in reversed(handles):
        calls.ok(getattr(hip, ENDS[type(handle).__name__])(handle))


@pytest.fixture(scope="module")
def world(device):
    """Return what rows of wrong input name."""
    from launchpath import hip
    from launchpath.hip._devices import current

    from .world import build

    current.choose(device)
    yield build(hip)
    current.choose(None)


@pytest.fixture
def graph(hip):
    """Return an empty graph."""
    handle = calls.ok(hip.hipGraphCreate(0))
    yield handle
    hip.hipGraphDestroy(handle)


@pytest.fixture
def stream(hip, made):
    """Return a stream."""
    return made(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))


@pytest.fixture
def channel(hip):
    """Return one channel of floats."""
    return calls.ok(hip.hipCreateChannelDesc(32, 0, 0, 0, hip.hipChannelFormatKind.hipChannelFormatKindFloat))


@pytest.fixture
def balance():
    """The test frees what it allocates."""
    from launchpath.hip._memory import allocations, waiting

    before = allocations.count()
    yield
    waiting.free_passed()
    assert allocations.count() == before
