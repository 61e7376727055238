"""Streams that somebody else captures: what becomes part of the graph, and what goes on beside it."""

import gc
import sys
import traceback

import pytest

import launchpath as lp
from tests.gpu.standin import OUT
from tests.standin.client import NON_BLOCKING

from .capture import Capture


@pytest.fixture
def capture(gpu, request):
    """Return a function that gives a `Capture` of a stream's handle."""
    captures = []

    def begin(handle, mode="global"):
        for device in gpu.devices:  # what earlier tests have left would count as busy
            device.synchronize()
        captures.append(Capture(gpu, handle, mode))
        return captures[-1]

    yield begin
    _let_go(request)
    for opened in captures:
        opened.close()


@pytest.fixture
def theirs(gpu, request):
    """Return a function that makes a stream of foreign code's, and gives its handle."""
    handles = []

    def make(flags=NON_BLOCKING):
        handles.append(gpu.cuda("cuStreamCreateWithPriority", OUT, flags, 0))
        return handles[-1]

    yield make
    _let_go(request)
    if any(handle in gpu.device._foreign_streams for handle in handles):
        gc.collect()
    gpu.device.synchronize()
    for handle in handles:
        gpu.cuda("cuStreamDestroy_v2", handle)


def _let_go(request):
    """Let go of the test's streams and arrays, those of one that has failed too."""
    request.node.funcargs.clear()
    error = getattr(sys, "last_value", None)  # pytest keeps it, and with it what the test's frames hold
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            assert frame.f_locals is not None  # looking there makes what was shown of the frame go, too
        error = error.__context__
    gc.collect(1)


@pytest.fixture(params=["foreign", "own"])
def stream(gpu, theirs, request):
    """A stream of ours that foreign code captures by its handle: over one of theirs, or one whose handle we gave away."""
    return lp.Stream.external(theirs(), gpu.device) if request.param == "foreign" else gpu.stream()


@pytest.fixture(params=["foreign", "own"])
def blocking(gpu, theirs, request):
    """The same, ordered with the legacy stream."""
    return lp.Stream.external(theirs(0), gpu.device) if request.param == "foreign" else gpu.stream("blocking")
