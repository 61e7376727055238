"""Ranks of MPI that measure against rank 0: threads that talk as mpi4py's communicators do, and mpi4py where it is."""

import queue
import shutil
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

import pytest

from launchpath._trace.hosts.exchange import RATE
from launchpath._trace.hosts.host_clock import HostClock, read
from launchpath._tracing.clocks import inside, mpi
from launchpath._tracing.clocks.mpi import Ranks
from tests.patience import PATIENCE


class World:
    """Some ranks."""

    def __init__(self, ranks: int) -> None:
        self.size = ranks
        self.boxes: dict[tuple[int, int], queue.Queue[bytes]] = {
            (source, target): queue.Queue() for source in range(ranks) for target in range(ranks)
        }
        self.gathered: list[Any] = [None] * ranks
        self.barrier = threading.Barrier(ranks)


class Intracomm:
    """What launchpath uses of a communicator."""

    def __init__(self, world: World, rank: int) -> None:
        self._world, self._rank = world, rank

    def Dup(self) -> "Intracomm":
        return self

    def Get_rank(self) -> int:
        return self._rank

    def allgather(self, value: Any) -> list[Any]:
        self._world.gathered[self._rank] = value
        self._world.barrier.wait(PATIENCE)
        gathered = list(self._world.gathered)
        self._world.barrier.wait(PATIENCE)
        return gathered

    def Send(self, data: bytearray, target: int, tag: int) -> None:
        self._world.boxes[self._rank, target].put(bytes(data))

    def Irecv(self, buffer: bytearray, source: int, tag: int) -> "Request":
        return Request(self._world.boxes[source, self._rank], buffer)


class Request:
    def __init__(self, box: "queue.Queue[bytes]", buffer: bytearray) -> None:
        self._box, self._buffer = box, buffer

    def Test(self) -> bool:
        try:
            self._buffer[:] = self._box.get(timeout=0.001)
        except queue.Empty:
            return False
        return True

    def Cancel(self) -> None:
        pass

    def Wait(self) -> None:
        pass


Intracomm.__module__ = "mpi4py.MPI"


@pytest.fixture
def ranks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[HostClock]]:
    """Run as many ranks as there are hosts' names; give what each notes."""

    def run(hosts: list[str], fails: tuple[int, ...] = (), id: str = "") -> list[HostClock]:
        world, notes = World(len(hosts)), [{} for _ in hosts]
        monkeypatch.setattr(mpi.socket, "gethostname", lambda: threading.current_thread().name)
        monkeypatch.setattr(mpi, "identity", lambda: id or f"id of {threading.current_thread().name}")
        monkeypatch.setattr(mpi, "PATIENCE", 2.0 if fails else PATIENCE)
        monkeypatch.setitem(sys.modules, "mpi4py.MPI", types.SimpleNamespace(Is_finalized=lambda: False))

        def noted(rank: int) -> Callable[[dict[str, Any]], None]:
            def note(facts: dict[str, Any]) -> None:
                for key, value in facts["host_clock"].items():
                    if isinstance(value, dict):
                        notes[rank].setdefault(key, {}).update(value)
                    else:
                        notes[rank][key] = value

            return note

        def rank(number: int) -> None:
            own = Ranks(Intracomm(world, number), noted(number), {"kernel": {"bound": number}})
            own.begin()
            time.sleep(0.02)
            if number not in fails:
                own.end()
            elif own._watch is not None:
                own._watch.stop()

        threads = [threading.Thread(target=rank, args=(n,), name=host) for n, host in enumerate(hosts)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        return [clock for note in notes if (clock := read({"host_clock": note})) is not None]

    return run


def test_one_rank_of_each_host_measures(ranks: Callable[..., list[HostClock]]) -> None:
    clocks = ranks(["a", "b", "a", "b", "c"])
    assert [len([each for each in clock.measurements if each.exchanges]) for clock in clocks] == [0, 2, 0, 0, 2]
    assert {clock.reference_id for clock in clocks} == {"id of a"}
    assert [clock.is_reference for clock in clocks] == [True, False, True, False, False]
    assert all(clock.by.startswith("mpi, tcp ") for clock in clocks)
    assert [clock.statements["kernel"]["bound"] for clock in clocks] == [0, 1, 2, 3, 4]
    for clock in clocks:  # they all have the same clock, in truth
        assert all(each.low <= 0 <= each.high for each in clock.measurements)
        assert clock.failed == clock.lost == clock.refused == 0


def test_hosts_of_the_same_clock_measure_nothing(ranks: Callable[..., list[HostClock]]) -> None:
    """As containers of one host."""
    clocks = ranks(["a", "b"], id="the same")
    assert [clock.is_reference for clock in clocks] == [True, True]
    assert [clock.measurements for clock in clocks] == [[], []]


def test_ranks_of_a_single_host_measure_nothing(ranks: Callable[..., list[HostClock]]) -> None:
    assert [clock.measurements for clock in ranks(["a", "a"])] == [[], []]


def test_a_rank_that_has_failed_holds_nobody_up(ranks: Callable[..., list[HostClock]]) -> None:
    clocks = ranks(["a", "b", "c"], fails=(1,))
    assert [len(clock.measurements) for clock in clocks] == [0, 1, 2]


def test_where_rank_0_has_failed_the_others_say_so(ranks: Callable[..., list[HostClock]]) -> None:
    _, clock = ranks(["a", "b"], fails=(0,))
    assert (len(clock.measurements), clock.failed) == (1, 1)
    assert "clock of rank 0: expected an answer within 2 s, got none" in clock.failure


def test_communicators_are_told_by_their_type() -> None:
    assert inside.is_communicator(Intracomm(World(1), 0))
    assert not inside.is_communicator(5)
    assert RATE == 1_200_000


REAL = """
import json, time
from mpi4py import MPI
from launchpath._tracing.clocks import inside, mpi
rank = MPI.COMM_WORLD.Get_rank()
mpi.identity = lambda: f"id of {rank}"
notes = []
ranks = mpi.Ranks(MPI.COMM_WORLD, notes.append, {})
assert inside.is_communicator(MPI.COMM_WORLD)
ranks.begin()
time.sleep(0.1)
ranks.end()
points = [each for note in notes for each in note["host_clock"].get("measurements", {}).values()]
assert len(points) == (2 if rank else 0), points
assert all(low <= 0 <= high for _, low, high, *_ in points), points
"""


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("mpirun") is None, reason="needs mpirun and mpi4py")
def test_ranks_of_mpi4py() -> None:
    pytest.importorskip("mpi4py")
    subprocess.run(["mpirun", "-n", "2", sys.executable, "-c", REAL], check=True, timeout=100)
