"""``launchpath report``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import launchpath as lp
from launchpath._cli import main
from launchpath._findings.shown.sentences import lead
from launchpath._findings.why import findings
from launchpath._trace.summaries.summarize import summarize
from tests.python import python
from tests.trace.builder import Builder, clocks
from tests.trace.program import write


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    write(tmp_path / "run.lptrace", 1)
    return tmp_path / "run.lptrace"


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, args)])


def test_tables_are_printed(trace: Path) -> None:
    result = run(trace)
    without = "`launchpath trace --findings` records what more is found by, and the source lines."
    lines = [*lead(findings([trace])), without, "", *str(summarize(trace)).splitlines()]
    assert (result.exit_code, result.stdout.splitlines()) == (0, lines)


def test_several_files(trace: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", 2, process={"pid": 5, "host": "node1"})
    result = run(trace, tmp_path / "other")
    assert result.exit_code == 0 and "\n\n2 hosts, 2 processes, " in result.stdout


def test_json_goes_to_a_file_or_to_standard_output(trace: Path, tmp_path: Path) -> None:
    result = run(trace, "--json", "-")
    data = json.loads(result.stdout)
    assert data == json.loads(json.dumps(summarize(trace).as_json()))
    assert "Kernels" in result.stderr
    assert run(trace, "--json", tmp_path / "s.json").exit_code == 0
    assert json.loads((tmp_path / "s.json").read_text()) == data


def test_other_formats(trace: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    targets = {name: tmp_path / f"out.{name}" for name in ("perfetto", "parquet", "csv")}
    result = run(trace, *(part for name, target in targets.items() for part in (f"--{name}", target)))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"written: {target}" for target in targets.values()]
    assert targets["parquet"].is_dir() and targets["perfetto"].stat().st_size and targets["csv"].stat().st_size


def test_a_program_that_runs_or_was_killed(tmp_path: Path) -> None:
    path = Builder(state=0).slots(*clocks()).write(tmp_path / "t")
    result = run(path)
    assert result.exit_code == 0
    assert "traces without an end (the program still runs, or was killed): 1" in result.stdout


def test_exit_codes(trace: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no trace")
    for args, code, text in (
        ((tmp_path / "text",), 1, "expected a trace, which begins with"),
        ((), 2, "Missing argument"),
        ((tmp_path / "none",), 2, "does not exist"),
        ((trace, "--csv", tmp_path / "none" / "k.csv"), 2, "not in a writable folder"),
        ((trace, "--parquet", tmp_path), 1, "expected an empty folder"),
        ((trace, "--csv", trace), 2, "which would be lost: name another one"),
        ((trace, "--perfetto", trace), 2, "which would be lost: name another one"),
        ((trace, "--csv", "-"), 1, "/dev/stdout"),
    ):
        result = run(*args)
        assert (result.exit_code, text in result.stderr) == (code, True), result.stderr


def test_a_trace_is_not_written_over(trace: Path) -> None:
    before, saved = trace.read_bytes(), lp.read_trace(trace)
    for method in (saved.write_csv, saved.write_perfetto):
        with pytest.raises(lp.TraceFileError, match="is a trace that is to be read"):
            method(trace)
    assert trace.read_bytes() == before


def test_a_format_whose_package_is_missing(trace: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None; from launchpath._cli import main; "
        f"main(['report', {str(trace)!r}, '--parquet', {str(tmp_path / 'out')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        "LibraryError: expected the package pyarrow" in done.stderr and "pip install 'launchpath[trace]'" in done.stderr
    )
    assert not (tmp_path / "out").exists()


def test_reading_needs_no_optional_package(trace: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('pandas', 'pyarrow', 'perfetto', 'google'): sys.modules[name] = None\n"
        "from launchpath._cli import main\n"
        f"main(['report', {str(trace)!r}])"
    )
    assert "Kernels (time on the device)" in python("-c", code).stdout
