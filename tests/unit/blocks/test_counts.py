"""What argument blocks count, on the simulated driver: a kernel's own, and all kernels' together."""

import gc
import sys
import threading
from typing import Any

import launchpath as lp
from launchpath import _core
from tests.simulated import Machine
from tests.unit.support.blocks import Keeper
from tests.unit.support.streams import KINDS, each

stream = each(*KINDS, "per-thread")


def test_what_all_blocks_did_is_added_up(machine: Machine, stream: lp.Stream) -> None:
    keeper = Keeper(machine)
    before = _core.argument_counts()
    for value in 1, 1, 2:
        keeper.kernel[1, 1, stream](*keeper.arguments(value))
    after = _core.argument_counts()
    more = {name: after[name] - before[name] for name in after}
    assert more["uploads"] == 2
    assert more["skipped"] == 1
    assert more["bytes"] == 2 * keeper.signature.size
    assert (more["slots"], more["growths"]) == (2, 3)
    assert more == keeper.kernel.argument_counts()
    stream.synchronize()
    keeper.kernel = None
    gc.collect()
    assert _core.argument_counts() == after


def test_a_kernels_counts_are_those_of_streams_that_are_gone_as_well(machine: Machine) -> None:
    keeper = Keeper(machine)
    for _ in range(3):
        stream = lp.Stream(blocking=False, device=machine.device)
        for value in 1, 1, 2:
            keeper.kernel[1, 1, stream](*keeper.arguments(value))
        stream.synchronize()
        del stream
    counts = keeper.kernel.argument_counts()
    assert (counts["uploads"], counts["skipped"], counts["slots"]) == (6, 3, 6)


def test_counts_can_be_asked_while_streams_come_and_go(machine: Machine) -> None:
    keeper, done = Keeper(machine, size=64), threading.Event()
    wrong: list[str] = []

    def ask(count: Any) -> None:
        while not done.is_set():
            try:
                count()
            except RuntimeError as error:
                wrong.append(str(error))
                return

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [
        threading.Thread(target=ask, args=(count,)) for count in (keeper.kernel.argument_counts, _core.argument_counts)
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(40):
            streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(20)]
            for stream in streams:
                keeper.kernel[1, 1, stream](*keeper.arguments(1))
            machine.device.synchronize()
            if wrong:
                break
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(before)
    del streams, stream, threads, ask
    assert not wrong
