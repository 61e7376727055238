"""The files that a report is of: from the words of a command line to files, each once."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from launchpath.errors import TraceFileError

ENDINGS = (".lptrace", ".lpsum")  # of the files that a folder is searched for
ENDING = ENDINGS[1]


class LeftOut(NamedTuple):
    """A file that could not be read, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Input:
    """A file to read.

    Attributes
    ----------
    path : str
    size : int
        Bytes.
    target : str, optional
        The file that it is to be written to, condensed.
    """

    path: str
    size: int
    target: str | None = None

    @property
    def seconds(self) -> float:
        """About how long a processor takes for it."""
        return 1e-3 + self.size / 1e9


@dataclass
class Inputs:
    """Files to read.

    Attributes
    ----------
    inputs : list of Input
    left_out : list of LeftOut
        Those that there are not.
    repeated : int
        How many were named again; they are read once.
    """

    inputs: list[Input] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    repeated: int = 0

    @classmethod
    def of(cls, words: Sequence[str]) -> Inputs:
        """Find the files that words name.

        Parameters
        ----------
        words : sequence of str
            A word is a file; a folder, which is searched, with the folders in it; a pattern (``run*``, ``**``), which
            the shell has left as it is; or ``@FILE``, whose lines are words. ``@-`` reads the standard input.

        Raises
        ------
        TraceFileError
            There is no such list, or it cannot be read.
        """
        result, known = cls(), set()
        for path in _paths(words):
            place = os.path.abspath(path)
            if place in known:
                result.repeated += 1
                continue
            known.add(place)
            try:
                status = os.stat(path)
                if stat.S_ISREG(status.st_mode):
                    result.inputs.append(Input(path, status.st_size))
                else:  # a pipe would be waited for
                    result.left_out.append(LeftOut(path, "expected a file, got a pipe, a socket or a device"))
            except (OSError, ValueError) as error:  # ValueError: no file can have this name
                result.left_out.append(LeftOut(path, _reason(error)))
        return result

    def with_targets(self, folder: str) -> Inputs:
        """Name a file in a folder for each file, condensed. Files of different folders stay apart.

        Raises
        ------
        TraceFileError
            Such a file is one of those that are to be read.
        """
        places = {each.path: os.path.abspath(each.path) for each in self.inputs}
        common = os.path.commonpath([os.path.dirname(place) for place in places.values()] or ["/"])
        taken: set[str] = set()
        targets = []
        for each in self.inputs:
            name = os.path.relpath(places[each.path], common)
            stem = os.path.splitext(name)[0] if name.endswith(ENDINGS) else name
            target = os.path.join(folder, stem + ENDING)
            if target in taken:  # of a file beside it that differs in its ending
                target = os.path.join(folder, name + ENDING)
            taken.add(target)
            targets.append(replace(each, target=target))
        for target in {os.path.abspath(each) for each in taken} & set(places.values()):
            raise TraceFileError(f"{target} is a trace that is to be read: write to another folder")
        return Inputs(targets, self.left_out, self.repeated)


def _paths(words: Iterable[str], in_list: bool = False) -> Iterator[str]:
    for word in words:
        if os.path.isdir(word):
            yield from _in_folder(word)
        elif os.path.lexists(word) if "\0" not in word else False:
            yield word
        elif word.startswith("@") and not in_list:
            yield from _paths(_lines(word[1:]), in_list=True)
        elif glob.has_magic(word):
            matches = sorted(glob.glob(word, recursive=True))
            yield from _paths(matches, in_list=True) if matches else [word]
        else:
            yield word


def _in_folder(folder: str) -> Iterator[str]:
    """Give the traces of a folder, and of those in it."""
    empty = True
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(ENDINGS):
                empty = False
                yield os.path.join(root, name)
    if empty:
        raise TraceFileError(f"{folder}: expected a folder with traces (*.lptrace, *.lpsum), got one without any")


def _lines(name: str) -> list[str]:
    try:
        if name == "-":
            return [line for line in map(_line, sys.stdin) if line]
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            return [line for line in map(_line, file) if line]
    except (OSError, ValueError) as error:
        raise TraceFileError(f"{name}: expected a list of files, got: {_reason(error)}") from None


def _line(text: str) -> str:
    return text.rstrip("\r\n")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return str(error.strerror if isinstance(error, OSError) else error)
