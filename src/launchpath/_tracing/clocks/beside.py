"""The clock of this host while a command runs a traced program: measured here, and noted in the program's files.

The command measures, and not the program: it has no threads that keep its interpreter busy, so its round trips are
shorter; it sees a program of any language; and it is still there when the program was killed. What it has measured goes
into the files themselves, as one more block of facts, when the program has ended: a file that is copied elsewhere has
its clock with it. A file whose process still runs is left as it is.
"""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Iterable, Mapping

from launchpath._trace.files.appending import append_facts
from launchpath._trace.hosts.host_clock import KEY, read
from launchpath._trace.process import Process
from launchpath._tracing.clocks.address import Address, address
from launchpath._tracing.clocks.inside import VARIABLE
from launchpath._tracing.clocks.reference import Reference
from launchpath._tracing.clocks.server import ClockServer
from launchpath._tracing.clocks.statements import statements
from launchpath._tracing.clocks.watch import Watch
from launchpath._tracing.file_name import rank
from launchpath.errors import TraceFileError

_STARTED = 5.0  # seconds until a reference that is started at the same time answers
_LEFT = 5.0  # seconds that a reference waits at its end for hosts that still measure


class ClockBeside:
    """Measures against a reference, from now on. Where the address is this host's and nobody answers there, it answers.

    Parameters
    ----------
    where : str
        ``HOST:PORT``.

    Raises
    ------
    ArgumentValueError
        That is no address.
    """

    def __init__(self, where: str) -> None:
        found = address(where, VARIABLE)
        self._server = _served(found)
        self._watch = Watch(Reference(found))
        if self._server is None:
            _wait_for(found)
        self._watch.facts.statements = statements()
        self._watch.begin()

    def end(self) -> list[str]:
        """Measure for the last time; gives remarks for the user."""
        self._watch.end()
        remarks = []
        facts = self._watch.facts
        if facts.failed:
            remarks.append(f"measurements of this host's clock that failed: {facts.failed}; the last: {facts.failure}")
        if self._server is not None and (left := self._server.stop(_LEFT)):
            remarks.append(f"this host was the reference of clocks; hosts that still measure: {left}")
        return remarks

    def note(self, files: Iterable[str], environment: Mapping[str, str] = os.environ) -> list[str]:
        """Add it to the files of this host's processes; gives remarks on those where that failed."""
        facts, remarks = {KEY: self._watch.facts.as_json()}, []
        here, place = socket.gethostname(), rank(environment)

        def wanted(meta: dict[str, object]) -> bool:
            """Whether the file is of this command: under mpirun the same pattern fits those of all ranks and hosts."""
            about = Process(meta)
            return about.host == here and (place is None or about.rank == place) and read(meta) is None

        for path in files:
            try:
                append_facts(path, facts, wanted)
            except TraceFileError as error:
                remarks.append(f"the clock of this host is not in a trace: {error}")
        return remarks


def _served(where: Address) -> ClockServer | None:
    """Answer at an address, if it is this host's and nobody else does."""
    try:
        socket.create_connection(where, 1.0).close()
        return None
    except OSError:
        pass
    try:
        with socket.socket(_family(where), socket.SOCK_DGRAM) as probe:
            probe.bind((_number(where), 0))
        # A host's name may stand for its loopback, on the host itself: others come by another address.
        named = _number(where) != where.host and where.host != "localhost"
        return ClockServer("" if named else where.host, where.port).start()
    except OSError:  # it is another host's, or another process has begun to answer
        return None


def _number(where: Address) -> str:
    """Give the number of an address."""
    return str(socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)[0][4][0])


def _family(where: Address) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in _number(where) else socket.AF_INET


def _wait_for(where: Address) -> None:
    """Wait until a reference answers that is started at the same time. Where it does not, the watch will tell."""
    end = time.monotonic() + _STARTED
    while time.monotonic() < end:
        try:
            socket.create_connection(where, 1.0).close()
            return
        except OSError as error:
            if error.errno not in (errno.ECONNREFUSED, errno.ECONNRESET):
                return
            time.sleep(0.1)
