"""Delays in programs that do not use launchpath, on a device of known speed."""

import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
import pytest

import launchpath as lp
from launchpath._findings.anchor import Anchor
from launchpath._findings.finding import Finding
from launchpath._findings.intervention.blocks import Blocks, read_blocks
from launchpath._findings.intervention.delays import KINDS, DelaysError, parse
from launchpath._proof.intervention import intervene
from tests.recorder.opencl import platform
from tests.recorder.programs import FOLDER, compiled, traced
from tests.standin.build import compile_c, compiler

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

NEAR = 0.15  # of a slope, on a machine with much else to do
TRIES = 4
CORE = FOLDER.parents[1] / "src" / "launchpath" / "_core"
SUBMISSIONS = "target=submissions;delays=0,2000,4000;"
BOTH = SUBMISSIONS + "target=synchronizations;delays=0,10000;"


class Subject(NamedTuple):
    program: Path
    library: Path

    def run(self, folder: Path, kind: str, text: str, seconds: float = 0.5, environment: bool = False) -> list[Path]:
        """Run the program with delays; give its traces. `environment`: what refuses wrong texts does not see this one."""
        words: list[object] = [self.program, self.library, kind, str(seconds)]
        variables = {} if environment else {"LAUNCHPATH_DELAYS": text}
        if environment:
            words = ["env", f"LAUNCHPATH_DELAYS={text}", *words]
        done = traced(folder, *words, options=("--mode", "host"), **variables)
        assert done.returncode == 0, done.stderr
        return sorted(folder.glob("*.lptrace"))


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    folder = tmp_path_factory.mktemp("program")
    done = compile_c("-O1", "-fPIC", "-shared", "-o", folder / "libcuda-known.so", FOLDER / "c" / "known_speed.c")
    assert done.returncode == 0, done.stderr
    return Subject(compiled("delays_program", folder), folder / "libcuda-known.so")


def slope(blocks: Blocks, target: str = "submissions") -> float:
    assert blocks.not_said == []
    interval = blocks.slope(target).interval
    assert interval is not None
    return interval.value


def near(known: float, measure: Callable[[Path], float], folder: Path) -> None:
    """Measure a slope, again if it is another one: other tests may have had the processors."""
    values = []
    for attempt in range(TRIES):
        (folder / str(attempt)).mkdir()
        values.append(measure(folder / str(attempt)))
        if abs(values[-1] - known) < NEAR:
            return
    pytest.fail(f"expected a slope near {known}, got {values}")


@pytest.mark.parametrize(
    ("kind", "target", "known", "count"),
    [
        ("host", "submissions", 1.0, 10),
        ("device", "submissions", 0.2, 10),
        ("half", "submissions", 0.5, 10),
        ("host", "synchronizations", 0.95, 1),  # less the device's last microsecond
        ("device", "synchronizations", 0.0, 1),
        ("copies", "copies", 0.5, 4),
        ("host", "host-code", 1.0, 1),
    ],
)
def test_known_slopes_are_found(
    subject: Subject, tmp_path: Path, kind: str, target: str, known: float, count: int
) -> None:
    levels = {"submissions": "0,2000,4000", "synchronizations": "0,20000", "copies": "0,5000", "host-code": "0,100,200"}
    text = f"target={target};delays={levels[target]};repetitions=4;anchor=k0"

    def measure(folder: Path) -> float:
        blocks = read_blocks(subject.run(folder, kind, text, 0.7))
        assert target == "host-code" or blocks.slope(target).count == count
        return slope(blocks, target)

    near(known, measure, tmp_path)


