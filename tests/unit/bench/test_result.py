"""Rows of a benchmark, compared round by round, and where other libraries are."""

import re
from pathlib import Path

import pytest

import launchpath as lp
from launchpath import _bench
from launchpath._bench import BENCHMARKS, Row, peer
from launchpath._bench.measure import Size

# The machine was twice as slow in the second round, and something else took part in the third.
ROW = Row.of("launchpath", {}, [2.2, 4.2, 9.0, 2.1, 2.2])
OTHER = Row.of("c", {}, [2.0, 4.0, 2.0, 2.0, 2.1])


def test_what_slows_a_whole_round_is_in_both():
    assert ROW.minus(OTHER) == pytest.approx(0.2)
    assert ROW.over(OTHER) == pytest.approx(1.05)


def test_rows_without_rounds_in_common_are_compared_by_their_medians():
    for other in Row.of("c", {}, [2.0, 4.0]), Row("c", {}, 3.0, 1.0, 5.0, 5):
        assert ROW.minus(other) == pytest.approx(2.2 - 3.0)
        assert ROW.over(other) == pytest.approx(2.2 / 3.0)


def test_rounds_are_kept_in_json():
    assert Row.from_json(ROW.as_json()) == ROW
    summary = {key: value for key, value in ROW.as_json().items() if key != "blocks"}
    assert Row.from_json(summary).blocks == ()
    assert Row.from_json(summary).minus(OTHER) == pytest.approx(0.2)


# --- other libraries


@pytest.mark.processes
def test_outside_of_a_clone_other_libraries_are_left_out(monkeypatch):
    monkeypatch.setattr(peer, "PEERS", "benchmarks_of_nobody.peers")
    assert peer.peers() is None
    for name, device in [(name, device) for device in lp.devices() for name in ("launch", "generated")]:
        result = BENCHMARKS[name](device, Size(1, 1))
        assert [why for subject, why in result.left_out if subject == "other libraries"] == [peer.NOT_HERE[1]]
        assert not {row.subject for row in result.rows} & {"pyopencl", "opencl"}


def test_the_package_names_none_of_them():
    folder = Path(_bench.__file__).parent
    names = re.compile(r"^\s*(?:import|from) (cupy|torch|triton|tvm_ffi|pyopencl|cuda)\b", re.MULTILINE)
    assert not [file.name for file in folder.rglob("*.py") if names.search(file.read_text(encoding="utf-8"))]
