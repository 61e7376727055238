"""A reference asked by TCP: lost answers, wrong ones, a server that dies."""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import numpy
import pytest

from launchpath._trace.hosts.exchange import Exchange
from launchpath._trace.hosts.measurement import measured
from launchpath._trace.hosts.offset import Offset
from launchpath._tracing.clocks.address import Address, address
from launchpath._tracing.clocks.protocol import ABOUT, PING, SIZE, Message, unpacked
from launchpath._tracing.clocks.reference import LEAST, MOST, ClockError, Reference, exchanges
from launchpath._tracing.clocks.server import ClockServer
from launchpath._tracing.clocks.watch import Watch
from launchpath.errors import ArgumentValueError

AHEAD = 123_456_789_000_000


def ahead() -> int:
    return time.monotonic_ns() + AHEAD


def raw_ahead() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) + AHEAD


def server(port: int = 0, **more: str) -> ClockServer:
    return ClockServer("127.0.0.1", port, clock=ahead, raw=raw_ahead, **{"name": "node0", "id": "its clock", **more})


@pytest.fixture
def reference() -> Iterator[Reference]:
    with server() as there:
        asked = Reference(Address(*there.address))
        yield asked
        asked.close()


class Faulty:
    """A server whose answers to pings, by their numbers from 0 on, are those of a function; None: none."""

    def __init__(self, answer: Callable[[int, Message], bytes | None]) -> None:
        self._answer = answer
        self.pings = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = Address(*self._socket.getsockname()[:2])
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            client, _ = self._socket.accept()
            with contextlib.suppress(OSError):
                self._serve(client)
            client.close()

    def _serve(self, client: socket.socket) -> None:
        while len(data := client.recv(SIZE)) == SIZE:
            asked = unpacked(data)
            assert isinstance(asked, Message)
            if asked.kind == ABOUT:
                client.sendall(Message(ABOUT, asked.number, 24).packed() + b'{"id":"x","host":"node"}')
                continue
            answer = self._answer(self.pings, asked) if asked.kind == PING else Message(*asked[:2], 0, 0).packed()
            self.pings += asked.kind == PING
            if answer is not None:
                client.sendall(answer)


def good(asked: Message) -> bytes:
    return Message(PING, asked.number, ahead(), ahead()).packed()


def test_the_true_offset_is_inside(reference: Reference) -> None:
    assert reference.about() == ("its clock", "node0")
    made = exchanges(reference.exchange)
    assert LEAST <= len(made) <= MOST
    measurement = measured(made)
    assert measurement is not None
    assert measurement.low <= AHEAD <= measurement.high
    assert measurement.bound <= 0.6 * measurement.round_trip
    assert (reference.lost, reference.refused) == (0, 0)


def test_exchanges_go_on_while_they_become_shorter() -> None:
    trips = iter([*range(1000, 500, -20), *[500] * 100])

    def exchange() -> Exchange:
        return Exchange(0, 0, 0, next(trips))

    made = exchanges(exchange)
    assert 25 <= len(made) <= 45
    assert min(each.round_trip for each in made) == 500
    assert len(exchanges(lambda: Exchange(0, 0, 0, 7))) == LEAST
    assert len(exchanges(lambda: Exchange(0, 0, 0, 7), length=-1.0)) == 1


def test_a_lost_answer_is_asked_for_again_and_counted() -> None:
    faulty = Faulty(lambda number, asked: None if number == 3 else good(asked))
    asked = Reference(faulty.address, answered=0.05)
    made = exchanges(asked.exchange)
    measurement = measured(made)
    assert measurement is not None and measurement.low <= AHEAD <= measurement.high
    assert (asked.lost, asked.refused) == (1, 0)
    asked.close()


def test_an_answer_that_comes_late_is_not_taken_for_the_next_one() -> None:
    late: list[bytes] = []

    def answer(number: int, asked: Message) -> bytes | None:
        if number == 2:
            late.append(good(asked))
            return None
        return late.pop() + good(asked) if late else good(asked)

    asked = Reference(Faulty(answer).address, answered=0.05)
    measurement = measured(exchanges(asked.exchange))
    assert measurement is not None and measurement.low <= AHEAD <= measurement.high
    assert (asked.lost, asked.refused) == (1, 1)
    asked.close()