def test_groups_of_blocks_have_each_level_once_in_an_order_by_chance(subject: Subject, tmp_path: Path) -> None:
    (path,) = subject.run(tmp_path, "host", BOTH + "repetitions=3;seed=7;anchor=k0")
    blocks = read_blocks([path])
    slots = blocks.slots
    assert len(slots) > 50
    assert slots["number"].tolist() == list(range(len(slots)))
    assert (slots["begin"][1:] >= slots["end"][:-1]).all()
    levels = list(zip(slots["target"].tolist(), slots["delay"].tolist(), strict=True))
    groups = [tuple(levels[at : at + 5]) for at in range(0, len(levels) - 4, 5)]
    assert {frozenset(Counter(group).items()) for group in groups} == {
        frozenset({((1, 0), 1), ((1, 2000), 1), ((1, 4000), 1), ((2, 0), 1), ((2, 10000), 1)})
    }
    assert len(set(groups)) > len(groups) / 3
    first = Counter(group[0] for group in groups)
    assert max(first.values()) < len(groups) / 2
    submissions = slots[slots["target"] == 1]
    assert (submissions["delays"] == 30).all()  # those without delay are counted as well
    assert (submissions["spent"][submissions["delay"] == 0] == 0).all()
    assert (slots["repetitions"] == 3).all()
    again = Subject(subject.program, subject.library)
    (tmp_path / "again").mkdir()
    (other,) = again.run(tmp_path / "again", "host", BOTH + "repetitions=3;seed=8;anchor=k0")
    assert [int(each) for each in read_blocks([other]).slots["delay"][:40]] != [level[1] for level in levels[:40]]


@pytest.mark.times
def test_what_was_spent_is_what_was_asked_for(subject: Subject, tmp_path: Path) -> None:
    (path,) = subject.run(tmp_path, "host", SUBMISSIONS + "repetitions=4;anchor=k0")
    for delay, spent, more in read_blocks([path]).slope("submissions").levels:
        assert 10 * delay <= spent < 10 * (delay * 1.05 + 100)
        assert abs(more - spent) < 0.15 * 40_000


def test_a_delay_is_no_part_of_its_call(subject: Subject, tmp_path: Path) -> None:
    (path,) = subject.run(tmp_path, "host", "target=submissions;delays=50000,50001;repetitions=4;anchor=k0")
    (table,) = lp.read_trace(path).dispatches()
    assert 2000 <= numpy.median(table["driver_end"] - table["driver_begin"]) < 20_000
    assert numpy.median(numpy.diff(table["driver_begin"])) > 50_000


@pytest.mark.parametrize(
    ("anchor", "every"), [("kind=function;anchor=cuStreamSynchronize", 1), ("every=9;anchor=k1000", 9)]
)
def test_other_anchors_end_the_same_repetitions(subject: Subject, tmp_path: Path, anchor: str, every: int) -> None:
    def measure(folder: Path) -> float:
        blocks = read_blocks(subject.run(folder, "host", SUBMISSIONS + "repetitions=4;" + anchor))
        assert (blocks.slots["delays"] == 40).all()
        assert blocks.anchors >= every * 5 * len(blocks)
        return slope(blocks)

    near(1.0, measure, tmp_path)


@pytest.mark.parametrize("which", ["Intel", "Portable"])
def test_launches_of_opencl_are_delayed(tmp_path: Path, which: str) -> None:
    loader, variables = platform(which)
    program = compiled("opencl_program", tmp_path)
    text = "target=submissions;delays=0,20000;target=synchronizations;delays=0,10;repetitions=10;anchor=add"
    done = traced(tmp_path, program, loader, which, options=("--mode", "host"), LAUNCHPATH_DELAYS=text, **variables)
    if done.returncode in (3, 4):
        pytest.skip(f"no OpenCL platform is named {which}")
    assert done.returncode == 0, done.stderr
    blocks = read_blocks([tmp_path / "t.lptrace"])
    launches = int(done.stdout.split()[0])
    assert len(blocks) == (launches - 3) // 11
    assert blocks.anchors == launches + 1  # the library refuses one of them
    submissions = blocks.slots[blocks.slots["target"] == 1]
    assert (submissions["delays"] == 10).all()
    (spent,) = (level[1] for level in blocks.slope("submissions").levels if level[0])
    assert 20_000 <= spent < 40_000


def test_an_anchor_that_never_occurs_is_told(subject: Subject, tmp_path: Path) -> None:
    blocks = read_blocks(subject.run(tmp_path, "host", SUBMISSIONS + "anchor=k0_", 0.1))
    assert len(blocks) == 0
    assert blocks.not_said == ["anchor k0_ did not occur: no blocks"]


