"""What a program's environment gets, and what of others stays."""

from pathlib import Path

import pytest

from launchpath._recorder import environment
from launchpath._recorder.environment import DOOR, HIP_PROFILER, HIP_TOOLS, INCLUDE, OPTIONS, library, loading


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
    assert variables[OPTIONS] == "mode=host;drop=1;ring=16384;begun=7;delay=1000000000;duration=500000000;repeat=3"
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
