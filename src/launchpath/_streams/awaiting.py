"""Awaits of events: a single thread watches for all event loops what they await."""

from __future__ import annotations

import os
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from launchpath import _core

if TYPE_CHECKING:
    import asyncio

    from launchpath._streams.event import Event


class _Awaited(NamedTuple):
    mark: _core.AwaitedMark
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]

    def is_wanted(self) -> bool:
        """Whether anything awaits it still: it may have been cancelled, or its loop closed."""
        return not self.future.done() and not self.loop.is_closed()


def _tell(loop: asyncio.AbstractEventLoop, future: asyncio.Future[None]) -> None:
    """Let the loop go on with what awaits the future."""
    with suppress(RuntimeError):  # the loop was closed: nothing of it goes on
        loop.call_soon_threadsafe(_set, future)


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class _Watcher:
    """The thread, which begins with the first await and then stays, and what was added since it last looked."""

    def __init__(self) -> None:
        self.added: deque[_Awaited] = deque()
        self.awaited: list[_Awaited] = []  # the thread's

    def add(self, awaited: _Awaited) -> None:
        self.added.append(awaited)
        _core.start_watcher(self._run)
        _core.watch_changed()

    def _run(self) -> None:
        try:
            threading.current_thread().name = "launchpath-await"
            while True:
                self._look()
        finally:
            _core.watcher_ended()  # the next await starts another thread, which goes on with `awaited`

    def _look(self) -> None:
        changes = _core.watch_changes()
        while self.added:
            self.awaited.append(self.added.popleft())
        awaited = self.awaited = [each for each in self.awaited if each.is_wanted()]
        ended = _core.watch([each.mark for each in awaited], changes)
        futures = [(each.loop, each.future) for each, is_over in zip(awaited, ended, strict=True) if is_over]
        self.awaited = [each for each, is_over in zip(awaited, ended, strict=True) if not is_over]
        del awaited  # their marks: the loop may drop the event, and close its device, as soon as it is told
        for loop, future in futures:
            _tell(loop, future)


_watcher = _Watcher()


async def arrived(event: Event) -> None:
    """Go on when the event's last record is complete, without a thread for it."""
    mark = event.awaited()
    if mark is None:
        return
    import asyncio  # noqa: PLC0415 - a tenth of the time that `import launchpath` takes

    loop = asyncio.get_running_loop()
    future = loop.create_future()
    _watcher.add(_Awaited(mark, loop, future))
    try:
        await future
    except BaseException:
        _core.watch_changed()  # it is given up
        raise
    mark.finish()


def _forget() -> None:
    """In a forked child: the thread is its parent's."""
    global _watcher  # noqa: PLW0603 (the process's one)
    _watcher = _Watcher()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