def test_an_anchor_that_occurs_too_seldom_is_told(subject: Subject, tmp_path: Path) -> None:
    blocks = read_blocks(subject.run(tmp_path, "host", SUBMISSIONS + "repetitions=1000000;anchor=k0", 0.1))
    assert len(blocks) == 0
    assert "no blocks, the first one needs 1000004" in blocks.not_said[0]


def test_a_program_that_never_waits_has_no_slope_without_times_of_the_device(subject: Subject, tmp_path: Path) -> None:
    blocks = read_blocks(subject.run(tmp_path, "ahead", SUBMISSIONS + "anchor=k0", 0.3))
    assert len(blocks) > 0
    assert blocks.slope("submissions").interval is None
    assert "does not wait for it" in blocks.not_said[0]


def test_launches_of_other_threads_are_delayed_too(subject: Subject, tmp_path: Path) -> None:
    def measure(folder: Path) -> float:
        blocks = read_blocks(subject.run(folder, "threads", SUBMISSIONS + "repetitions=20;anchor=k0"))
        assert blocks.slots["delays"].sum() > 200 * len(blocks)
        return slope(blocks)

    near(1.0, measure, tmp_path)


def test_a_forked_child_counts_from_zero(subject: Subject, tmp_path: Path) -> None:
    def measure(folder: Path) -> float:
        paths = subject.run(folder, "fork", SUBMISSIONS + "repetitions=4;anchor=k0")
        assert len(paths) == 2
        blocks = read_blocks(paths)
        assert blocks.slots["number"][0] == 0
        return slope(blocks)

    near(1.0, measure, tmp_path)


def test_without_delays_nothing_is_written(subject: Subject, tmp_path: Path) -> None:
    blocks = read_blocks(subject.run(tmp_path, "host", "", 0.1))
    assert len(blocks) == 0
    assert blocks.not_said == ["nothing was delayed: no process of the program has begun a trace with delays"]


def test_a_wrong_text_is_refused_before_the_program_runs(subject: Subject, tmp_path: Path) -> None:
    words = (subject.program, subject.library, "host", "0.1")
    done = traced(tmp_path, *words, LAUNCHPATH_DELAYS="target=submissions;delays=0,1")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "LAUNCHPATH_DELAYS: expected anchor=NAME at the end" in done.stderr
    assert list(tmp_path.glob("*.lptrace")) == []


def test_a_wrong_text_that_comes_later_is_refused_in_the_file(subject: Subject, tmp_path: Path) -> None:
    paths = subject.run(tmp_path, "host", "target=submissions;delays=0,1,2", 0.1, environment=True)
    blocks = read_blocks(paths)
    assert blocks.not_said == ["nothing was delayed: expected anchor=NAME, got 'target=submissions;delays=0,1,2'"]


