"""The steps of a function of `launchpath.step`: one for each thread that calls it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload
from weakref import WeakSet

from launchpath._streams.step_report import StepReport, merged

Parameters = ParamSpec("Parameters")
Others = ParamSpec("Others")
Returned_co = TypeVar("Returned_co", covariant=True)
Owner_contra = TypeVar("Owner_contra", contravariant=True)

_MOST_GONE = 64  # reports of threads that have ended before they are added up


class StepFunction(Protocol[Parameters, Returned_co]):
    """A function that is a step each time it is called. As a function in a class it is a method."""

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned_co:
        """Run the function as a step."""

    def report(self) -> StepReport:
        """Say what its steps did so far, those of all threads together."""

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> StepFunction[Parameters, Returned_co]: ...

    @overload
    def __get__(
        self: StepFunction[Concatenate[Owner_contra, Others], Returned_co],
        instance: Owner_contra,
        owner: type | None = None,
    ) -> StepFunction[Others, Returned_co]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind it to an instance, as functions are."""


class ThreadSteps:
    """A step for each thread; that of a thread that has ended leaves its counts."""

    def __init__(self, create: Callable[[], Any]) -> None:
        self._create = create
        self._here = threading.local()
        self._owners: WeakSet[_Owner] = WeakSet()
        self._gone: list[StepReport] = []
        self._lock = threading.Lock()

    def of_thread(self) -> Any:
        """Give the step of this thread."""
        try:
            step = self._here.owner.step
        except AttributeError:
            owner = self._here.owner = _Owner(self._create(), self._leave)
            with self._lock:
                self._owners.add(owner)
            step = owner.step
        return step

    def report(self) -> StepReport:
        """Say what all of them did so far."""
        with self._lock:
            living = list(self._owners)
        reports = [owner.step.report() for owner in living]
        return merged([*self._gone, *reports], self._create().on)

    def _leave(self, step: Any) -> None:
        """Keep the counts of a thread that has ended. The collector may call this anywhere: it takes no lock."""
        if sys.is_finalizing():
            return  # nobody asks any more
        gone = self._gone
        gone.append(step.report())
        if len(gone) > _MOST_GONE and self._lock.acquire(blocking=False):
            try:
                few = gone[:_MOST_GONE]
                gone[: len(few)] = [merged(few, few[-1].on)]
            finally:
                self._lock.release()


class _Owner:
    """Has a thread's step as long as the thread lives."""

    __slots__ = ("__weakref__", "_leave", "step")

    def __init__(self, step: Any, leave: Callable[[Any], None]) -> None:
        self.step, self._leave = step, leave

    def __del__(self) -> None:
        self._leave(self.step)
