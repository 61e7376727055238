"""``no-wait``: synchronize calls of a line return at once.

What reads results waits by itself. The one thing that it does not see is memory that the host reads directly: while a
copy to such memory is under way, the wait takes place.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

from launchpath import _core
from launchpath._mends.effect import Effect
from launchpath._mends.site import Places, caller, is_own, user_frame
from launchpath._streams.device import Device
from launchpath._streams.event import Event
from launchpath._streams.stream import Stream

_UNDER_WAY = "a copy to host memory that the program reads directly is under way"


def force_waits(effects: list[Effect]) -> None:
    """Let synchronize calls at the mends' places return at once."""
    places = [(effect, Places(effect.mend.place)) for effect in effects]

    def left_out(asks: FrameType) -> bool:
        if is_own(asks) and not _passes_on(asks):
            return False  # launchpath itself waits here, for a copy
        frame = user_frame(asks)
        for effect, place in places:
            if place.has(frame):
                if _core.host_copies_pending():
                    effect.refused(_UNDER_WAY)
                    return False
                effect.took()
                return True
        return False

    for kind in (Stream, Event, Device):
        _replace_synchronize(kind, left_out)
    _note_host_copies()


def _passes_on(frame: FrameType) -> bool:
    """Whether a function of launchpath is a synchronize of the caller's."""
    name = frame.f_code.co_name
    return name == "synchronize" or (name.startswith("hip") and "Synchronize" in name)


def _replace_synchronize(kind: Any, left_out: Callable[[FrameType], bool]) -> None:
    original = kind.synchronize

    def synchronize(self: Any) -> None:
        if not left_out(caller()):
            original(self)

    synchronize.__doc__ = original.__doc__
    kind.synchronize = synchronize


def _note_host_copies() -> None:
    """Note the copies whose target the program may read without asking launchpath."""
    to_pinned, copy = _core.download_asynchronously, _core.copy_bytes

    def download_asynchronously(array: Any, stream: Any, host: Any) -> bool:
        done = to_pinned(array, stream, host)
        if done:
            _core.note_host_copy(stream)
        return done

    def copy_bytes(stream: Any, to: int, source: int, size: int, direction: int = 0) -> None:
        copy(stream, to, source, size, direction)
        if direction == _core.DOWN and is_of_hip(caller()):
            _core.note_host_copy(stream)

    vars(_core).update(download_asynchronously=download_asynchronously, copy_bytes=copy_bytes)


def is_of_hip(frame: FrameType) -> bool:
    """Whether a frame is of `launchpath.hip`, whose copies go to the program's own addresses."""
    return str(frame.f_globals.get("__name__")).startswith("launchpath.hip.")