TEXTS = [
    "target=submissions;delays=0,1000,2000;anchor=step",
    "target=copies;delays=0,5;target=host-code;delays=0,100;every=3;repetitions=4;settle=2;warmup=0;seed=9;kind=range;anchor=a;b=c, d",
    "anchor=step",
    "",
    "target=submissions;delays=0;anchor=step",
    "target=launches;delays=0,1;anchor=step",
    "delays=0,1;anchor=step",
    "target=copies;delays=0,-1;anchor=step",
    "target=copies;delays=0,,1;anchor=step",
    "target=copies;delays=0,1;kind=line;anchor=step",
    "target=copies;delays=0,1;repetitions=0;anchor=step",
    "target=copies;delays=0,1;warmup=1000001;anchor=step",
    "target=copies;delays=0,100000001;anchor=step",
    "target=copies;delays=0,1;speed=3;anchor=step",
    "target=copies;delays=0,1;seed;anchor=step",
    "target=copies;delays=0,1;anchor=",
    "target=copies;delays=" + ",".join(["1"] * 65) + ";anchor=step",
    "target=copies;delays=0,1;anchor=" + 4096 * "a",
]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reader") / "delays_text"
    words = [*compiler(), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", f"-I{CORE}", "-o", path]
    subprocess.run([str(word) for word in [*words, FOLDER / "c" / "delays_text.c"]], check=True, timeout=60)
    return path


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_the_recorder_reads_what_python_reads(reader: Path, text: str) -> None:
    printed = subprocess.run([reader, text], capture_output=True, text=True, check=True).stdout
    try:
        delays = parse(text)
    except DelaysError:
        assert printed.startswith("refused: expected ")
        return
    levels = "".join(f"{target} {delay}," for target, delay in delays.arms)
    counts = f"{delays.every} {delays.repetitions} {delays.settle} {delays.warmup} {delays.seed}"
    assert printed.strip() == f"{levels} {1 + KINDS.index(delays.kind)} {counts} {delays.anchor}"


def test_calls_are_what_they_do(reader: Path) -> None:
    roles = {
        "submissions": ["cuLaunchKernel", "cuLaunchKernelEx_ptsz", "cuGraphLaunch", "cuMemsetD8_v2", "clEnqueueTask",
                        "clEnqueueNDRangeKernel", "clEnqueueFillBuffer", "clEnqueueSVMMemFill", "clEnqueueCommandBufferKHR",
                        "hipLaunchKernel", "hipModuleLaunchKernel", "hipExtLaunchKernel", "hipGraphLaunch", "hipMemsetAsync"],
        "synchronizations": ["cuCtxSynchronize", "cuStreamSynchronize_ptsz", "cuEventSynchronize", "clFinish",
                             "clWaitForEvents", "hipDeviceSynchronize", "hipStreamSynchronize", "hipEventSynchronize"],
        "copies": ["cuMemcpyHtoD_v2", "cuMemcpy2DAsync_v2", "clEnqueueReadBuffer", "clEnqueueWriteImage",
                   "clEnqueueCopyBuffer", "clEnqueueMapBuffer", "clEnqueueMemcpyINTEL", "clEnqueueSVMMemcpy",
                   "hipMemcpyAsync", "hipDrvMemcpy3D"],
        "": ["cuLaunchHostFunc", "cuStreamWaitEvent", "cuEventRecord", "cuMemAlloc_v2", "clFlush", "clCreateBuffer",
             "clEnqueueMarkerWithWaitList", "hipStreamWaitEvent", "hipMalloc", "hipLaunchHostFunc"],
    }  # fmt: skip
    names = [name for each in roles.values() for name in each]
    printed = subprocess.run([reader, TEXTS[0], *names], capture_output=True, text=True, check=True).stdout
    told = printed.splitlines()[1].split(" ")[: len(names)]
    assert dict(zip(names, told, strict=True)) == {name: role for role, each in roles.items() for name in each}


def test_an_intervention_proves_what_holds_a_program_back(subject: Subject, tmp_path: Path) -> None:
    words = [str(subject.program), str(subject.library), "half", "1"]
    counts = {"submissions": 10.0, "copies": 0.0}

    def measure(_folder: Path) -> float:
        result = intervene(
            words, Anchor("kernel", "k0", period=220e3), counts, half_width=0.1, options={"mode": "host"}, run=_quietly
        )
        assert result.code == 0
        assert "copies was not delayed: a repetition has no such call" in result.not_said
        if "submissions" not in result.proofs:
            return -1.0
        proof = result.proofs["submissions"]
        assert proof.slope is not None
        assert "before each submission, in turns" in proof.text
        finding = Finding("launch-bound", "k0", "loop", "", "", evidence={"us_launching": 20.0, "launches": 10})
        result.attach([finding], counts)  # a mend saves so much of the launches' time as is not hidden, at most
        most = finding.proofs[0].saving
        assert most is not None and most.value == pytest.approx(20_000 * proof.slope.value)
        return proof.slope.value

    near(0.5, measure, tmp_path)


def test_a_program_that_ends_too_early_is_told_how_long_it_must_run(subject: Subject) -> None:
    words = [str(subject.program), str(subject.library), "half", "0.02"]
    result = intervene(
        words, Anchor("kernel", "k0", period=220e3), {"submissions": 10.0}, options={"mode": "host"}, run=_quietly
    )
    assert result.proofs == {}
    assert any("for a slope ± 0.05 it must run" in sentence for sentence in result.not_said)


def _quietly(command: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode
