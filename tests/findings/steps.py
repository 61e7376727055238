"""Programs of steps that are alike, as tests write them: a function says what a step does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import Region
from tests.findings.timelines import Calls

US = 1000  # nanoseconds
Step = Callable[[Calls, int], None]


def program(
    step: Step, period: int, repetitions: int = 20, *, own: bool = True, ranges: bool = True, **facts: Any
) -> Calls:
    """Make the calls of a program: `step(calls, begin)` for each repetition, in a range "step"."""
    calls = Calls(facts=facts if own else {"recorder": True, **facts})
    for number in range(repetitions):
        begin = number * period
        if ranges:
            calls.range("step", begin, begin + period)
        step(calls, begin)
    return calls


def region(calls: Calls) -> Region:
    """Give the only region of a program."""
    [found] = find_regions(calls.timeline())
    return found


def launches(
    calls: Calls,
    begin: int,
    count: int,
    *,
    every: int,
    call: int,
    work: int,
    late: int = 0,
    thread: int = 0,
    stream: int = 1,
    name: str = "integrate",
    free: int = 0,
    **columns: Any,
) -> int:
    """Add launches, `every` so many nanoseconds; each work begins with its call's end or behind the work before it.

    Gives when the last work ends. `late`: between a call's end and its work. `free`: the device is busy until then.
    """
    for number in range(count):
        at = begin + number * every
        free = max(at + call + late, free)
        calls.call(
            "launch", at, at + call, name=name, thread=thread, stream=stream, works=[(free, free + work)], **columns
        )
        free += work
    return free


def wait(calls: Calls, begin: int, until: int, *, wake: int = 500, **columns: Any) -> int:
    """Add a synchronization that ends `wake` nanoseconds behind what it waits for. Gives its end."""
    end = max(begin, until) + wake
    calls.call("synchronize", begin, end, stream=1, **columns)
    return end
