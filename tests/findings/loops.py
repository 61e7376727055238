"""Loops as tests list them: regions of repetitions that are alike."""

from collections.abc import Callable
from typing import Any

from launchpath._findings.finding import Finding
from launchpath._findings.ordering.pointers import pointer_byte
from launchpath._findings.regions.finding_regions import find_regions
from launchpath._findings.regions.region import Region
from launchpath._trace.format import ARGUMENTS, CONTENT
from tests.findings.timelines import Calls

PERIOD = 1_000_000  # nanoseconds of a repetition
REPETITIONS = 20
UP, DOWN, WITHIN = 1, 2, 3  # directions of copies


class Loop:
    """A program with a loop: `body` is called for each repetition with its number and its begin."""

    def __init__(
        self, repetitions: int = REPETITIONS, period: int = PERIOD, *, own: bool = False, **options: Any
    ) -> None:
        self.calls = Calls(**options)
        self.repetitions, self.period = repetitions, period
        device = {"name": "GPU 0", "driver": self.calls.driver, "ordinal": 0, "units": 8}
        if self.calls.driver == "opencl":
            device["kind"] = "cpu"
        self.calls.facts = {"devices": [device], **({} if own else {"recorder": True}), **self.calls.facts}

    def region(self, body: Callable[[Calls, int, int], None], last: bool = True) -> Region:
        """Run the loop; `last`: the program waits for the device at its end."""
        for number in range(self.repetitions):
            begin = number * self.period
            self.calls.range("step", begin, begin + self.period)
            body(self.calls, number, begin)
        if last:
            end = self.repetitions * self.period
            self.calls.call("synchronize device", end + 10, end + 20)
        [region, *_] = find_regions(self.calls.timeline())
        return region


def upload(
    calls: Calls, begin: int, *, to: int = 0x10000, size: int = 1 << 20, content: int = 7, **columns: Any
) -> None:
    """Add an upload that takes 100 us on host and device."""
    columns = {"site": "simulate.py:57 step", "stream": 1, "source": 0x7F0000, "flags": CONTENT, **columns}
    long = columns.pop("long", 100_000)
    calls.call(
        "copy", begin, begin + long, direction=UP, to=to, size=size, content=content, works=[(begin + 10, begin + long)],
        **columns,
    )  # fmt: skip


def download(calls: Calls, begin: int, works: Any, *, source: int = 0x10000, end: int = 0, **columns: Any) -> None:
    """Add a download."""
    columns = {"stream": 1, "size": 4, "to": 0x7F0000, "site": "simulate.py:70 step", **columns}
    calls.call("copy", begin, end or begin + 2000, direction=DOWN, source=source, works=works, **columns)


def launch(calls: Calls, begin: int, works: Any, *, uses: tuple[int, ...] = (), **columns: Any) -> None:
    """Add a launch, whose pointers are `uses`."""
    columns = {"stream": 1, "blocks": 64, "name": "kernel", "site": "simulate.py:60 step", **columns}
    arguments = sum(pointer_byte(each) << 8 * place for place, each in enumerate(uses))
    calls.call(
        "launch", begin, begin + 3000, works=works, arguments=arguments, flags=ARGUMENTS if uses else 0, **columns
    )


def kinds(found: list[Finding]) -> list[str]:
    """Give the kinds of findings."""
    return [finding.kind for finding in found]
