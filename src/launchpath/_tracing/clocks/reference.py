"""A reference, asked by TCP."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any

from launchpath._trace.hosts.exchange import Exchange
from launchpath._tracing.clocks.address import Address
from launchpath._tracing.clocks.protocol import ABOUT, LONGEST, PING, SIZE, SLEWING, Message, unpacked
from launchpath._tracing.clocks.slewing import Clock
from launchpath.errors import LaunchpathError

LEAST, MOST = 16, 100  # exchanges of a measurement
ENOUGH = 12  # exchanges in a row that are not much shorter than the shortest before: then there will be none
BETTER = 0.97  # of a round trip: that is much shorter
TRIES = 3  # questions without a good answer, after which a measurement fails
ANSWERED = 1.0  # seconds until an answer is lost
LENGTH = 1.0  # seconds that a measurement may take, beyond its first exchanges


class ClockError(LaunchpathError):
    """A reference does not answer, or wrongly."""


class Reference:
    """Asks a reference for its time. The connection is made when it is needed, and made anew when it was lost.

    Parameters
    ----------
    where : Address
    clock : callable, optional
        The own clock, nanoseconds.
    answered : float
        Seconds after which an answer is lost.

    Attributes
    ----------
    lost, refused : int
        Questions without an answer, and answers that no clock can have given.
    """

    def __init__(self, where: Address, clock: Clock = time.monotonic_ns, answered: float = ANSWERED) -> None:
        self.where, self.by = where, f"tcp {where}"
        self.lost = self.refused = 0
        self._clock, self._patience = clock, answered
        self._number = 0
        self._socket: socket.socket | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def about(self) -> tuple[str, str]:
        """Ask for the identity of the reference's clock, and its host's name.

        Raises
        ------
        ClockError
            There is no answer, or a wrong one.
        """

        def ask() -> Any:
            answer = self._ask(ABOUT)
            if not 0 < answer.first <= LONGEST:
                raise _WrongAnswerError(f"expected at most {LONGEST} bytes about the reference, got {answer.first}")
            try:
                told = json.loads(self._receive(answer.first))
                return str(told["id"]), str(told["host"])
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise _WrongAnswerError(f"expected JSON about the reference, got {error}") from None

        told: tuple[str, str] = self._tried(ask)
        return told

    def exchange(self) -> Exchange:
        """Ask for its time once.

        Raises
        ------
        ClockError
            There is no answer in several tries, or there are wrong ones.
        """

        def ask() -> Any:
            self._connect()
            sent = self._clock()
            answer = self._ask(PING)
            exchange = Exchange(sent, answer.first, answer.second, self._clock())
            if fault := exchange.fault():
                raise _WrongAnswerError(fault)
            return exchange

        exchange: Exchange = self._tried(ask)
        return exchange

    def slewing(self, begin: int, end: int) -> tuple[int, int]:
        """Ask what daemons did to its clock between two of its times, as `Slewing.since` tells it.

        Raises
        ------
        ClockError
            As `exchange` does.
        """

        def ask() -> Any:
            return self._ask(SLEWING, begin, end)[2:]

        told: tuple[int, int] = self._tried(ask)
        return told

    def _tried(self, ask: Callable[[], Any]) -> Any:
        for tried in range(1, TRIES + 1):
            try:
                return ask()
            except _WrongAnswerError as error:
                self.refused += 1
                reason = f"expected the time, got a wrong answer: {error}"
            except TimeoutError:
                self.lost += 1
                reason = f"expected an answer within {self._patience:g} s, got none"
            except OSError as error:
                self.lost += 1
                reason = f"expected an answer, got: {error.strerror or error}"
            self.close()  # what still comes on this connection is no answer to the next question
            if tried == TRIES:
                raise ClockError(f"clock of {self.where}: {reason}") from None
        raise AssertionError

    def _connect(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(self.where, self._patience)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return self._socket

    def _ask(self, kind: int, first: int = 0, second: int = 0) -> Message:
        self._number += 1
        self._connect().sendall(Message(kind, self._number, first, second).packed())
        answer = unpacked(self._receive(SIZE))
        if isinstance(answer, str):
            raise _WrongAnswerError(answer)
        if (answer.kind, answer.number) != (kind, self._number):
            raise _WrongAnswerError(
                f"expected answer {self._number} of kind {kind}, got answer {answer.number} of kind {answer.kind}"
            )
        return answer

    def _receive(self, size: int) -> bytes:
        connected, data = self._connect(), b""
        while len(data) < size:
            more = connected.recv(size - len(data))
            if not more:
                raise ConnectionResetError("the reference has closed the connection")
            data += more
        return data


class _WrongAnswerError(Exception):
    """An answer that is none."""


def exchanges(exchange: Callable[[], Exchange], length: float = LENGTH) -> list[Exchange]:
    """Make exchanges until they are no longer getting shorter.

    Parameters
    ----------
    exchange : callable
        Makes one.
    length : float
        Seconds: after that no further one begins.
    """
    end = time.monotonic() + length
    made: list[Exchange] = []
    shortest, since = 0, 0  # how long it was when it became much shorter, and how many came since then
    while len(made) < MOST and (len(made) < LEAST or since < ENOUGH):
        each = exchange()
        since += 1
        if not made or each.round_trip < shortest * BETTER:
            shortest, since = each.round_trip, 0
        made.append(each)
        if time.monotonic() > end:
            break
    return made
