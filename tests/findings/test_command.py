"""``launchpath why``, and what ``launchpath report`` begins with."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import launchpath as lp
from launchpath._cli import main
from launchpath._findings import why
from launchpath._findings.report import Report
from launchpath._findings.shown.screen import whole
from launchpath._findings.shown.sentences import lead
from launchpath._trace.summaries.summarize import summarize
from tests.command import run
from tests.findings import reports
from tests.trace.program import write

# A program without a device, whose one mark begins a trace.
PROGRAM = """
import sys
import launchpath as lp
lp.mark("ran")
print("out", *sys.argv[1:])
print("err", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    write(tmp_path / "run.lptrace", 1)
    return tmp_path / "run.lptrace"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Any]]:
    """Have every trace give the report that is made by hand; give the paths that were read."""
    paths: list[Sequence[Any]] = []

    def findings(files: Sequence[Any], progress: Any = None, calibrate: Any = None) -> Report:
        paths.append([os.path.basename(file) for file in files])
        assert all(os.path.isfile(file) for file in files)
        return reports.simulate()

    monkeypatch.setattr(why, "findings", findings)
    return paths


def of_program(*words: object, folder: Path, code: int = 0) -> Result:
    """Run a program by the command, within this process."""
    (folder / "program.py").write_text(PROGRAM)
    return run("why", *words, "--", sys.executable, folder / "program.py", code, "--mode", "fast")


def test_a_trace_is_read_and_its_report_printed(trace: Path, read: list[Any]) -> None:
    result = run("why", trace)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{reports.simulate()}\n", "")
    assert read == [["run.lptrace"]]


def test_html_and_json_are_written(trace: Path, read: list[Any], tmp_path: Path) -> None:
    result = run("why", "--html", tmp_path / "a.html", "--json", tmp_path / "a.json", trace, trace)
    assert result.exit_code == 0 and result.stdout.endswith(f"written: {tmp_path / 'a.html'}\n")
    assert (tmp_path / "a.html").read_text() == reports.simulate().as_html()
    data = json.loads(json.dumps(reports.simulate().as_json()))
    assert json.loads((tmp_path / "a.json").read_text()) == data
    result = run("why", "--json", "-", trace)
    assert json.loads(result.stdout) == data and "Launching holds" in result.stderr
    assert len(read[0]) == 2


