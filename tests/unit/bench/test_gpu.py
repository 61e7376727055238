"""``launchpath bench`` on CUDA devices: what is held against what, and peers that cannot be measured."""

import gc
import importlib.util
import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

import launchpath as lp
from benchmarks import peers
from launchpath._bench import importing, launch
from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import Loop, Size
from launchpath._bench.peer import Missing, Peer, Working
from launchpath._bench.result import Result, Row
from tests.command import run
from tests.python import python
from tests.standin.build import FOLDER, ROOT, compile_c, environment
from tests.unit.support.rtc import needs_nvrtc

# --- loops


def called(call: str, arguments: int, values: list[int], **more: Any) -> list[tuple[Any, ...]]:
    calls: list[tuple[Any, ...]] = []
    pointers = [f"p{i}" for i in range(8)]
    loop = looped(call, arguments, pointers, names={"launch": lambda *passed: calls.append(passed)}, **more)
    assert loop(values) > 0
    return calls


def test_a_loop_goes_without_a_collection():
    """Benchmarks put collections off, and what it launches holds a stream."""

    class Launch:
        def __call__(self) -> None: ...

    launch, enabled = Launch(), gc.isenabled()
    gone = weakref.ref(launch)
    gc.disable()
    try:
        loop = looped("launch({})", 0, names={"launch": launch})
        loop([1])
        del loop, launch
        assert gone() is None
    finally:
        if enabled:
            gc.enable()


def test_a_loop_calls_once_for_each_value():
    assert called("launch({})", 0, [1, 2]) == [(), ()]
    assert called("launch({})", 2, [5, 6]) == [("p0", 5), ("p0", 6)]
    assert called("launch({})", 16, [5]) == [(*(f"p{i}" for i in range(8)), 5, *range(1, 8))]
    assert called("launch({})", 16, [5], ints=range(2, 9)) == [(*(f"p{i}" for i in range(8)), 5, *range(2, 9))]


def test_a_loop_calls_as_the_library_wants_it():
    assert called("launch(0, {})", 0, [1]) == [(0,)]
    assert called("launch(0, ({}))", 2, [1]) == [(0, ("p0", 1))]


# --- peers

CPUS = [device for device in lp.devices() if device.info["driver"] == "opencl"]
needs_cpu = pytest.mark.skipif(not CPUS, reason="no OpenCL device")


@pytest.fixture(scope="module")
def kernels():
    with CPUS[0]:
        yield Kernels(CPUS[0])


class Own(Peer):
    """launchpath as its own peer."""

    subject, package, drivers = "own", "launchpath", ("opencl",)

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels

    def loop(self, arguments: int) -> Loop:
        return self.kernels.launchpath(arguments)


@pytest.mark.compiles
@needs_cpu
def test_a_peer_that_works(kernels):
    peer = Working(Own, kernels, 10)
    assert list(peer.loops) == [0, 2, 16]
    assert all(0 < peer.held(count) < 1e5 for count in peer.loops)


@pytest.mark.compiles
@needs_cpu
@pytest.mark.parametrize("arguments", [2, 16])
def test_a_peer_that_launches_nothing_is_missing(kernels, arguments):
    class Idle(Own):
        def loop(self, count: int) -> Loop:
            return (lambda values: 1) if count == arguments else super().loop(count)

    with pytest.raises(Missing, match=f"its launch with {arguments} arguments did nothing"):
        Working(Idle, kernels, 10)


@pytest.mark.compiles
@needs_cpu
def test_a_peer_that_fails_is_missing_and_says_why(kernels):
    class Fails(Own):
        def loop(self, arguments: int) -> Loop:
            raise AttributeError("no such function")

    with pytest.raises(Missing, match="AttributeError: no such function"):
        Working(Fails, kernels, 10)


@pytest.mark.compiles
@needs_cpu
@pytest.mark.parametrize("kind", peers.LAUNCHES, ids=lambda kind: kind.subject)
def test_peers_know_their_devices(kernels, kind):
    with pytest.raises(Missing, match="it does not support opencl devices"):
        Working(kind, kernels, 10)


