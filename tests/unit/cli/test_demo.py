"""The demonstration, shortened, on each device that is present: what it shows is what it has run, and what it prints."""

import json
import sys
from pathlib import Path

import pytest

import launchpath as lp
from launchpath._bench import demo
from launchpath._bench.measure import Size
from tests.command import run, succeeded

SHORT = Size(blocks=2, launches=5)
OPTIONS = ("--blocks", "2", "--launches", "5")

pytestmark = pytest.mark.skipif(not lp.devices(), reason="no device")


@pytest.fixture(params=lp.devices(), ids=lambda device: device.info["platform"])
def shown(request: pytest.FixtureRequest) -> demo.Demonstration:
    return demo.Demonstration(request.param)


@pytest.mark.compiles
def test_the_values_are_the_kernels(shown: demo.Demonstration) -> None:
    assert shown.launch() == list(range(1000))


def test_wrong_values_are_counted() -> None:
    values = [float(index) for index in range(1000)]
    assert demo.wrong(values) == 0
    assert demo.wrong([*values[:7], 8.0, *values[8:]]) == 1
    assert demo.wrong(values[:-3]) == 3


@pytest.mark.compiles
def test_a_launch_is_measured_beside_c(shown: demo.Demonstration) -> None:
    costs = shown.costs(SHORT)
    for subject in ("c", "launchpath"):
        for arguments in (2, 16):
            row = costs.find(subject, arguments=arguments)
            assert row.us > 0
            assert row.runs == SHORT.blocks
    assert {row.case["arguments"] for row in costs.rows} == {2, 16}


@pytest.mark.compiles
def test_pyopencl_is_beside_them_if_it_is_installed(shown: demo.Demonstration, monkeypatch: pytest.MonkeyPatch) -> None:
    if shown.device.info["driver"] != "opencl":
        pytest.skip("PyOpenCL is for OpenCL devices")
    pytest.importorskip("pyopencl")
    assert {row.subject for row in shown.costs(SHORT).rows} == {"c", "launchpath", "pyopencl", "pyopencl-typed"}
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    costs = shown.costs(SHORT)
    assert {row.subject for row in costs.rows} == {"c", "launchpath"}
    [(subject, why)] = costs.left_out
    assert subject == "pyopencl"
    assert "pip install pyopencl" in why


@pytest.mark.compiles
def test_mistakes_are_told(shown: demo.Demonstration) -> None:
    shown.launch()
    mistakes = shown.mistakes()
    assert [mistake.code for mistake in mistakes] == list(demo.MISTAKES)
    few, text, dtype, source = (mistake.message for mistake in mistakes)
    assert few.endswith("expected 2 arguments, got 1: pass 'n' too")
    assert "expected an int, got the str '1000'" in text
    assert "expected an array of float32, got an array of int32" in dtype
    assert "fill.cu:3:16: error: use of undeclared identifier 'put'" in source


@pytest.mark.processes
def test_an_access_outside_is_told_with_its_place(shown: demo.Demonstration) -> None:
    outside = shown.outside()
    if shown.device.info["kind"] != "cpu":
        assert outside is None
        return
    assert outside is not None
    assert outside.message.startswith(
        "BoundsError: fill.cu:3:24: kernel 'fill': write of 4 bytes outside of array 'out'"
    )


@pytest.mark.compiles
def test_a_trace_has_the_times_of_all_launches(shown: demo.Demonstration) -> None:
    shown.launch()
    [entry] = shown.times()
    assert (entry.name, entry.calls) == ("fill", demo.TRACED)
    assert entry.total > 0


# --- what the command prints


@pytest.mark.compiles
def test_the_whole_output() -> None:
    done = succeeded("demo", *OPTIONS)
    assert max(map(len, done.output.splitlines())) <= 80
    for text in (
        *("program.fill[4, 256](out, 1000)", "0.0 1.0 2.0 ... 999.0: 1000 values, all right"),
        *("Launched by ", "| 2 arguments | 16 arguments", "C, the driver's own calls | ", "launchpath    "),
        *("SignatureError: fill(float *out, int n): expected 2", "CompileError: fill.cu does not compile"),
        *("LAUNCHPATH_DEBUG=bounds", "BoundsError: fill.cu:3:24: kernel 'fill'", "Time(%) | Calls"),
    ):
        assert text in done.output


@pytest.mark.compiles
def test_json() -> None:
    done = run("demo", *OPTIONS, "--json", "-")
    data = json.loads(done.stdout)
    assert data["benchmark"] == "demo"
    assert data["wrong"] == 0
    assert {(row["subject"], row["case"]["arguments"]) for row in data["rows"]} >= {("c", 2), ("launchpath", 16)}
    assert [message.partition(":")[0] for message in data["messages"][:4]] == ["SignatureError"] * 3 + ["CompileError"]


@pytest.mark.compiles
def test_several_devices(tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    succeeded("demo", *OPTIONS, "--device", "all", "--device", "0", "--json", file)
    data = json.loads(file.read_text())
    names = [each["device"] for each in (data if isinstance(data, list) else [data])]
    assert names == [device.name for device in lp.devices()]


@pytest.mark.compiles
def test_wrong_values_are_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "LAUNCH", demo.LAUNCH.replace("KERNEL", 'KERNEL.replace("= i;", "= i + (i == 7);")'))
    file = tmp_path / "demo.json"
    done = run("demo", *OPTIONS, "--json", file)
    assert done.exit_code == 1
    assert "1 of 1000 values are wrong" in done.output
    assert f"wrong values: 1 on {lp.current_device().name}" in done.output
    assert json.loads(file.read_text())["wrong"] == 1


@pytest.mark.compiles
def test_it_says_how_to_install_pyopencl(monkeypatch: pytest.MonkeyPatch) -> None:
    if lp.current_device().info["driver"] != "opencl":
        pytest.skip("PyOpenCL is for OpenCL devices")
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    done = succeeded("demo", *OPTIONS)
    assert "not measured: PyOpenCL: not installed" in done.output
    assert "pip install pyopencl" in " ".join(done.output.split())


@pytest.mark.compiles
def test_a_run_that_fails_is_1_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "LAUNCH", demo.LAUNCH.replace("KERNEL", '"__global__ void fill() { nonsense; }"'))
    done = run("demo", *OPTIONS)
    assert done.exit_code == 1
    assert "CompileError" in done.output
    assert "Traceback" not in done.output
