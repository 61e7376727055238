"""Compile several programs side by side."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from launchpath._programs.compilation import compile
from launchpath._shown import shown
from launchpath._streams.device import as_device

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike
    from launchpath._programs.program import Program

_SLICE = 0.1  # seconds; where an interrupt does not end a wait for a queue, it is seen after one of these


def compile_all(
    sources: Iterable[str | bytes | os.PathLike[str] | Mapping[str, Any]], device: DeviceLike | None = None
) -> list[Program]:
    """Compile several programs side by side, as many at a time as there are processors.

    Parameters
    ----------
    sources : iterable
        For each program its source (str or bytes), its file (path-like), or the arguments of `compile` as a dict:
        ``{"path": "reduce.cu", "names": ["reduce<float, 256>"]}``.
    device : Device, int or str, optional
        The device, unless a dict names another; the current device if omitted.

    Returns
    -------
    list of Program
        In the order of the sources.

    Raises
    ------
    TypeError
        An item is none of these.
    CompileError and others
        What `compile` raises for the first of the programs that fail. The error comes when all other programs are
        done. Its notes have the errors of the others that fail, each with the place of its program among the sources.

    Examples
    --------
    >>> programs = lp.compile_all([Path("reduce.cu"), {"path": "scan.cu", "defines": {"N": 16}}])
    """
    if isinstance(sources, (str, bytes, os.PathLike, Mapping)) or not isinstance(sources, Iterable):
        raise TypeError(f"sources: expected a list of sources, got {shown(sources)}: for a single one use compile")
    device = as_device(device)
    run = _Run([{"device": device, **_arguments(source, place)} for place, source in enumerate(sources)])
    run.wait()
    return run.programs()


def _arguments(source: object, place: int) -> dict[str, Any]:
    """The arguments of `compile` for an item."""
    if isinstance(source, (str, bytes)):
        return {"source": source}
    if isinstance(source, os.PathLike):
        return {"path": source}
    if isinstance(source, Mapping):
        return dict(source)
    expected = "a source (str or bytes), a file (path-like) or a dict of compile's arguments"
    raise TypeError(f"sources[{place}]: expected {expected}, got {shown(source)}")


class _Run:
    """Programs that are being compiled, each on one of some threads.

    Parameters
    ----------
    requests : list of dict
        Arguments of `compile`.
    """

    def __init__(self, requests: list[dict[str, Any]]) -> None:
        self._requests = requests
        self._results: list[Program | BaseException | None] = [None] * len(requests)
        self._left: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    def wait(self) -> None:
        """Compile all; an interrupt ends the compilers."""
        from launchpath._compiler.process import pool  # noqa: PLC0415 (importing launchpath must stay fast)

        for place in range(len(self._requests)):
            self._left.put(place)
        try:
            for _ in range(min(len(self._requests), pool.processors())):
                self._threads.append(threading.Thread(target=self._work, daemon=True))
                self._threads[-1].start()
            for _ in self._requests:
                self._next_done()
        except BaseException:
            self._left = queue.SimpleQueue()  # nothing more is begun
            pool.cancel(self._threads)
            raise
        for thread in self._threads:  # there is nothing left for them
            thread.join()

    def programs(self) -> list[Program]:
        """Give the programs, or raise what the first that fails raised."""
        failed = [(place, result) for place, result in enumerate(self._results) if isinstance(result, BaseException)]
        if failed:
            (first, error), *others = failed
            error.add_note(f"compile_all: program {first} of {len(self._requests)} (counted from 0)")
            for place, other in others:
                error.add_note(f"program {place} fails, too: {type(other).__name__}: {other}")
            raise error
        return [result for result in self._results if result is not None and not isinstance(result, BaseException)]

    def _next_done(self) -> None:
        while True:
            try:
                self._done.get(timeout=_SLICE)
                return
            except queue.Empty:
                pass

    def _work(self) -> None:
        while True:
            try:
                place = self._left.get_nowait()
            except queue.Empty:
                return
            try:
                self._results[place] = compile(**self._requests[place])
            except BaseException as error:  # raised where it is waited for
                self._results[place] = error
            self._done.put(place)
