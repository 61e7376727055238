"""launchpath's CUDA and HIP drivers on the stand-in library: every test here runs on both, unless it says otherwise."""

import gc
import os
import sys
import traceback
from collections.abc import Callable, Container, Iterator
from typing import Any

import pytest

import launchpath as lp
from launchpath.errors import LibraryError
from tests.standin.client import NON_BLOCKING

from .capture.capture import Capture
from .standin import DRIVERS, OUT, Standin

_standins: dict[str, Standin] = {}  # a process has one library of each kind


def standin(driver: str, folder: Any) -> Standin:
    """Return the process's stand-in of a driver; skip where a real library has been loaded already."""
    if driver not in _standins:
        try:
            ordered = os.environ.get("LAUNCHPATH_STREAM_ORDERED", "1") != "0"
            _standins[driver] = Standin(driver, folder.mktemp(driver), ordered)
        except LibraryError as error:
            if "this process already uses" not in str(error):
                raise
            pytest.skip(f"{error}: run these tests by themselves, `pytest tests/gpu`")
    return _standins[driver]


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    """The table's name."""
    return str(request.param)


@pytest.fixture
def gpu(
    driver: str,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Standin]:
    """A driver with two devices; at the end all is given back, and the library must have noticed nothing wrong.

    ``@pytest.mark.leaves("modules")`` says what a test leaves behind, as caches do.
    """
    library = standin(driver, tmp_path_factory)
    monkeypatch.setenv("LAUNCHPATH_CUPTI_LIBRARY", "none")  # the tests of `cupti` have one
    if driver == "cuda":
        # A test of whatever kind before may have left another context on this thread.
        library.bare("cuCtxSetCurrent", None)
    for device in library.devices:
        device.pool.share(0)  # so that each allocation shows in the library's calls
    library.device.synchronize()
    before = library.live()
    library.control.reports()
    library.forget_calls()
    yield library
    request.node.funcargs.clear()  # other fixtures' streams and arrays
    if getattr(request.node, "has_failed", False):
        library.control.option("let_go", 1)  # the failure may keep what holds a stream
        library.settle()
        library.control.option("let_go", 0)
        return
    marker = request.node.get_closest_marker("leaves")
    leaves = marker.args if marker else ()
    library.settle(1)  # a full collection takes longer than most tests
    if _left(library, before, leaves):
        library.settle()
    assert library.control.reports() == []
    assert _left(library, before, leaves) == {}


@pytest.fixture
def stream(gpu: Standin) -> lp.Stream:
    """A nonblocking stream of the first device."""
    return gpu.stream()


@pytest.fixture
def array(gpu: Standin) -> lp.Array:
    """16 zeros on the first device."""
    return gpu.zeros()


@pytest.fixture
def capture(gpu: Standin, request: pytest.FixtureRequest) -> Iterator[Callable[..., Capture]]:
    """Return a function that gives a `Capture` of a stream's handle."""
    captures: list[Capture] = []

    def begin(handle: int, mode: str = "global") -> Capture:
        for device in gpu.devices:  # what earlier tests have left would count as busy
            device.synchronize()
        captures.append(Capture(gpu, handle, mode))
        return captures[-1]

    yield begin
    _let_go(request)
    for opened in captures:
        opened.close()


@pytest.fixture
def theirs(gpu: Standin, request: pytest.FixtureRequest) -> Iterator[Callable[..., int]]:
    """Return a function that makes a stream of foreign code's, and gives its handle."""
    handles: list[int] = []

    def make(flags: int = NON_BLOCKING) -> int:
        handles.append(gpu.cuda("cuStreamCreateWithPriority", OUT, flags, 0))
        return handles[-1]

    yield make
    _let_go(request)
    if any(handle in gpu.device._foreign_streams for handle in handles):
        gc.collect()
    gpu.device.synchronize()
    for handle in handles:
        gpu.cuda("cuStreamDestroy_v2", handle)


def _let_go(request: pytest.FixtureRequest) -> None:
    """Let go of the test's streams and arrays, those of one that has failed too."""
    request.node.funcargs.clear()
    error = getattr(sys, "last_value", None)  # pytest keeps it, and with it what the test's frames hold
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            assert frame.f_locals is not None  # looking there makes what was shown of the frame go, too
        error = error.__context__
    gc.collect(1)


def _left(library: Standin, before: dict[str, int], leaves: Container[str]) -> dict[str, int]:
    """Count what there is more of than before. Events and helper streams are kept for reuse, as many as one test needs."""
    kept = {"events": 80, "streams": 16}
    left = {what: count - before[what] for what, count in library.live().items()}
    return {what: count for what, count in left.items() if count > kept.get(what, 0) and what not in leaves}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "leaves(*what): what of `LIVE` a test leaves behind on the stand-in")
