"""What a program's environment gets, and what of others stays."""

import os
from pathlib import Path

import pytest

from launchpath._recorder import environment
from launchpath._recorder.environment import INCLUDE, LIBRARY, OPTIONS, library, loading
from launchpath._tracing.file_name import clock_of


def test_others_stay_and_come_first() -> None:
    before = {"LD_PRELOAD": "/a.so", "OPENCL_LAYERS": "/b.so", "NVTX_INJECTION64_PATH": "/c.so"}
    variables, remarks = loading({}, 5, before)
    path = library()
    assert path is not None
    assert variables["LD_PRELOAD"] == f"/a.so {path}"
    assert variables["OPENCL_LAYERS"] == f"/b.so:{path}"
    assert "NVTX_INJECTION64_PATH" not in variables
    assert [remark.partition(":")[0] for remark in remarks] == ["LD_PRELOAD", "OPENCL_LAYERS", "NVTX_INJECTION64_PATH"]
    assert loading({}, 5, {}).remarks == []


def test_options_become_text() -> None:
    options = {"mode": "host", "when_full": "drop", "period": "1:0.5:3", "include": ("a", "b")}
    variables, _ = loading(options, 7, {})
    assert variables[OPTIONS] == "mode=host;drop=1;ring=16384;begun=7;delay=1000000000;duration=500000000;repeat=3"
    assert variables[INCLUDE] == "a\nb"


def test_what_it_cannot_do_is_refused() -> None:
    for options in ({"include": (r"\w+",)}, {"exclude": ("(?i)a",)}, {"device": ("0",)}, {"include": ("a",) * 40}):
        variables, remarks = loading(options, 0, {})
        assert variables == {}
        assert "only launches of launchpath itself are recorded" in remarks[0]


def test_patterns_that_mean_the_same_to_posix_are_taken() -> None:
    for pattern in ("[*+]", "a[]*+?]b", r"add\+", "(a|b){2}$", "[^]x]*", "x{2,3}", "[?][+]"):
        assert OPTIONS in loading({"include": (pattern,)}, 0, {}).variables, pattern
    for pattern in (r"[\d]", "[[:alpha:]]", "a*?", "a++", "a{2}?", r"\bx", "(?:a)", r"[\]]", "a\nb", "a{", "a{b}"):
        assert not loading({"include": (pattern,)}, 0, {}).variables, pattern


def test_a_recorder_comes_once_where_a_trace_is_in_a_trace() -> None:
    path = library()
    assert path is not None
    other = f"/other/{LIBRARY}"
    before = {
        "LD_PRELOAD": f"{other}:/a.so {path}",
        "OPENCL_LAYERS": other,
        "NVTX_INJECTION64_PATH": other,
        OPTIONS: "x",
    }
    variables, remarks = loading({}, 5, before)
    assert variables["LD_PRELOAD"] == f"/a.so {path}"
    assert variables["OPENCL_LAYERS"] == variables["NVTX_INJECTION64_PATH"] == path
    assert [remark.partition(":")[0] for remark in remarks] == ["LD_PRELOAD", "a trace goes on around this one"]


@pytest.mark.parametrize("folder", ["/with space", "/with:colon"])
def test_a_folder_that_the_linker_would_split_is_refused(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setattr(environment, "library", lambda: f"{folder}/{LIBRARY}")
    variables, remarks = loading({}, 0, {})
    assert variables == {}
    assert "LD_PRELOAD cannot name" in remarks[0] and "install launchpath in a folder without them" in remarks[0]


def test_the_clock_of_a_folder_is_never_ahead_of_its_files(tmp_path: Path) -> None:
    """The system's own clock is: file systems stamp files with the last tick of the kernel's, or with whole seconds."""
    for i in range(300):
        begun = clock_of(os.fspath(tmp_path))
        (tmp_path / str(i)).write_bytes(b"x")
        assert (tmp_path / str(i)).stat().st_mtime_ns >= begun
