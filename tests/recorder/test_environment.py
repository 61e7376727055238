"""What a program's environment gets, and what of others stays."""

from launchpath._recorder.environment import INCLUDE, OPTIONS, library, loading


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
