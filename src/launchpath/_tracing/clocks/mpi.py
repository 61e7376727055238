"""Rank 0 as the reference of MPI's other ranks: messages of MPI have the shortest round trips there are.

MPI's calls are made at the begin and at the end of a trace only, by the thread that begins and ends it. In between MPI
belongs to the program: the measurement of each minute goes by TCP, to a server of rank 0 whose address MPI has told.
One rank of each host measures, the lowest.

At the begin all ranks of the communicator have to take part, as in any collective call. At the end each rank that
measures waits for rank 0, and rank 0 for each of them, for `PATIENCE` seconds at most: a rank that has failed holds
the others up for no longer.
"""

from __future__ import annotations

import importlib
import json
import socket
import time
from collections.abc import Callable
from typing import Any

from launchpath._trace.hosts.exchange import Exchange
from launchpath._trace.hosts.host_clock import KEY
from launchpath._tracing.clocks.address import Address
from launchpath._tracing.clocks.identity import identity
from launchpath._tracing.clocks.protocol import PING, SIZE, SLEWING, Message, unpacked
from launchpath._tracing.clocks.reference import ClockError, Reference
from launchpath._tracing.clocks.server import ClockServer
from launchpath._tracing.clocks.watch import Watch

PATIENCE = 10.0  # seconds
_TAG = 7460
_DONE = 0  # a kind of message: the rank has measured


class Ranks:
    """The clocks of MPI's ranks.

    Parameters
    ----------
    communicator : mpi4py.MPI.Intracomm
    noted : callable
        Called with facts for ``META``, from any thread.
    statements : dict
        What others say of this host's time of day.
    """

    def __init__(self, communicator: Any, noted: Callable[[dict[str, Any]], None], statements: dict[str, Any]) -> None:
        self._given, self._noted, self._statements = communicator, noted, statements
        self._server: ClockServer | None = None
        self._watch: Watch | None = None
        self._asked: _Asked | None = None
        self._measuring: list[int] = []

    def begin(self) -> None:
        """Measure; all ranks have to take part."""
        ranks = self._ranks = self._given.Dup()  # so that no message of the program's is taken for one of these
        own, here = ranks.Get_rank(), (identity(), socket.gethostname())
        told = json.dumps(here)
        if own == 0:
            self._server = _server(*here)
            told = json.dumps([*here, self._server.address[1] if self._server else 0])
        about = [json.loads(each) for each in ranks.allgather(told)]
        reference, host, port = about[0]
        hosts = [tuple(each[:2]) for each in about]
        self._measuring = [hosts.index(each) for each in dict.fromkeys(hosts) if each != (reference, host)]
        self._asked = _Asked(ranks, (reference, host), Address(host, port) if port else None)
        watch = Watch(self._asked, self._noted, name=here[1], id=here[0])
        watch.facts.statements = self._statements
        if own in self._measuring:
            self._watch = watch
            with self._asked:
                watch.start()
                watch.measure()
            watch.go_on()
            return
        watch.facts.reference_id, watch.facts.reference_host = reference, host
        self._noted({KEY: watch.facts.as_json()})
        if own == 0:
            self._answer()

    def end(self) -> None:
        """Measure for the last time."""
        if importlib.import_module("mpi4py.MPI").Is_finalized():
            if self._watch is not None:
                self._watch.end()  # by TCP
        elif self._watch is not None and self._asked is not None:
            with self._asked:
                self._watch.end(anyway=True)
        elif self._server is not None:
            self._answer()
        if self._server is not None:
            self._server.stop()

    def _answer(self) -> None:
        """Answer each rank that measures: whichever comes, and then no other one until it has done."""
        waiting = {rank: _Awaited(self._ranks, rank) for rank in self._measuring}
        since = time.monotonic()
        while waiting and time.monotonic() - since < PATIENCE:
            for rank, awaited in list(waiting.items()):
                if awaited.has_come():
                    del waiting[rank]
                    self._serve(rank, awaited.message())
                    since = time.monotonic()
        for awaited in waiting.values():
            awaited.cancel()

    def _serve(self, rank: int, asked: Message | None) -> None:
        """Answer a rank until it has done, or asks no more."""
        while asked is not None and asked.kind != _DONE:
            received = time.monotonic_ns()
            answer = Message(SLEWING, asked.number, 0, -1)
            if asked.kind == PING:
                answer = Message(PING, asked.number, received, time.monotonic_ns())
            elif self._server is not None:
                answer = Message(SLEWING, asked.number, *self._server.slewing.since(asked.first, asked.second))
            self._ranks.Send(bytearray(answer.packed()), rank, _TAG)
            asked = _received(self._ranks, rank)


