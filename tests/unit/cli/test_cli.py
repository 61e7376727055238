"""The command line: output, JSON, exit codes."""

import json
import os
import subprocess
import sys

import click
import pytest

import launchpath as lp
from launchpath._bench import Figure, Result, Row
from launchpath._bench.measure import Probe, Size, busy_thread, interleave
from launchpath._bench.table import describe, result_table
from launchpath._cli.shown.progress import progress
from tests.command import run, succeeded
from tests.python import python

SHORT_BENCH = ("--blocks", "2", "--launches", "10")

DEVICES = sys.modules["launchpath._streams.device"]  # the package's own `device` is the function

needs_device = pytest.mark.skipif(not lp.devices(), reason="no device")


@pytest.fixture
def no_devices(monkeypatch):
    monkeypatch.setattr(DEVICES, "_devices", [])
    monkeypatch.setattr(DEVICES, "_skipped", [("OpenCL", "no library was found")])
    monkeypatch.delenv("LAUNCHPATH_DEVICE", raising=False)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_benchmark(data, name):
    assert set(data) - {"versions"} == {"benchmark", "device", "rows"}
    assert data["benchmark"] == name
    assert data["device"] in [device.name for device in lp.devices()]
    for row in data["rows"]:
        assert set(row) == {"subject", "case", "us", "us_min", "us_max", "runs", "blocks"}
        assert len(row["blocks"]) == row["runs"]
        assert isinstance(row["case"], dict)
        assert all(is_number(row[key]) for key in ("us", "us_min", "us_max"))
        assert 0 < row["us_min"] <= row["us"] <= row["us_max"]
        assert row["runs"] == 2


def cases(data, subject):
    return [row["case"] for row in data["rows"] if row["subject"] == subject]


def test_version():
    assert lp.__version__ in succeeded("--version").output


def test_help_names_the_commands():
    output = run("--help").output
    assert all(command in output for command in ("devices", "demo", "bench"))
    output = run("bench", "--help").output
    assert all(command in output for command in ("launch", "idle-streams", "step", "compile", "import", "generated"))


@pytest.mark.processes
def test_as_a_module():
    assert lp.__version__ in python("-m", "launchpath", "--version").stdout


@pytest.mark.parametrize(
    "args", [("nothing",), ("devices", "--nothing"), ("bench", "nothing"), ("demo", "--json", "/no/such/folder/x.json")]
)
def test_misuse_is_2(args):
    assert run(*args).exit_code == 2


# --- devices


@needs_device
def test_devices_are_listed_whole():
    done = succeeded("devices", env={"COLUMNS": "40"})
    for index, device in enumerate(lp.devices()):
        row = next(
            line for line in done.output.splitlines() if device.name in line and str(index) in line.split("|")[0]
        )
        assert device.info["platform"] in row
        assert device.info["driver_version"] in row
    assert "…" not in done.output


@needs_device
def test_devices_as_json(tmp_path):
    done = run("devices", "--json", tmp_path / "devices.json")
    assert "Index" in done.stdout
    data = json.loads((tmp_path / "devices.json").read_text())
    assert [device["name"] for device in data["devices"]] == [device.name for device in lp.devices()]
    assert [device["index"] for device in data["devices"]] == list(range(len(lp.devices())))
    assert sum(device["default"] for device in data["devices"]) == 1
    assert data["left_out"] == [{"what": what, "why": why} for what, why in lp.skipped_devices()]


@needs_device
def test_what_was_left_out_is_printed(monkeypatch):
    monkeypatch.setattr(DEVICES, "_skipped", [("Some platform", "its OpenCL is 1.2")])
    assert "skipped: Some platform: its OpenCL is 1.2" in run("devices").output


def test_json_on_standard_output_is_all_of_it():
    done = run("devices", "--json", "-")
    json.loads(done.stdout)


@pytest.mark.parametrize("command", [("devices",), ("demo",), ("bench", "launch"), ("demo", "--device", "all")])
def test_no_device_is_3_and_says_what_to_install(no_devices, command):
    done = run(*command)
    assert done.exit_code == 3
    assert "launchpath[cpu]" in done.output
    assert "no library was found" in done.output
    assert "Traceback" not in done.output


def test_no_device_has_json_all_the_same(no_devices):
    done = run("devices", "--json", "-")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["devices"] == []


@needs_device
def test_no_such_device_is_3_and_lists_what_there_is():
    done = run("demo", "--device", "no such thing")
    assert done.exit_code == 3
    assert lp.devices()[0].name in done.output


