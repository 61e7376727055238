"""A reference that answers by TCP: what it tells is its monotonic clock, and the host's name."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time

from launchpath._tracing.clocks.address import PORT
from launchpath._tracing.clocks.identity import identity
from launchpath._tracing.clocks.protocol import ABOUT, PING, SIZE, SLEWING, Message, unpacked
from launchpath._tracing.clocks.slewing import Clock, Slewing, raw_clock

_CLIENTS = 4096
_WAITING = 512  # connections that are not accepted yet


class ClockServer:
    """Answers questions for this host's time, each client in a thread of its own.

    Parameters
    ----------
    host, port : str, int
        Where to listen. ``""``: on all of the host's addresses; 0: a free port.
    clock : callable, optional
        Another clock, for tests; `raw` without what daemons do to it.
    name, id : str, optional
        Of the host and its clock.

    Attributes
    ----------
    address : (str, int)
        Where it listens.
    slewing : Slewing
        What daemons do to its clock.

    Raises
    ------
    OSError
        It cannot listen there.
    """

    def __init__(
        self,
        host: str = "",
        port: int = PORT,
        *,
        clock: Clock = time.monotonic_ns,
        raw: Clock | None = None,
        name: str | None = None,
        id: str | None = None,
    ) -> None:
        self._clock = clock
        self.slewing = Slewing(clock, raw_clock() if raw is None else raw)
        about = {"host": name or socket.gethostname(), "id": id or identity()}
        self._about = json.dumps(about).encode()
        self._clients: dict[int, socket.socket] = {}
        self._changed = threading.Condition()
        self._ended = False
        self._socket = _listening(host, port)
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        self._thread = threading.Thread(target=self._accept, name="launchpath clock server", daemon=True)

    def start(self) -> ClockServer:
        """Begin to answer."""
        self.slewing.start()
        self._thread.start()
        return self

    def stop(self, patience: float = 0.0) -> int:
        """End, when the clients have left, or after so many seconds; gives how many were left then."""
        with self._changed:
            self._changed.wait_for(lambda: not self._clients, patience)
            self._ended = True
            left = list(self._clients.values())
        for each in (self._socket, *left):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)  # else a thread that waits in it would go on to wait
        self._socket.close()
        self._thread.join()
        self.slewing.stop()
        return len(left)

    def __enter__(self) -> ClockServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                if self._ended:
                    return
                time.sleep(0.1)  # no file numbers left: clients that leave give some back
                continue
            with self._changed:
                if self._ended or len(self._clients) >= _CLIENTS:
                    client.close()
                    continue
                self._clients[id(client)] = client
            threading.Thread(target=self._serve, args=(client,), name="launchpath clock client", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            while self._answer(client):
                pass
        except OSError:  # the client is gone
            pass
        finally:
            client.close()
            with self._changed:
                del self._clients[id(client)]
                self._changed.notify_all()

    def _answer(self, client: socket.socket) -> bool:
        data = client.recv(SIZE)
        received = self._clock()
        while len(data) < SIZE:
            more = client.recv(SIZE - len(data)) if data else b""
            if not more:
                return False
            data += more
            received = self._clock()
        asked = unpacked(data)
        if isinstance(asked, str):  # it is no client of ours
            return False
        if asked.kind == PING:
            client.sendall(Message(PING, asked.number, received, self._clock()).packed())
        elif asked.kind == SLEWING:
            client.sendall(Message(SLEWING, asked.number, *self.slewing.since(asked.first, asked.second)).packed())
        elif asked.kind == ABOUT:
            client.sendall(Message(ABOUT, asked.number, len(self._about)).packed() + self._about)
        else:
            return False
        return True


def _listening(host: str, port: int) -> socket.socket:
    """Listen at an address; without one at all of the host's, of both versions of IP where it has them."""
    if not host and socket.has_dualstack_ipv6():
        with contextlib.suppress(OSError):  # IPv6 may be switched off; what else is wrong the second try tells
            return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=_WAITING)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_WAITING)
