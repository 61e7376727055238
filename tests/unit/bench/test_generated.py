"""``launchpath bench generated``: compiled kernels against the same written by hand."""

import json
import sys

import pytest

import launchpath as lp
from benchmarks.peers import ByHand, opencl_sources
from launchpath._bench import generated
from launchpath._bench.generated.pairs import pairs
from launchpath._bench.measure import Size
from tests.command import run, succeeded

SHORT = ("--blocks", "2", "--launches", "10")
DEVICES = [device for device in lp.devices() if device.info["host_accessible"]]

pytestmark = [pytest.mark.skipif(not DEVICES, reason="no device whose memory the host can reach"), pytest.mark.compiles]


@pytest.fixture(params=DEVICES, ids=lambda device: device.info["platform"])
def device(request):
    return request.param


@pytest.fixture
def peer():
    return pytest.importorskip("pyopencl")


@pytest.fixture
def few(monkeypatch):
    """Only the first two of the pairs."""
    monkeypatch.setattr(generated, "pairs", lambda scale: pairs(scale)[:2])


@pytest.mark.sample(1, "Intel")
def test_every_pair_does_the_same_by_hand(device, peer):
    for pair in pairs(8):
        work = generated.Work(device, pair)
        for index in generated.BY_HAND.values():
            work.check(ByHand(work, index))


def test_a_pair_that_does_something_else_is_detected(device, peer, monkeypatch):
    pair = next(pair for pair in pairs(8) if pair.name == "saxpy")
    other = opencl_sources.SOURCES["saxpy"].replace("a * x[i] +", "a * x[i] -")
    monkeypatch.setitem(opencl_sources.SOURCES, "saxpy", other)
    work = generated.Work(device, pair)
    with pytest.raises(lp.LaunchpathError, match="saxpy: z differs from the result of the kernel written by hand"):
        work.check(ByHand(work, "int"))


def test_figures_are_of_the_same_kernel(device, peer, few):
    result = generated.run(device, Size(2, 10))
    names = [pair.name for pair in pairs(8)[:2]]
    assert [row.case["kernel"] for row in result.rows if row.subject == "launchpath"] == names
    limits = {figure.against: figure.at_most for figure in result.figures}
    required = 1.05 if device.info["kind"] == "cpu" else None
    assert limits == {"over opencl": required, "over opencl-size_t": None}
    for figure in result.figures:
        by_hand = result.find(figure.against.removeprefix("over "), **figure.row.case)
        assert figure.value == pytest.approx(figure.row.us / by_hand.us)


def test_the_command(peer, few):
    done = run("bench", "generated", *SHORT, "--json", "-", "--check")
    data = json.loads(done.stdout)
    assert data["benchmark"] == "generated"
    assert {row["subject"] for row in data["rows"]} == {"launchpath", "opencl", "opencl-size_t"}
    assert "run time of a kernel" in done.stderr
    assert "at most 1.05 x" in done.stderr


def test_without_pyopencl_nothing_is_compared(monkeypatch, few):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    done = succeeded("bench", "generated", *SHORT)
    assert "skipped: opencl: PyOpenCL is not installed" in done.output
    assert "| opencl" not in done.output
