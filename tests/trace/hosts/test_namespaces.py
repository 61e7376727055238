"""Two hosts in namespaces: names, networks and clocks of their own. The kernel moves the clock, so the offset is known."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

from benchmarks.hosts.simulation import ADDRESSES, Namespaces
from launchpath._trace.files.file import TraceFile
from launchpath._trace.hosts.clocks import Clocks, Moment, Order
from launchpath._trace.hosts.host_clock import read
from launchpath._trace.summaries.summarize import summarize

SECOND = 10**9
AHEAD = 5000  # seconds by which the other host's clock is ahead

PROGRAM = """
import sys, time
import launchpath as lp
with lp.range("all of it"):
    time.sleep(float(sys.argv[1]))
lp.mark("done")
"""


def _may() -> bool:
    words = ["unshare", "--net", "--uts", "--time", "--fork", "--monotonic", "5", "true"]
    return (
        bool(shutil.which("unshare") and shutil.which("ip"))
        and subprocess.run(words, capture_output=True, check=False).returncode == 0
    )


@pytest.fixture
def namespaces() -> Iterator[Namespaces]:
    if os.geteuid() or not _may():
        pytest.skip("needs root, and namespaces of time")
    both = Namespaces()
    yield both
    both.close()


def start(namespaces: Namespaces, place: int, folder: Path, seconds: float) -> subprocess.Popen[str]:
    """Trace a program on the host of a place: node0 is the reference."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("LAUNCHPATH_TRACE")}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    words = (
        f"hostname node{place} && exec {sys.executable} -m launchpath trace --mode host --clock {ADDRESSES[0]}:7460 "
        f"-o run.%hostname%.lptrace -- {sys.executable} program.py {seconds}"
    )
    return subprocess.Popen(
        [*namespaces.words(place), "unshare", "--uts", "--time", "--fork", "--monotonic", str(AHEAD * place), "sh", "-c", words],
        cwd=folder, env=variables, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.times
@pytest.mark.processes
def test_two_hosts_measure_and_their_times_are_ordered(tmp_path: Path, namespaces: Namespaces) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    programs = [start(namespaces, place, tmp_path, 1.2) for place in (0, 1)]
    texts = [program.communicate(timeout=100)[1] for program in programs]
    assert [program.returncode for program in programs] == [0, 0], texts
    paths = [tmp_path / f"run.node{place}.lptrace" for place in (0, 1)]
    metas = []
    for path in paths:
        with TraceFile(path) as file:
            metas.append(file.meta)
    own, other = (read(meta) for meta in metas)
    assert own is not None and other is not None
    assert own.is_reference and (other.host, other.reference_host) == ("node1", "node0")
    assert len(other.measurements) >= 3 and other.failed == 0
    assert all(each.low <= -AHEAD * SECOND <= each.high for each in other.measurements)
    clocks = Clocks(metas)
    begin = metas[1]["begin"]["monotonic"]
    (there,), (bound,) = (each.tolist() for each in clocks.on_reference(other.id, numpy.array([begin])))
    assert abs(there - (begin - AHEAD * SECOND)) <= bound < SECOND // 100
    late = Moment(own.id, begin - AHEAD * SECOND + 2 * bound)
    assert clocks.order(Moment(other.id, begin), late) is Order.BEFORE
    assert clocks.order(Moment(other.id, begin), Moment(own.id, there)) is Order.NOT_ORDERED
    lines = str(summarize(paths)).splitlines()
    assert lines[0].startswith("2 hosts, 2 processes")
    assert any(line.startswith("clocks of 1 host: within ") and "of node0's" in line for line in lines)
