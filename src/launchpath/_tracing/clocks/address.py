"""Addresses of references: ``HOST:PORT``."""

from __future__ import annotations

from typing import NamedTuple

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

PORT = 7460


class Address(NamedTuple):
    """Where a reference answers."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address(text: str, name: str = "clock") -> Address:
    """Read ``HOST``, ``HOST:PORT`` or ``[IPV6]:PORT``; the port is 7460 if it is left out.

    Raises
    ------
    ArgumentValueError
        It is none of these.
    """
    host, port = text.strip(), ""
    if host.startswith("["):
        host, closed, rest = host[1:].partition("]")
        valid = bool(closed) and (not rest or rest.startswith(":"))
        port = rest[1:]
    else:
        valid = host.count(":") <= 1
        host, _, port = host.partition(":")
    number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else -1 if port else PORT
    if not host or not valid or not 0 < number < 1 << 16 or any(each.isspace() for each in host):
        raise ArgumentValueError(f"{name}: expected HOST:PORT, as node0:{PORT}, got {shown(text)}")
    return Address(host, number)
