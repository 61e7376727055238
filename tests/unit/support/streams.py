"""Streams of every kind, for tests that hold on any of them."""

from collections.abc import Iterator
from typing import Any

import pytest

import launchpath as lp
from tests.simulated import Machine

KINDS = ("legacy", "blocking", "nonblocking")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def each(*kinds: str) -> Any:
    """Make the fixture `stream`: one of each kind in turn, of these or "per-thread"."""

    @pytest.fixture(params=kinds)
    def stream(machine: Machine, request: pytest.FixtureRequest) -> Iterator[lp.Stream]:
        streams = machine.streams(KINDS)
        if request.param == "per-thread":
            streams.append(machine.device.per_thread_stream)
            del machine.device._per_thread.stream  # it goes with the test, not with the thread
        yield streams.pop() if request.param == "per-thread" else streams[KINDS.index(request.param)]
        request.node.funcargs.pop("stream")  # the machine closes next

    return stream
