"""Sites: the line of the program's own source that a call of launchpath comes from."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from types import CodeType, FrameType

from launchpath._mends.request import Place

_HERE = str(Path(__file__).parent) + os.sep
_PACKAGE = str(Path(__file__).parent.parent) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_LIBRARY = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))
_users: dict[str, bool] = {}


def caller() -> FrameType:
    """Give the frame that called a function which stands in front of one of launchpath's. Several may be in a row.

    Where Python itself has called it, as at exit, that is the function's own frame.
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def is_own(frame: FrameType | None) -> bool:
    """Whether a frame is of launchpath's package."""
    return frame is not None and frame.f_code.co_filename.startswith(_PACKAGE)


def user_frame(frame: FrameType | None) -> FrameType:
    """Give the innermost frame of the user's, from this one on; the outermost if all are of libraries."""
    assert frame is not None
    while True:
        path = frame.f_code.co_filename
        users = _users.get(path)
        if users is None:
            users = _users[path] = _is_users(path)
        if users or frame.f_back is None:
            return frame
        frame = frame.f_back


def _is_users(path: str) -> bool:
    installed = any(part in path for part in _INSTALLED)
    return not (installed or path.startswith((_PACKAGE, *_LIBRARY, "<frozen ")))


def site_of(frame: FrameType) -> str:
    """Name a frame's line: ``path:line function``."""
    return f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_qualname}"


class Places:
    """Whether calls are at a place. What was found is kept by the instruction of the call."""

    def __init__(self, place: Place | None) -> None:
        self._place = place
        self._known: dict[tuple[CodeType, int], bool] = {}

    def has(self, frame: FrameType) -> bool:
        """Whether a frame of the user's is there."""
        if self._place is None:
            return True
        key = frame.f_code, frame.f_lasti
        known = self._known.get(key)
        if known is None:
            if len(self._known) > 4096:  # code that is made again and again
                self._known.clear()
            code = frame.f_code
            known = self._known[key] = self._place.has(code.co_filename, frame.f_lineno or 0, code.co_qualname)
        return known
