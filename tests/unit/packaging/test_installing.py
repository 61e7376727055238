"""What `make setup` and `make demo` show of pip."""

import subprocess
import sys

import pytest

from scripts import installing


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl (16.9 MB)\n", "numpy 2.4.6 (16.9 MB)"),
        ("Downloading intel_opencl_rt-2026.2.0-py2.py3-none-manylinux.whl (331.6 MB)\n",
         "intel_opencl_rt 2026.2.0 (331.6 MB)"),
        ("  Using cached click-8.5.1-py3-none-any.whl (107 kB)\n", "click 8.5.1 (107 kB)"),
        ("  Using cached https://host/a/b/click-8.5.1-py3-none-any.whl\n", "click 8.5.1"),
        ("  Downloading sdist-1.0.tar.gz (5 kB)\n", "sdist-1.0 (5 kB)"),
        ("  Building editable for launchpath (pyproject.toml): started\n", "building launchpath"),
        ("Installing collected packages: a, b, launchpath\n", "unpacking 3 packages"),
        ("  Building editable for launchpath (pyproject.toml): finished with status 'done'\n", None),
        ("Collecting numpy>=1.26 (from launchpath==0.1.0)\n", None),
        ("  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl.metadata (6.6 kB)\n", None),
    ],
)  # fmt: skip
def test_what_is_told_of_pips_lines(line: str, text: str | None) -> None:
    assert installing.told(line) == text


def of_pip(monkeypatch: pytest.MonkeyPatch, code: str) -> int:
    monkeypatch.setattr(sys, "executable", sys.executable)
    start = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda words, **options: start([words[0], "-c", code], **options))
    return installing.main(["anything"])


@pytest.mark.processes
def test_a_line_for_each_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code = "print('Collecting a'); print('Downloading a-1.0-py3-none-any.whl (1 kB)'); print('x' * 500)"
    assert of_pip(monkeypatch, code) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[0].endswith(" s  a 1.0 (1 kB)") and lines[1].startswith("  installed, in ")
    assert max(map(len, lines)) < 80


@pytest.mark.processes
def test_pips_own_words_are_shown_if_it_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert of_pip(monkeypatch, "print('ERROR: no such package'); raise SystemExit(7)") == 7
    out = capsys.readouterr().out
    assert "ERROR: no such package" in out and "installed" not in out
