"""``launchpath bench step``: what is measured, what must hold, and that a wrong result gives no figures."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import launchpath as lp
from launchpath._bench import Result, Row, native, step
from launchpath._bench.peer import Missing
from launchpath._bench.step import Amount, sources
from launchpath._bench.step.kernels import FIXED_ARGUMENT, Case, StepKernels, mangled_name
from launchpath._bench.step.subjects import C, CLibrary, Eager, Frozen, Stepped
from launchpath._bench.table import describe
from tests.command import succeeded
from tests.patience import PATIENCE
from tests.standin.build import FOLDER, compile_c, environment

CPUS = [device for device in lp.devices() if device.info["driver"] == "opencl"]
needs_cpu = pytest.mark.skipif(not CPUS, reason="no OpenCL device")
LITTLE = ("--blocks", "2", "--launches", "1", "--json", "-")
AMOUNT = Amount.of(1)


# --- runs


def bench(device: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """In a process of its own: other tests hand streams out, which ends what steps keep back."""
    command = [sys.executable, "-m", "launchpath", "bench", "step", "--device", device, *LITTLE, "--check"]
    return subprocess.run(command, capture_output=True, text=True, env=variables, check=False, timeout=PATIENCE)


def check(data: dict[str, Any], subjects: set[str]) -> None:
    assert data["benchmark"] == "step"
    for row in data["rows"]:
        assert set(row) == {"subject", "case", "us", "us_min", "us_max", "runs", "blocks"}
        assert set(row["case"]) - {"streams"} == {"launches", "changed", "measure"}
        assert 0 < row["us_min"] <= row["us"] <= row["us_max"]
        assert row["runs"] == len(row["blocks"]) == 2
        assert describe(row["case"])
    rows = [(row["subject"], *row["case"].values()) for row in data["rows"]]
    for subject in subjects:
        for changed in ("none", "one", "all") if subject != "frozen" else ("none",):
            for measure in ("host", "completion"):
                assert (subject, AMOUNT.launches, changed, measure) in rows
        for streams in (1, 8) if subject not in ("c", "frozen") else ():
            assert (subject, AMOUNT.wide, "none", "completion", streams) in rows
    assert ("step", AMOUNT.launches, "none", "host", 1) in rows
    assert ("step", AMOUNT.many, "none", "host", 8) in rows
    assert {row[0] for row in rows} == subjects


@pytest.mark.processes
@needs_cpu
def test_a_cpu_device() -> None:
    done = bench(str(lp.devices().index(CPUS[0])), dict(os.environ))
    assert done.returncode in (0, 1), done.stderr  # a figure may be missed
    assert "skipped: c-graph: it does not support opencl devices" in done.stderr
    has_compiler = "skipped: c:" not in done.stderr
    check(json.loads(done.stdout), {"step", "eager", "frozen"} | ({"c"} if has_compiler else set()))
    for requirement in ("at most 1.00 x", "at most 1.05 x", "at most 1.20 x", *["at most 1.02 x"] * has_compiler):
        assert requirement in done.stderr


STANDIN = """
#include <string.h>
#include "cuda/standin.h"
static void add(const standin_launch *launch, const unsigned char *bytes, float constant) {
    const float *in; float *out, a; int n;
    memcpy(&in, bytes, 8), memcpy(&out, bytes + 8, 8), memcpy(&n, bytes + 16, 4), memcpy(&a, bytes + 20, 4);
    for (unsigned i = 0; i < launch->grid[0] * launch->block[0] && (int)i < n; i++) out[i] += in[i] * a + constant;
}
"""


def standin(folder: Path, broken: int = -1) -> dict[str, str]:
    """Variables of the stand-in, with the kernels; the broken kernel adds too much."""
    kernels = "".join(
        f"int {mangled_name(i)}(const standin_launch *l, const unsigned char *b) "
        f"{{ return add(l, b, {i + 1 + (i == broken)}), 0; }}\n"
        for i in range(AMOUNT.many)
    )
    (folder / "step.c").write_text(STANDIN + kernels)
    built = compile_c("-shared", "-fPIC", f"-I{FOLDER}", "-o", folder / "step.so", folder / "step.c")
    assert built.returncode == 0, built.stderr
    variables = {**os.environ, **environment("cuda", devices=1), "STANDIN_KERNELS": str(folder / "step.so")}
    variables.pop("LAUNCHPATH_DEVICE", None)
    return variables


@pytest.mark.processes
def test_a_cuda_device(tmp_path: Path) -> None:
    done = bench("cuda", standin(tmp_path))
    assert done.returncode in (0, 1), done.stderr  # a figure may be missed
    check(json.loads(done.stdout), {"step", "eager", "frozen", "c", "c-graph"})
    for requirement in ("at most 0.10 us", "at most 0.20 us", "at most 0.05 x", "at least 2.80 x", "at most 1.10 x"):
        assert requirement in done.stderr
    assert "skipped" not in done.stderr


@pytest.mark.processes
def test_a_kernel_that_does_something_else_is_an_error(tmp_path: Path) -> None:
    done = bench("cuda", standin(tmp_path, broken=2))
    assert done.returncode == 1
    assert "from launch 2 after" in done.stderr and "there are no figures" in done.stderr
    assert not done.stdout


def test_with_steps_off_there_is_nothing_to_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAUNCHPATH_STEPS", "0")
    with pytest.raises(lp.errors.ArgumentValueError, match="expected 1 or unset, got 0"):
        step.run(SimpleNamespace())


# --- subjects


@pytest.fixture(scope="module")
def kernels() -> StepKernels:
    with CPUS[0]:
        return StepKernels(CPUS[0], 4)


@pytest.mark.compiles
@needs_cpu
def test_every_launch_shows(kernels: StepKernels) -> None:
    case = Case(4, "one")
    subject = Eager(kernels, case)
    with CPUS[0]:
        kernels.clear()
        subject.submit([5.0, 7.0])
        subject.synchronize()
        kernels.check("eager", case, [5.0, 7.0])
        for values in ([5.0], [5.0, 6.0], [5.0, 7.0, 5.0]):
            with pytest.raises(lp.LaunchpathError, match=f"from launch . after {len(values)} steps, got"):
                kernels.check("eager", case, values)
        with pytest.raises(lp.LaunchpathError, match="expected 14 from launch 0 after 2 steps, got 8"):
            kernels.check("eager", Case(4, "all"), [5.0, 7.0])
        assert kernels.outputs[3].to_numpy()[0] == 2 * (FIXED_ARGUMENT + 4)


@pytest.mark.compiles
@needs_cpu
@pytest.mark.parametrize("changed", ["none", "one", "all"])
def test_c_launches_the_same(kernels: StepKernels, changed: str) -> None:
    with CPUS[0]:
        try:
            library = CLibrary(kernels)
        except Missing as error:
            pytest.skip(str(error))
        case = Case(4, changed)
        subject = C(kernels, case, library)
        kernels.clear()
        with subject.held():
            assert subject.submit(subject.prepared([5.0, 7.0])) > 0
        subject.synchronize()
        kernels.check("c", case, [5.0, 7.0])
        subject.close()
        library.close()


@pytest.mark.compiles
@needs_cpu
@pytest.mark.parametrize("kind", [Stepped, Frozen])
def test_launches_that_are_not_kept_back_are_an_error(kernels: StepKernels, kind: type[Stepped]) -> None:
    with CPUS[0]:
        subject = kind(kernels, Case(4, "none"))
    with pytest.raises(lp.LaunchpathError, match="expected steps that keep all launches back"):
        subject.verify()  # it has not run


# --- C


@pytest.mark.processes
@pytest.mark.parametrize("name", ["CUDA", "OPENCL"])
def test_the_c_compiles_without_a_warning(tmp_path: Path, name: str) -> None:
    source = tmp_path / "launch.c"
    source.write_text(getattr(sources, name))
    done = compile_c("-O1", "-shared", "-fPIC", "-o", tmp_path / "launch.so", source, "-ldl")
    assert done.returncode in (0, 1), done.stderr  # a figure may be missed


def test_without_a_compiler_c_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language, variable in (("C", "CC"), ("C++", "CXX")):
        monkeypatch.setenv(variable, "no-such-compiler -O2")
        with pytest.raises(Missing) as caught:
            native.shared_library("", language, tmp_path)
        assert str(caught.value) == f"there is no {language} compiler (no-such-compiler)"


@pytest.mark.processes
def test_c_that_does_not_compile_is_missing(tmp_path: Path) -> None:
    compile_c("--version")
    with pytest.raises(Missing, match=r"its launcher does not compile: launch\.c:1:"):
        native.shared_library("int f(void) { return unknown; }", "C", tmp_path)


# --- figures


def result(driver: str, kind: str, step_us: float, others: float) -> Result:
    """Give a result in which every row of the steps takes `step_us`, and all others take `others`."""
    measured = Result("step", "a device")
    cases = [Case(100, changed).row_case(measure) for changed in step.CHANGED for measure in ("host", "completion")]
    more = [Case(96, "none", streams).row_case("completion") for streams in (1, 8)]
    many = [Case(100, "none", 1).row_case("host"), Case(2000, "none", 8).row_case("host")]
    measured.rows += [Row.of("step", case, [step_us]) for case in [*cases, *many, *more]]
    measured.rows += [Row.of("eager", case, [others]) for case in [*cases, *more]]
    measured.rows += [Row.of("c", case, [others]) for case in cases]
    if driver == "cuda":
        measured.rows += [Row.of("c-graph", case, [others]) for case in [*cases, *more]]
    step._figures(measured, Amount(), {"driver": driver, "kind": kind})
    return measured


def required(measured: Result) -> set[tuple[str, str, str, str, float]]:
    return {
        (figure.row.subject, figure.row.case["changed"], figure.row.case["measure"], figure.against, limit)
        for figure in measured.figures
        for limit in (figure.at_most, figure.at_least)
        if limit is not None
    }


MANY = ("step", "none", "host", "over 100 on one stream", 1.2)


def test_what_must_hold_on_a_cuda_device() -> None:
    assert required(result("cuda", "gpu", 0.1, 1.0)) == {
        ("step", "none", "host", "host time", 0.10),
        ("step", "none", "host", "over c", 1 / 20),
        ("step", "all", "host", "host time", 0.20),
        ("c", "all", "completion", "over step", 2.8),
        ("step", "none", "completion", "over c-graph", 1.10),
        MANY,
    }
    assert not result("cuda", "gpu", 0.1, 2.1).missed
    assert len(result("cuda", "gpu", 0.5, 0.4).missed) == 5


def test_what_must_hold_on_opencl_devices() -> None:
    opencl = {("step", "none", "host", "over c", 1.02), MANY}
    assert required(result("opencl", "gpu", 1.0, 1.0)) == opencl
    changed = step.CHANGED
    limits = {("step", each, measure, "over eager", limit) for each in changed for measure, limit in
              (("host", 1.0), ("completion", 1.05))}  # fmt: skip
    assert required(result("opencl", "cpu", 1.0, 1.0)) == opencl | limits
    assert not result("opencl", "cpu", 0.9, 1.0).missed
    assert len(result("opencl", "cpu", 1.03, 1.0).missed) == 4


def test_fewer_launches_are_less_work() -> None:
    assert Amount.of(160) == Amount.of(200) == Amount(100, 2000, 96, 32)
    assert Amount.of(80) == Amount(50, 1000, 48, 16)
    assert Amount.of(1) == Amount(4, 12, 8, 2)


def test_a_single_change_is_in_the_middle() -> None:
    assert [list(Case(4, changed).changing_launches) for changed in step.CHANGED] == [[], [2], [0, 1, 2, 3]]


def test_cases_in_words() -> None:
    assert describe(Case(100, "one").row_case("host")) == "100 launches, one changed, host"
    assert describe(Case(96, "none", 8).row_case("completion")) == (
        "96 launches, none changed, 8 streams, until complete"
    )


def test_the_command_has_help() -> None:
    done = succeeded("bench", "step", "--help")
    assert "--device" in done.output and "32 steps" in " ".join(done.output.split())
