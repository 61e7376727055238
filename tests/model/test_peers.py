"""Random programs over two devices that reach each other's memory, judged by the machine and against NumPy.

Each device has a current stream. Its arrays are used on that, by copies between the devices, and by the other device's
kernels, so nothing but the copies' own order keeps the two devices' work apart.
"""

from contextlib import ExitStack

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import launchpath as lp
from launchpath import _core
from launchpath._memory.copies.peer import copy_between
from tests.model.programs import KINDS
from tests.model.random_programs import random_programs
from tests.simulated import Machine

N = 16
ACTIONS = (
    *("copy", "copy by the source's", "copy by the target's") * 4, *("fill", "launch") * 4, *("peer", "replace", "switch") * 2,
    "read", "read without a stream", "synchronize",
)  # fmt: skip
Steps = tuple[tuple[str, int, int], ...]

programs = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 1), st.integers(0, 7)), min_size=1, max_size=40
).map(tuple)
streams = st.tuples(*[st.lists(st.sampled_from(KINDS), min_size=1, max_size=2)] * 2)


class PeersRun:
    """Two arrays on each device, with what they hold in NumPy."""

    def __init__(self, machine: Machine, kinds: tuple[list[str], list[str]]) -> None:
        self.devices = machine.devices
        self.streams = [machine.streams(("legacy", *kinds[at]), device) for at, device in enumerate(self.devices)]
        self.current = [streams[0] for streams in self.streams]
        self.kernels = [machine.kernel(device=device) for device in self.devices]
        for device, other in (self.devices, self.devices[::-1]):
            device.enable_peer(other)
        self.arrays = [[self.create(at), self.create(at)] for at in (0, 1)]
        self.expected = [[np.zeros(N, np.uint32), np.zeros(N, np.uint32)] for _ in (0, 1)]

    def create(self, at: int) -> lp.Array:
        return lp.zeros(N, "uint32", stream=self.current[at])

    def step(self, action: str, at: int, operand: int) -> None:
        own, row = operand % 2, self.arrays[at]
        stream, other = self.current[at], self.current[1 - at]
        if action.startswith("copy"):
            self.copy(at, own, operand // 2 % 2, action)
        elif action == "fill":
            row[own].fill(operand, stream)
            self.expected[at][own] = np.full(N, operand, np.uint32)
        elif action == "launch":
            self.kernels[at][1, 1, stream](row[own], row[1 - own], N, operand)
            self.mixed((at, own), (at, 1 - own), operand)
        elif action == "peer":
            far = operand // 2 % 2
            stream.wait(other.record())
            self.kernels[at][1, 1, stream](row[own], self.arrays[1 - at][far], N, operand)
            other.wait(stream.record())
            self.mixed((at, own), (1 - at, far), operand)
        elif action == "replace":
            row[own] = None  # type: ignore[call-overload]
            row[own] = self.create(at)
            self.expected[at][own] = np.zeros(N, np.uint32)
        elif action == "switch":
            self.current[at] = self.streams[at][operand % len(self.streams[at])]
            self.current[at].wait(stream.record())
        elif action == "read":
            np.testing.assert_array_equal(row[own].to_numpy(stream), self.expected[at][own])
        elif action == "read without a stream":
            np.testing.assert_array_equal(row[own].to_numpy(), self.expected[at][own])
        else:
            self.devices[at].synchronize()

    def mixed(self, to: tuple[int, int], source: tuple[int, int], tag: int) -> None:
        pairs = zip(self.expected[to[0]][to[1]].tolist(), self.expected[source[0]][source[1]].tolist(), strict=True)
        self.expected[to[0]][to[1]] = np.array([_core.simulated_mix(a, b, tag) for a, b in pairs], np.uint32)

    def copy(self, at: int, source: int, to: int, action: str) -> None:
        """Copy from a device to the other one, with the streams current that this is about."""
        sides = {"copy by the source's": self.current[at], "copy by the target's": self.current[1 - at]}
        named = sides.get(action)
        with ExitStack() as entered:
            if named is not None:
                entered.enter_context(self.current[1 - at] if named is self.current[at] else self.current[at])
                done = copy_between(self.arrays[at][source], self.arrays[1 - at][to], named)
            else:  # a thread has one current stream: the other device's is then the legacy one
                entered.enter_context(self.current[1 - at])
                legacy = self.devices[at].legacy_stream
                legacy.wait(self.current[at].record())
                done = copy_between(self.arrays[at][source], self.arrays[1 - at][to], None)
                self.current[at].wait(legacy.record())
        assert done
        self.expected[1 - at][to] = self.expected[at][source].copy()


def run_program(machine: Machine, kinds: tuple[list[str], list[str]], steps: Steps) -> None:
    run = PeersRun(machine, kinds)
    for action, at, operand in steps:
        run.step(action, at, operand)
    for device in machine.devices:
        device.synchronize()
    for arrays, expected in zip(run.arrays, run.expected, strict=True):
        for array, values in zip(arrays, expected, strict=True):
            np.testing.assert_array_equal(array.to_numpy(), values)


@random_programs
@given(streams, programs, st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
def test_no_schedule_breaks_a_program_of_peers(
    kinds: tuple[list[str], list[str]], steps: Steps, shared: bool, accessible: bool, seed: int
) -> None:
    with Machine(devices=2, peers="access", share_context=shared, host_accessible=accessible, seed=seed) as machine:
        run_program(machine, kinds, steps)
        for device in machine.devices:
            device.synchronize()
