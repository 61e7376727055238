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


class ForcedStep(Step):
    """A step that is forced."""

    kept = 0  # commands that it had kept back when it was left last


class Opened:
    """A forced step that a thread is in."""

    __slots__ = ("effect", "of_thread", "step", "thread")

    def __init__(self, effect: Effect, step: ForcedStep, of_thread: dict[str, ForcedStep]) -> None:
        self.effect, self.of_thread, self.thread = effect, of_thread, threading.get_ident()
        self.step: ForcedStep | None = step  # None: something has ended it


class ThreadSteps(threading.local):
    """The forced steps of a thread, by their mends; they go when it ends, and what they have kept back is submitted."""

    def __init__(self) -> None:
        self.steps: dict[str, ForcedStep] = {}
        self.opened: list[Opened] = []  # those that it is in, the outermost first


class ForcedSteps:
    """The steps that are forced on the threads of the process."""

    def __init__(self) -> None:
        self._here = ThreadSteps()

    def enter(self, effect: Effect) -> Opened | None:
        """Let a step begin on this thread; None: it cannot."""
        here = self._here
        here.opened = [opened for opened in here.opened if opened.step is not None]
        if not here.opened and _core.in_step():
            effect.refused(_INSIDE)
            return None
        step = here.steps.get(effect.mend.text)
        if step is None:
            step = here.steps[effect.mend.text] = ForcedStep()
        _enter(step)
        opened = Opened(effect, step, here.steps)
        here.opened.append(opened)
        return opened

    def leave(self, opened: Opened) -> None:
        """Let a step end, and submit what it has kept back."""
        step = opened.step
        if step is None:
            return
        opened.step = None
        if opened.thread != threading.get_ident():
            opened.effect.refused(_OTHER_THREAD)
            opened.of_thread.pop(opened.effect.mend.text, None)  # dropped: it is submitted, and its thread leaves it
            return
        self._here.opened.remove(opened)
        before = step.runs
        _leave(step)
        if step.runs != before and step.kept_back == step.kept:
            opened.effect.refused(_NOTHING_KEPT)
        else:  # or it is a part of a forced step around it
            opened.effect.took()
        vars(step)["kept"] = step.kept_back

    def leave_all(self, reason: str) -> None:
        """End all that this thread is in: the program begins what is not possible inside a step."""
        for opened in reversed(self._here.opened):
            step, opened.step = opened.step, None
            if step is not None:
                opened.effect.refused(reason)
                _leave(step)
        self._here.opened = []


class SteppedRange(Range):
    """A range that is a step, if it has the name of one."""

    __slots__ = ("_opened",)

    steps: ForcedSteps
    effects: dict[str, Effect]

    def __init__(self, name: str, color: int, payload: int) -> None:
        super().__init__(name, color, payload)
        self._opened: list[Opened | None] = []

    def __enter__(self) -> Range:
        super().__enter__()
        effect = self.effects.get(self._name)
        self._opened.append(self.steps.enter(effect) if effect else None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            opened = self._opened.pop() if self._opened else None
            if opened is not None:
                self.steps.leave(opened)
        finally:  # the range has the submission in it
            super().__exit__(kind, value, traceback)

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