class _Asked:
    """Rank 0, asked by MPI within ``with``, and by TCP otherwise."""

    def __init__(self, ranks: Any, about: tuple[str, str], where: Address | None) -> None:
        self._ranks, self._about = ranks, about
        self._by_tcp = Reference(where) if where else None
        self.by = f"mpi, {self._by_tcp.by}" if self._by_tcp else "mpi"
        self._over_mpi = False
        self._number = self._lost = self._refused = 0

    @property
    def lost(self) -> int:
        """Questions without an answer."""
        return self._lost + (self._by_tcp.lost if self._by_tcp else 0)

    @property
    def refused(self) -> int:
        """Answers that no clock can have given."""
        return self._refused + (self._by_tcp.refused if self._by_tcp else 0)

    def __enter__(self) -> _Asked:
        self._over_mpi = True
        return self

    def __exit__(self, *_: object) -> None:
        self._over_mpi = False
        self._ranks.Send(bytearray(Message(_DONE, 0).packed()), 0, _TAG)

    def about(self) -> tuple[str, str]:
        """Give the identity of the reference's clock, and its host's name."""
        if self._over_mpi:
            return self._about
        return self._tcp().about()

    def exchange(self) -> Exchange:
        """Ask for its time once."""
        if not self._over_mpi:
            return self._tcp().exchange()
        sent = time.monotonic_ns()
        answer = self._ask(PING)
        exchange = Exchange(sent, answer.first, answer.second, time.monotonic_ns())
        if fault := exchange.fault():
            self._refused += 1
            raise ClockError(f"clock of rank 0: expected the time, got a wrong answer: {fault}")
        return exchange

    def slewing(self, begin: int, end: int) -> tuple[int, int]:
        """Ask what daemons did to its clock."""
        if not self._over_mpi:
            return self._tcp().slewing(begin, end)
        answer = self._ask(SLEWING, begin, end)
        return answer.first, answer.second

    def close(self) -> None:
        """Close the connection by TCP."""
        if self._by_tcp is not None:
            self._by_tcp.close()

    def _tcp(self) -> Reference:
        if self._by_tcp is None:
            raise ClockError("clock of rank 0: expected an address to ask by TCP between begin and end, got none")
        return self._by_tcp

    def _ask(self, kind: int, first: int = 0, second: int = 0) -> Message:
        self._number += 1
        self._ranks.Send(bytearray(Message(kind, self._number, first, second).packed()), 0, _TAG)
        answer = _received(self._ranks, 0)
        while answer is not None and answer.number < self._number:  # one that came too late
            answer = _received(self._ranks, 0)
        if answer is None:
            self._lost += 1
            raise ClockError(f"clock of rank 0: expected an answer within {PATIENCE:g} s, got none")
        return answer


def _server(id: str, host: str) -> ClockServer | None:
    try:
        return ClockServer(port=0, name=host, id=id).start()
    except OSError:  # then there is nothing between begin and end
        return None


class _Awaited:
    """A message that may come."""

    def __init__(self, ranks: Any, source: int) -> None:
        self._buffer = bytearray(SIZE)
        self._request = ranks.Irecv(self._buffer, source, _TAG)

    def has_come(self) -> bool:
        return bool(self._request.Test())

    def message(self) -> Message | None:
        message = unpacked(bytes(self._buffer))
        return None if isinstance(message, str) else message

    def cancel(self) -> None:
        self._request.Cancel()
        self._request.Wait()


def _received(ranks: Any, source: int) -> Message | None:
    """Receive a message; None if none comes in time."""
    awaited, end = _Awaited(ranks, source), time.monotonic() + PATIENCE
    while not awaited.has_come():
        if time.monotonic() > end:
            awaited.cancel()
            return None
    return awaited.message()
