"""Two simulated devices that reach each other, for tests: streams, arrays, and copies between them."""

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import launchpath as lp
from launchpath._memory.copies.peer import copy_between
from tests.simulated import Machine

N = 64


class Pair:
    """Two devices of a machine, an array on each, and a stream of each that is current where a test says so."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.first, self.second = machine.devices
        self.arrays = [lp.zeros(N, "uint32", device) for device in machine.devices]
        for device in machine.devices:
            device.synchronize()

    def stream(self, kind: str, device: lp.Device) -> lp.Stream:
        (stream,) = self.machine.streams((kind,), device)
        return stream

    def read(self, which: int) -> list[int]:
        return self.arrays[which].to_numpy().tolist()


@pytest.fixture(params=[True, False], ids=["one context", "two contexts"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Two devices that can access each other's memory. Nothing runs but what a test lets run."""
    with Machine(devices=2, peers="access", share_context=request.param, host_accessible=False) as machine:
        pair = Pair(machine)
        yield pair
        request.node.funcargs.clear()
        pair.arrays.clear()
        gc.collect()
        for device in machine.devices:  # either may use memory of the other, which that gives back when it is closed
            device.synchronize()


def ramp(start: int = 0) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.arange(start, start + N, dtype=np.uint32)


__all__ = ["Machine", "N", "Pair", "copy_between", "pair", "ramp"]
