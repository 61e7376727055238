"""A process that reads files for another one: questions on its standard input, answers in a file in memory.

Its standard output tells the lengths of answers. Through a pipe of 64 KiB an answer of some MiB would take hundreds of
changes between the processes, and each waits for its turn where the processors have other work.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import IO

import msgpack

from launchpath._trace.executors.part import packed_part

LENGTH = 8  # bytes before a message


def send(file: IO[bytes], data: bytes) -> None:
    """Write a message."""
    file.write(len(data).to_bytes(LENGTH, "little"))
    file.write(data)
    file.flush()


def receive(file: IO[bytes]) -> bytes | None:
    """Read a message; None if its end is missing, or there is none."""
    length = file.read(LENGTH)
    if len(length) < LENGTH:
        return None
    data = file.read(int.from_bytes(length, "little"))
    return data if len(data) == int.from_bytes(length, "little") else None


def main(descriptor: int) -> None:
    """Answer until there are no more questions. The first answer, before any question, is empty.

    Parameters
    ----------
    descriptor : int
        Of the file that answers are written to.
    """
    gc.disable()  # it would look through all rows again and again; none of them is in a circle
    lengths = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not be taken for a length
    send(lengths, b"")
    while (question := receive(sys.stdin.buffer)) is not None:
        answer = packed_part(msgpack.unpackb(question))
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.seek(0)
            file.truncate()
            file.write(answer)
        try:
            send(lengths, len(answer).to_bytes(LENGTH, "little"))
        except BrokenPipeError:  # nobody waits for it any more
            return
