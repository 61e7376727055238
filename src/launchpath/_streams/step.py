"""Steps: regions of a program that run again and again, whose commands are submitted as one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from launchpath import _core
from launchpath._environment import checks_bounds, switch
from launchpath._listed import Listed
from launchpath._shown import described
from launchpath._streams.step_report import StepReport, counted, step_report
from launchpath._streams.thread_steps import StepFunction, ThreadSteps
from launchpath._tracebacks import wrapper
from launchpath.errors import ArgumentValueError

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def keeps_back() -> bool:
    """Whether steps keep their commands back, as the environment says."""
    return switch("LAUNCHPATH_STEPS", default=True) and not checks_bounds()


class Step(_core.StepBase, Listed):
    """A region of a program that runs again and again: ``with step: ...``.

    Launches, copies, fills and events inside it are kept back. When it is left all of them go to the driver. On CUDA
    and HIP devices commands that come again in the same order are submitted as graphs, and only the arguments and grids
    that have changed are updated. The results are those of running without the step, to the last bit.

    Whatever could see that commands are kept back has them submitted first: waiting for a stream or an event, asking
    whether they are complete, reading an array, an array's address, a host function, another thread that uses the same
    streams. Memory and streams that foreign code has are not kept back: from their first use on, the rest of the run
    goes to the driver at once. `report` says how often that was, and why.

    A command that the driver refuses raises when the step is left; the commands before it were submitted, those after
    it were not. An exception in the body submits what came before it.

    A step is used by a single thread at a time. A step inside another one belongs to the outer one. With the
    environment variable ``LAUNCHPATH_STEPS=0`` commands in steps go to the driver at once.

    Examples
    --------
    >>> step = lp.Step()
    >>> for t in range(2000):
    ...     with step:
    ...         for kernel, arguments in plan(t):
    ...             kernel[grid, block](*arguments)
    """

    def __new__(cls) -> Step:
        return super().__new__(cls, on=keeps_back())

    def __repr__(self) -> str:
        return f"<Step, {counted(self.runs, 'run')}>"

    if not TYPE_CHECKING:  # type checkers refuse it as well

        def __call__(self, *args: Any, **kwargs: Any) -> None:
            """Refuse: a step is entered."""
            raise TypeError("a Step is entered, and not called: `with step:`; above a function write @launchpath.step")

    def report(self) -> StepReport:
        """Say what the step did so far.

        Returns
        -------
        StepReport
        """
        return step_report(self.counts(), self.on)

    def freeze(self) -> FrozenStep:
        """Keep the commands of the last run, to launch them again by one call.

        It keeps the streams, kernels and arrays that they use. Arguments are those of the last run. A run that calls
        host functions, reads results or copies ordinary host memory cannot be frozen.

        On CUDA devices with dependent launches, kernels that are launched in small grids are compiled once more, with
        an early trigger: once for a program and process, or found in the cache, and loaded. That may take as long as
        the program's compilation did, and loading may wait for the device. `FrozenStep.report` says why a kernel has
        none.

        Returns
        -------
        FrozenStep

        Raises
        ------
        LaunchpathError
            There was no run, a part of the last one went to the driver before its end, or it uses memory, kernels or
            events that cannot be kept. The message says which.

        Examples
        --------
        >>> with step:
        ...     forces[grid, block](state, n)
        ...     integrate[grid, block](state, dt, n)
        >>> frozen = step.freeze()
        >>> for _ in range(1000):
        ...     frozen.launch()
        """
        graph = _core.graph_of_run(self, _core.GraphBase.__new__(_core.GraphBase))
        frozen = FrozenStep.__new__(FrozenStep)
        _core.executable(graph, frozen, False, self.on)
        frozen._without_trigger = _paired(graph) if self.on else {}
        return frozen


def _paired(graph: _core.GraphBase) -> dict[str, str]:
    """Give kernels their early variants where that pays; those without any, and why."""
    refused = {}
    for kernel in graph.early_kernels():
        if kernel.early is None:
            source = "its program was loaded, and has no source"
            if reason := source if kernel.variants is None else kernel.variants.pair(kernel):
                refused[kernel.label] = reason
    return refused


class FrozenStep(_core.ExecutableBase, Listed):
    """The commands of a step's run, from ``step.freeze()``: ``launch`` submits them all again.

    They go to the streams that they were recorded on, in the same order, and are ordered with other work there as new
    commands. Events of the step order the frozen commands among each other; the `Event` objects stay as they are.
    """

    _without_trigger: Mapping[str, str] = MappingProxyType({})

    def __repr__(self) -> str:
        return f"<FrozenStep, launched {counted(self.counts()['runs'], 'time')}>"

    def launch(self) -> None:
        """Submit the commands, without waiting for them.

        Raises
        ------
        DriverError
            The driver refused a command: those before it were submitted.
        """
        self.launch_on(None)

    def report(self) -> StepReport:
        """Say what the launches did so far.

        Returns
        -------
        StepReport
        """
        return replace(step_report(self.counts()), without_trigger=dict(self._without_trigger))


# A call of these returns before their body has run.
_LATE = {
    "coroutine function": inspect.iscoroutinefunction,
    "asynchronous generator function": inspect.isasyncgenfunction,
    "generator function": inspect.isgeneratorfunction,
}


def _check_steppable(function: object) -> None:
    if isinstance(function, staticmethod | classmethod):
        kind = type(function).__name__
        raise ArgumentValueError(f"expected a function, got a {kind}: write @{kind} above @lp.step")
    if not callable(function):
        raise ArgumentValueError(f"expected a function, got {described(function)}: write @lp.step without parentheses")
    for kind, is_late in _LATE.items():
        if is_late(function) or is_late(inspect.getattr_static(type(function), "__call__", None)):
            name = getattr(function, "__qualname__", described(function))
            raise ArgumentValueError(
                f"expected a function whose body runs when it is called, got the {kind} {name}: its body would run "
                "outside the step: enter an lp.Step in its body, around code without await and yield"
            )


def step(function: Callable[Parameters, Returned]) -> StepFunction[Parameters, Returned]:
    """Run a function as a step each time it is called; each thread has a step of its own.

    Parameters
    ----------
    function : callable
        Its launches and copies are kept back until it returns: see `Step`.

    Returns
    -------
    callable
        The same function as a step. Its ``report()`` gives a `StepReport` of what its steps did, those of all threads
        together.

    Raises
    ------
    ArgumentValueError
        It is not callable, or it is a coroutine function or a generator function: its body would run after the step.

    Examples
    --------
    >>> @lp.step
    ... def advance(state, dt):
    ...     forces[grid, block](state, n)
    ...     integrate[grid, block](state, dt, n)
    >>> advance(state, 0.5)
    >>> print(advance.report())
    """
    _check_steppable(function)
    steps = ThreadSteps(Step)

    @functools.wraps(function)
    def stepped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        with steps.of_thread():
            return function(*args, **kwargs)

    stepped.report = steps.report  # type: ignore[attr-defined]
    stepped.__dict__["names_instead"] = dict.fromkeys(("freeze", "launch"), _FREEZE)
    return cast("StepFunction[Parameters, Returned]", wrapper(stepped))


# Each thread has a step of its own, and a run of each may be another.
_FREEZE = (
    "freeze a Step that the function runs in: step = launchpath.Step(), call it in `with step:`, then "
    "frozen = step.freeze() and frozen.launch()"
)
step.__dict__["enter_instead"] = "step = launchpath.Step() once, and `with step:` around the launches each time"
