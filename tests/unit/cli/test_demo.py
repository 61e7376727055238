"""The demonstration, shortened, on each device that is present: what it shows is what it has run, and what it prints."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import launchpath as lp
from launchpath._bench import Row, demo
from launchpath._bench.measure import Size
from launchpath._cli.demo import _bars
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
    few, dtype = (mistake.message for mistake in mistakes)
    assert few.endswith("expected 2 arguments, got 1: pass 'n' too")
    assert "expected an array of float32, got an array of int32" in dtype


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
def test_findings_name_the_lines_of_the_program(shown: demo.Demonstration) -> None:
    report = shown.findings()
    assert report.regions[0].repetitions > 200
    assert not any("no evidence" in each for each in report.not_said)
    for finding in report.findings:
        for site in finding.sites:
            line = demo.SLOW.splitlines()[int(site.split(":")[1].split()[0]) - 1]
            assert site.startswith("slow.py:") and line.startswith("    ")


@pytest.mark.processes
def test_the_cuda_program_writes_a_picture(shown: demo.Demonstration) -> None:
    text, ppm = shown.program()
    assert text == f"960 x 640 pixels by {shown.device.name}: no error"
    pixels = np.frombuffer(ppm, np.uint8)[-3 * 960 * 640 :].reshape(640, 960, 3)
    assert (pixels[320, 500] == (0, 0, 51)).all()  # within the set
    assert pixels[0, 0, 2] > 51
    image = np.asarray(Image.open(io.BytesIO(demo.png(ppm))))
    assert (image == pixels).all()


@pytest.mark.processes
def test_a_program_that_does_not_run_is_an_error(shown: demo.Demonstration, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo.demonstration, "PROGRAM", "int main() { return missing; }")
    with pytest.raises(lp.LaunchpathError, match=r"mandelbrot\.cu: .*missing"):
        shown.program()


@pytest.mark.parametrize("ppm", [b"", b"P6 2 2 255\n123", b"P5 1 1 255\n123", b"P6 1 1 255\n1234"])
def test_what_is_no_picture_is_refused(ppm: bytes) -> None:
    with pytest.raises(lp.LaunchpathError, match="expected a picture"):
        demo.png(ppm)


# --- what the command prints


@pytest.fixture
def ppm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The CUDA program has run, and nothing is written here."""
    monkeypatch.setattr(demo.Demonstration, "program", lambda shown: ("2 x 1 pixels", b"P6 2 1 255\nabcdef"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.processes
def test_the_whole_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = succeeded("demo", *OPTIONS)
    lines = done.output.splitlines()
    assert not [line for line in lines if len(line) > 80 and " " in line.strip()]
    for text in (
        *("mandelbrot<<<grid, block>>>(pixels", "960 x 640 pixels by ", f"\n    {tmp_path / 'launchpath-demo.png'}\n"),
        *("program.fill[4, 256](out, 1000)", "0.0 1.0 2.0 ... 999.0: 1000 values, all right"),
        *("2 arguments\n", "16 arguments\n", "launchpath run mandelbrot.cu", "launchpath why -- python slow.py"),
        *("SignatureError: fill(float *out, int n): expected 2", " 14      lp.synchronize()"),
        *("LAUNCHPATH_DEBUG=bounds", "BoundsError: fill.cu:3:24: kernel 'fill'"),
    ):
        assert text in done.output
    assert (tmp_path / "launchpath-demo.png").read_bytes().startswith(b"\x89PNG")
    bars = {line[4:29].strip(): line.count("#") for line in lines if line.endswith("#")}
    assert bars["C, the driver's own calls"] >= 1 and bars["launchpath"] >= 1 and max(bars.values()) >= 35


def test_bars_are_as_long_as_the_times() -> None:
    rows = [Row.of(subject, {}, [us]) for subject, us in (("c", 1.0), ("launchpath", 2.0), ("pyopencl", 20.0))]
    drawn = list(_bars(rows, 80))
    lengths = [line.count("#") for line in drawn]
    assert lengths[2] == max(lengths) and lengths[1] == round(lengths[2] / 10) and lengths[0] == round(lengths[2] / 20)
    assert all(len(line) <= 80 for line in drawn) and len(drawn[2]) == 80
    assert max(map(len, _bars(rows, 40))) <= 40 and len(list(_bars(rows, 40))) == 6


@pytest.mark.compiles
def test_a_program_that_does_not_run_is_1_and_the_rest_is_shown(
    ppm: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def program(shown: demo.Demonstration) -> None:
        raise lp.LaunchpathError("mandelbrot.cu: no compiler")

    monkeypatch.setattr(demo.Demonstration, "program", program)
    done = run("demo", *OPTIONS)
    assert done.exit_code == 1 and "mandelbrot.cu: no compiler" in done.stdout
    assert "mandelbrot.cu did not run on " in done.stderr and "BoundsError" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.compiles
def test_the_picture_has_the_name_that_is_asked_for(ppm: None, tmp_path: Path) -> None:
    succeeded("demo", *OPTIONS, "--picture", tmp_path / "set.png")
    assert [path.name for path in tmp_path.iterdir()] == ["set.png"]
    assert run("demo", "--picture", "/no/such/folder/set.png").exit_code == 2


@pytest.mark.compiles
def test_json(ppm: None) -> None:
    done = run("demo", *OPTIONS, "--json", "-")
    data = json.loads(done.stdout)
    assert data["benchmark"] == "demo"
    assert data["wrong"] == 0
    assert data["program"] == "2 x 1 pixels" and data["picture"].endswith("launchpath-demo.png")
    assert {(row["subject"], row["case"]["arguments"]) for row in data["rows"]} >= {("c", 2), ("launchpath", 16)}
    assert [message.partition(":")[0] for message in data["messages"][:2]] == ["SignatureError"] * 2


@pytest.mark.compiles
def test_several_devices(ppm: None, tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    succeeded("demo", *OPTIONS, "--device", "all", "--device", "0", "--json", file)
    data = json.loads(file.read_text())
    names = [each["device"] for each in (data if isinstance(data, list) else [data])]
    assert names == [device.name for device in lp.devices()]
    assert len(list(tmp_path.glob("launchpath-demo*.png"))) == len(names)


@pytest.mark.compiles
def test_wrong_values_are_1(ppm: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        demo.demonstration, "LAUNCH", demo.LAUNCH.replace("KERNEL", 'KERNEL.replace("= i;", "= i + (i == 7);")')
    )
    file = tmp_path / "demo.json"
    done = run("demo", *OPTIONS, "--json", file)
    assert done.exit_code == 1
    assert "1 of 1000 values are wrong" in done.output
    assert f"wrong values: 1 on {lp.current_device().name}" in done.output
    assert json.loads(file.read_text())["wrong"] == 1


@pytest.mark.compiles
def test_it_says_how_to_install_pyopencl(ppm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if lp.current_device().info["driver"] != "opencl":
        pytest.skip("PyOpenCL is for OpenCL devices")
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    done = succeeded("demo", *OPTIONS)
    assert "not measured: PyOpenCL: not installed" in done.output
    assert "pip install pyopencl" in " ".join(done.output.split())


@pytest.mark.compiles
def test_a_run_that_fails_is_1_without_a_traceback(ppm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        demo.demonstration, "LAUNCH", demo.LAUNCH.replace("KERNEL", '"__global__ void fill() { nonsense; }"')
    )
    done = run("demo", *OPTIONS)
    assert done.exit_code == 1
    assert "CompileError" in done.output
    assert "Traceback" not in done.output
