"""Delays in programs of launchpath: the same blocks as the recorder's, from the core's own trace."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from launchpath._findings.intervention.blocks import Blocks, read_blocks
from launchpath._trace import format
from tests.faults.processes import run
from tests.recorder.opencl import platform
from tests.recorder.programs import traced
from tests.tracing.raw import read

pytestmark = [pytest.mark.processes, pytest.mark.times]

PROGRAM = """
program = lp.compile(SOURCE)
follow, spin = program.follow[1, 1, stream], program.spin[1, 1, stream]
step = lp.Step()

def launches():
    follow(array, 1)
    for _ in range(7):
        spin(array, 1)

def repeat(body):
    until = time.perf_counter() + {seconds}
    while time.perf_counter() < until:
        with lp.range("repetition"):
            body()

def eager():
    launches()
    stream.synchronize()

def in_step():
    with step:
        launches()
    device.synchronize()

def copies():
    launches()
    array[:64].copy_from(values)
    device.synchronize()

import numpy
values = numpy.zeros(64, "i4")
"""
LONG = 300_000  # nanoseconds: much longer than what it is compared with
MOST = 4  # times: the device is the processor, and shares it with other tests
Run = Callable[..., Blocks]


@pytest.fixture
def blocks_of(index: int, path: Path) -> Run:
    """A function that runs a program with delays, and gives its blocks."""

    def start(text: str, code: str, seconds: float = 1.0) -> Blocks:
        variables = {"LAUNCHPATH_TRACE": str(path), "LAUNCHPATH_DELAYS": text}
        run(PROGRAM.format(seconds=seconds) + code, index, **variables)  # type: ignore[no-untyped-call]
        return read_blocks([path])

    return start


def more(blocks: Blocks, target: str) -> float:
    """By how much a repetition became longer, over what delays have taken of it."""
    assert blocks.not_said == []
    (_, spent, time), *_ = [level for level in blocks.slope(target).levels if level[0]]
    assert spent > 0
    return time / spent


ANCHORS = {
    "kernel": "kind=kernel;anchor=follow",
    "other kernel": "every=7;kind=kernel;anchor=spin",
    "range": "kind=range;anchor=repetition",
    "function": "kind=function;anchor=Stream.synchronize",
}


@pytest.mark.parametrize("anchor", ANCHORS)
@pytest.mark.sample(4)
def test_each_launch_is_delayed_once(blocks_of: Run, anchor: str) -> None:
    text = f"target=submissions;delays=0,{LONG // 8};repetitions=3;{ANCHORS[anchor]}"
    blocks = blocks_of(text, "repeat(eager)")
    assert len(blocks) > 10
    assert (blocks.slots["delays"] == 24).all()
    assert 0.5 < more(blocks, "submissions") < MOST


@pytest.mark.sample(2)
def test_a_synchronization_is_delayed_once(blocks_of: Run) -> None:
    text = f"target=synchronizations;delays=0,{LONG};repetitions=3;kind=range;anchor=repetition"
    blocks = blocks_of(text, "repeat(eager)")
    assert (blocks.slots["delays"] == 3).all()
    assert 0.5 < more(blocks, "synchronizations") < MOST


@pytest.mark.sample(2)
def test_a_copy_is_delayed_once(blocks_of: Run) -> None:
    text = f"target=copies;delays=0,{LONG};repetitions=3;kind=range;anchor=repetition"
    blocks = blocks_of(text, "repeat(copies)")
    assert (blocks.slots["delays"] == 3).all()
    assert 0.5 < more(blocks, "copies") < MOST


@pytest.mark.sample(2)
def test_host_code_between_calls_is_made_longer(blocks_of: Run) -> None:
    body = """
def body():
    eager()
    began = time.perf_counter()
    while time.perf_counter() < began + 0.001:
        pass

repeat(body)
"""
    blocks = blocks_of("target=host-code;delays=0,500;repetitions=3;kind=range;anchor=repetition", body, 2.0)
    assert 0.5 < more(blocks, "host-code") < MOST
    assert set(blocks.slots["target"]) == {format.HOST_CODE}


@pytest.mark.sample(2)
def test_submissions_of_a_step_are_those_that_reach_the_driver(blocks_of: Run) -> None:
    text = f"target=submissions;delays=0,{LONG // 8};repetitions=3;kind=function;anchor=Step.submit"
    blocks = blocks_of(text, "repeat(in_step)")
    counts = set(blocks.slots["delays"].tolist())
    assert counts in ({3}, {24})  # one graph, or 8 launches in a row
    assert 0.5 < more(blocks, "submissions") < MOST


@pytest.mark.sample(2)
def test_the_call_of_a_launch_begins_after_its_delay(blocks_of: Run, path: Path) -> None:
    blocks_of(f"target=submissions;delays={LONG},{LONG + 1};repetitions=3;anchor=follow", "repeat(eager)", 0.5)
    raw = read(path)
    launches = [command for command, _ in raw.commands() if raw.name(command) == "spin"]
    clock = raw.slots(format.HOST_CLOCK)
    rate = (clock[-1]["monotonic"] - clock[0]["monotonic"]) / (clock[-1]["ticks"] - clock[0]["ticks"])
    took = sorted(rate * (int(command["end"]) - int(command["begin"])) for command in launches)
    assert took[len(took) // 2] < LONG / 2


def test_an_anchor_that_never_occurs_is_told(blocks_of: Run) -> None:
    blocks = blocks_of("target=copies;delays=0,1;anchor=nothing", "repeat(eager)", 0.1)
    assert blocks.not_said == ["anchor nothing did not occur: no blocks"]


def test_a_wrong_text_is_told_in_the_file(index: int, path: Path) -> None:
    program = PROGRAM.format(seconds=0.05).replace("import numpy", "import numpy, os")
    body = "os.environ['LAUNCHPATH_DELAYS'] = 'target=copies'\nos.dup2(os.open(os.devnull, os.O_WRONLY), 2)\n"
    run(program + body + f"with lp.trace({str(path)!r}): repeat(eager)", index)  # type: ignore[no-untyped-call]
    assert read_blocks([path]).not_said == ["nothing was delayed: expected at least two delays, got 'target=copies'"]


def test_one_level_is_in_force_where_a_program_uses_both_libraries(tmp_path: Path) -> None:
    loader, variables = platform("Intel")
    program = Path(__file__).parents[1] / "recorder" / "beside.py"
    text = "target=submissions;delays=20000,40000;repetitions=1;settle=0;warmup=0;kind=kernel;anchor=ours"
    done = traced(
        tmp_path, sys.executable, program, loader, "Intel", options=("--mode", "host"), LAUNCHPATH_DELAYS=text, **variables
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.glob("*.lptrace"))
    assert len(files) == 2
    blocks = read_blocks(files)
    ours, theirs = map(int, done.stdout.split())
    assert len(blocks) == ours - 1
    # From one launch of ours to the next there is one of theirs, as long as there are any.
    assert blocks.slots["delays"].tolist() == [2] * (theirs - 1) + [1] * (ours - theirs)