def test_a_summary_has_no_order_of_calls() -> None:
    result = run("why", "all.lpsum")
    assert result.exit_code == 2
    assert "expected a program, or traces (.lptrace), got all.lpsum" in result.stderr
    assert "`launchpath report all.lpsum` shows" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("no_such.lptrace",), "expected the file of a trace, got 'no_such.lptrace'"),
        (("TRACE", "other"), "expected the file of a trace, got 'other'"),
        (("--prove", "TRACE"), "expected --prove before the command of a program"),
        (("--no-sites", "TRACE"), "expected --no-sites before"),
        (("-o", "x", "TRACE"), "expected --output before"),
        (("--mode", "host", "TRACE"), "expected --mode before"),
        (("--html", "a", "--json", "a", "TRACE"), "expected a file of its own for each"),
        (("--html", "a", "-o", "./a", "--", "true"), "expected a file of its own for each"),
        (("--htm", "a", "TRACE"), "No such option"),
        (("--html", "/no/such/folder/a", "TRACE"), "not in a writable folder"),
        ((), "Missing argument"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused(words: tuple[str, ...], message: str, trace: Path, read: list[Any]) -> None:
    result = run("why", *(trace if word == "TRACE" else word for word in words))
    assert result.exit_code == 2 and message in result.stderr
    assert not read


def test_a_trace_is_not_written_over(trace: Path, read: list[Any]) -> None:
    before = trace.read_bytes()
    for option in ("--html", "--json"):
        result = run("why", option, trace, trace)
        assert result.exit_code == 2 and "which would be lost: name another one" in result.stderr
    assert trace.read_bytes() == before and not read


def test_a_pipe_has_all_of_the_report(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why, "findings", lambda *words: reports.crowded())
    text = " ".join(run("why", trace).stdout.split())
    assert "..." not in text and "more finding" not in text and "other region" not in text
    for finding in reports.crowded().findings:
        assert " ".join(finding.mend.split()) in text
    monkeypatch.setattr("launchpath._report.console._terminal_width", lambda file: 80)
    assert "more findings: in the report of --html or --json." in " ".join(run("why", trace).stdout.split())


def test_what_is_no_trace_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.lptrace").write_bytes(b"no trace")
    assert run("report", tmp_path / "a.lptrace").exit_code == 1


@pytest.mark.processes
def test_a_program_is_run_and_its_exit_code_kept(tmp_path: Path, read: list[Any], capfd: Any) -> None:
    result = of_program("--html", tmp_path / "a.html", folder=tmp_path, code=7)
    out, err = capfd.readouterr()
    assert result.exit_code == 7
    assert (out, err) == ("out 7 --mode fast\n", "err\n")  # the program's own, and nothing between
    expected = reports.simulate()
    expected.program = f"{sys.executable} {tmp_path}/program.py 7 --mode fast"  # as the user has typed it
    assert result.stdout == "" and whole(expected) in result.stderr
    assert read == [["why.lptrace"]] and (tmp_path / "a.html").exists()
    assert not list(tmp_path.glob("*.lptrace"))


@pytest.mark.processes
def test_traces_are_kept_where_that_is_asked_for(tmp_path: Path, read: list[Any], capfd: Any) -> None:
    result = of_program("-o", tmp_path / "kept.lptrace", "--json", "-", folder=tmp_path)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["program"] == f"{sys.executable} {tmp_path}/program.py 0 --mode fast"
    assert (tmp_path / "kept.lptrace").exists()
    assert "launchpath: to see this again: launchpath why " in result.stderr and "kept.lptrace\n" in result.stderr


@pytest.mark.processes
def test_a_temporary_trace_is_removed_and_the_program_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    seen = []
    monkeypatch.setattr(why, "findings", lambda files, *others: seen.extend(map(os.path.abspath, files)) or Report())
    result = of_program("--json", "-", folder=tmp_path)
    assert seen and not os.path.exists(os.path.dirname(seen[0]))
    assert json.loads(result.stdout)["program"] == f"{sys.executable} {tmp_path}/program.py 0 --mode fast"


@pytest.mark.processes
def test_proofs_are_asked_for(tmp_path: Path, read: list[Any], monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    asked = []
    monkeypatch.setattr("launchpath._cli.why.prove_findings", lambda *words: asked.append(words))
    assert of_program(folder=tmp_path).exit_code == 0 and not asked
    assert of_program("--prove", "--no-sites", "--mode", "host", folder=tmp_path).exit_code == 0
    report, command, options, progress = asked[0]
    assert isinstance(report, Report) and command[-3:] == ("0", "--mode", "fast")
    assert options == {"findings": True, "sites": False, "mode": "host"}
    progress("a run with delays")
    assert "launchpath: for the proof, a run with delays\n" in capfd.readouterr().err


@pytest.mark.processes
def test_a_program_without_a_device_is_reported(tmp_path: Path, read: list[Any]) -> None:
    result = run("why", "--", "sh", "-c", "exit 3")
    assert result.exit_code == 3 and "no process of the program submitted work" in result.stderr
    assert run("why", "--", "/no/such/program").exit_code == 1
    assert not read


@pytest.mark.processes
def test_a_report_that_cannot_be_made_does_not_hide_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    def findings(files: Sequence[Any], progress: Any = None, calibrate: Any = None) -> Report:
        raise lp.errors.TraceFileError("expected a trace that can be read")

    monkeypatch.setattr(why, "findings", findings)
    assert of_program(folder=tmp_path, code=7).exit_code == 7
    result = of_program(folder=tmp_path)
    assert result.exit_code == 1 and "TraceFileError: expected a trace" in result.stderr


@pytest.mark.processes
def test_as_a_user_types_it(tmp_path: Path) -> None:
    """With a pipe of ASCII: nothing of the report is lost, and the program's output is alone."""
    (tmp_path / "program.py").write_text(PROGRAM)
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "launchpath", "why", "--", sys.executable, "program.py", "0"]
    done = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout == "out 0\n"
    assert done.stderr.startswith("err\n") and "program.py 0: 1 process" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py"]


def test_the_report_begins_with_what_matters(trace: Path, read: list[Any]) -> None:
    lines = run("report", trace).stdout.splitlines()
    assert lines[:3] == lead(reports.simulate())
    assert lines[3:5] == ["What to do, and where: `launchpath why FILE...`.", ""]
    assert "\n".join(lines[5:]) == str(summarize(trace))


def test_a_saved_trace_has_findings(trace: Path, read: list[Any]) -> None:
    found = lp.read_trace(trace).findings()
    assert isinstance(found, Report) and "Launching" in str(found) and "<svg" in found._repr_html_()


def test_it_is_among_the_commands() -> None:
    assert "why" in main.list_commands(None)  # type: ignore[arg-type]
