"""What a program's environment gets, and what of others stays."""

import os
from pathlib import Path

import pytest

from launchpath._recorder import environment
from launchpath._recorder.environment import (
    DOOR,
    HIP_PROFILER,
    HIP_TOOLS,
    INCLUDE,
    LIBRARY,
    OPTIONS,
    library,
    loading,
)
from launchpath._tracing.file_name import clock_of


@pytest.fixture(autouse=True)
def rocm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give the folder of ROCm's libraries, the only one there is."""
    monkeypatch.setattr(environment, "_SYSTEM", (str(tmp_path / "lib"),))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "lib").mkdir()
    return tmp_path / "lib"


def test_others_stay_and_come_first() -> None:
    before = {"LD_PRELOAD": "/a.so", "OPENCL_LAYERS": "/b.so", "NVTX_INJECTION64_PATH": "/c.so"}
    variables, remarks = loading({}, 5, before)
    path = library()
    assert path is not None
    assert variables["LD_PRELOAD"] == f"/a.so {path}"
    assert variables["OPENCL_LAYERS"] == f"/b.so:{path}"
    assert "NVTX_INJECTION64_PATH" not in variables
    assert [remark.partition(":")[0] for remark in remarks] == ["LD_PRELOAD", "OPENCL_LAYERS", "NVTX_INJECTION64_PATH"]
    assert loading({}, 5, {"ROCM_PATH": "/no/rocm"}).remarks == []


def test_options_become_text() -> None:
    options = {"mode": "host", "when_full": "drop", "period": "1:0.5:3", "include": ("a", "b")}
    variables, _ = loading(options, 7, {})
    assert variables[OPTIONS] == (
        "mode=host;drop=1;ring=16384;begun=7;delay=1000000000;duration=500000000;repeat=3;aligned=0;period=1:0.5:3"
    )
    text = loading(options | {"period": " @8:2:0 "}, 7, {}).variables[OPTIONS]
    assert text.endswith(";delay=8000000000;duration=2000000000;repeat=0;aligned=1;period=@8:2:0")
    assert variables[INCLUDE] == "a\nb"


def test_what_it_cannot_do_is_refused() -> None:
    for options in ({"include": (r"\w+",)}, {"exclude": ("(?i)a",)}, {"device": ("0",)}, {"include": ("a",) * 40}):
        variables, remarks = loading(options, 0, {})
        assert variables == {}
        assert "only launches of launchpath itself are recorded" in remarks[0]


def test_hip_gets_a_tool_where_there_is_rocprofiler(rocm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    door = str(Path(environment.__file__).with_name(DOOR))
    own = {"ROCM_PATH": "/no/rocm"}
    assert HIP_TOOLS not in loading({}, 0, own).variables
    (rocm / "libamdhip64.so.7").touch()
    (rocm / "librocprofiler-sdk.so.1").touch()  # HIP asks for the name without a number
    variables, remarks = loading({}, 0, own)
    assert HIP_TOOLS not in variables
    assert remarks == []  # without a device of AMD's nobody misses it
    monkeypatch.setattr(environment, "_KFD", str(rocm))
    assert loading({}, 0, own).remarks == ["no rocprofiler-sdk was found beside HIP: what uses HIP is not recorded"]
    (rocm / "librocprofiler-sdk.so").touch()
    assert loading({}, 0, own).variables[HIP_TOOLS] == door
    assert loading({}, 0, own).variables[HIP_PROFILER] == str(rocm / "librocprofiler-sdk.so")
    assert HIP_PROFILER not in loading({}, 0, {**own, HIP_PROFILER: "/my.so"}).variables
    assert loading({}, 0, {"ROCM_PATH": "/no", HIP_PROFILER: "/my.so"}).variables[HIP_TOOLS] == door
    assert loading({}, 0, {**own, HIP_TOOLS: door}).variables[HIP_TOOLS] == door
    assert loading({}, 0, own).remarks == []


def test_other_tools_of_hip_stay_and_come_first() -> None:
    door = str(Path(environment.__file__).with_name(DOOR))
    variables, remarks = loading({}, 0, {HIP_TOOLS: "/a.so:/b.so"})
    assert variables[HIP_TOOLS] == f"/a.so:/b.so:{door}:"  # what stands behind the last colon is left out
    assert remarks == [f"{HIP_TOOLS}: /a.so:/b.so stays, and comes before the recorder"]


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