def test_a_mistyped_command_is_told_which_one_is_like_it():
    done = run("compil")
    assert done.exit_code == 2
    assert "No such command 'compil'" in done.output
    assert "Did you mean 'compile'?" in done.output
    assert "Did you mean" not in run("xyz").output


# --- bench


@pytest.mark.compiles
@needs_device
def test_bench_launch(tmp_path):
    file = tmp_path / "launch.json"
    done = run("bench", "launch", *SHORT_BENCH, "--check", "--json", file)  # so few blocks may miss what is required
    data = json.loads(file.read_text())
    check_benchmark(data, "launch")
    own = cases(data, "launchpath")
    for arguments in (0, 2, 16):
        assert {"arguments": arguments} in own
    assert {"arguments": 2, "changing": False} in own
    assert {"arguments": 2, "busy_thread": True} in own
    spelled = [{"arguments": 2, "spelling": spelling} for spelling in ("anew", "by name")]
    assert all(case in own for case in spelled)
    if lp.devices()[0].info["driver"] == "opencl":
        assert [case for case in own if "busy_thread" not in case and case not in spelled] == [
            case for case in cases(data, "c") if case in own or case["arguments"] in (0, 16)
        ]
    assert "at most +0.20 us" in done.output
    assert "at most +0.15 us" in done.output
    assert "at most 2.00 x" in done.output


@pytest.mark.compiles
@needs_device
def test_bench_idle_streams():
    done = run("bench", "idle-streams", *SHORT_BENCH, "--check", "--json", "-")
    data = json.loads(done.stdout)
    check_benchmark(data, "idle-streams")
    own = cases(data, "launchpath")
    for count in (0, 1, 8, 16, 32, 64):
        assert {"arguments": 2, "idle_streams": count, "ordering": "clocks"} in own
    assert {"arguments": 2, "idle_streams": 64, "ordering": "always"} in own
    assert {"arguments": 2, "busy_streams": 64, "launch": "second on"} in own
    assert {"arguments": 2, "idle_streams": 64, "synchronize": True} in own
    for requirement in ("at most 1.05 x", "at least 20.0 x", "at most 1.10 x", "at most 0 markers"):
        assert requirement in done.stderr


@pytest.mark.compiles
@needs_device
def test_busy_streams_cost_a_marker_each_and_then_none():
    from launchpath._bench import idle_streams

    for device in lp.devices():
        result = idle_streams.run(device, Size(2, 100))
        markers = [figure.value for figure in result.figures if figure.kind == "markers"]
        assert markers == ([] if device.info["driver"] in ("cuda", "hip") else [64, 0])


@pytest.mark.compiles
@needs_device
def test_a_peer_that_is_not_installed_is_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    done = succeeded("bench", "launch", *SHORT_BENCH)
    assert "skipped: pyopencl: not installed" in done.output
    assert "| pyopencl" not in done.output


@pytest.fixture
def missed(monkeypatch):
    def result(device, size):
        row = Row.of("launchpath", {"arguments": 2}, [1.0, 1.2, 1.1])
        return Result("launch", device.name, [row], [Figure(row, "over c", 0.3, "us", at_most=0.15)])

    from launchpath import _bench

    monkeypatch.setitem(_bench.BENCHMARKS, "launch", result)


@needs_device
def test_what_is_required_is_shown_with_check_alone(missed):
    shown = succeeded("bench", "launch").output
    assert "+0.30 us" in shown and "over c" in shown
    assert not any(word in shown for word in ("MISSED", "Must be", "at most"))
    assert "at most +0.15 us: MISSED" in run("bench", "launch", "--check").output


@needs_device
def test_a_figure_that_is_missed_is_1_with_check(missed):
    done = run("bench", "launch", "--check")
    assert done.exit_code == 1
    assert "+0.30 us over c" in done.output


# --- what they are made of


def test_times_are_in_a_unit_that_one_reads():
    result = Result("import", "", [Row.of("launchpath", {}, [us]) for us in (0.785, 45.19, 752938.317, 4.2e6)])
    assert [row[2] for row in result_table(result).rows()] == ["0.785 us", "45.190 us", "752.9 ms", "4.20 s"]
    assert Figure(result.rows[0], "", 752938.317, "time").text() == "752.9 ms"


