"""Parts: what some of the files sum up to. Bytes of them go between processes."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgpack

from launchpath._trace.condensed import packing
from launchpath._trace.condensed.condense import condensed_file
from launchpath._trace.condensed.condensed import Condensed
from launchpath._trace.executors.inputs import Input, LeftOut

Progress = Callable[[int, int], None]


@dataclass
class Part:
    """What files sum up to.

    Attributes
    ----------
    condensed : Condensed
    left_out : list of LeftOut
        The files that could not be read.
    """

    condensed: Condensed = field(default_factory=Condensed)
    left_out: list[LeftOut] = field(default_factory=list)

    @classmethod
    def of(cls, inputs: Iterable[Input], folder: str | None = None, step: Callable[[], None] | None = None) -> Part:
        """Condense files.

        Parameters
        ----------
        inputs : iterable of Input
        folder : str, optional
            Where paths begin, if that is not here. Then the host is named beside a file that cannot be read.
        step : callable, optional
            Called after each file.
        """
        result = cls()
        for each in inputs:
            try:
                result.condensed.merge(_condensed(each, folder))
            except Exception as error:  # damaged files must not hide what the others tell
                result.left_out.append(LeftOut(each.path, _reason(error, each, folder)))
            if step is not None:
                step()
        return result

    def merge(self, other: Part) -> None:
        """Count what another part has as well."""
        self.condensed.merge(other.condensed)
        self.left_out += other.left_out

    def pack(self) -> bytes:
        """Give its bytes."""
        data: bytes = msgpack.packb(
            [packing.pack(self.condensed), [list(map(_as_bytes, each)) for each in self.left_out]]
        )
        return data

    @classmethod
    def unpack(cls, data: bytes) -> Part:
        """Read back what `pack` has given."""
        condensed, left_out = msgpack.unpackb(data)
        return cls(
            packing.unpack(condensed, "a part of the summary"), [LeftOut(*map(os.fsdecode, each)) for each in left_out]
        )


def packed_part(inputs: Sequence[Sequence[Any]], folder: str | None = None) -> bytes:
    """Condense files that `plain` has given, in another process."""
    return Part.of(
        [Input(os.fsdecode(path), size, target and os.fsdecode(target)) for path, size, target in inputs], folder
    ).pack()


def plain(inputs: Iterable[Input]) -> list[list[Any]]:
    """Give files as messages between processes have them."""
    return [[os.fsencode(each.path), each.size, each.target and os.fsencode(each.target)] for each in inputs]


def _as_bytes(text: str) -> bytes:
    return os.fsencode(text)  # names of files may be no Unicode


def _condensed(each: Input, folder: str | None) -> Condensed:
    path = each.path if folder is None else os.path.join(folder, each.path)
    condensed = condensed_file(path)
    for row in condensed.processes:  # by whichever process a file is read, its name is the same
        row["path"] = each.path if row["path"] == path else row["path"]
    if each.target is not None:
        target = each.target if folder is None else os.path.join(folder, each.target)
        try:
            os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            packing.write(condensed, target)
        except OSError as error:
            raise OSError(f"{each.target} cannot be written: {error.strerror}") from None
    return condensed


def _reason(error: Exception, each: Input, folder: str | None) -> str:
    text = str(error) or type(error).__name__
    for path in (each.path, os.path.join(folder or "", each.path)):
        for name in (path, repr(path)):
            text = text.removeprefix(f"{name}: ")
    host = f" (on {socket.gethostname()})" if folder is not None else ""
    return text + host
