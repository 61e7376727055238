"""The steps of a function of `launchpath.step`: one for each thread that calls it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload
from weakref import ReferenceType, ref

from launchpath._streams.step_report import StepReport, merged

Parameters = ParamSpec("Parameters")
Others = ParamSpec("Others")
Returned_co = TypeVar("Returned_co", covariant=True)
Owner_contra = TypeVar("Owner_contra", contravariant=True)


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
        self._steps: list[tuple[ReferenceType[_Life], Any]] = []
        self._gone: list[StepReport] = []  # what those of ended threads did: at most one, once it is added up
        self._lock = threading.Lock()

    def of_thread(self) -> Any:
        """Give the step of this thread."""
        try:
            step = self._here.step
        except AttributeError:
            step = self._here.step = self._create()
            life = self._here.life = _Life()
            with self._lock:
                self._bury()
                self._steps.append((ref(life), step))
        return step

    def report(self) -> StepReport:
        """Say what all of them did so far."""
        with self._lock:
            self._bury()
            gone, living = list(self._gone), [step for _, step in self._steps]
        return merged([*gone, *(step.report() for step in living)], self._create().on)

    def _bury(self) -> None:
        """Keep the counts of threads that have ended, and not their steps. With the lock."""
        ended = [step for life, step in self._steps if life() is None]
        if ended:
            reports = [step.report() for step in ended]
            self._gone = [merged([*self._gone, *reports], reports[-1].on)]
            self._steps = [each for each in self._steps if each[0]() is not None]


class _Life:
    """A thread's own: it goes with the thread."""

    __slots__ = ("__weakref__",)