def test_figures():
    row = Row.of("c", {}, [3.0, 1.0, 2.0])
    assert (row.us, row.us_min, row.us_max, row.runs) == (2.0, 1.0, 3.0, 3)
    assert Figure(row, "", 1.05, at_most=1.05).met
    assert not Figure(row, "", 1.06, at_most=1.05).met
    assert Figure(row, "", 3.0, at_least=3.0).met
    assert not Figure(row, "", 2.9, at_least=3.0).met
    assert Figure(row, "", 99.0).met
    assert Figure(row, "", 0.149, "us", at_most=0.15).requirement() == "at most +0.15 us"
    assert Figure(row, "", 7_250.0, "us", at_most=20_000.0).requirement() == "at most +20.0 ms"


def test_probes_are_interleaved_and_the_first_round_is_not_counted():
    order = []
    steps = []

    def probe(name):
        def block():
            order.append(name)
            return [float(len(order)), 1.0]

        return Probe(name, [{"n": 1}, {"n": 2}], block)

    rows = interleave([probe("a"), probe("b")], Size(4, 1, lambda done, total: steps.append((done, total))))
    assert [(row.subject, row.case["n"], row.runs) for row in rows] == [
        ("a", 1, 4),
        ("a", 2, 4),
        ("b", 1, 4),
        ("b", 2, 4),
    ]
    assert [sorted(order[i : i + 2]) for i in range(0, 10, 2)] == [["a", "b"]] * 5
    assert rows[0].us_min > 2
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_busy_thread_ends():
    import threading

    with busy_thread():
        assert "busy" in [thread.name for thread in threading.enumerate()]
    assert "busy" not in [thread.name for thread in threading.enumerate()]


def test_cases_in_words():
    assert describe({"arguments": 2, "idle_streams": 1, "ordering": "always"}) == (
        "2 arguments, 1 idle stream, a marker in every queue"
    )
    assert describe({"arguments": 2, "changing": False}) == "2 arguments, unchanged"
    assert describe({"busy_streams": 64, "launch": "second on"}) == "64 busy streams, launches from the second on"


def test_progress_is_silent_where_nobody_looks(capsys):
    with progress("work") as step:
        step(1, 2)
    assert capsys.readouterr() == ("", "")


def test_progress_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("launchpath._cli.shown.progress.REFRESH", 0)
    with progress("work") as step:
        step(1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert "work" in click.unstyle(err)
    assert "50%" in click.unstyle(err)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_reported_before_the_run(tmp_path):
    tmp_path.chmod(0o500)
    assert run("devices", "--json", tmp_path / "x.json").exit_code == 2


@pytest.mark.processes
@pytest.mark.parametrize("words", [("cache",), ("cache", "path"), ("--help",), ("info",), ("devices", "--json", "-")])
def test_a_standard_output_that_cannot_be_written_is_one_line(words, tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    environment = {**os.environ, "LAUNCHPATH_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "launchpath", *words]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    assert done.returncode == 1
    assert done.stderr.endswith("Error: cannot write to the standard output: No space left on device\n")
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.processes
@pytest.mark.parametrize("words", [("cache",), ("--help",)])
def test_a_reader_that_ends_early_is_no_error_to_tell_of(words, tmp_path):
    environment = {**os.environ, "LAUNCHPATH_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "launchpath", *words]
    ours, theirs = os.pipe()
    os.close(ours)
    with open(theirs, "w") as closed:
        done = subprocess.run(command, check=False, stdout=closed, stderr=subprocess.PIPE, text=True, env=environment)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        None,
        1,
        "é\ud800",
        [1, 2.5],
        [[1], [True]],
        {"a": [1, 2], "b": {"c": [{"x": None}], "d": []}, "e": (1, "2")},
    ],
)
def test_json_in_parts_is_the_json_of_the_whole(data, tmp_path):
    from launchpath._cli.shown.output import Output

    Output(str(tmp_path / "out.json")).json(data)
    text = (tmp_path / "out.json").read_text()
    assert json.loads(text) == json.loads(json.dumps(data))
    lists = json.dumps(data, indent=2)
    assert len(text.splitlines()) <= len(lists.splitlines())


def test_texts_in_json_stay_as_they_are(tmp_path):
    from launchpath._cli.shown.output import Output

    Output(str(tmp_path / "out.json")).json({"name": "k[1,   2]", "places": [1, 2]})
    assert (tmp_path / "out.json").read_text() == '{\n  "name": "k[1,   2]",\n  "places": [1, 2]\n}\n'


@pytest.mark.processes
def test_a_package_that_is_missing_is_named_without_a_traceback():
    code = "import sys; sys.modules['rocm'] = None; from launchpath._cli import main; main(['run', 'program.cu'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'launchpath[hip]'" in done.stderr and "Traceback" not in done.stderr
