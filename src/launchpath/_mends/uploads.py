"""``skip-upload``: an upload of bytes that are in the device's memory already is left out.

The core compares them with a copy of what was sent last, and sees what may have written there since: see
`_core/transfer/known.pxi`. What it cannot prove is sent, and the reason is kept.
"""

from __future__ import annotations

import os
import time
from types import FrameType
from typing import Any

from launchpath import _core
from launchpath._memory.staged_place import StagedPlace
from launchpath._mends.effect import Effect
from launchpath._mends.site import Places, caller, user_frame
from launchpath._mends.waits import is_of_hip

_OF_HIP = "memory of HIP's functions: its address was handed out, so that a kernel may write there unseen"
_OF_PROGRAM = "it is a variable of a program, where each kernel may write"
_NOT_IN_ROW = "its elements are not in a row in the device's memory"


class Uploads:
    """Stands in front of the core's functions that upload."""

    def __init__(self, effects: list[Effect]) -> None:
        self._places = [(effect, Places(effect.mend.place)) for effect in effects]
        self._plain, self._bytes, self._address = _core.upload_plain, _core.upload_bytes, _core.upload_address
        self._copy, self._rows, self._staged = _core.copy_bytes, _core.copy_rows, StagedPlace.upload

    def put_on(self) -> None:
        """Take the places of these functions."""

        def staged(place: StagedPlace, host: Any) -> None:
            if self._known(caller(), place.memory, host, place.stream, 0, at_once=True, whole=True) is None:
                self._staged(place, host)

        for function in (
            self.upload_plain, self.upload_bytes, self.upload_address, self.copy_bytes, self.copy_rows,
        ):  # fmt: skip
            vars(_core)[function.__name__] = function
        StagedPlace.upload = staged  # type: ignore[assignment, method-assign]

    def upload_plain(self, array: Any, host: Any, stream: Any, at_once: bool = False) -> bool:
        """Upload a NumPy array; False: it needs a closer look."""
        done = self._known(caller(), array, host, stream, 0, at_once=at_once, whole=True)
        return bool(done or self._plain(array, host, stream, at_once))

    def upload_bytes(self, array: Any, stream: Any, offset: int, host: Any) -> None:
        """Upload bytes to a part of an array."""
        if self._known(caller(), array, host, stream, offset, at_once=False, whole=False) is None:
            self._bytes(array, stream, offset, host)

    def upload_address(self, stream: Any, to: int, source: int, size: int) -> None:
        """Upload to an address, as HIP's functions do."""
        self._refuse(caller(), _OF_HIP)
        self._address(stream, to, source, size)

    def copy_bytes(self, stream: Any, to: int, source: int, size: int, direction: int = 0) -> None:
        """Copy, which may be an upload."""
        asks = caller()
        if direction == _core.UP and is_of_hip(asks):
            self._refuse(asks, _OF_HIP)
        elif _sends_pieces(asks):
            self._refuse(asks, _NOT_IN_ROW)
        self._copy(stream, to, source, size, direction)

    def copy_rows(self, *args: Any) -> None:
        """Copy rows, which may be an upload."""
        asks = caller()
        if _sends_pieces(asks):
            self._refuse(asks, _NOT_IN_ROW)
        self._rows(*args)

    def _effect(self, asks: FrameType) -> Effect | None:
        frame = user_frame(asks)
        return next((effect for effect, place in self._places if place.has(frame)), None)

    def _refuse(self, asks: FrameType, reason: str) -> None:
        effect = self._effect(asks)
        if effect is not None:
            effect.refused(reason)

    def _known(
        self, asks: FrameType, array: Any, host: Any, stream: Any, offset: int, *, at_once: bool, whole: bool
    ) -> tuple[bool, str] | None:
        """Send or leave out; None: the original function is to be called."""
        effect = self._effect(asks)
        if effect is None:
            return None
        if getattr(array, "_owner", ""):
            effect.refused(_OF_PROGRAM)
            return None
        begin = time.monotonic_ns()
        outcome = _core.upload_unless_same(array, host, stream, offset, at_once, whole)
        if outcome is not None:
            left_out, reason = outcome
            if left_out:
                effect.took(nanoseconds=time.monotonic_ns() - begin)
            elif reason:
                effect.refused(reason)
            else:
                effect.was_not_needed()
        return outcome


def force_uploads(effects: list[Effect]) -> None:
    """Let uploads at the mends' places be left out where nothing changes by that."""
    Uploads(effects).put_on()
    _core.watch_writes()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _core.forget_uploads(True))


def _sends_pieces(frame: FrameType) -> bool:
    """Whether `_memory.assign` sends host data to elements that are not in a row."""
    return (
        frame.f_code.co_name == "_copy_pieces"
        and frame.f_back is not None
        and frame.f_back.f_code.co_name == "_assign_host"
    )