@pytest.mark.compiles
@needs_cpu
@pytest.mark.parametrize("kind", peers.LAUNCHES, ids=lambda kind: kind.subject)
def test_peers_that_are_not_installed(kernels, kind, monkeypatch):
    for module in ("cuda", "cupy", "torch", "triton", "tvm_ffi"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(kind, "drivers", ("opencl",))
    with pytest.raises(Missing, match=f"not installed .*: `pip install .*{kind.package}`"):
        Working(kind, kernels, 10)


# --- figures


def result(own: float = 2.4, **others: float) -> Result:
    """A result as of a CUDA device, with others' times with 16 arguments; with fewer all peers take 100."""
    outcome = Result("launch", "a GPU")
    for arguments in (0, 2, 16):
        for subject, us in {"launchpath": own, "c": 2.3, **others}.items():
            slow = subject not in ("launchpath", "c") and arguments != 16
            time = (own if subject.startswith("launchpath") else 100.0) if slow else us
            if arguments or subject != "launchpath_torch":
                outcome.rows.append(Row.of(subject.replace("_", "-"), {"arguments": arguments}, [time]))
    outcome.rows.append(Row.of("launchpath", {"arguments": 2, "busy_thread": True}, [own]))
    launch._figures(outcome, gpu=True)
    return outcome


def missed(outcome: Result) -> set[tuple[str, str]]:
    return {(figure.row.subject, figure.against) for figure in outcome.missed}


def test_over_c_both_the_difference_and_the_ratio_are_held():
    assert missed(result(2.4)) == set()
    assert {figure.kind for figure in result(2.43).missed} == {"us"}
    assert {figure.kind for figure in result(2.5).missed} == {"us", "ratio"}


@pytest.mark.parametrize(
    ("subject", "enough", "too_little"),
    [("cuda_core", 1.41, 1.39), ("cupy", 2.01, 1.99), ("cuda_bindings", 1.01, 0.99), ("tvm_ffi", 1.01, 0.99),
     ("triton", 4.01, 3.99), ("torch", 1.01, 0.99)],
)  # fmt: skip
def test_what_peers_must_cost(subject, enough, too_little):
    assert missed(result(2.4, **{subject: 2.4 * enough})) == set()
    assert missed(result(2.4, **{subject: 2.4 * too_little})) == {(subject.replace("_", "-"), "over launchpath")}


def test_the_cost_of_a_tensor_is_an_eighth_of_eight():
    outcome = Result("launch", "a GPU")
    outcome.rows = [
        Row.of("launchpath", {"arguments": 16}, [2.4]),
        Row.of("launchpath-torch", {"arguments": 16}, [2.4 + 8 * 0.019]),
    ]
    launch._over_launchpath(outcome, outcome.rows[1], gpu=True)
    assert [(round(figure.value, 3), figure.at_most) for figure in outcome.figures] == [(0.019, 0.02)]


def test_an_adopted_kernel_is_held_against_triton():
    assert missed(result(2.4, triton=12.0, launchpath_adopted_triton=2.5)) == set()
    assert missed(result(2.4, triton=12.0, launchpath_adopted_triton=3.1)) == {("triton", "over adopted")}


# --- on the stand-in

C_KERNELS = """
#include <string.h>
#include "cuda/standin.h"
int _Z7launch0v(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
int _Z4fillPfi(const standin_launch *launch, const unsigned char *bytes) {
    float *out; int n, i;
    memcpy(&out, bytes, 8); memcpy(&n, bytes + 8, 4);
    for (i = 0; i < n; i++) out[i] = i;
    return (void)launch, 0;
}
int _Z4movePfPKfi(const standin_launch *launch, const unsigned char *bytes) { (void)launch, (void)bytes; return 0; }
int _Z10mandelbrotP6uchar3ii(const standin_launch *launch, const unsigned char *bytes)
{ (void)launch, (void)bytes; return 0; }
int _Z7launch2Pfi(const standin_launch *launch, const unsigned char *bytes) {
    float *p; int n;
    memcpy(&p, bytes, 8); memcpy(&n, bytes + 8, 4);
    if (n < 0) p[0] = n;
    return (void)launch, 0;
}
int _Z8launch16PfS_S_S_S_S_S_S_iiiiiiii(const standin_launch *launch, const unsigned char *bytes) {
    float *p[8]; int n[8];
    memcpy(p, bytes, 64); memcpy(n, bytes + 64, 32);
    if (n[0] < 0) p[7][0] = n[7];
    return (void)launch, 0;
}
"""


@pytest.fixture(scope="module")
def standin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.c").write_text(C_KERNELS)
    built = compile_c("-shared", "-fPIC", f"-I{FOLDER}", "-o", folder / "kernels.so", folder / "kernels.c")
    assert built.returncode == 0, built.stderr
    variables = {**os.environ, **environment("cuda", devices=1), "STANDIN_KERNELS": str(folder / "kernels.so")}
    variables.pop("LAUNCHPATH_DEVICE", None)
    return variables


def bench(name: str, environment: dict[str, str]) -> tuple[dict[str, Any], str]:
    words = ["-m", "launchpath", "bench", name, "--device", "cuda", "--blocks", "2", "--json", "-", "--check"]
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr  # a figure may be missed
    return json.loads(done.stdout), done.stderr


@pytest.mark.processes
@needs_nvrtc
def test_launch_on_a_cuda_device(standin):
    data, text = bench("launch", standin)
    cases = {(row["subject"], row["case"]["arguments"]) for row in data["rows"]}
    assert cases >= {(subject, count) for subject in ("launchpath", "c") for count in (0, 2, 16)}
    assert "at most +0.12 us" in text and "at most 1.06 x" in text
    subjects = {row["subject"] for row in data["rows"]}
    for kind in peers.LAUNCHES:
        assert (kind.subject in subjects) != (f"skipped: {kind.subject}: " in text)
        assert (kind.subject in data.get("versions", {})) == (kind.subject in subjects)


@pytest.mark.processes
@needs_nvrtc
def test_the_demonstration_on_a_cuda_device(standin):
    words = ["-m", "launchpath", "demo", "--device", "cuda", "--blocks", "2", "--json", "-"]
    done = python(*words, env=standin)
    data = json.loads(done.stdout)
    cases = {(row["subject"], row["case"]["arguments"]) for row in data["rows"]}
    assert cases >= {(subject, count) for subject in ("launchpath", "c") for count in (2, 16)}
    assert data["wrong"] == 0
    assert len(data["messages"]) == 2  # accesses outside of memory are found on CPUs only
    assert max(map(len, done.stderr.splitlines())) <= 80
    for kind in peers.LAUNCHES:
        assert (kind.subject in {subject for subject, _ in cases}) != (f"{kind.subject}: " in done.stderr)


TRACE = """
import json
import launchpath as lp
from launchpath._bench import trace
from launchpath._bench.measure import Size
result = trace.run(lp.device("cuda"), Size(3, 20))
print(json.dumps({"rows": result.as_json()["rows"], "figures": [str(figure) for figure in result.figures]}))
"""


@pytest.mark.processes
@needs_nvrtc
def test_a_trace_with_cuptis_times_on_a_cuda_device(standin):
    variables = standin | {name: value for name, value in environment("cuda", cupti=True).items() if "CUPTI" in name}
    done = python("-c", TRACE, env=variables)
    assert done.stderr == ""
    data = json.loads(done.stdout)
    by_cupti = {row["subject"] for row in data["rows"] if row["case"].get("times") == "CUPTI"}
    assert by_cupti == {"launchpath", "c"}
    assert any("over CUPTI alone in C" in figure for figure in data["figures"])


@pytest.mark.processes
@needs_nvrtc
def test_idle_streams_on_a_cuda_device(standin):
    data, text = bench("idle-streams", standin)
    assert {row["case"].get("ordering", "clocks") for row in data["rows"]} == {"clocks"}
    assert {row["case"].get("idle_streams") for row in data["rows"]} == {None, 0, 1, 8, 16, 32, 64}
    assert "skipped: a marker in every queue: the CUDA driver keeps the legacy stream's rules itself" in text
    assert text.count("at most") == 1  # beside 64 idle streams


# --- import


@pytest.mark.processes
def test_import():
    done = run("bench", "import", "--blocks", "10", "--json", "-", "--check")
    data = json.loads(done.stdout)
    assert (data["benchmark"], data["device"]) == ("import", f"Python {sys.version.split()[0]}")
    assert {row["subject"]: row["case"] for row in data["rows"]} == {
        "launchpath": {"import": "launchpath"},
        "numpy": {"import": "numpy"},
    }
    assert "at most +60.0 ms" in done.stderr


@pytest.mark.processes
def test_a_failing_import_is_an_error(monkeypatch):
    monkeypatch.setattr(importing, "MODULES", ("no_such_module", "numpy"))
    with pytest.raises(subprocess.CalledProcessError):
        importing.run(Size(1))


# --- the tables of docs/figures.md


@pytest.fixture(scope="module")
def figures():
    spec = importlib.util.spec_from_file_location("benchmarks_figures", Path(ROOT, "benchmarks", "figures.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_has_what_was_measured_and_what_must_be(figures):
    outcome = result(2.4, cuda_core=3.0, cupy=6.0, launchpath_torch=2.48)
    text = figures.gpu_required([row.as_json() for row in outcome.rows], [], [])
    assert "| a launch with 0 / 2 / 16 arguments, over C | at most +0.12 µs | +0.10 µs |" in text
    assert "| above 1 / above 1 / at least 1.40 × | 41.67 × / 41.67 × / 1.25 × (missed) |" in text
    assert "| above 1 / above 1 / at least 2.00 × | 41.67 × / 41.67 × / 2.50 × |" in text
    assert "| at most +0.020 µs | +0.000 µs / +0.010 µs |" in text
    assert text.count("not measured") == 5 + 4  # Python, peers; Triton's kernels, OpenCL twice, import


def test_times_name_versions(figures):
    outcome = result(2.4, cupy=6.0)
    text = figures.gpu_times([row.as_json() for row in outcome.rows], {"cupy": "14.2.0"})
    assert "| CuPy (14.2.0) | 100.00 (100.00 to 100.00) | 100.00 (100.00 to 100.00) | 6.00 (6.00 to 6.00) |" in text
    assert "Triton" not in text
