"""A process that reads files for another one: questions on its standard input, answers on its standard output."""

from __future__ import annotations

import os
import sys
from typing import IO

import msgpack

from launchpath._trace.executors.part import packed_part

_LENGTH = 8  # bytes before a message


def send(file: IO[bytes], data: bytes) -> None:
    """Write a message."""
    file.write(len(data).to_bytes(_LENGTH, "little"))
    file.write(data)
    file.flush()


def receive(file: IO[bytes]) -> bytes | None:
    """Read a message; None if its end is missing, or there is none."""
    length = file.read(_LENGTH)
    if len(length) < _LENGTH:
        return None
    data = file.read(int.from_bytes(length, "little"))
    return data if len(data) == int.from_bytes(length, "little") else None


def main() -> None:
    """Answer until there are no more questions. The first answer, before any question, is empty."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not be taken for an answer
    send(answers, b"")
    while (question := receive(sys.stdin.buffer)) is not None:
        try:
            send(answers, packed_part(msgpack.unpackb(question)))
        except BrokenPipeError:  # nobody waits for it any more
            return
