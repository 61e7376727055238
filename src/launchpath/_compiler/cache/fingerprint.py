"""Fingerprints: keys of the cache, and digests of the files that an entry depends on."""

from __future__ import annotations

import os
from collections.abc import Mapping

from launchpath._compiler.cache.folder import read_regular

try:  # hashlib would do, but it loads OpenSSL first: 3 ms of every process that finds its program in the cache
    from _blake2 import blake2b
except ImportError:  # a private module of CPython's
    from hashlib import blake2b

BYTES = 32


def fingerprint(data: bytes | memoryview) -> bytes:
    """Hash bytes."""
    return blake2b(data, digest_size=BYTES).digest()


def key(*parts: bytes | str) -> str:
    """Make a key. Different sequences of parts have different keys: each goes in with its type and length."""
    state = blake2b(digest_size=BYTES, person=b"launchpath key")
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        state.update(b"%c%d:" % (b"s" if isinstance(part, str) else b"b", len(data)))
        state.update(data)
    return state.hexdigest()


def digest(path: str) -> str:
    """Hash a file's content, as ``meta["files"]`` has it.

    Raises
    ------
    OSError
        It cannot be read.
    """
    file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        return fingerprint(read_regular(file)).hex()
    finally:
        os.close(file)


def unchanged(files: Mapping[str, str | None]) -> bool:
    """Whether every file still has its digest, and every file with None as its digest is still missing.

    None is for the places where a compiler looks for a header before the place at which it is: a new file there would
    hide that header.
    """
    if not isinstance(files, Mapping):
        return False
    for path, expected in files.items():
        try:
            current: str | None = digest(path)
        except (FileNotFoundError, NotADirectoryError):
            current = None
        except (OSError, ValueError, MemoryError):  # ValueError: a name that no file can have
            return False
        if current != expected:
            return False
    return True
