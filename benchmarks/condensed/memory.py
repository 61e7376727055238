"""The most memory of a process and of those that it starts, together."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from types import TracebackType

_PAGE = os.sysconf("SC_PAGE_SIZE")
_EVERY = 0.02  # seconds


class MostMemory:
    """Looks at processes while it is entered.

    Attributes
    ----------
    most : int
        Bytes that were resident at once. What processes share counts for each of them.
    """

    def __init__(self, pid: int) -> None:
        self.pid, self.most = pid, 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> MostMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(_EVERY):
            self.most = max(self.most, sum(map(_resident, _tree(self.pid))))


def _tree(pid: int) -> list[int]:
    result = [pid]
    with suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                for child in file.read().split():
                    result += _tree(int(child))
    return result


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0
