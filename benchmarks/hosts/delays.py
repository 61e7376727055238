"""A network between two hosts: a forwarder that keeps back what comes from either side."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time


class Delays:
    """Forwards connections to an address, with a delay for each direction.

    Parameters
    ----------
    target : (str, int)
    there, back, jitter : float
        Microseconds; the jitter is added to each way, exponentially distributed with this mean.
    host : str
        Where to listen.
    seed : int
    """

    def __init__(
        self, target: tuple[str, int], there: float, back: float, jitter: float, host: str = "127.0.0.1", seed: int = 0
    ) -> None:
        self._target, self._ways, self._jitter = target, (there, back), jitter
        self._random = random.Random(seed)
        self._socket = socket.create_server((host, 0))
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, there: float, back: float, jitter: float) -> None:
        self._ways, self._jitter = (there, back), jitter

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                server = socket.create_connection(self._target)
                for way, pair in enumerate(((client, server), (server, client))):
                    for each in pair:
                        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._forward, args=(*pair, way), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, way: int) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                delay = self._ways[way] + (self._random.expovariate(1 / self._jitter) if self._jitter else 0)
                if delay:
                    time.sleep(delay / 1e6)
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
