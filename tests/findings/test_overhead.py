"""Where a trace has read the bytes of copies."""

import pytest

from launchpath._findings.idle.idle import idle_of
from launchpath._findings.timeline.overhead import overhead
from launchpath._trace.format import BLOCKING, CONTENT
from tests.findings.steps import US, program, region
from tests.findings.timelines import Calls

READ = 50 * US
UP = {"direction": 1, "arguments": READ, "flags": CONTENT}
DOWN = {"direction": 2, "arguments": READ, "flags": CONTENT | BLOCKING}


def hashed(*calls):
    its = Calls()
    for what, begin, end, columns in calls:
        its.call(what, begin * US, end * US, stream=1, **columns)
    result = overhead(its.timeline())
    return [(round(before), round(inside)) for before, inside in zip(result.before, result.inside, strict=True)]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("copy", 100, 200, UP)], [(READ, 0)]),
        ([("launch", 0, 10, {}), ("copy", 60, 200, UP)], [(0, 0), (READ, 0)]),
        ([("launch", 0, 10, {}), ("copy", 20, 200, UP)], [(0, 0), (0, READ)]),  # from when its bytes began to move
        ([("copy", 0, 10, DOWN), ("launch", 70, 80, {})], [(0, 0), (READ, 0)]),
        ([("copy", 0, 10, DOWN), ("synchronize", 12, 30, {}), ("launch", 90, 99, {})], [(0, 0), (0, 0), (READ, 0)]),
        ([("copy", 0, 10, DOWN)], [(0, 0)]),
        ([("copy", 0, 10, DOWN), ("copy", 110, 120, UP)], [(0, 0), (2 * READ, 0)]),
    ],
)
def test_the_place_of_reading(calls, expected):
    assert hashed(*calls) == expected


def test_reading_is_no_host_code():
    def step(calls, begin):
        calls.call(
            "copy", begin + 80 * US, begin + 100 * US, stream=1, works=[(begin + 90 * US, begin + 100 * US)], **UP
        )

    idle = idle_of(region(program(step, 100 * US)))
    causes = {cause: round(time) for cause, time in idle.causes.items()}
    assert causes == {"tracing": READ, "host code": 30 * US, "upload": 10 * US}
