"""``step``: a part of a program runs as a step.

That is a range that the program names, or what is from one launch of a kernel to its next one. A step changes no
result: what could see that commands are kept back has them submitted first. Where a step would be in the way of the
program's own steps and captures, it ends before them.
"""

from __future__ import annotations

import atexit
import threading
from types import TracebackType
from typing import Any

from launchpath import _core
from launchpath._mends.effect import Effect
from launchpath._mends.site import Places, caller, user_frame
from launchpath._streams.step import Step, keeps_back
from launchpath._tracing import ranges
from launchpath._tracing.ranges import Range

_INSIDE = "it is inside a step or a capture of the program's own"
_OFF = "steps are off (LAUNCHPATH_STEPS=0, or LAUNCHPATH_DEBUG=bounds)"
_OTHER_THREAD = "it was left on another thread than it was entered on"
_OWN_STEP = "a step of the program's own began inside it"
_OWN_CAPTURE = "a capture began inside it"
_NOTHING_KEPT = "no command was kept back: other code has the streams or the memory, or nothing was submitted"

_enter, _leave = _core.StepBase.__enter__, _core.StepBase.__exit__  # not those of `Step`, which are replaced here


class Held:
    """The step of a mend on a thread."""

    __slots__ = ("kept", "step")

    def __init__(self) -> None:
        self.step = Step()
        self.kept = 0  # commands that it had kept back when it was left last


class OfThread:
    """The forced steps of a thread. They go when it ends, and what they have kept back is submitted."""

    __slots__ = ("held", "opened")

    def __init__(self) -> None:
        self.held: dict[str, Held] = {}  # by their mends
        self.opened: list[Opened] = []  # those that it is in, the outermost first


class Opened:
    """A forced step that a thread is in."""

    __slots__ = ("effect", "held", "of_thread")

    def __init__(self, effect: Effect, held: Held, of_thread: OfThread) -> None:
        self.effect, self.of_thread = effect, of_thread
        self.held: Held | None = held  # None: something has ended it


class _Here(threading.local):
    def __init__(self) -> None:
        self.own = OfThread()


class ForcedSteps:
    """The steps that are forced on the threads of the process."""

    def __init__(self) -> None:
        self._here = _Here()

    def enter(self, effect: Effect) -> Opened | None:
        """Let a step begin on this thread; None: it cannot."""
        own = self._here.own
        if own.opened:
            own.opened = [opened for opened in own.opened if opened.held is not None]
        if not own.opened and _core.in_step():
            effect.refused(_INSIDE)
            return None
        held = own.held.get(effect.mend.text)
        if held is None:
            held = own.held[effect.mend.text] = Held()
        _enter(held.step)
        opened = Opened(effect, held, own)
        own.opened.append(opened)
        return opened

    def leave(self, opened: Opened) -> None:
        """Let a step end, and submit what it has kept back."""
        held, opened.held = opened.held, None
        if held is None:
            return
        own = opened.of_thread
        if own is not self._here.own:
            opened.effect.refused(_OTHER_THREAD)
            own.held.pop(opened.effect.mend.text, None)  # dropped: it is submitted, and its thread leaves it
            return
        own.opened.remove(opened)
        step = held.step
        before = step.runs
        _leave(step)
        kept = step.kept_back
        if step.runs != before and kept == held.kept:
            opened.effect.refused(_NOTHING_KEPT)
        else:  # or it is a part of a forced step around it
            opened.effect.took()
        held.kept = kept

    def leave_all(self, reason: str) -> None:
        """End all that this thread is in: the program begins what is not possible inside a step."""
        own = self._here.own
        for opened in reversed(own.opened):
            held, opened.held = opened.held, None
            if held is not None:
                opened.effect.refused(reason)
                _leave(held.step)
        own.opened = []


class SteppedRange(Range):
    """A range that is a step, if it has the name of one."""

    __slots__ = ("_opened",)

    steps: ForcedSteps
    effects: dict[str, Effect]

    def __init__(self, name: str, color: int, payload: int) -> None:
        Range.__init__(self, name, color, payload)
        self._opened: list[Opened | None] = []

    def __enter__(self) -> Range:
        Range.__enter__(self)
        effect = self.effects.get(self._name)
        self._opened.append(None if effect is None else self.steps.enter(effect))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            opened = self._opened.pop() if self._opened else None
            if opened is not None:
                self.steps.leave(opened)
        finally:  # the range has the submission in it
            Range.__exit__(self, kind, value, traceback)

    def _recreate_cm(self) -> SteppedRange:
        return SteppedRange(self._name, self._color, self._payload)


class AnchoredStep:
    """Steps from one launch to the next of the same kernel, or from the same line."""

    def __init__(self, steps: ForcedSteps, effect: Effect) -> None:
        self._steps, self._effect, self._places = steps, effect, Places(effect.mend.place)
        self._here = threading.local()

    def at_launch(self, kernel: str) -> None:
        """A launch of a kernel is about to be made."""
        mend = self._effect.mend
        if mend.kernel not in ("", kernel) or (mend.place and not self._places.has(user_frame(caller()))):
            return
        here = vars(self._here)
        here["launches"] = launches = here.get("launches", 0) + 1
        if (launches - 1) % mend.every:
            return
        opened = here.pop("opened", None)
        if opened is not None:
            self._steps.leave(opened)
        opened = self._steps.enter(self._effect)
        if opened is not None:
            here["opened"] = opened

    def at_exit(self) -> None:
        """End the last one of the main thread. Those of other threads ended with these."""
        opened = vars(self._here).pop("opened", None)
        if opened is not None:
            self._steps.leave(opened)


def force_steps(effects: list[Effect]) -> None:
    """Let parts of the program run as steps."""
    if not keeps_back():
        for effect in effects:
            effect.refused(_OFF)
        return
    steps = ForcedSteps()
    SteppedRange.steps = steps
    SteppedRange.effects = {effect.mend.range_name: effect for effect in effects if effect.mend.range_name}
    ranges.Range = SteppedRange  # type: ignore[misc]
    anchored = [AnchoredStep(steps, effect) for effect in effects if not effect.mend.range_name]
    if anchored:
        _core.set_launch_anchor(_all_of(anchored), _names(anchored))
        for each in anchored:
            atexit.register(each.at_exit)
    _end_before_own(steps)


def _all_of(anchored: list[AnchoredStep]) -> Any:
    if len(anchored) == 1:
        return anchored[0].at_launch

    def at_launch(kernel: str) -> None:
        for each in anchored:
            each.at_launch(kernel)

    return at_launch


def _names(anchored: list[AnchoredStep]) -> list[str] | None:
    kernels = [each._effect.mend.kernel for each in anchored]
    return kernels if all(kernels) else None


def _end_before_own(steps: ForcedSteps) -> None:
    """End forced steps before a step or a capture of the program's own begins."""
    begin_capture = _core.begin_capture

    def enter(self: Any) -> Any:
        steps.leave_all(_OWN_STEP)
        return _enter(self)

    def begin(stream: Any) -> None:
        steps.leave_all(_OWN_CAPTURE)
        begin_capture(stream)

    Step.__enter__ = enter  # type: ignore[method-assign]
    vars(_core).update(begin_capture=begin)
