"""Streams that somebody else captures: what becomes part of the graph, and what goes on beside it."""

import pytest

import launchpath as lp


@pytest.fixture(params=["foreign", "own"])
def stream(gpu, theirs, request):
    """A stream of ours that foreign code captures by its handle: over one of theirs, or one whose handle we gave away."""
    return lp.Stream.external(theirs(), gpu.device) if request.param == "foreign" else gpu.stream()


@pytest.fixture(params=["foreign", "own"])
def blocking(gpu, theirs, request):
    """The same, ordered with the legacy stream."""
    return lp.Stream.external(theirs(0), gpu.device) if request.param == "foreign" else gpu.stream("blocking")