WRONG = {
    "another number": lambda asked: Message(PING, asked.number + 7, ahead(), ahead()).packed(),
    "another kind": lambda asked: Message(ABOUT, asked.number, ahead(), ahead()).packed(),
    "time goes back": lambda asked: Message(PING, asked.number, ahead(), ahead() - 10**9).packed(),
    "longer than the exchange": lambda asked: Message(PING, asked.number, ahead(), ahead() + 10**12).packed(),
    "no message": lambda asked: b"HTTP/1.1 400 Bad Request".ljust(SIZE),
    "another version": lambda asked: struct.pack("<4shhqqqq", b"LPCK", 2, PING, asked.number, 0, 0, 0),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_answer_is_refused(fault: str) -> None:
    faulty = Faulty(lambda number, asked: WRONG[fault](asked) if number == 2 else good(asked))
    asked = Reference(faulty.address)
    measurement = measured(exchanges(asked.exchange))
    assert measurement is not None and measurement.low <= AHEAD <= measurement.high
    assert (asked.lost, asked.refused) == (0, 1)
    asked.close()
    always = Reference(Faulty(lambda number, asked: WRONG[fault](asked)).address)
    with pytest.raises(ClockError, match="expected the time, got a wrong answer"):
        always.exchange()
    assert always.refused == 3
    always.close()


def test_a_server_of_another_kind_is_told_from_a_reference() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    asked = Reference(Address(*listening.getsockname()[:2]), answered=0.02)
    with pytest.raises(ClockError, match="expected an answer within 0.02 s, got none"):
        asked.about()
    listening.close()
    with pytest.raises(ClockError, match="Connection refused"):
        asked.about()


def test_a_server_that_dies_and_comes_back() -> None:
    there = server().start()
    watch = Watch(Reference(Address(*there.address), answered=0.2), name="node1", id="own")
    watch.start()
    assert watch.measure() is not None
    there.stop()
    assert watch.measure() is None
    assert watch.facts.failed == 1 and "node" not in watch.facts.failure and "expected an answer" in watch.facts.failure
    with server(there.address[1]):
        assert watch.measure() is not None
        watch.stop()
    assert len(watch.facts.measurements) == 2
    last = watch.facts.measurements[-1]
    assert last.bend == -1  # the new process has not seen what was before
    stated, bound = Offset(watch.facts.measurements)(numpy.array([last.time]))
    assert abs(int(stated[0]) - AHEAD) <= bound[0] < 10**6


def test_another_clock_at_the_same_address_is_refused() -> None:
    there = server().start()
    watch = Watch(Reference(Address(*there.address)), id="own")
    assert watch.measure() is not None
    there.stop()
    with server(there.address[1], id="another", name="node7"):
        assert watch.measure() is None
        watch.stop()
    assert "expected the clock of node0 again, got another one, of node7" in watch.facts.failure


def test_a_clock_with_the_references_identity_that_is_another_one_is_measured() -> None:
    """Two virtual machines that began as copies of one another have the same identity."""
    with server(id="the same") as there:
        watch = Watch(Reference(Address(*there.address)), name="node1", id="the same")
        watch.start()
        measurement = watch.measure()
        watch.stop()
    assert measurement is not None and measurement.low <= AHEAD <= measurement.high
    assert (watch.facts.id, watch.facts.reference_id) == ("the same node1", "the same")


def test_the_reference_itself_is_not_measured() -> None:
    with ClockServer("127.0.0.1", 0, id="the same") as there:
        watch = Watch(Reference(Address(*there.address)), id="the same")
        watch.begin()
        assert watch.facts.is_reference and watch.facts.measurements == []
        watch.end()


def test_a_server_that_ends_waits_for_its_clients_for_a_while() -> None:
    there = server().start()
    asked = Reference(Address(*there.address))
    asked.exchange()
    begun = time.monotonic()
    assert there.stop(0.05) == 1
    assert time.monotonic() - begun < 2
    asked.close()
    with pytest.raises(ClockError):
        asked.exchange()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node0:80", ("node0", 80)),
        ("node0", ("node0", 7460)),
        ("[::1]:5", ("::1", 5)),
        ("[fe80::2]", ("fe80::2", 7460)),
    ],
)
def test_addresses(text: str, expected: tuple[str, int]) -> None:
    assert address(text) == expected
    assert address(str(address(text))) == expected


@pytest.mark.parametrize(
    "text", ["", ":80", "node0:", "node0:0", "node0:70000", "node0:x", "::1", "[::1", "a b:5", "node0:-1"]
)
def test_what_is_no_address(text: str) -> None:
    if text == "node0:":
        assert address(text) == ("node0", 7460)
        return
    with pytest.raises(ArgumentValueError, match="expected HOST:PORT"):
        address(text)
